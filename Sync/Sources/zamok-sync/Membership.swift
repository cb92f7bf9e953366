// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import DataProtection
import Foundation
import KeychainSync
import SyncEngines
import SyncLog

struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Found an account on an engine.",
        discussion:
            "EXAMPLES:\n  zamok sync create file:///srv/zamok\n  zamok sync create 'etcd://a:2379,b:2379?ca=/etc/etcd/ca.pem&user=anna&password-file=/home/anna/.etcd'"
    )

    @OptionGroup var options: Options
    @Option(help: "What this machine is called in the account.") var name: String?
    @Argument(help: ArgumentHelp("Where the log is to be.", valueName: "engine-url")) var engine: String

    func run() async throws {
        let url = try EngineURL(given: engine)
        guard url.account == nil else {
            throw Failure.usage(
                "create founds an account of its own, so its URL names none behind a #; to join that one: zamok sync join"
            )
        }
        let home = try options.home()
        try KeychainSync.mustHaveNone(home)
        guard home.keybag.lockState == .unlocked else {
            throw Failure(status: 36, "the home is locked, and founding an account needs all its classes; zamok unlock")
        }
        if let folder = url.folder { try Self.make(folder) }
        var sync = try await KeychainSync.create(
            home, on: url.engine(), at: url.text, name: name ?? hostName)
        try await sync.now()
        let status = try sync.status()
        let address = "\(url.text)#\(EngineName.account(status.account))"
        if options.json { return try printJSON(["account": EngineName.account(status.account), "url": address]) }
        print("founded. On the next machine run:\n  zamok sync join '\(address)'")
    }

    static func make(_ folder: String) throws {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(
                status: 220, "can't make the folder \(folder); make it by other means, or name one that can be made")
        }
        print("zamok: made the folder \(folder)", to: .standardError)
    }
}

/// What a person types for a hand-shake. It is no secret: the words are what is compared.
struct JoinCode {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    let text: String

    static func random() -> JoinCode {
        var generator = SystemRandomNumberGenerator()
        return JoinCode((0..<7).map { _ in Int.random(in: 0..<Self.letters.count, using: &generator) })
    }

    /// What a person typed, in either case, with or without the dash. Nil if it can't be a code.
    init?(typed: String) {
        let typed = typed.lowercased().filter { $0 != "-" && !$0.isWhitespace }
        let numbers = typed.compactMap { Self.letters.firstIndex(of: $0) }
        guard typed.count == 8, numbers.count == 8 else { return nil }
        let code = JoinCode(numbers.dropLast())
        guard code.text.filter({ $0 != "-" }) == typed else { return nil }
        self = code
    }

    /// Seven letters, and one by which a slip shows.
    private init(_ numbers: [Int]) {
        // Prime, so that one wrong letter, or two that changed places, come to another sum.
        let sum = numbers.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } % Self.letters.count
        let all = String((numbers + [sum]).map { Self.letters[$0] })
        text = "\(all.prefix(4))-\(all.suffix(4))"
    }

    /// Under which the messages stand.
    var id: [UInt8] { Array(SHA256.hash(data: Array("zamok join code \(text)".utf8)).prefix(16)) }
}

struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let a machine join, once its three words are compared.",
        discussion: "EXAMPLES:\n  zamok sync approve k7qm-2x9d")

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("How long to wait for the other machine.", valueName: "seconds")) var wait = 600
    @Argument(help: "What `zamok sync join` shows there.") var code: String

    func validate() throws {
        guard wait >= 0 else { throw ValidationError("--wait takes seconds, from 0 on.") }
    }

    func run() async throws {
        guard let code = JoinCode(typed: code) else {
            throw Failure.usage(
                "\(code) is no code of `zamok sync join`, or is mistyped: compare it with the other screen")
        }
        var sync = try options.sync()
        let number = try await sync.approve(code.id, patience: .seconds(wait)) { words in
            let areSame = try areSame(words)
            if areSame { print("Waiting for the answer at the other machine.", to: .standardError) }
            return areSame
        }
        if options.json { return try printJSON(["device": number]) }
        print("added as device \(number)")
    }
}

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the machines of the account.", discussion: "EXAMPLES:\n  zamok sync devices --json")

    @OptionGroup var options: Options

    func run() async throws {
        var sync = try options.sync()
        try await sync.now()
        let heads = try await sync.heads()
        let lines = sync.devices.map { device in
            DeviceLine(
                number: device.number, name: device.name, isThis: device.isThis, credential: device.credential,
                state: device.isThis ? "this machine" : heads[device.number].map(\.words) ?? "has not said where it is")
        }
        if options.json { return try printJSON(lines) }
        for line in lines { print("\(line.number)\t\(KeychainSync.printable(line.name))\t\(line.state)") }
    }

    struct DeviceLine: Encodable {
        let number: UInt32
        let name: String
        let isThis: Bool
        let credential: String?
        let state: String
    }
}

