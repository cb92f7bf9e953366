// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import UserPreferences

/// Whose preferences, on every subcommand.
struct PreferenceOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Flag(help: "The settings of the app, which all its users share and which are readable while locked.")
    var device = false

    /// The store that is meant.
    func open() throws -> Preferences {
        let home = try device ? Session.open(global.choice) : Session.openUnlocked(global.choice)
        return try Preferences(home: home, domain: device ? .device : .user)
    }
}
