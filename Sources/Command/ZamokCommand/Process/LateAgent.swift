// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection

/// An agent that systemd started before the home exists. It has no keys until a home is created, and then becomes the
/// agent of that home.
final class LateAgent {
    private let make: () throws -> SSHAgent
    private var agent: SSHAgent?

    /// Errors: those of `make`. With `waits`, a missing home is no error.
    init(waits: Bool, _ make: @escaping () throws -> SSHAgent) throws {
        self.make = make
        do { agent = try make() } catch let error as DataProtectionError {
            guard waits, error.code == .noHome else { throw error }
        }
    }

    /// As ``SSHAgent/turn(_:)``. Checks for the home once a turn.
    func turn(_ answers: () -> Void) {
        if agent == nil { agent = try? make() }
        if let agent { agent.turn(answers) } else { answers() }
    }

    /// As ``SSHAgent/answer(_:_:)``. Without a home the list of keys is empty, and every other request fails.
    func answer(_ message: [UInt8], _ session: inout SSHAgentSession) -> SSHAgent.Answer {
        if let agent { return agent.answer(message, &session) }
        return .now(message == [11] ? [12, 0, 0, 0, 0] : [5])
    }
}
