// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection

/// An agent that systemd started before there was a home: it has no keys until somebody makes one, and then is the
/// agent of that home.
final class LateAgent {
    private let make: () throws -> SSHAgent
    private var agent: SSHAgent?

    /// Errors: those of `make`; where `waits`, not that there is no home yet.
    init(waits: Bool, _ make: @escaping () throws -> SSHAgent) throws {
        self.make = make
        do { agent = try make() } catch let error as DataProtectionError {
            guard waits, error.code == .noHome else { throw error }
        }
    }

    /// As ``SSHAgent/turn(_:)``. The home is looked for once a turn.
    func turn(_ answers: () -> Void) {
        if agent == nil { agent = try? make() }
        if let agent { agent.turn(answers) } else { answers() }
    }

    /// As ``SSHAgent/answer(_:_:)``; without a home an empty list to whoever asks for one, and a failure to everybody
    /// else.
    func answer(_ message: [UInt8], _ session: inout SSHAgentSession) -> SSHAgent.Answer {
        if let agent { return agent.answer(message, &session) }
        return .now(message == [11] ? [12, 0, 0, 0, 0] : [5])
    }
}
