// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Guards
import KeychainEngine
import Readers
import Statuses

/// `zamok guard`
struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Run a program inside a boundary, with the access groups that it was granted.",
        discussion: """
            The program and all that it starts, the guest, see an empty home folder of their own, the working folder, and the system to read. They see no home of \
            Zamok, no socket of the session, no other process, no key of the kernel and no network. What they call of SecItem, Keychains and zamok goes to the guard, \
            which answers with the items of the granted access groups, and with -34018 for all others.

            The boundary is bubblewrap's, with a filter of system calls, and Landlock where the kernel has it. A layer that can't be had is an error, and nothing is \
            started; --without names a layer to leave out. zamok guard --check tells what this machine can hold.

            The home folder is kept for each name; --fresh begins with an empty one that is removed. In the working folder, what programs outside run or obey later \
            (.git, .envrc, .vscode and others) is read-only if it is there. At the end the guard names what the guest has made or changed of that kind, and says how many of its \
            requests were refused.

            Grants are given outside: zamok guard allow, grants, revoke. While the home is locked the guest is told so.

            The status is the program's own, 128 + the signal that ended it, 127 if it does not exist, 126 if it can't be started.

            EXAMPLES:
              zamok guard allow builder --group example.tokens --read
              zamok guard --name builder -- make release
              zamok guard --name agent --env TOKEN=github/token -- sh -c 'curl -H "Authorization: Bearer $TOKEN" https://api.github.com/user'
              zamok guard --share ../library:ro -- sh
              zamok guard grants
              zamok guard revoke builder
              zamok guard log builder
              zamok guard --check
            """,
        subcommands: [
            GuardRunCommand.self, GuardAllowCommand.self, GuardGrantsCommand.self, GuardRevokeCommand.self,
            GuardLogCommand.self,
        ],
        defaultSubcommand: GuardRunCommand.self)
}

