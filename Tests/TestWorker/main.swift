// SPDX-License-Identifier: Apache-2.0
//
// test-worker SUBCOMMAND ARGUMENT...: what tests need a process of its own for. They talk with it, search it, interrupt
// it or kill it. Each subcommand is described where it is declared.

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst(2))
switch CommandLine.arguments.dropFirst().first {
case "keybag": KeybagWorker.run(arguments)
case "keychain": try KeychainWorker.run(arguments[0])
case "files": try FileWorker.run(arguments)
case "users":
    // On the main thread, as in a program whose main is asynchronous.
    Task { @MainActor in
        try await UserWorker.run(arguments)
        exit(0)
    }
    dispatchMain()
case "prompt": try PromptWorker.run(arguments)
case "secret-memory": try SecretScenario.run(arguments)
case "terminal": TerminalProbe(arguments: arguments).run()
case "file-calls": FileCalls.run(arguments)
case "memory-search": MemorySearchCommand.run(arguments)
case "generate-vectors": try GenerateVectors.run()
case "hostile-texts": try HostileTexts.run(arguments)
default: exit(64)
}
