// SPDX-License-Identifier: Apache-2.0

import SecretMemory
package import Statuses

/// Why the terminal could not be used.
public struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case noTerminal, inUse, system, noOtherScreen, cancelled, noMemory
        }
        let value: Value

        /// The process has no terminal; run the program in one.
        public static let noTerminal = Code(value: .noTerminal)
        /// Another part of this process uses the terminal already.
        public static let inUse = Code(value: .inUse)
        /// The system refused an operation of the terminal.
        public static let system = Code(value: .system)
        /// The terminal has no alternate screen, so that drawn content would stay in its scrollback, or can't draw at
        /// all by its `TERM`: write lines there, by `LineMode`.
        public static let noOtherScreen = Code(value: .noOtherScreen)
        /// The user gave up: Control-C or Control-D.
        public static let cancelled = Code(value: .cancelled)
        /// No memory for a secret; see the module SecretMemory.
        public static let noMemory = Code(value: .noMemory)
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, and what to do.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?
    /// Where it was detected, as `file:line`.
    public let location: String

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, as `SecItem` functions return it. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Equality by code alone.
    public static func == (left: TerminalError, right: TerminalError) -> Bool { left.code == right.code }

    /// What happened, and what to do.
    public var description: String { message }
}

extension TerminalError {
    /// Whether only the line that was typed is at fault: the next one may be right.
    var isOfTheLine: Bool { (cause as? SecretMemoryError)?.code == .lineTooLong }
}

extension TerminalError: StatusError {}

extension TerminalError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .noTerminal: .interactionRequired
        case .inUse: .busy
        case .system: .inputOutput
        case .noOtherScreen: .unimplemented
        case .cancelled: .userCancelled
        case .noMemory: .outOfMemory
        }
    }
}