/// `zamok guard -- PROGRAM`
struct GuardRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a program inside (also without this word).",
        discussion: """
            EXAMPLES:
              zamok guard run --name builder -- make release
              zamok guard run --name agent --base DATABASE_URL=db/app@postgres://db.example.com/shop -- psql
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("The guest's name, by which grants are given (default: the program's).", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Another folder or file for the guest, to write or, with :ro, to read. May be repeated.",
            valueName: "path[:ro]"))
    var share: [String] = []

    @OptionGroup var network: NetworkOptions

    @Flag(help: "An empty home folder, removed at the end.")
    var fresh = false

    @Option(
        help: ArgumentHelp(
            "A layer to leave out: \(BoundaryLayer.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "layer"))
    var without: [String] = []

    @Flag(help: "Tell what this machine can hold, and run nothing.")
    var check = false

    @Argument(
        parsing: .postTerminator, help: "The program and its arguments, after --.", completion: Completions.programs)
    var command: [String] = []

    func run() throws {
        if check { return try GuardCheck.run() }
        let command = ProgramArguments.whole(command)
        guard let program = command.first else { throw CommandFailure.usage("name a program to run, after --") }
        guard !GuardedProcess.isGuest else {
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted, message: "this runs inside a guard already, and guards don't nest")
        }
        let guest = try guestName(name ?? PathText(program).lastPathComponent)
        let layers = try Set(
            without.map { word in
                guard let layer = BoundaryLayer(rawValue: word) else {
                    throw CommandFailure.usage("there is no layer \(word.printable) that may be left out")
                }
                return layer
            })
        guard GuestProcess.bubblewrap != nil else { throw GuestProcess.missing }
        throw CommandFailure.silent(try GuardRun(guest, command, layers, self).run())
    }
}

/// The guest's name in a word. Errors: wrong usage.
private func guestName(_ word: String) throws -> GuestName {
    guard let name = GuestName(word) else {
        throw CommandFailure.status(
            .parameter,
            "\(word.printable) can't be a guest's name: 1 to 64 letters, digits, dots, dashes and underscores of ASCII, the first a letter or digit (--name)"
        )
    }
    return name
}

/// `zamok guard allow`
struct GuardAllowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Grant a guest an access group, or the use of a secret at a host.",
        discussion: """
            A grant replaces an earlier one of the same guest and group, or of the same guest, item, host and place. Running guests have it at once; a new host is \
            there from the next start on. It is stored in the home, sealed, and stays on this device; where there is a passcode, it goes with the passcode.

            With --use and --host postgres://HOST the guest has sessions of a database, to which the guard logs in (zamok guard --base).

            With --ask a person is asked about each use, in a window, or at the terminal that started the guard if the guest has no part of it; the answers are once, run and no. \
            --limit counts the uses of a run; --until and --for end the grant by the machine's clock.

            With --use the guest gets a placeholder (zamok guard --env). The guard's proxy puts the secret in on the way to this host, at this place of the \
            request alone, and takes it out of the answers. A host of your own network needs --at: addresses of this machine and its networks are refused otherwise. The \
            first such grant turns the access log on, in which each use has a line, unless it was on before; zamok log off turns it off.

            EXAMPLES:
              zamok guard allow agent --item github/token --use --host api.github.com
              zamok guard allow agent --item intranet/token --use --host api.example.test:8443 --at 10.0.0.7
              zamok guard allow agent --item git/me --use --host git.example.com --basic-password --path '/me/**'
              zamok guard allow agent --item maps/key --use --host maps.example.com --query key --method GET
              zamok guard allow agent --item db/app --use --host postgres://db.example.com --database shop
              zamok guard allow agent --item github/token --use --host api.github.com --limit 100/h --for 8h
              zamok guard allow agent --item deploy/key --use --host deploy.example.com --ask
              zamok guard allow builder --group example.tokens --read
              zamok guard allow notes --group com.example.notes --read --add --change --delete
              zamok guard allow agent --from .zamok-guard.json
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The guest.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("The access group.", valueName: "group"))
    var group: String?

    @OptionGroup var use: UseOptions

    @OptionGroup var limits: LimitOptions

    @Flag(help: "Read secrets and attributes.")
    var read = false

    @Flag(help: "Add items.")
    var add = false

    @Flag(help: "Change items, and see their attributes.")
    var change = false

    @Flag(help: "Delete items, and see their attributes.")
    var delete = false

    @Option(
        help: ArgumentHelp(
            "A project's file (\(ProjectGrants.fileName)): show the grants that it asks for, and ask whether to give them.",
            valueName: "file"), completion: .file())
    var from: String?

    @Flag(help: "With --from: don't ask.")
    var yes = false

    func run() throws {
        let guest = try guestName(name)
        if let from { return try give(guest, from) }
        let home = try ChosenHome.openUnlocked(global.choice)
        try Self.give(try wish(guest, home), home)
    }

    /// As a project's file asks. Errors: words that the command doesn't take.
    static func asked(_ words: [String]) throws -> Self {
        do { return try parse(words) } catch {
            throw CommandFailure.usage("the project asks for what can't be granted: \(message(for: error).printable)")
        }
    }

    private var actions: GrantActions {
        var actions: GrantActions = []
        if read { actions.insert(.read) }
        if add { actions.insert(.add) }
        if change { actions.insert(.change) }
        if delete { actions.insert(.delete) }
        return actions
    }

    /// The grant that the options say. Errors: wrong usage; the item isn't there.
    func wish(_ guest: GuestName, _ home: Home) throws -> ProjectGrants.Wish {
        guard group == nil else { return .group(try groupGrant(guest)) }
        guard actions.isEmpty else { throw CommandFailure.usage("name the access group: --group") }
        return .use(try GuardUse.grant(guest, use, try limits.limits(), home))
    }

    /// That for an access group. Errors: wrong usage.
    func groupGrant(_ guest: GuestName) throws -> Grant {
        let group = group ?? ""
        guard use.item == nil, !use.use else {
            throw CommandFailure.usage("--group and --item are grants of their own; give one after the other")
        }
        guard !actions.isEmpty else {
            throw CommandFailure.usage("say what is granted: --read, --add, --change, --delete")
        }
        guard let grant = Grant(guest: guest, group: group, actions: actions, try limits.limits()) else {
            throw CommandFailure.status(
                .parameter,
                "the group \(group.printable) can't be granted: it is empty, too long, all groups, or that of the grants"
            )
        }
        return grant
    }

    /// Shows what a project's file asks for, and gives what the person confirms: all of it, or nothing.
    private func give(_ guest: GuestName, _ file: String) throws {
        guard group == nil, use.item == nil, !use.use, !read, !add, !change, !delete, try limits.limits() == .none
        else {
            throw CommandFailure.usage("--from names grants of its own; leave the other options out")
        }
        let project = try ProjectGrants(reading: file)
        let home = try ChosenHome.openUnlocked(global.choice)
        var (rows, wanted): ([[String]], [ProjectGrants.Wish]) = ([], [])
        func show(_ word: String, _ wish: ProjectGrants.Wish) { rows.append([word, guest.text] + wish.row) }
        for state in try project.compared(guest, home) {
            switch state {
            case .same(let wish): show("same", wish)
            case .new(let command):
                wanted.append(try command.wish(guest, home))
                show("new", wanted[wanted.count - 1])
            case .changes(let wish, let now):
                wanted.append(wish)
                show("now", now)
                show("changes", wish)
            }
        }
        try Channel.output.lines(Table(rows: rows).lines(aligned: Channel.output.isTerminal))
        guard !wanted.isEmpty else { return }
        try Question.confirm(
            "Give \(guest) these grants? [y/N] ", by: ["y", "Y", "yes", "Yes", "YES"], isGiven: yes,
            or: "nothing was granted")
        for wish in wanted { try Self.give(wish, home) }
    }

    private static func give(_ wish: ProjectGrants.Wish, _ home: Home) throws {
        let store = GrantStore(try ItemStore.of(home))
        switch wish {
        case .group(let grant): try store.allow(grant, try accessibility(home))
        case .use(let grant):
            try store.allow(grant, try accessibility(home))
            let items = try ItemStore.of(home)
            // What it replaces is of no use: its item is not there.
            for other in try store.uses(of: grant.guest)
            where other.isForSamePlace(as: grant) && other != grant && other.item.isRemoved(from: items) {
                try store.revoke(other)
            }
            if grant.host.scheme == .http, !grant.host.isLoopback {
                try Channel.error.line(
                    "zamok: \(grant.host) has no TLS: who is on the path reads the secret, and can be the server")
            }
            try turnLogOn(home)
        }
    }

    /// Turns the access log on if it never was: without it a use of a secret leaves no trace. If the person turned
    /// it off, it stays off.
    private static func turnLogOn(_ home: Home) throws {
        let log = try AccessLog.of(home)
        guard try log.status() == nil, try log.doubt() == nil else { return }
        try log.turnOn(AccessLog.Change())
        try Channel.error.line(
            "zamok: the access log is on from now on, so that each use has a line: zamok guard log; zamok log off turns it off"
        )
    }

    private static func accessibility(_ home: Home) throws -> Accessibility {
        try home.keybag.hasPasscode ? .whenPasscodeSetThisDeviceOnly : .whenUnlockedThisDeviceOnly
    }
}

