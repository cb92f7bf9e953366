// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// The preparation of `zamok run --init`.
enum FirstStart {
    /// Creates the home if there is none, and sets the passcode from the file if the home has none. Another process may
    /// do the same concurrently and finish first.
    static func prepare(_ choice: HomeChoice) throws {
        guard let path = Passcodes.file(choice) else {
            throw CommandFailure.usage("--init takes the passcode from a file: name it with --passcode-file")
        }
        // Read before anything is created, so that a missing file leaves no home behind.
        let passcode = try Passcodes.read(path)
        do { guard try !ChosenHome.open(choice.reading).keybag.hasPasscode else { return } } catch let error
            as DataProtectionError
        {
            guard error.code == .noHome else { throw error }
        }
        try Passcodes.refuseWeak(passcode, false)
        // The keys are only for the program. A passcode that is set otherwise puts them into the keyring.
        let home = try ChosenHome.open(choice, .process)
        guard try !home.keybag.hasPasscode else { return }
        HomeStores.open(home)
        do { try home.keybag.setPasscode(passcode) } catch {
            guard error.code == .passcodeExists else { throw error }
        }
    }
}
