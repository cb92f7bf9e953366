// SPDX-License-Identifier: Apache-2.0

/// Why the terminal could not be used.
public struct TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable {
        let name: String
        /// The process has no terminal; run the program in one.
        public static let noTerminal = Code(name: "noTerminal")
        /// The terminal is used by another part of this process already.
        public static let inUse = Code(name: "inUse")
        /// The system refused an operation of the terminal.
        public static let system = Code(name: "system")
        /// The terminal has no other screen, so that what is drawn would stay in its scrollback.
        public static let noOtherScreen = Code(name: "noOtherScreen")
        /// The user gave up: Control-C or Control-D.
        public static let cancelled = Code(name: "cancelled")
        /// There was no memory for a secret; see SecretMemory.
        public static let noMemory = Code(name: "noMemory")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether both are of one kind.
    public static func == (left: TerminalError, right: TerminalError) -> Bool { left.code == right.code }

    /// What happened, and what to do.
    public var description: String { message }
}
