// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import KeychainSync
import SyncEngines
import SyncLog

/// `zamok share`: several persons have the same secrets.
struct Share: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Share some secrets with other persons, over an engine that learns nothing.",
        discussion: """
            A person is an account of sync (zamok sync create). A group's items are those of the access group shared.NAME; no other log has them. Roles: a reader opens items, a writer also \
            edits them, an owner also changes members. Two persons compare three words once, when one takes the other in.

            EXAMPLES:
              zamok share create family --engine file:///srv/family --as Anna
              zamok share invite family --as Ben --role writer
              zamok share accept ~/invitation
              zamok share copy wifi/home family
              zamok share sync
              zamok share members family
              zamok share status family
              zamok share role family Ben reader
              zamok share remove family Ben
            """,
        subcommands: [
            CreateGroup.self, Invite.self, Accept.self, MoveItem.self, CopyItem.self, SyncGroups.self, ListGroups.self,
            Members.self, GroupStatus.self, SetRole.self, RemoveMember.self, LeaveGroup.self,
        ])
}

extension Options {
    /// The group's log that the home keeps, and its engine.
    func group(_ name: String, isReading: Bool = false) throws -> KeychainSync {
        let home = try home()
        guard let settings = try KeychainSync.settings(of: home, group: name) else {
            throw Failure(
                status: 44,
                "this home is in no group \(KeychainSync.printable(name)); zamok share list lists its groups")
        }
        return try KeychainSync.open(
            home, on: EngineURL(settings.engine).engine(), isReading: isReading, group: name)
    }
}

struct CreateGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Found a group.",
        discussion: """
            Without --engine its log lies beside your own account's, which the other persons then have to reach.

            EXAMPLES:
              zamok share create family --engine file:///srv/family --as Anna
            """)

    @OptionGroup var options: Options
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What the members call you (default: this user).", valueName: "person")
    ) var person: String?
    @Option(help: ArgumentHelp("Where the log is to be.", valueName: "engine-url")) var engine: String?
    @Argument(help: "Small letters, digits, dashes.") var name: String

    func run() async throws {
        let home = try options.home()
        try KeychainSync.mustBeGroupName(name)
        guard let own = try KeychainSync.settings(of: home) else { throw Failure.noAccount }
        let url = try EngineURL(given: engine ?? own.engine)
        guard url.account == nil else { throw Failure.usage("create founds a log of its own, so its URL names none") }
        if let folder = url.folder { try Create.make(folder) }
        var sync = try await KeychainSync.createGroup(
            name, home, on: url.engine(), at: url.text, as: person ?? NSUserName())
        if let aside = sync.setAside { print(aside.text, to: .standardError) }
        try await sync.now()
        let id = EngineName.account(try sync.status().account)
        if options.json { return try printJSON(["group": name, "id": id, "engine": url.text]) }
        print("founded \(name). Its items are those of the access group shared.\(name).")
        print(
            "Put one in: zamok share copy SERVICE/ACCOUNT \(name)\nTake a person in: zamok share invite \(name) --as PERSON"
        )
    }
}

/// What an invited person gets by any way: it opens nothing, and serves as long as the inviting command waits.
struct Invitation {
    private static let mark = "zamok-share-1"
    let engine, group: String
    let id, code: [UInt8]

    init(engine: String, group: String, id: [UInt8], code: [UInt8]) {
        (self.engine, self.group, self.id, self.code) = (engine, group, id, code)
    }

    /// The text itself, or a file with it.
    /// An engine whose URL names files is not taken from others: they would choose what is read and sent where.
    init(given text: String) throws {
        let text = text.hasPrefix(Self.mark) ? text : try SecretFile.text(text, called: "invitation", limit: 16_384)
        let words = text.split(whereSeparator: \.isWhitespace)
        let parts = words.dropFirst().first.flatMap { Data(base64Encoded: String($0)) }
            .map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
        guard words.count == 2, words[0] == Self.mark, let parts, parts.count == 4, let id = [UInt8](digits: parts[2]),
            let code = [UInt8](digits: parts[3]), id.count == 32, code.count == 16
        else { throw Failure.usage("this is no invitation of zamok share invite, or a part of one") }
        self.init(engine: parts[0], group: parts[1], id: id, code: code)
    }

    var text: String {
        let parts =
            [engine, group]
            + [id, code].map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
        return "\(Self.mark) \(Data(parts.joined(separator: "\n").utf8).base64EncodedString())"
    }
}

enum RoleWord: String, ExpressibleByArgument, CaseIterable {
    case reader, writer, owner

    var role: GroupRole {
        switch self {
        case .reader: .reader
        case .writer: .writer
        case .owner: .owner
        }
    }
}

struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a person into a group, once three words are compared.",
        discussion: """
            Prints an invitation for that person, and waits. Send it by any way: it opens nothing, and ends with this command. Compare the words by telephone or side by side, not by the \
            way that the invitation took.

            EXAMPLES:
              zamok share invite family --as Ben
              zamok share invite team --as Carol --role reader --wait 3600
            """)

    @OptionGroup var options: Options
    @Option(name: .customLong("as"), help: ArgumentHelp("What the members call that person.", valueName: "person"))
    var person: String
    @Option(help: "reader, writer or owner.") var role = RoleWord.writer
    @Option(help: ArgumentHelp("How long to wait for the other person.", valueName: "seconds")) var wait = 600
    @Argument(help: "The group.") var name: String

    func validate() throws {
        guard wait >= 0 else { throw ValidationError("--wait takes seconds, from 0 on.") }
        guard 1...200 ~= person.utf8.count else { throw ValidationError("A person's name has 1 to 200 bytes.") }
    }

    func run() async throws {
        var sync = try options.group(name)
        try await sync.now()
        let code = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let status = try sync.status()
        try printOnce(
            Invitation(engine: String(status.engine.prefix { $0 != "?" }), group: name, id: status.account, code: code)
                .text)
        print("\(KeychainSync.printable(person)) runs: zamok share accept INVITATION", to: .standardError)
        try await sync.invite(code, patience: .seconds(wait), as: person, role: role.role) { words, isKnown in
            let areSame = try areSame(words, isKnown)
            if areSame { print("Waiting for the answer of the other person.", to: .standardError) }
            return areSame
        }
        print("\(KeychainSync.printable(person)) is in \(name) as \(role.rawValue)", to: .standardError)
    }
}

struct Accept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept an invitation to a group, once three words are compared.",
        discussion: """
            EXAMPLES:
              zamok share accept ~/invitation --from Anna
              zamok share accept "zamok-share-1 ZmlsZTov..."
            """)

    @OptionGroup var options: Options
    @Option(
        help: ArgumentHelp(
            "Who invites you: of a person that you named before, no words are asked.", valueName: "person"))
    var from: String?
    @Option(help: ArgumentHelp("The engine, where this machine reaches it by another URL.", valueName: "engine-url"))
    var engine: String?
    @Option(help: ArgumentHelp("How long to wait for the other person.", valueName: "seconds")) var wait = 600
    @Argument(help: "The invitation, or a file of mode 0600 or 0400 with it.", completion: .file()) var invitation:
        String

    func validate() throws {
        guard wait >= 0 else { throw ValidationError("--wait takes seconds, from 0 on.") }
    }

    func run() async throws {
        let given = try Invitation(given: invitation)
        guard engine != nil || !given.engine.contains("?") else {
            throw Failure.usage("the invitation's engine names files of a machine; say yours: --engine URL")
        }
        let url = try EngineURL(given: engine ?? given.engine)
        print("engine: \(KeychainSync.printable(url.text))", to: .standardError)
        var sync = try await KeychainSync.acceptGroup(
            given.group, options.home(), id: given.id, on: url.engine(), at: url.text, name: hostName,
            invitation: given.code, patience: .seconds(wait), from: from, confirm: areSame)
        if let aside = sync.setAside { print(aside.text, to: .standardError) }
        let report = try await sync.now()
        let role = sync.role?.word ?? ""
        if options.json { return try printJSON(["group": given.group, "role": role]) }
        print("in \(given.group) as \(role): \(report.received) items came")
    }
}

/// Words that two machines compared before are only shown: each signed its steps with the key that the other knows.
private func areSame(_ words: String, _ isKnown: Bool) throws -> Bool {
    guard isKnown else { return try areSame(words) }
    print(
        "\n    \(words)\n\nYou compared words with this machine before; there is nothing to answer.", to: .standardError
    )
    return true
}

struct MoveItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a password into a group.",
        discussion: "EXAMPLES:\n  zamok share move wifi/home family")

    @OptionGroup var options: Options
    @Argument(help: "Its service or server, alone or with / and the account.") var item: String
    @Argument(help: "The group.") var name: String

    func run() async throws { try await put(item, name, options, copying: false) }
}

struct CopyItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a password into a group.",
        discussion: "Later edits of one don't change the other.\n\nEXAMPLES:\n  zamok share copy wifi/home family")

    @OptionGroup var options: Options
    @Argument(help: "Its service or server, alone or with / and the account.") var item: String
    @Argument(help: "The group.") var name: String

    func run() async throws { try await put(item, name, options, copying: true) }
}

