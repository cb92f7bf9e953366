// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync
import SyncEngines
import SyncLog

/// A round, for people and for programs.
struct Report: Codable {
    let sent, received, waiting, conflicts, refused, tooLarge: Int
    /// What others can make it say: so many are told in words, and the rest counted.
    private static let mostNotices = 20
    /// What doesn't stop sync, in words.
    let notices: [String]
    /// How many there are beside these.
    let moreNotices: Int
    /// Why preferences took no part, or not all of them.
    let preferences: String?

    init(_ report: SyncReport, _ text: (LogReplica.Notice) -> String = { $0.text }) {
        sent = report.sent
        received = report.received
        waiting = report.waiting
        conflicts = report.conflicts
        refused = report.refused
        tooLarge = report.tooLarge
        notices = report.notices.prefix(Self.mostNotices).map(text)
        moreNotices = report.notices.count - notices.count
        preferences = report.preferences
    }

    /// Whether anything is to be told.
    var isNothing: Bool { sent + received + conflicts + refused + tooLarge + notices.count == 0 && preferences == nil }

    var text: String {
        var parts = ["sent \(sent)", "received \(received)"]
        if waiting > 0 { parts.append("\(waiting) wait for an unlock") }
        if conflicts > 0 { parts.append("\(conflicts) conflicts, see `zamok sync conflicts`") }
        if refused > 0 { parts.append("\(refused) refused") }
        if tooLarge > 0 { parts.append("\(tooLarge) too large to travel, see `zamok sync status`") }
        let more = moreNotices > 0 ? ["and \(moreNotices) more of such"] : []
        return ([parts.joined(separator: ", ")] + notices + more + (preferences.map { [$0] } ?? [])).joined(
            separator: "\n")
    }
}

struct Now: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take in what others wrote, and send what was changed here.",
        discussion: """
            By itself after each change: zamok sync auto on, or zamok sync watch.

            EXAMPLES:
              zamok sync now
              zamok sync now --json
              zamok sync now --if-changed
            """)

    @OptionGroup var options: Options
    @Flag(help: "Do nothing, and ask no engine, unless something was changed or unlocked here since the last round.")
    var ifChanged = false
    @Flag(help: .hidden) var forWatch = false

    /// Waits until it is called, and what for; nil: it is not wanted any more.
    func called() -> Now? {
        guard let call = WaitingRound.call() else { return nil }
        var now = self
        now.ifChanged = call == .ifChanged
        return now
    }

    func run() async throws {
        if ifChanged {
            let home = try options.home()
            guard try KeychainSync.hasChanges(home) else {
                if options.json { try printJSON(Report(SyncReport())) }
                return
            }
        }
        var sync = try options.sync()
        let report = Report(try await sync.now())
        let groups = try await GroupRounds(options, &sync)
        if forWatch { return try printJSON(try RoundAnswer(sync, report)) }
        if options.json {
            try printJSON(report)
        } else {
            print(([report.text] + groups.reports.map(\.text) + groups.waiting).joined(separator: "\n"))
        }
        if let error = groups.error { throw error }
    }
}

struct ShowStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how this machine stands to its account. Asks no engine.",
        discussion: "EXAMPLES:\n  zamok sync status --json")

    @OptionGroup var options: Options

    struct Answer: Encodable {
        let account, engine, url, name, head, heard, standing: String
        let device: UInt32?
        let isMember: Bool
        let entries: UInt64
        let epoch: UInt32
        let unsent, waiting, conflicts, newConflicts: Int
        let hasRecoveryCode: Bool
        let tooLarge: [String]
        let preferences: String?
    }

    func run() async throws {
        let sync = try options.sync(isReading: true)
        let status = try sync.status()
        let account = EngineName.account(status.account)
        let new = try sync.areNew(sync.conflicts).count { $0 }
        if options.json {
            return try printJSON(
                Answer(
                    account: account, engine: status.engine, url: "\(status.engine)#\(account)", name: status.name,
                    head: status.words, heard: shown(status.heard), standing: status.standing.rawValue,
                    device: status.device, isMember: status.isMember,
                    entries: status.place, epoch: status.epoch, unsent: status.unsent, waiting: status.waiting,
                    conflicts: status.conflicts, newConflicts: new, hasRecoveryCode: sync.hasRecoveryCode,
                    tooLarge: status.tooLarge, preferences: status.preferences))
        }
        print("account    \(status.engine)#\(account)")
        let name = KeychainSync.printable(status.name)
        print("machine    \(status.device.map { "\($0) " } ?? "")\(name)\(status.standing.words)")
        if let next = status.standing.next { return print("next       \(next)") }
        print("last round \(shown(status.heard)), at entry \(status.place)")
        print("head       \(status.words)")
        print("to send    \(status.unsent)")
        if status.waiting > 0 { print("waiting    \(status.waiting), for an unlock") }
        if status.conflicts > 0 { print("conflicts  \(status.conflicts), \(new) of them new") }
        for title in status.tooLarge {
            print("too large  \(KeychainSync.printable(title)), which stays on this machine")
        }
        if try sync.isRotating {
            print("sealing    everything anew after a removal: the next round of an unlocked home goes on")
        }
        if let preferences = status.preferences { print("preferences \(preferences)") }
        if !sync.hasRecoveryCode { print("recovery   no code; make one with `zamok sync recovery-code`") }
    }
}

