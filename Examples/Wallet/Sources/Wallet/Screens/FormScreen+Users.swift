// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

extension FormScreen {
    /// Asks a user for the passcode. The switch locks the previous user. The unlock derives the keys, which takes 0.4 s
    /// on purpose.
    static func logIn(_ user: AppUser, _ directory: UserDirectory) -> FormScreen {
        // Masked; wiped when submitted, left or locked; kept for 60 s while the user looks elsewhere.
        let passcode = SecretField()
        let form = Form(FormField("passcode", label: "Passcode", secret: passcode, rule: .password))
        return FormScreen("Log in as \(user.name)", form.entries, busy: "Unlocking …") {
            do {
                return try await form.submit { secret in
                    try await directory.switch(to: user)
                    let keybag = try directory.home(of: user).keybag
                    // Without one only where the making of the user was interrupted: it is chosen now.
                    let hasOne = try keybag.hasPasscode
                    try secret.withSecretBytes { try hasOne ? keybag.unlock(passcode: $0) : keybag.setPasscode($0) }
                    return .open(user)
                }
            } catch let error as DataProtectionError {
                // A wrong one, mostly; the error says how long to wait after several.
                passcode.clear()
                throw error
            }
        }
    }

    /// Makes a user: a home of their own, with keys of its own under the passcode.
    static func newUser(_ directory: UserDirectory) -> FormScreen {
        // Each rule makes a value of the typed text, or says why it can't. Nothing is used while one field is wrong.
        let policy = PasswordPolicy(minimumLength: 8, contextWords: ["wallet", "zamok"])
        let (passcode, again) = (SecretField(), SecretField())
        let form = Form(
            FormField("name", label: "Name", text: TextInput(), rule: .text(length: 1...30)),
            FormField("passcode", label: "Passcode", secret: passcode, rule: .newPassword(policy)),
            FormField("again", label: "Once more", secret: again, rule: .same(as: passcode)))
        let advice = "At least 8 characters of any kind. Several words that nobody would guess are best."
        return FormScreen("A new user", form.entries, advice: advice, busy: "Making keys …") {
            try await form.submit { name, passcode, _ in
                let user = try directory.add(name)
                try await directory.switch(to: user)
                try passcode.withSecretBytes { try directory.home(of: user).keybag.setPasscode($0) }
                return .open(user)
            }
        }
    }
}
