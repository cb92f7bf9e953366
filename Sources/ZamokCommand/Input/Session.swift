// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Synchronization

/// The home that a command works in.
enum Session {
    /// The command's own identity: it sees all access groups, and adds to `zamok` when none is named.
    static let group = "zamok"

    /// Opens the home, and makes it where there is none.
    ///
    /// It stays open until the process ends: closing a database writes its log back, with two waits for the disk, on every call of the
    /// command. What was committed is durable in the log.
    static func open(_ choice: HomeChoice, _ holder: HolderChoice = .automatic) throws -> Home {
        let home = try Home(try configuration(choice, holder))
        opened.withLock { $0.append(home) }
        return home
    }

    private static let opened = Mutex<[Home]>([])

    /// How the home is opened.
    static func configuration(
        _ choice: HomeChoice, _ holder: HolderChoice = .automatic
    ) throws -> Home.Configuration {
        try checkUser(choice)
        var configuration = Home.Configuration()
        configuration.identity = ApplicationIdentity(
            applicationIdentifier: group, accessGroups: [group], seesAllGroups: true
        )
        configuration.holder = holder
        return configuration
    }

    /// Opens the home for work on items. A locked one is unlocked for this command alone if there is a passcode file: its keys
    /// stay in this process.
    static func openUnlocked(_ choice: HomeChoice) throws -> Home {
        let home = try open(choice)
        guard let path = Passcodes.file(choice), home.keybag.lockState != .unlocked else { return home }
        let passcode = try Passcodes.read(path)
        let own = try open(choice, .process)
        try own.keybag.unlock(passcode: passcode)
        return own
    }

    private static func checkUser(_ choice: HomeChoice) throws {
        let named = choice.user ?? Environment.value("ZAMOK_USER") ?? ""
        guard named.isEmpty else {
            throw CommandFailure.usage("this version knows no users yet; leave out --user and unset ZAMOK_USER")
        }
    }
}
