// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// What a prompt asks for, and why.
public struct PromptRequest: Sendable {
    /// The kind of secret that is asked for.
    public enum Purpose: Sendable, Equatable {
        /// The home's passcode, to unlock or to authorize an operation that requires the user.
        case passcode
        /// A new passcode. The prompter asks for it twice.
        case newPasscode
        /// The password of one item (`applicationPassword`).
        case applicationPassword
        /// A new password of one item. The prompter asks for it twice.
        case newApplicationPassword
        /// The passphrase of an export.
        case exportPassphrase
    }
    /// What an answer gives access to, and which program asks. The prompter shows it, because two programs may prompt
    /// at the same time.
    public struct Subject: Sendable, Equatable {
        /// The item's label, or its service or server if it has no label. Empty: no single item.
        public let item: String
        /// The identifier of the program that asks.
        public let program: String
        /// The folder of the home that contains the item.
        public let home: String

        /// Creates a subject.
        public init(item: String, program: String, home: String) {
            self.item = item
            self.program = program
            self.home = home
        }
    }
    /// The kind of secret that is asked for.
    public let purpose: Purpose
    /// Why the user is prompted, in the app's words. May be empty.
    public let reason: String
    /// What the answer gives access to; nil: it unlocks the home, or there is nothing to name.
    public let subject: Subject?
    /// Refuses a new secret before it is asked for again. Errors: `.invalidArgument`.
    package var check: @Sendable (borrowing SecretBytes) throws -> Void = { _ in }

    /// Creates a request.
    public init(purpose: Purpose, reason: String, subject: Subject? = nil) {
        self.purpose = purpose
        self.reason = reason
        self.subject = subject
    }
}

/// Asks the user for a secret. Called on the thread of the operation, with no lock held.
public protocol Prompter: Sendable {
    /// Returns the answer. Errors: `.cancelled`, `.noTerminal`.
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes
}

/// Prompts at the process's terminal, `/dev/tty`, regardless of standard input. The input is not echoed.
public struct TerminalPrompter: Prompter {
    /// Creates a prompter.
    public init() {}

    /// Returns the answer. A new passcode or password is asked for twice.
    ///
    /// Errors: `.noTerminal`, immediately; `.cancelled` (Ctrl-C, Ctrl-D on an empty line); `.invalidArgument` when the
    /// two entries differ or the line is too long; `.forked`; `.io` when the terminal fails.
    public func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        let reason = request.reason.isEmpty ? "" : " (\(request.reason))"
        do {
            let subject = request.subject.map { " \($0.text)" } ?? ""
            let prompt = "\(request.purpose.name)\(subject)\(reason): "
            let isNew = request.purpose.isNew
            guard
                let answer = isNew
                    ? try Secret.readLine(prompt: prompt, again: "Once more: ", check: request.check)
                    : try Secret.readLine(prompt: prompt)
            else { throw DataProtectionError(.invalidArgument, "the two entries differ; nothing was changed") }
            return try copy(of: answer)
        } catch {
            throw DataProtectionError(error, about: nil)
        }
    }

    private func copy(of secret: Secret) throws -> SecretBytes {
        try secret.withSecretBytes { bytes in
            let empty = try SecretBytes(count: 0) { _ in }
            return try bytes.joined(with: empty)
        }
    }
}

extension PromptRequest.Subject {
    /// The prompt's text. Parts are shortened, because programs choose the names of items freely.
    fileprivate var text: String {
        let parts = [item, program, home].map { String($0.unicodeScalars.prefix(120)) }
        let what = parts[0].isEmpty ? "" : "for \"\(parts[0])\", "
        return "\(what)asked by \(parts[1]) in \(parts[2])"
    }
}

extension PromptRequest.Purpose {
    fileprivate var isNew: Bool { self == .newPasscode || self == .newApplicationPassword }

    fileprivate var name: String {
        switch self {
        case .passcode: "Passcode"
        case .newPasscode: "New passcode"
        case .applicationPassword: "Password"
        case .newApplicationPassword: "New password"
        case .exportPassphrase: "Passphrase"
        }
    }
}