extension HeadComparison {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .same: "up to date"
        case .behind(let count): "has \(count) entries that this machine was not shown"
        case .older: "stated an entry that this machine keeps no more"
        case .silent(let since): "silent since \(shown(since))"
        }
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a machine: it gets nothing that is written from now on.",
        discussion: """
            What it had it keeps, so change the secrets that matter. Withdraw its credential at the engine too: it is named, as the machine itself said it.
            Open tickets and the recovery code end with it, since it may know them and come back by them; make new ones with zamok sync ticket and recovery-code.

            EXAMPLES:
              zamok sync remove 3
              zamok sync remove 3 --rotate
              zamok sync remove 3 --keep-codes
            """)

    @OptionGroup var options: Options
    @Flag(help: "Seal every item anew under the new keys.") var rotate = false
    @Flag(help: "Leave tickets and the recovery code open: only if that machine never saw them.") var keepCodes = false
    @Argument(help: ArgumentHelp("Its number, as `zamok sync devices` shows it.", valueName: "number"))
    var device: UInt32

    func run() async throws {
        var sync = try options.sync()
        let removed = sync.devices.first { $0.number == device }
        let ended = try await sync.remove([device], rotating: rotate, keepingCodes: keepCodes)
        let answer = Answer(
            removed: device, name: removed?.name ?? "", credential: removed?.credential,
            engine: try sync.status().engine, endedTickets: ended.tickets, endedRecoveryCode: ended.recoveryCode,
            others: sync.devices.filter { $0.credential != nil && $0.credential == removed?.credential }.map(\.number))
        if options.json { return try printJSON(answer) }
        print("removed device \(device). Change the secrets that it had.")
        if let ended = answer.ended { print(ended) }
        print(answer.advice)
    }

    struct Answer: Encodable {
        let removed: UInt32
        let name: String
        let credential: String?
        let engine: String
        let endedTickets: [UInt32]
        let endedRecoveryCode: Bool
        /// Machines that sign in with one of the same name.
        let others: [UInt32]

        /// What it could have come back by.
        var ended: String? {
            let tickets = endedTickets.map(String.init).joined(separator: ", ")
            var lines: [String] = []
            if endedRecoveryCode {
                lines.append("The recovery code has ended; make another: zamok sync recovery-code")
            }
            if !tickets.isEmpty { lines.append("Tickets have ended: \(tickets). Make another: zamok sync ticket") }
            return lines.isEmpty ? nil : lines.joined(separator: "\n")
        }

        var advice: String {
            guard let credential = credential.map(KeychainSync.printable) else {
                return engine.hasPrefix("file:")
                    ? "It may still read and write in the folder; take that right from it (\(engine))."
                    : "It named nothing that it signs in to the engine with; make sure that the engine lets it in no more (\(engine))."
            }
            guard !others.isEmpty else {
                return "Withdraw at the engine what it signs in with: \(credential) (\(engine))."
            }
            return
                "Withdraw at the engine what it signs in with: \(credential) (\(engine)). Machines \(others.map(String.init).joined(separator: ", ")) name the same; where it is the same, give them another first."
        }
    }
}

struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave the account. The items stay here and there.",
        discussion: "EXAMPLES:\n  zamok sync leave\n  zamok sync leave --here")

    @OptionGroup var options: Options
    @Flag(help: "Forget the account on this machine only, without the engine; have the machine removed by another one.")
    var here = false

    func run() async throws {
        if here {
            try KeychainSync.forget(try options.home())
        } else {
            var sync = try options.sync()
            do { try await sync.leave() } catch let error as SyncEngineError where error.code != .busy {
                throw SyncEngineError(
                    error.code,
                    "\(error.message). To forget the account on this machine without the engine: zamok sync leave --here"
                )
            }
        }
        if options.json { return try printJSON(["left": true]) }
        print("left; the items stay")
    }
}
