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
    /// What is asked for.
    public let purpose: Purpose
    /// Why, in the app's words; may be empty.
    public let reason: String

    /// A request.
    public init(purpose: Purpose, reason: String) {
        self.purpose = purpose
        self.reason = reason
    }
}

/// Asks a person for a secret. Called on the thread of the operation, under no lock.
public protocol Prompter: Sendable {
    /// The answer. Errors: `.cancelled`, `.noTerminal`.
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes
}
