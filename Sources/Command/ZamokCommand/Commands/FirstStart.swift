// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// What `zamok run --init` does before anything else.
enum FirstStart {
    /// Makes the home where there is none, and gives it the passcode of the named file where it has none. Another process that does the same at the same time
    /// may be first.
    static func prepare(_ choice: HomeChoice) throws {
        guard let path = Passcodes.file(choice) else {
            throw CommandFailure.usage("--init takes the passcode from a file: name it with --passcode-file")
        }
        // Before anything is made: a file that is missing leaves no home behind.
        let passcode = try Passcodes.read(path)
        try Passcodes.refuseWeak(passcode, false)
        let home = try ChosenHome.open(choice)
        guard try !home.keybag.hasPasscode else { return }
        HomeStores.open(home)
        do { try home.keybag.setPasscode(passcode) } catch {
            guard error.code == .passcodeExists else { throw error }
        }
    }
}
