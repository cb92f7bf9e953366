// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// Asks at the process's terminal (/dev/tty, whatever standard input is) without showing what is typed.
public struct TerminalPrompter: Prompter {
    /// A prompter.
    public init() {}

    /// The answer; a new passcode or password is asked for twice.
    ///
    /// Errors: `.noTerminal`, at once; `.cancelled` (Ctrl-C, Ctrl-D on an empty line); `.invalidArgument` when the two differ or the line
    /// is too long; `.forked`; `.io` when the terminal fails.
    public func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        let reason = request.reason.isEmpty ? "" : " (\(request.reason))"
        do {
            let subject = request.subject.map { " \($0.text)" } ?? ""
            let prompt = "\(request.purpose.name)\(subject)\(reason): "
            let isNew = request.purpose.isNew
            guard
                let answer = isNew
                    ? try Secret.readLine(prompt: prompt, again: "Once more: ") : try Secret.readLine(prompt: prompt)
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
    /// Short: items have the names that programs gave them.
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
