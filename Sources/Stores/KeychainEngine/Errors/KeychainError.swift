// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Why a keychain operation failed. Two errors are equal when their codes are.
public struct KeychainError: Error, Equatable, CustomStringConvertible {
    /// What went wrong: Apple's OSStatus. Codes that are not named here keep their raw value.
    ///
    /// *Locked* (`.locked`), *absent* (`.itemNotFound`), *damaged* (`.damaged`), *key destroyed* (`.keyDestroyed`) and
    /// *wrong passcode* (`.authenticationFailed`) are always different codes.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// Apple's OSStatus.
        public let rawValue: Int32

        /// A code by its OSStatus.
        public init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// What happened, to which kind of item, and what to do next. Never contains a secret, an account or a service.
    public let message: String
    /// The error underneath.
    public let cause: (any Error)?
    /// Where the error was detected, `file:line`.
    public let location: String

    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, as the functions of `SecItem` return it. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Equal codes; messages and causes may differ.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message with the code's name and number.
    public var description: String {
        guard let name = code.name else { return "\(message) (\(code.rawValue))" }
        return "\(message) (\(name), \(code.rawValue))"
    }
}
