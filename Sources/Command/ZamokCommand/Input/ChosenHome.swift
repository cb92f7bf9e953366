// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Keychains
import Readers
import SecretMemory

/// Chooses and opens the home that a command works in.
enum ChosenHome {
    /// The command's own identity. It sees all access groups, and adds to `zamok` if no group is given.
    static let group = "zamok"

    /// Opens the chosen home. The choice is made only here, in this order: `--user`, `$ZAMOK_USER`, the user switched
    /// to, the root home. The root home is created if there is none.
    ///
    /// The home stays open until the process ends. Closing a database writes its log back, with two waits for the disk,
    /// on every call of the command. Committed changes are durable in the log.
    static func open(_ choice: HomeChoice, _ holder: HolderChoice = .automatic) throws -> Home {
        let root = try openRoot(holder, choice)
        let home = try user(choice, in: root) ?? root
        opened.withLock { $0 += [root, home] }
        return home
    }

    /// Opens the home that contains the users' homes.
    static func openRoot(_ holder: HolderChoice = .automatic, _ choice: HomeChoice = HomeChoice()) throws -> Home {
        guard !GuardedProcess.isGuest else { throw DataProtectionError.insideGuard }
        return try Home(configuration(holder, choice))
    }

    /// The name from `--user` or `$ZAMOK_USER`; nil without either.
    static func userName(_ choice: HomeChoice) -> String? {
        let name = choice.user ?? Environment.value("ZAMOK_USER") ?? ""
        return name.isEmpty ? nil : name
    }

    /// The home of the chosen user; nil: the root home.
    private static func user(_ choice: HomeChoice, in root: Home) throws -> Home? {
        let directory = try UserDirectory(root: root)
        let name = userName(choice)
        if name == nobody { return nil }
        let user =
            try name.map { (name) throws(AppUsersError) in try directory.user(named: name) } ?? directory.recorded()
        if name == nil, let user { switched.withLock { $0 = user.name } }
        return try user.map { (user) throws(AppUsersError) in try directory.home(of: user) }
    }

    /// As a user name: the root home, regardless of a switch.
    static let nobody = "-"

    /// The user whose home was opened because of a switch, rather than by name.
    private static let switched = Locked<String?>(nil)

    /// The suffix of messages about missing items: they may be in the home from before a switch.
    static var switchedHint: String {
        switchedNote.map { "; \($0)" } ?? ""
    }

    /// Says on standard error whose home a list that is empty is of, if that is so because of a switch.
    static func explain(isEmpty: Bool) throws {
        guard isEmpty, let note = switchedNote else { return }
        try Channel.error.line("zamok: nothing is listed; \(note)")
    }

    private static var switchedNote: String? {
        guard let name = switched.withLock({ $0 }) else { return nil }
        return
            "this is the home of \(name.printable), who was switched to: --user - looks in the root home, and zamok users switch --nobody goes back to it"
    }

    /// For commands that store something. A passcode file protects nothing if the home has no passcode, or doesn't
    /// exist yet, although the user expects it to. The check comes before anything is created. Commands that only read,
    /// lock or set the passcode are exempt.
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
        throw CommandFailure.usage(
            "\(path.printable) is named as the passcode file, and the home has no passcode; nothing was stored; first run: \(command); or name no file"
        )
    }

    private static let opened = Locked<[Home]>([])

    /// The most recently opened home.
    static var lastOpened: Home? { opened.withLock { $0.last } }

    /// The name of the user of this root home that owns the given home; nil: neither a user's nor its own.
    static func name(ofHome identifier: [UInt8]) -> String? {
        guard let root = opened.withLock({ $0.first }) else { return nil }
        if root.keybag.homeIdentifier == identifier { return nobody }
        guard let directory = try? UserDirectory(root: root), let users = try? directory.users() else { return nil }
        return users.first { (try? directory.home(of: $0))?.keybag.homeIdentifier == identifier }?.name
    }

    /// The name of a user of the open root home.
    static func name(ofUser user: UniqueIdentifier) -> String? {
        guard let root = opened.withLock({ $0.first }) else { return nil }
        return try? UserDirectory(root: root).users().first { $0.id.description == user.text }?.name
    }

    /// The user that owns the home; nil: the root home.
    static func user(of home: Home) throws -> AppUser? {
        guard let root = home.root else { return nil }
        return try UserDirectory(root: root).users().first { $0.id.description == home.userIdentifier?.text }
    }

    /// The configuration for opening the root home.
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

    /// The items to work on: those of the chosen home, opened as `openUnlocked` does, or, inside a guard, of the guard.
    static func keychain(_ choice: HomeChoice) throws -> Keychain {
        GuardedProcess.isGuest ? Keychain() : Keychain(home: try openUnlocked(choice))
    }

    /// Opens the home for work on items. With a passcode file it unlocks a locked home for this command only: the keys
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