private func put(_ item: String, _ name: String, _ options: Options, copying: Bool) async throws {
    var sync = try options.group(name)
    try await sync.now()
    guard sync.role.map({ $0 >= .writer }) == true else { throw readOnly(name) }
    try GroupItems.put(item, in: name, sync.home, copying: copying)
    let report = GroupReport(name, try await sync.now(), sync)
    if options.json { return try printJSON(report) }
    print(report.text)
}

private func readOnly(_ name: String) -> Failure {
    Failure(status: 52, "you are a reader of \(name), so you can't change its items; an owner can make you a writer")
}

/// A round of a group.
struct GroupReport: Encodable {
    let group, role: String
    let round: Report
    let putBack: Int
    let aside: String?

    init(_ group: String, _ report: SyncReport, _ sync: KeychainSync) {
        self.group = group
        role = sync.role?.word ?? ""
        round = Report(report) { notice in
            guard case .void(let place, _) = notice, let author = sync.author(at: place) else { return notice.text }
            return "\(notice.text); it is by \(KeychainSync.printable(author))"
        }
        putBack = report.putBack
        aside = report.setAside?.text
    }

    var text: String {
        let back =
            putBack > 0 ? "\n\(putBack) edits were not sent, since you are a reader; what others have was put back" : ""
        return "\(group): \(round.text)\(back)\(aside.map { "\n\($0)" } ?? "")"
    }
}

extension SetAside {
    fileprivate var text: String {
        "set aside, in no group: \(count) \(count == 1 ? "item" : "items"), now in the access group \(KeychainSync.printable(accessGroup))"
    }
}

/// A round of each group of a home; one that fails keeps no other from its own.
struct GroupRounds {
    private(set) var reports: [GroupReport] = []
    private(set) var waiting: [String] = []
    private(set) var error: (any Error)?

    /// `account`: after its round. A group that another machine of the person is in is followed.
    init(_ options: Options, _ account: inout KeychainSync) async throws {
        for group in try await account.offerGroups() {
            do {
                let aside = try await account.follow(group, on: EngineURL(given: group.engine).engine())
                if let aside { print(aside.text, to: .standardError) }
                _ = try await account.offerGroups()
            } catch { self.error = error }
        }
        for name in try KeychainSync.groups(of: options.home()) {
            do {
                var group = try options.group(name)
                try await group.takeMachines(of: account)
                reports.append(GroupReport(name, try await group.now(), group))
            } catch let error as SyncEngineError where error.code == .waiting {
                waiting.append("\(name): \(error.message)")
            } catch {
                self.error = error
            }
        }
    }
}

struct SyncGroups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Take in what others wrote to the groups, and send what was changed here.",
        discussion: "`zamok sync now` does that too.\n\nEXAMPLES:\n  zamok share sync\n  zamok share sync family --json"
    )

    @OptionGroup var options: Options
    @Argument(help: "One group; without it all.") var name: String?

    func run() async throws {
        let names = try name.map { [$0] } ?? KeychainSync.groups(of: options.home())
        // One that fails keeps no other from its own; the first failure decides on the status.
        var failure: (any Error)?
        for name in names {
            do {
                var sync = try options.group(name)
                let report = GroupReport(name, try await sync.now(), sync)
                if options.json { try printJSON(report) } else { print(report.text) }
                if report.putBack > 0 { throw readOnly(name) }
            } catch {
                if names.count > 1 { print("\(name): not done", to: .standardError) }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

struct ListGroups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the groups of this home.",
        discussion: "EXAMPLES:\n  zamok share list --json")

    @OptionGroup var options: Options

    func run() async throws {
        let names = try KeychainSync.groups(of: options.home())
        if options.json { return try printJSON(names.map { ["group": $0] }) }
        for name in names { print(name) }
    }
}

struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the members of a group.", discussion: "EXAMPLES:\n  zamok share members family --json")

    @OptionGroup var options: Options
    @Argument(help: "The group.") var name: String

    func run() async throws {
        var sync = try options.group(name)
        try await sync.now()
        let lines = sync.persons.map(Line.init)
        if options.json { return try printJSON(lines) }
        for line in lines {
            let machines = line.machines == 1 ? "1 machine" : "\(line.machines) machines"
            print(
                "\(KeychainSync.printable(line.name))\t\(line.role)\t\(machines)\t\(line.id.prefix(16))\(line.isThis ? "\tyou" : "")"
            )
        }
    }

    struct Line: Encodable {
        let name, role, id: String
        let machines: Int
        let isThis: Bool

        init(_ member: GroupMember) {
            (name, role, id) = (member.name, member.role.word, EngineName.account(member.person))
            (machines, isThis) = (member.machines, member.isThis)
        }
    }
}

