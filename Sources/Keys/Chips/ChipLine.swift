// SPDX-License-Identifier: Apache-2.0

/// The way of commands to a chip and of answers back.
package protocol ChipLine {
    /// One command there and its answer back. Errors: `.away`, `.silent`, `.garbage`.
    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8]

    /// Whether somebody keeps apart what different programs have in the chip.
    var keepsProgramsApart: Bool { get }
}

extension ChipWay {
    /// Whether somebody is at the other end; nothing is asked. Errors: `.away`, `.silent`.
    package func isThere() throws -> Bool {
        _ = try connect()
        return true
    }

    /// A new connection.
    package func connect() throws -> any ChipLine { try ChipConnection(self) }
}
