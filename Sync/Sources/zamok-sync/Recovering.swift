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
        abstract: "Print a code that adds a machine when all others are lost, or shares of one.",
        discussion: """
            Write it on paper, with the account beside it, and keep it where nobody else looks: who has it and reaches the engine reads everything. It is kept nowhere; a new code ends the \
            one before, and with it that one's shares.
            With --shares the code itself is not printed, but shares of it for several people (SLIP-0039): any --needs of them are the code, fewer reveal nothing.

            EXAMPLES:
              zamok sync recovery-code
              zamok sync recovery-code --shares 5 --needs 3
              zamok sync recovery-code --end
              zamok sync recover 'etcd://a:2379#ACCOUNT'
            """)

    @OptionGroup var options: Options
    @Flag(help: "End the code that there is, and begin new keys.") var end = false
    @Option(help: ArgumentHelp("Print so many shares instead of the code, 2 to 16.", valueName: "number"))
    var shares: Int?
    @Option(help: ArgumentHelp("How many of the shares are needed, from 2 on.", valueName: "number"))
    var needs: Int?

    func validate() throws {
        guard shares != nil || needs != nil else { return }
        guard !end else { throw ValidationError("--end makes no code, so it has no shares.") }
        guard let shares, let needs, RecoveryCode.shareCounts ~= shares, 2...shares ~= needs else {
            throw ValidationError("--shares takes 2 to 16, and --needs 2 to as many as there are shares.")
        }
    }

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
                try printOnce(text(of: code, account))
                isShown = true
            }
        } catch {
            if isShown {
                let what = shares == nil ? "this code away, make another: it" : "these shares away, make others: they"
                print("zamok: throw \(what) may not count", to: .standardError)
            }
            throw error
        }
        if options.json { return }
        print(advice(account), to: .standardError)
    }

    private func text(of code: RecoveryCode, _ account: String) throws -> String {
        guard let count = shares, let needs else {
            return options.json
                ? try json(["code": code.text, "account": account])
                : "code     \(code.text)\naccount  \(account)"
        }
        let all = try code.shares(count, needed: needs).map { try $0.withSecretBytes { try $0.exposingText() } }
        if options.json { return try json(Shares(account: account, needs: needs, shares: all)) }
        return all.enumerated().map { "share \($0.offset + 1) of \(count), \(needs) are needed\n\($0.element)\n" }
            .joined(separator: "\n") + "\naccount  \(account)"
    }

    private func advice(_ account: String) -> String {
        guard shares != nil else {
            return "Write both on paper; they are not kept. On a new machine: zamok sync recover '\(account)'"
        }
        return
            "Give each share to another person, on paper and with the account; none is kept. On a new machine: zamok sync recover '\(account)'"
    }

    struct Shares: Encodable {
        let account: String
        let needs: Int
        let shares: [String]
    }
}

struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add this machine with the recovery code, without any other machine.",
        discussion: """
            The code is typed, or comes from standard input; so are shares of it, one on each line, until there are enough. Of each word of a share the first four letters suffice.
            Afterwards remove the machines that are lost, and make a new code.

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
        let code = try typed()
        var sync = try await KeychainSync.recover(
            home, account: account, with: code, on: url.engine(), at: url.text, name: name ?? hostName)
        let report = try await sync.now()
        if options.json { return try printJSON(Report(report)) }
        print("recovered: \(report.received) items came, \(report.sent) were sent")
    }

    /// The code, or the one of as many shares as are needed.
    private func typed() throws -> RecoveryCode {
        let isTerminal = isatty(STDIN_FILENO) == 1
        var shares = RecoveryShares()
        while shares.missing != 0 {
            let text = try isTerminal ? prompted(shares) : line(shares)
            let isShare = try shares.needed != nil || RecoveryShares.isShare(text)
            do {
                guard isShare else {
                    return try RecoveryCode(text.withSecretBytes { try $0.exposingText() })
                }
                try shares.add(text)
            } catch let error as SyncLogError {
                // What was typed before stays; a file is not asked again.
                guard isTerminal, isShare else { throw Failure.usage(error.message) }
                print("zamok: \(error.message)", to: .standardError)
                continue
            }
            if let missing = shares.missing, missing > 0 {
                print(
                    missing == 1 ? "One more share is needed." : "\(missing) more shares are needed.",
                    to: .standardError)
            }
        }
        do { return try shares.code() } catch let error as SyncLogError { throw Failure.usage(error.message) }
    }

    private func line(_ shares: RecoveryShares) throws -> Secret {
        guard let line = readLine() else {
            guard let missing = shares.missing else { throw Failure.usage("standard input has no recovery code") }
            throw Failure.usage("standard input has too few shares: \(missing) more are needed")
        }
        return try Secret(copying: line.utf8)
    }

    /// The code reads everything, so that a terminal doesn't show it, nor a share.
    private func prompted(_ shares: RecoveryShares) throws -> Secret {
        let prompt =
            shares.needed == nil
            ? "The recovery code, 34 characters in groups of four, or the words of a share: "
            : "The words of another share: "
        do { return try Secret.readLine(prompt: prompt) } catch let error as SecretMemoryError
            where error.code == .cancelled
        {
            throw Failure(status: 128, error.message)
        }
    }
}
