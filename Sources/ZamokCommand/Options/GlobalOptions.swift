// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