/// `zamok guard grants`
struct GuardGrantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "List the grants: guest, access group or item, actions.",
        discussion: """
            EXAMPLES:
              zamok guard grants
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Only those of this guest.", valueName: "name"))
    var name: String?

    @Flag(help: "Print a JSON object for each grant.")
    var json = false

    func run() throws {
        let guest = try name.map(guestName)
        let items = try ItemStore.of(try ChosenHome.open(global.reading))
        let (grants, uses) = try GrantStore(items).all(of: guest)
        let removed = Set(uses.map(\.item)).filter { $0.isRemoved(from: items) }
        guard !json else {
            return try Channel.output.lines(
                grants.map {
                    JSON.object(
                        [
                            ("guest", .text($0.guest.text)), ("group", .text($0.group)),
                            ("actions", .texts($0.actions.words)),
                        ] + GuardUse.members($0.limits)
                    ).line
                } + uses.map { GuardUse.json($0, isRemoved: removed.contains($0.item)).line })
        }
        let groups = grants.map { grant in
            let words = grant.actions.words + GuardUse.words(grant.limits)
            return [grant.guest.text, grant.group.printable, words.joined(separator: " ")]
        }
        let rows = groups + uses.map { GuardUse.row($0, isRemoved: removed.contains($0.item)) }
        try Channel.output.lines(Table(rows: rows).lines(aligned: Channel.output.isTerminal))
    }
}

/// `zamok guard revoke`
struct GuardRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take grants back: running guests lose them at once.",
        discussion: """
            EXAMPLES:
              zamok guard revoke builder
              zamok guard revoke builder --group example.tokens
              zamok guard revoke agent --item github/token --host api.github.com
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The guest.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Only that of this access group.", valueName: "group"))
    var group: String?

    @Option(help: ArgumentHelp("Only those to use this item.", valueName: "service/account"))
    var item: String?

    @Option(help: ArgumentHelp("With --item: only that at this host.", valueName: "host[:port]"))
    var host: String?

    func run() throws {
        guard host == nil || item != nil, group == nil || item == nil else {
            throw CommandFailure.usage("--host goes with --item, and --group without")
        }
        let home = try ChosenHome.openUnlocked(global.reading)
        let guest = try guestName(name)
        if let item { return try GuardUse.revoke(guest, item, host: host, home) }
        do { _ = try GrantStore(try ItemStore.of(home)).revoke(guest, group: group) } catch {
            guard error.code == .itemNotFound else { throw error }
            throw CommandFailure.status(.itemNotFound, "there is no such grant")
        }
    }
}
