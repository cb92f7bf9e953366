// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// The home that a command works in.
enum Session {
    /// The command's own identity: it sees all access groups, and adds to `zamok` when none is named.
    static let group = "zamok"

    /// Opens the home, and makes it where there is none.
    static func open(_ global: GlobalOptions, _ holder: HolderChoice = .automatic) throws -> Home {
        try Home(try configuration(global, holder))
    }

    /// How the home is opened.
    static func configuration(
        _ global: GlobalOptions, _ holder: HolderChoice = .automatic
    ) throws -> Home.Configuration {
        try checkUser(global)
        var configuration = Home.Configuration()
        configuration.identity = ApplicationIdentity(
            applicationIdentifier: group, accessGroups: [group], seesAllGroups: true
        )
        configuration.holder = holder
        return configuration
    }

    /// Opens the home for work on items. A locked one is unlocked for this command alone if there is a passcode file: its keys
    /// stay in this process.
    static func openUnlocked(_ global: GlobalOptions) throws -> Home {
        let home = try open(global)
        guard let path = Passcodes.file(global), home.keybag.lockState != .unlocked else { return home }
        let passcode = try Passcodes.read(path)
        let own = try open(global, .process)
        try own.keybag.unlock(passcode: passcode)
        return own
    }

    private static func checkUser(_ global: GlobalOptions) throws {
        let named = global.user ?? ProcessInfo.processInfo.environment["ZAMOK_USER"] ?? ""
        guard named.isEmpty else {
            throw CommandFailure.usage("this version knows no users yet; leave out --user and unset ZAMOK_USER")
        }
    }
}
