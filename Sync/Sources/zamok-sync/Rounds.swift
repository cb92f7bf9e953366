// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync
import SyncEngines

/// A round, for people and for programs.
struct Report: Encodable {
    let sent, received, waiting, conflicts, refused, tooLarge: Int

    init(_ report: SyncReport) {
        sent = report.sent
        received = report.received
        waiting = report.waiting
        conflicts = report.conflicts
        refused = report.refused
        tooLarge = report.tooLarge
    }

    var text: String {
        var parts = ["sent \(sent)", "received \(received)"]
        if waiting > 0 { parts.append("\(waiting) wait for an unlock") }
        if conflicts > 0 { parts.append("\(conflicts) conflicts, see `zamok sync conflicts`") }
        if refused > 0 { parts.append("\(refused) refused") }
        if tooLarge > 0 { parts.append("\(tooLarge) too large to travel") }
        return parts.joined(separator: ", ")
    }
}

struct Now: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take in what others wrote, and send what was changed here.",
        discussion:
            "A round each minute: systemctl --user enable --now zamok-sync.timer\n\nEXAMPLES:\n  zamok sync now\n  zamok sync now --json"
    )

    @OptionGroup var options: Options

    func run() async throws {
        var sync = try options.sync()
        let report = Report(try await sync.now())
        if options.json { return try printJSON(report) }
        print(report.text)
    }
}

struct ShowStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how this machine stands to its account. Asks no engine.",
        discussion: "EXAMPLES:\n  zamok sync status --json")

    @OptionGroup var options: Options

    struct Answer: Encodable {
        let account, engine, url, name, head, heard: String
        let device: UInt32?
        let isMember: Bool
        let entries: UInt64
        let epoch: UInt32
        let unsent, waiting, conflicts: Int
    }

    func run() async throws {
        let status = try options.sync().status()
        let account = EngineName.account(status.account)
        if options.json {
            return try printJSON(
                Answer(
                    account: account, engine: status.engine, url: "\(status.engine)#\(account)", name: status.name,
                    head: status.words, heard: shown(status.heard), device: status.device, isMember: status.isMember,
                    entries: status.place, epoch: status.epoch, unsent: status.unsent, waiting: status.waiting,
                    conflicts: status.conflicts))
        }
        print("account    \(status.engine)#\(account)")
        print(
            "machine    \(status.device.map { "\($0)" } ?? "-") \(status.name)\(status.isMember ? "" : ", which is no member any more")"
        )
        print("last round \(shown(status.heard)), at entry \(status.place)")
        print("head       \(status.words)")
        print("to send    \(status.unsent)")
        if status.waiting > 0 { print("waiting    \(status.waiting), for an unlock") }
        if status.conflicts > 0 { print("conflicts  \(status.conflicts)") }
    }
}

struct Head: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show words for what this machine was shown of the log, to compare by telephone.",
        discussion:
            "Machines at the same entry show the same six words. If they don't, the engine shows them different logs.\n\nEXAMPLES:\n  zamok sync head"
    )

    @OptionGroup var options: Options

    func run() async throws {
        let status = try options.sync().status()
        if options.json { return try printJSON(["entries": "\(status.place)", "words": status.words]) }
        print("entry \(status.place): \(status.words)")
    }
}

/// What `conflicts` and `history` list.
struct FormerLine: Encodable {
    let number: Int
    let itemClass, title, edited, device: String
    let hasLost, isGone: Bool

    init(_ item: FormerItem, _ number: Int) {
        self.number = number
        itemClass = item.itemClass
        title = item.title
        edited = shown(item.time)
        device = item.deviceName.isEmpty ? "device \(item.device)" : item.deviceName
        hasLost = item.hasLost
        isGone = item.isGone
    }

    static func list(_ items: [FormerItem], json: Bool, secret: Int?) throws {
        if let secret {
            guard items.indices.contains(secret - 1) else { throw Failure(status: 44, "there is no number \(secret)") }
            return FileHandle.standardOutput.write(Data(items[secret - 1].secret))
        }
        let lines = items.enumerated().map { FormerLine($1, $0 + 1) }
        if json { return try printJSON(lines) }
        for line in lines {
            let notes = [line.hasLost ? "lost" : nil, line.isGone ? "deleted since" : nil].compactMap { $0 }
            print("\(line.number)\t\(line.title)\t\(line.edited)\t\(line.device)\t\(notes.joined(separator: ", "))")
        }
    }
}

struct Conflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List edits that lost against others that didn't know them.",
        discussion:
            "The later edit is what the item is; the other is kept until the item is edited again.\n\nEXAMPLES:\n  zamok sync conflicts\n  zamok sync conflicts --secret 1"
    )

    @OptionGroup var options: Options
    @Option(help: "Print the secret of one, by its number in the list.") var secret: Int?

    func run() async throws {
        try FormerLine.list(try options.sync().conflicts, json: options.json, secret: secret)
    }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what the items were before: 10 of each, for 90 days.",
        discussion: "EXAMPLES:\n  zamok sync history\n  zamok sync history --secret 3")

    @OptionGroup var options: Options
    @Option(help: "Print the secret of one, by its number in the list.") var secret: Int?

    func run() async throws {
        try FormerLine.list(try options.sync().history, json: options.json, secret: secret)
    }
}
