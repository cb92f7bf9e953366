// SPDX-License-Identifier: Apache-2.0

/// Why a paste was not accepted. Nothing of it was kept.
public enum PasteRefusal: Sendable, Equatable {
    /// It has more than 64 KiB.
    case tooLong
    /// Its end did not arrive within 3 s, or a change of focus or Control-C came before it. What still comes of it is
    /// dropped until its end, and no longer than 30 s; so are keys, but Control-C.
    case interrupted

    /// What to show to the user.
    public var explanation: String {
        switch self {
        case .tooLong: "The paste has more than 64 KiB; nothing of it was taken."
        case .interrupted: "The paste was interrupted; nothing of it was taken. Wait a moment and paste it again."
        }
    }
}