struct GroupStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how this home stands to a group, and which secrets to change. Asks no engine.",
        discussion: """
            To change: what a member could read that was removed or left, until it is edited.

            EXAMPLES:
              zamok share status family
              zamok share status family --json
            """)

    @OptionGroup var options: Options
    @Argument(help: "The group.") var name: String

    struct Answer: Encodable {
        let group, id, engine, role, head, heard: String
        let members: Int
        let entries: UInt64
        let epoch: UInt32
        let unsent: Int
        let toChange: [Exposed]
    }

    func run() async throws {
        let sync = try options.group(name, isReading: true)
        let status = try sync.status()
        let answer = Answer(
            group: name, id: EngineName.account(status.account), engine: status.engine,
            role: sync.role?.word ?? "no member", head: status.words, heard: shown(status.heard),
            members: sync.persons.count, entries: status.place, epoch: status.epoch, unsent: status.unsent,
            toChange: sync.exposed.map(Exposed.init))
        if options.json { return try printJSON(answer) }
        print("group      \(name), \(answer.members) members, you: \(answer.role)")
        print("engine     \(status.engine)#\(answer.id)")
        print("last round \(answer.heard), at entry \(answer.entries)")
        print("head       \(answer.head)")
        print("to send    \(answer.unsent)")
        tell(answer.toChange)
    }
}

/// An item to change.
struct Exposed: Encodable {
    let title, changed: String
    let readers: [String]

    init(_ item: ExposedItem) {
        (title, changed, readers) = (item.title, shown(item.changed), item.readers)
    }
}

private func tell(_ items: [Exposed]) {
    if items.isEmpty { return }
    print("change these, which former members could read:")
    for item in items {
        let readers = item.readers.map(KeychainSync.printable).joined(separator: ", ")
        print("  \(KeychainSync.printable(item.title))\tlast changed \(item.changed)\t\(readers)")
    }
}

struct SetRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Change what a member may do.",
        discussion: "EXAMPLES:\n  zamok share role family Ben reader\n  zamok share role family Carol owner")

    @OptionGroup var options: Options
    @Argument(help: "The group.") var name: String
    @Argument(help: "The member, as `zamok share members` shows it.") var person: String
    @Argument(help: "reader, writer or owner.") var role: RoleWord

    func run() async throws {
        var sync = try options.group(name)
        try await sync.now()
        let member = try sync.person(named: person)
        try await sync.setRole(of: member, to: role.role)
        if options.json { return try printJSON(["person": member.name, "role": role.rawValue]) }
        print("\(KeychainSync.printable(member.name)) is \(role.rawValue) of \(name)")
    }
}

struct RemoveMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a member: it reads nothing that is written from now on.",
        discussion: """
            New keys begin at once, whatever the number of items. What it could read stays known to it: that is listed, and marked in `zamok share status` until it is changed.

            EXAMPLES:
              zamok share remove family Ben
            """)

    @OptionGroup var options: Options
    @Argument(help: "The group.") var name: String
    @Argument(help: "The member, as `zamok share members` shows it.") var person: String

    func run() async throws {
        var sync = try options.group(name)
        let member = try sync.person(named: person)
        try await sync.remove(member)
        let exposed = sync.exposed.map(Exposed.init)
        if options.json { return try printJSON(Answer(removed: member.name, toChange: exposed)) }
        print("removed \(KeychainSync.printable(member.name)); it reads nothing that is written from now on")
        tell(exposed)
        print("Take its right at the engine from it, too (\(try sync.status().engine)).")
    }

    struct Answer: Encodable {
        let removed: String
        let toChange: [Exposed]
    }
}

struct LeaveGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave a group. Its items stay with the others, and here, set aside.",
        discussion: "EXAMPLES:\n  zamok share leave family\n  zamok share leave family --here")

    @OptionGroup var options: Options
    @Flag(help: "Forget the group on this machine only, without the engine; have yourself removed by an owner.")
    var here = false
    @Argument(help: "The group.") var name: String

    func run() async throws {
        let id = try KeychainSync.settings(of: options.home(), group: name)?.account
        let aside: SetAside?
        if here {
            aside = try KeychainSync.forgetGroup(name, options.home())
        } else {
            var sync = try options.group(name)
            try await sync.leaveGroup()
            aside = sync.setAside
        }
        // So that it doesn't come back from the person's other machines.
        if let id, try KeychainSync.settings(of: options.home()) != nil {
            var account = try options.sync()
            try await account.withdraw(id)
        }
        if options.json { return try printJSON(["left": name]) }
        print("left \(name)\(aside.map { "; \($0.text)" } ?? "")")
    }
}
