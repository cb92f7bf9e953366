// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import KeychainSync
import SyncEngines
import SyncLog

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join an account: by three words that people compare, or with a fleet's ticket.",
        discussion: """
            Shows a code for a machine that is in the account, then three words to compare. With a ticket nobody is asked: the machine applies, and waits until a member that is unlocked \
            makes a round. If that takes longer than --wait, it ends with status 3, and the machine goes on waiting: run it again, or `zamok sync now`.

            EXAMPLES:
              zamok sync join 'file:///srv/zamok#ACCOUNT'
              zamok sync join --ticket /etc/zamok/ticket
              zamok sync join --ticket /etc/zamok/ticket 'etcd://a:2379?cert=/etc/zamok/own.pem&key=/etc/zamok/own.key'
            """)

    @OptionGroup var options: Options
    @Option(help: "What this machine is called in the account.") var name: String?
    @Option(help: ArgumentHelp("How long to wait for the other machine.", valueName: "seconds")) var wait = 600
    @Option(
        help: ArgumentHelp(
            "A file of mode 0600 or 0400 with a ticket, as `zamok sync ticket` printed it.", valueName: "path"),
        completion: .file())
    var ticket: String?
    @Argument(
        help: ArgumentHelp(
            "The engine, and behind a # the account, as `zamok sync status` of a member shows it. A ticket names both.",
            valueName: "engine-url")) var engine: String?

    func validate() throws {
        guard wait >= 0 else { throw ValidationError("--wait takes seconds, from 0 on.") }
        guard engine != nil || ticket != nil else {
            throw ValidationError("Name the engine and the account, or a ticket, as: zamok sync join 'URL#ACCOUNT'")
        }
    }

    func run() async throws {
        if let ticket { return try await join(with: ticket) }
        let url = try EngineURL(given: engine ?? "")
        guard let account = url.account else {
            throw Failure.usage(
                "the URL has to name the account behind a #, as `zamok sync status` of a member shows it")
        }
        let home = try options.home()
        try KeychainSync.mustHaveNone(home)
        try await SyncMember<AnyEngine>.mustExist(account, on: url.engine())
        let code = JoinCode.random()
        print("On a machine of the account run:\n  zamok sync approve \(code.text)", to: .standardError)
        var sync = try await KeychainSync.join(
            home, account: account, on: url.engine(), at: url.text, name: name ?? hostName, id: code.id,
            patience: .seconds(wait), confirm: areSame)
        try tell(try await sync.now())
    }

    private func join(with path: String) async throws {
        let ticket = try ticket(in: path)
        let url = try EngineURL(given: engine ?? ticket.engine)
        if let account = url.account, account != ticket.account {
            throw Failure.usage("the ticket is for another account than the URL names")
        }
        let engine = try url.engine()
        var sync = try await KeychainSync.join(
            options.home(), with: ticket, on: engine, at: url.text, name: name ?? hostName)
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            do {
                return try tell(try await sync.now())
            } catch let error as SyncEngineError where error.code == .waiting {
                guard ContinuousClock.now < end else { throw error }
            }
            _ = try await engine.wait(
                ticket.account, after: sync.member.replica.state.place, patience: min(.seconds(30), end - .now))
        }
    }

    private func ticket(in path: String) throws -> FleetTicket {
        let text = try SecretFile.text(path, called: "ticket file", limit: 16_384)
        do { return try FleetTicket(text) } catch { throw Failure.usage("\(path): \(error.message)") }
    }

    private func tell(_ report: SyncReport) throws {
        if options.json { return try printJSON(Report(report)) }
        print("joined: \(report.received) items came, \(report.sent) were sent")
    }
}

struct MakeTicket: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticket",
        abstract: "Print a ticket with which so many machines may join without a person.",
        discussion: """
            Whoever has it may apply, so keep it as a secret, and end it when the machines are in. It reads nothing: a member that is unlocked adds who applied in its next round, and \
            `zamok sync devices` shows them.

            EXAMPLES:
              (umask 077 && zamok sync ticket --machines 20 >ticket)
              zamok sync tickets
              zamok sync tickets --end 7
            """)

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("How many machines.", valueName: "number")) var machines: UInt16

    func validate() throws {
        guard 1...255 ~= machines else {
            throw ValidationError("A ticket is for 1 to 255 machines; an account has at most 256.")
        }
    }

    func run() async throws {
        var sync = try options.sync()
        let ticket = try await sync.ticket(machines: machines)
        do {
            let answer = Answer(number: ticket.number, machines: machines, ticket: ticket.text)
            try printOnce(options.json ? json(answer) : ticket.text)
        } catch {
            // The ticket reached no reader.
            try await sync.end(ticket: ticket.number)
            throw error
        }
        if options.json { return }
        print(
            "ticket \(ticket.number), for \(machines) machines. End it with: zamok sync tickets --end \(ticket.number)",
            to: .standardError)
    }

    struct Answer: Encodable {
        let number: UInt32
        let machines: UInt16
        let ticket: String
    }
}

struct Tickets: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the tickets that can be used, or end one.",
        discussion:
            "Who joined with a ticket stays when it ends.\n\nEXAMPLES:\n  zamok sync tickets --json\n  zamok sync tickets --end 7"
    )

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("End this one.", valueName: "number")) var end: UInt32?

    func run() async throws {
        var sync = try options.sync()
        if let end {
            try await sync.end(ticket: end)
            if options.json { return try printJSON(["ended": end]) }
            return print("ended ticket \(end)")
        }
        try await sync.now()
        let lines = sync.tickets.map { Line(number: $0.number, machines: $0.machines, used: $0.used) }
        if options.json { return try printJSON(lines) }
        for line in lines { print("\(line.number)\tfor \(line.machines) machines\t\(line.used) applied") }
    }

    struct Line: Encodable {
        let number: UInt32
        let machines: UInt16
        let used: UInt64
    }
}
