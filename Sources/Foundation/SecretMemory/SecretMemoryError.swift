// SPDX-License-Identifier: Apache-2.0

package import Statuses

/// Why secret memory could not be allocated, read or filled. Two errors are equal if their codes are.
public struct SecretMemoryError: Error, Equatable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case forked, outOfMemory, noRandomBytes, cancelled, noTerminal, lineTooLong, terminal, unreadable
        }
        let value: Value

        /// A secret was used in a child process after fork, where the bytes are not available.
        public static let forked = Code(value: .forked)
        /// The system has no more memory, or the secret is larger than 1 GiB.
        public static let outOfMemory = Code(value: .outOfMemory)
        /// The system's random generator does not answer.
        public static let noRandomBytes = Code(value: .noRandomBytes)
        /// The user cancelled the prompt: Ctrl-C, or Ctrl-D on an empty line.
        public static let cancelled = Code(value: .cancelled)
        /// There is no terminal for the prompt.
        public static let noTerminal = Code(value: .noTerminal)
        /// The line is longer than a terminal can pass on.
        public static let lineTooLong = Code(value: .lineTooLong)
        /// The terminal failed during the prompt.
        public static let terminal = Code(value: .terminal)
        /// The file to read a secret from is unreadable.
        public static let unreadable = Code(value: .unreadable)
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do next; never contains a secret.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?
    /// The source location, `file:line`.
    public let location: String

    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, which the functions of `SecItem` return; the command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Compares only the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}

extension SecretMemoryError {
    /// The secret's slot reads as zeros: this is a child of the process that made the secret.
    static func forked(file: String = #fileID, line: Int = #line) -> Self {
        Self(
            .forked, "Secrets are not available in a process after fork; make new ones there, after exec.",
            file: file, line: line
        )
    }

    static func outOfMemory(_ count: Int, file: String = #fileID, line: Int = #line) -> Self {
        Self(.outOfMemory, "The system gives no memory for a secret of \(count) bytes.", file: file, line: line)
    }
}

extension SecretMemoryError: StatusError {}

extension SecretMemoryError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .forked, .noRandomBytes: .notAvailable
        case .outOfMemory: .outOfMemory
        case .cancelled: .userCancelled
        case .noTerminal: .interactionRequired
        case .lineTooLong: .dataTooLarge
        case .terminal, .unreadable: .inputOutput
        }
    }
}
