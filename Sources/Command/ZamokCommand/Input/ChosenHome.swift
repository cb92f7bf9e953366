// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Readers
import SecretMemory

/// The home that a command works in.
enum ChosenHome {
    /// The command's own identity: it sees all access groups, and adds to `zamok` when none is named.
    static let group = "zamok"

    /// Opens the home that is meant: that of `--user`, of `$ZAMOK_USER`, of the user who was switched to, or the root home, in this order; the root home is
    /// made where there is none. The only place where that is decided.
    ///
    /// It stays open until the process ends: closing a database writes its log back, with two waits for the disk, on every call of the
    /// command. What was committed is durable in the log.
    static func open(_ choice: HomeChoice, _ holder: HolderChoice = .automatic) throws -> Home {
        let root = try openRoot(holder, choice)
        let home = try user(choice, in: root) ?? root
        opened.withLock { $0 += [root, home] }
        return home
    }

    /// The home that holds the homes of users.
    static func openRoot(_ holder: HolderChoice = .automatic, _ choice: HomeChoice = HomeChoice()) throws -> Home {
        try Home(configuration(holder, choice))
    }

    /// The name that `--user` or `$ZAMOK_USER` gives; nil: neither does.
    static func userName(_ choice: HomeChoice) -> String? {
        let name = choice.user ?? Environment.value("ZAMOK_USER") ?? ""
        return name.isEmpty ? nil : name
    }

    /// The home of the user who is meant; nil: the root home.
    private static func user(_ choice: HomeChoice, in root: Home) throws -> Home? {
        let directory = try UserDirectory(root: root)
        let name = userName(choice)
        if name == nobody { return nil }
        let user =
            try name.map { (name) throws(AppUsersError) in try directory.user(named: name) } ?? directory.recorded()
        if name == nil, let user { switched.withLock { $0 = user.name } }
        return try user.map { (user) throws(AppUsersError) in try directory.home(of: user) }
    }

    /// As a user's name: the root home, whoever was switched to.
    static let nobody = "-"

    /// The user whose home was opened because of a switch, and not by name.
    private static let switched = Locked<String?>(nil)

    /// Behind the words for what isn't there: it may be in the home from before a switch.
    static var switchedHint: String {
        guard let name = switched.withLock({ $0 }) else { return "" }
        return
            "; this is the home of \(name.printable), who was switched to: --user - looks in the root home, and zamok users switch --nobody goes back to it"
    }

    /// For whatever stores something: a passcode file that is named while the home has no passcode, or is not there
    /// yet, would protect nothing, and whoever named it thinks that it does. Before anything is made. What only reads,
    /// locks or sets the passcode goes on.
    static func refuseUselessPasscodeFile(_ choice: HomeChoice) throws {
        guard choice.makesHome, let path = Passcodes.file(choice) else { return }
        var reading = choice
        reading.makesHome = false
        var command = "zamok passcode set"
        do {
            let keybag = try open(reading).keybag
            guard try !keybag.hasPasscode else { return }
            command = keybag.command("passcode set")
        } catch let error as DataProtectionError {
            guard error.code == .noHome else { throw error }
        }
        throw DataProtectionError(
            .noPasscode,
            "\(path.printable) is named as the passcode file, and the home has no passcode; nothing was stored; first run: \(command); or name no file"
        )
    }

    private static let opened = Locked<[Home]>([])

    /// The home that the command works in, once it is open.
    static var lastOpened: Home? { opened.withLock { $0.last } }

    /// Whose home of this root home it is; nil: neither a user's nor its own.
    static func name(ofHome identifier: [UInt8]) -> String? {
        guard let root = opened.withLock({ $0.first }) else { return nil }
        if root.keybag.homeIdentifier == identifier { return nobody }
        guard let directory = try? UserDirectory(root: root), let users = try? directory.users() else { return nil }
        return users.first { (try? directory.home(of: $0))?.keybag.homeIdentifier == identifier }?.name
    }

    /// The name of a user of the home that is open.
    static func name(ofUser user: UniqueIdentifier) -> String? {
        guard let root = opened.withLock({ $0.first }) else { return nil }
        return try? UserDirectory(root: root).users().first { $0.id.description == user.text }?.name
    }

    /// Whose home it is; nil: the root home.
    static func user(of home: Home) throws -> AppUser? {
        guard let root = home.root else { return nil }
        return try UserDirectory(root: root).users().first { $0.id.description == home.userIdentifier?.text }
    }

    /// How the root home is opened.
    static func configuration(
        _ holder: HolderChoice = .automatic, _ choice: HomeChoice = HomeChoice()
    ) -> Home.Configuration {
        var configuration = Home.Configuration()
        configuration.identity = ApplicationIdentity(
            applicationIdentifier: group, accessGroups: [group], seesAllGroups: true
        )
        configuration.holder = holder
        configuration.makesHome = choice.makesHome
        configuration.toleratesRollback = choice.toleratesRollback
        configuration.prompter = ItemPrompter(passcodeFile: Passcodes.file(choice))
        return configuration
    }

    /// Opens the home for work on items. A locked one is unlocked for this command alone if there is a passcode file: its keys
    /// stay in this process.
    static func openUnlocked(_ choice: HomeChoice) throws -> Home {
        try refuseUselessPasscodeFile(choice)
        let home = try open(choice)
        guard let path = Passcodes.file(choice), home.keybag.lockState != .unlocked else { return home }
        let passcode = try Passcodes.read(path)
        let own = try open(choice, .process)
        try own.keybag.unlock(passcode: passcode)
        return own
    }
}