extension SyncStanding {
    /// For people, behind the machine's name.
    fileprivate var words: String {
        switch self {
        case .member: ""
        case .waiting: ", waiting for approval: it has applied with a ticket, and no member has added it yet"
        case .refused: ", which was not added: the ticket with which it applied has ended"
        case .begun: ", which has begun to join and not applied yet"
        case .ended: ", which is no member any more"
        }
    }

    /// What to do where it is no member.
    fileprivate var next: String? {
        switch self {
        case .member: nil
        case .waiting: "a round of a member that is unlocked adds it (zamok sync now, there); then zamok sync now, here"
        case .refused: "zamok sync leave --here, then join with another ticket"
        case .begun: "run the same zamok sync join or recover again, or zamok sync leave --here"
        case .ended: "the items stay; zamok sync leave --here, then join again"
        }
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
        let status = try options.sync(isReading: true).status()
        if options.json { return try printJSON(Answer(entries: status.place, words: status.words)) }
        print("entry \(status.place): \(status.words)")
    }

    struct Answer: Encodable {
        let entries: UInt64
        let words: String
    }
}

/// What `conflicts` and `history` list.
struct FormerLine: Encodable {
    let number: Int
    let itemClass, title, edited, device: String
    let hasLost, isGone: Bool
    /// A conflict that was not reported before.
    let isNew: Bool

    init(_ item: FormerItem, _ number: Int, isNew: Bool) {
        self.number = number
        itemClass = item.itemClass
        title = item.title
        edited = shown(item.time)
        device = item.deviceName.isEmpty ? "device \(item.device)" : item.deviceName
        hasLost = item.hasLost
        isGone = item.isGone
        self.isNew = isNew
    }

    static func list(_ items: [FormerItem], new: [Bool] = [], json: Bool, secret: Int?) throws {
        if let secret {
            guard items.indices.contains(secret - 1) else { throw Failure(status: 44, "there is no number \(secret)") }
            let bytes = items[secret - 1].secret
            guard json else { return FileHandle.standardOutput.write(Data(bytes)) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return try printJSON(["value": Data(bytes).base64EncodedString(), "encoding": "base64"])
            }
            return try printJSON(["value": text, "encoding": "text"])
        }
        let lines = items.enumerated().map { FormerLine($1, $0 + 1, isNew: $0 < new.count && new[$0]) }
        if json { return try printJSON(lines) }
        for line in lines {
            let notes = [line.isNew ? "new" : nil, line.hasLost ? "lost" : nil, line.isGone ? "deleted since" : nil]
                .compactMap { $0 }
            let (title, device) = (KeychainSync.printable(line.title), KeychainSync.printable(line.device))
            print("\(line.number)\t\(title)\t\(line.edited)\t\(device)\t\(notes.joined(separator: ", "))")
        }
    }
}

struct Conflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List edits that lost against others that didn't know them.",
        discussion:
            "The later edit is what the item is; the other is kept until the item is edited again. Those that were not listed before are marked as new.\n\nEXAMPLES:\n  zamok sync conflicts\n  zamok sync conflicts --secret 1"
    )

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("Print the secret of one, by its number in the list.", valueName: "number"))
    var secret: Int?

    func run() async throws {
        let sync = try options.unlockedSync()
        let conflicts = sync.conflicts
        try FormerLine.list(conflicts, new: sync.areNew(conflicts), json: options.json, secret: secret)
        if secret == nil { try sync.tell(conflicts) }
    }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what the items were before: 10 of each, for 90 days.",
        discussion: "EXAMPLES:\n  zamok sync history\n  zamok sync history --secret 3")

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("Print the secret of one, by its number in the list.", valueName: "number"))
    var secret: Int?

    func run() async throws {
        try FormerLine.list(try options.unlockedSync().history, json: options.json, secret: secret)
    }
}
