// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import UserPreferences

/// What every subcommand takes, before or behind its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose keychain and preferences: a user of the app, - for nobody's (else $ZAMOK_USER, else as switched to).",
            valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passcode: regular, yours or root's, mode 0600 or 0400 (else $ZAMOK_PASSCODE_FILE).",
            valueName: "path"
        ),
        completion: .file()
    )
    var passcodeFile: String?

    /// What was chosen.
    var choice: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile) }
}

/// Which home is meant, and where its passcode is.
struct HomeChoice: Equatable {
    var user: String?
    var passcodeFile: String?
}

/// Whose preferences, on every subcommand.
struct PreferenceOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Flag(help: "The settings of the app, which all its users share and which are readable while locked.")
    var device = false

    /// The store that is meant.
    func open() throws -> Preferences {
        let home = try device ? ChosenHome.open(global.choice) : ChosenHome.openUnlocked(global.choice)
        return try Preferences(home: home, domain: device ? .device : .user)
    }
}
