// SPDX-License-Identifier: Apache-2.0

/// A connection that sends commands to a TPM and returns its responses.
package protocol TPMTransport {
    /// Sends one command and returns its response. Errors: `.away`, `.silent`, `.garbage`.
    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8]

    /// Whether a resource manager isolates the objects and sessions of each program.
    var keepsProgramsApart: Bool { get }
}

extension TPMAddress {
    /// Returns true if a connection can be opened; sends no command. Errors: `.away`, `.silent`.
    package func isThere() throws -> Bool {
        _ = try connect()
        return true
    }

    /// Opens a new connection.
    package func connect() throws -> any TPMTransport { try TPMConnection(self) }
}
