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
        do { guard try !ChosenHome.open(choice.reading).keybag.hasPasscode else { return } } catch let error
            as DataProtectionError
        {
            guard error.code == .noHome else { throw error }
        }
        try Passcodes.refuseWeak(passcode, false)
        // The keys are for the program alone: whoever sets a passcode elsewhere has them in the keyring.
        let home = try ChosenHome.open(choice, .process)
        guard try !home.keybag.hasPasscode else { return }
        HomeStores.open(home)
        do { try home.keybag.setPasscode(passcode) } catch {
            guard error.code == .passcodeExists else { throw error }
        }
    }
}
