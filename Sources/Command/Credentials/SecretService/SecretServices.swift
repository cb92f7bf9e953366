// SPDX-License-Identifier: Apache-2.0

package import DataProtection

/// The Secret Service of all programs, or one for each program, with a group of its own.
package final class SecretServices {
    /// Programs that are told apart at a time; the next ones are those without a name.
    private static let limit = 256

    private let home: Home
    private let group: String
    /// Whether each program has items of its own.
    package let isSeparate: Bool
    private let numbers = SecretNumbers()
    private var services: [ProgramName: SecretService] = [:]
    /// Which program a client is of; only where they are told apart.
    private var programs: [String: ProgramName] = [:]
    /// That of all programs, and of the portal.
    package let shared: SecretService

    package init(_ home: Home, group: String, isSeparate: Bool) {
        (self.home, self.group, self.isSeparate) = (home, group, isSeparate)
        shared = SecretService(home, group: group, numbers: numbers)
    }

    /// All that there are.
    private var all: [SecretService] { [shared] + services.values }

    /// Says which program a client is of.
    package func met(_ client: String, _ program: ProgramName) {
        let isKnown = services[program] != nil || services.count < Self.limit
        let program = isKnown ? program : .unnamed
        programs[client] = program
        guard services[program] == nil else { return }
        services[program] = SecretService(home, group: program.group(in: group), numbers: numbers)
    }

    /// What serves a client. Nil: it isn't known which program it is of.
    package func service(of client: String) -> SecretService? {
        isSeparate ? programs[client].flatMap { services[$0] } : shared
    }

    /// A client has left the bus.
    package func left(_ client: String) {
        service(of: client)?.left(client)
        guard let program = programs.removeValue(forKey: client), !programs.values.contains(program) else { return }
        // What is in memory alone stays for the program's next run.
        if services[program]?.memory.count == 0 { services[program] = nil }
    }

    /// Signals to send, in their order. Where programs are told apart nobody hears of the items of another one.
    package func takeSignals() -> [BusSignal] {
        guard isSeparate else { return shared.takeSignals() }
        var signals = shared.takeSignals().filter { $0.destination != nil }
        for (program, service) in services {
            let clients = programs.filter { $0.value == program }.keys
            for signal in service.takeSignals() {
                guard signal.destination == nil else {
                    signals.append(signal)
                    continue
                }
                for client in clients {
                    var own = signal
                    own.destination = client
                    signals.append(own)
                }
            }
        }
        return signals
    }

    /// Prompts about which a person is to be asked now.
    package func takeQuestions() -> [String] { all.flatMap { $0.takeQuestions() } }

    /// Prompts that are to be asked about no more.
    package func takeUnwanted() -> [String] { all.flatMap { $0.takeUnwanted() } }

    /// Ends a prompt, whosever it is.
    package func finish(_ prompt: String, _ outcome: SecretService.Outcome) {
        for service in all { service.finish(prompt, outcome) }
    }

    /// Tells what others did.
    package func lookAround() { for service in all { service.lookAround() } }

    /// Locks with the session, or before the machine sleeps. Errors: a `DataProtectionError`.
    package func lockWithSession() throws {
        defer { lookAround() }
        try shared.lockWithSession()
    }
}

/// The numbers of sessions and prompts: no two have the same, whichever service they are of.
final class SecretNumbers {
    private var last = 0

    func next() -> String {
        last += 1
        return String(last)
    }
}
