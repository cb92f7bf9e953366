// SPDX-License-Identifier: Apache-2.0

/// Why a profile, an app or a build setting could not be read, or why a profile does not verify. Equal when the codes are.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong. More may be added; ``name`` is stable and stands in reports.
    public struct Code: Hashable, Sendable {
        /// The name in reports, in words joined by hyphens.
        public let name: String

        init(_ name: String) { self.name = name }
    }

    /// Which of the signed things failed.
    public enum Part: String, Sendable {
        /// The outer envelope with the property list.
        case envelope = "profile"
        /// The `DER-Encoded-Profile` inside the property list.
        case derCopy = "DER copy"
        /// The signature over an app's code.
        case code = "code signature"
    }

    /// What went wrong.
    public let code: Code
    /// What it means and what to do, for a person. Holds no content of the file but key names and numbers.
    public let message: String
    /// Which signed thing failed.
    public let part: Part

    /// An error with a message of its own.
    public init(_ code: Code, _ message: String, part: Part = .envelope) {
        self.code = code
        self.message = message
        self.part = part
    }

    /// Equality by code.
    public static func == (left: ProfileError, right: ProfileError) -> Bool { left.code == right.code }

    /// The name and the message.
    public var description: String { "\(part.rawValue): \(code.name): \(message)" }

    func at(_ part: Part) -> ProfileError { ProfileError(code, message, part: part) }
}
