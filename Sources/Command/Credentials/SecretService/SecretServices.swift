// SPDX-License-Identifier: Apache-2.0

package import DataProtection

/// One Secret Service for all programs, or one for each program with its own group.
package final class SecretServices {
    /// The maximum number of programs with their own service. Further ones share the service of programs
    /// without a name.
    private static let limit = 256

    private let home: Home
    private let group: String
    /// Whether each program has its own items.
    package let isSeparate: Bool
    private let numbers = SecretNumbers()
    private var services: [ProgramName: SecretService] = [:]
    /// The programs of clients by bus name. Used only if `isSeparate`.
    private var programs: [String: ProgramName] = [:]
    /// The service of all programs, and of the portal.
    package let shared: SecretService

    package init(_ home: Home, group: String, isSeparate: Bool) {
        (self.home, self.group, self.isSeparate) = (home, group, isSeparate)
        shared = SecretService(home, group: group, numbers: numbers)
    }

    /// All services.
    private var all: [SecretService] { [shared] + services.values }

    /// Records the program that a client belongs to.
    package func met(_ client: String, _ program: ProgramName) {
        let isKnown = services[program] != nil || services.count < Self.limit
        let program = isKnown ? program : .unnamed
        programs[client] = program
        guard services[program] == nil else { return }
        services[program] = SecretService(home, group: program.group(in: group), numbers: numbers)
    }

    /// The service for a client. Nil: its program isn't known.
    package func service(of client: String) -> SecretService? {
        isSeparate ? programs[client].flatMap { services[$0] } : shared
    }

    /// Removes a client that has left the bus.
    package func left(_ client: String) {
        service(of: client)?.left(client)
        guard let program = programs.removeValue(forKey: client), !programs.values.contains(program) else { return }
        // Items that are only in memory stay for the program's next run.
        if services[program]?.memory.count == 0 { services[program] = nil }
    }

    /// Takes the signals to send, in order. If `isSeparate`, a program gets only signals about its own items.
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

    /// Takes the prompts to show now.
    package func takeQuestions() -> [String] { all.flatMap { $0.takeQuestions() } }

    /// Takes the prompts that are no longer to be shown.
    package func takeUnwanted() -> [String] { all.flatMap { $0.takeUnwanted() } }

    /// Ends a prompt of any service.
    package func finish(_ prompt: String, _ outcome: SecretService.Outcome) {
        for service in all { service.finish(prompt, outcome) }
    }

    /// Signals what other processes did.
    package func lookAround() { for service in all { service.lookAround() } }

    /// Locks when the session locks or the machine is about to sleep. Errors: a `DataProtectionError`.
    package func lockWithSession() throws {
        defer { lookAround() }
        try shared.lockWithSession()
    }
}

/// The numbers of sessions and prompts, which are unique across all services.
final class SecretNumbers {
    private var last = 0

    func next() -> String {
        last += 1
        return String(last)
    }
}
