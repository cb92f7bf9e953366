// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// What a prompt is for.
public struct PromptRequest: Sendable {
    /// The kind of secret asked for.
    public enum Purpose: Sendable, Equatable {
        /// The home's passcode: to unlock, or for something that asks for the person.
        case passcode
        /// A new passcode, asked twice by whoever prompts.
        case newPasscode
        /// The password of one item (applicationPassword).
        case applicationPassword
        /// A new password of one item, asked twice by whoever prompts.
        case newApplicationPassword
        /// The passphrase of an export.
        case exportPassphrase
    }
    /// What an answer gives out, and to whom. Whoever prompts shows it: two programs may ask at the same time.
    public struct Subject: Sendable, Equatable {
        /// The item's label, or the service or server where it has none; empty: no single item.
        public let item: String
        /// The identifier of the program that asks.
        public let program: String
        /// The folder of the home that the item lies in.
        public let home: String

        /// What to show.
        public init(item: String, program: String, home: String) {
            self.item = item
            self.program = program
            self.home = home
        }
    }
    /// What is asked for.
    public let purpose: Purpose
    /// Why, in the app's words; may be empty.
    public let reason: String
    /// What the answer gives out; nil: it unlocks the home, or there is nothing to name.
    public let subject: Subject?

    /// A request.
    public init(purpose: Purpose, reason: String, subject: Subject? = nil) {
        self.purpose = purpose
        self.reason = reason
        self.subject = subject
    }
}

/// Asks a person for a secret. Called on the thread of the operation, under no lock.
public protocol Prompter: Sendable {
    /// The answer. Errors: `.cancelled`, `.noTerminal`.
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes
}
