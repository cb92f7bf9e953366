// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import UserPreferences

/// What every subcommand takes, before or behind its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose keychain and preferences: a user of the app, - for nobody's (else $ZAMOK_USER, else as switched to).",
            valueName: "name"),
        completion: Completions.users)
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passcode: regular, yours or root's, mode 0600 or 0400; or /dev/fd/N, or - for standard input (else $ZAMOK_PASSCODE_FILE).",
            valueName: "path"
        ),
        completion: .file()
    )
    var passcodeFile: String?

    /// What was chosen.
    var choice: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile) }

    /// The same for what only reads: no home is made for it.
    var reading: HomeChoice { choice.reading }
}

/// Which home is meant, and where its passcode is.
struct HomeChoice: Equatable {
    var user: String?
    var passcodeFile: String?
    /// Whether a home is made where there is none.
    var makesHome = true

    /// The same, making none.
    var reading: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile, makesHome: false) }
}

/// Whose preferences, on every subcommand.
struct PreferenceOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Flag(help: "The settings of the app, which all its users share and which are readable while locked.")
    var device = false

    /// The store that is meant. `reading`: no home is made for it.
    func open(reading: Bool = false) throws -> Preferences {
        let choice = reading ? global.reading : global.choice
        let home = try device ? ChosenHome.open(choice) : ChosenHome.openUnlocked(choice)
        return try Preferences(home: home, domain: device ? .device : .user)
    }
}
