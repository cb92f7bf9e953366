// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import SecretMemory

/// `zamok run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Unlock once and run a program with the keys.",
        discussion: """
            For machines without a kernel keyring, such as containers, and for programs that alone shall be unlocked. The keys are \
            handed over in sealed memory; the program and what it starts find them there, and zamok lock takes them away. The \
            passcode comes from --passcode-file or from a prompt; a file that is named has to be there and to be the home's. The program \
            doesn't learn of $ZAMOK_PASSCODE_FILE. Signals are passed on; no core files are written.

            The status is the program's own, 128 + the signal that ended it, 127 if it does not exist, 126 if it can't be started.

            EXAMPLES:
              zamok run --passcode-file /run/secrets/passcode -- server --port 8080
              zamok run -- sh
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments, behind --.")
    var command: [String] = []

    func run() throws {
        guard let program = command.first else { throw CommandFailure.usage("name a program to run, behind --") }
        let keys = try unlocked().keybag.handOver()
        switch Launcher.run(command, with: keys) {
        case .ended(let status): throw CommandFailure.silent(status)
        case .missing: throw CommandFailure(exitStatus: 127, message: "there is no program \(program.printable)")
        case .refused(let number):
            let reason = SystemCode.text(number)
            throw CommandFailure(exitStatus: 126, message: "\(program.printable) can't be started: \(reason)")
        }
    }

    private func unlocked() throws -> Home {
        let home = try Session.open(global.choice)
        let passcode = try Passcodes.file(global.choice).map { path in
            // Read even where it isn't needed: what was said has to be true.
            let passcode = Secret(try Passcodes.read(path))
            guard try home.keybag.hasPasscode else {
                throw CommandFailure.usage(
                    "the passcode file \(path.printable) is named, but the home has no passcode; run: zamok passcode set"
                )
            }
            return passcode
        }
        guard home.keybag.lockState != .unlocked else { return home }
        let own = try Session.open(global.choice, .process)
        if let passcode {
            try passcode.withSecretBytes { try own.keybag.unlock(passcode: $0) }
        } else {
            try own.keybag.unlock(passcode: try Passcodes.ask(own, .passcode, "--passcode-file"))
        }
        return own
    }
}
