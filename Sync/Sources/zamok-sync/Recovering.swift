// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync
import SecretMemory
import SyncEngines
import SyncLog

struct MakeRecoveryCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-code",
        abstract: "Print a code that adds a machine when all others are lost.",
        discussion: """
            Write it on paper, with the account beside it, and keep it where nobody else looks: who has it and reaches the engine reads everything. It is kept nowhere; a new code ends the \
            one before.

            EXAMPLES:
              zamok sync recovery-code
              zamok sync recovery-code --end
              zamok sync recover 'etcd://a:2379#ACCOUNT'
            """)

    @OptionGroup var options: Options
    @Flag(help: "End the code that there is, and begin new keys.") var end = false

    func run() async throws {
        var sync = try options.sync()
        if end {
            try await sync.endRecoveryCode()
            if options.json { return try printJSON(["ended": true]) }
            return print("ended; no code adds a machine now")
        }
        let status = try sync.status()
        let account = "\(status.engine)#\(EngineName.account(status.account))"
        var isShown = false
        do {
            try await sync.recoveryCode { code in
                try printOnce(
                    options.json
                        ? json(["code": code.text, "account": account])
                        : "code     \(code.text)\naccount  \(account)")
                isShown = true
            }
        } catch {
            if isShown { print("zamok: throw this code away, make another: it may not count", to: .standardError) }
            throw error
        }
        if options.json { return }
        print(
            "Write both on paper; they are not kept. On a new machine: zamok sync recover '\(account)'",
            to: .standardError)
    }
}

struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add this machine with the recovery code, without any other machine.",
        discussion: """
            The code is typed, or comes from standard input. Afterwards remove the machines that are lost, and make a new code.

            EXAMPLES:
              zamok sync recover 'etcd://a:2379#ACCOUNT'
              zamok sync devices
              zamok sync remove 1 --rotate
              zamok sync recovery-code
            """)

    @OptionGroup var options: Options
    @Option(help: "What this machine is called in the account.") var name: String?
    @Argument(help: ArgumentHelp("The engine, and behind a # the account.", valueName: "engine-url"))
    var engine: String

    func run() async throws {
        let url = try EngineURL(given: engine)
        guard let account = url.account else {
            throw Failure.usage("the URL has to name the account behind a #, as it stands beside the code")
        }
        let home = try options.home()
        try KeychainSync.mustHaveNone(home, but: account)
        let line = try typed()
        let code: RecoveryCode
        do { code = try RecoveryCode(line) } catch { throw Failure.usage(error.message) }
        var sync = try await KeychainSync.recover(
            home, account: account, with: code, on: url.engine(), at: url.text, name: name ?? hostName)
        let report = try await sync.now()
        if options.json { return try printJSON(Report(report)) }
        print("recovered: \(report.received) items came, \(report.sent) were sent")
    }

    /// The code reads everything, so that a terminal doesn't show it.
    private func typed() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = readLine() else { throw Failure.usage("standard input has no recovery code") }
            return line
        }
        do {
            return try Secret.readLine(prompt: "The recovery code, 34 characters in groups of four: ").withSecretBytes {
                try $0.exposingText()
            }
        } catch let error as SecretMemoryError where error.code == .cancelled {
            throw Failure(status: 128, error.message)
        }
    }
}
