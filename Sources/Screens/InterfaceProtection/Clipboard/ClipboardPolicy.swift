// SPDX-License-Identifier: Apache-2.0

/// Whether secrets may go to the clipboard.
public struct ClipboardPolicy: Sendable, Equatable {
    /// Whether copying is allowed at all.
    public var isAllowed: Bool
    /// The time after which a copy is cleared, if possible.
    public var clearsAfter: Duration

    /// A policy.
    public init(isAllowed: Bool, clearsAfter: Duration = .seconds(30)) {
        self.isAllowed = isAllowed
        self.clearsAfter = clearsAfter
    }

    /// Nothing is copied.
    public static let off = ClipboardPolicy(isAllowed: false)
}
