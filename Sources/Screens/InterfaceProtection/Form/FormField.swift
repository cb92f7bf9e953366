// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The text of a field that holds nothing secret, and that no lock clears. Any thread may call.
public final class TextInput: Sendable {
    private let content: Locked<String>

    /// A field that holds `text`.
    public init(_ text: String = "") { content = Locked(text) }

    /// What was typed.
    public var text: String {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

/// One field of a form: the storage of the typed text, and the rule that makes a value of it.
public struct FormField<Value: Sendable>: Sendable {
    /// What holds the typed text.
    public enum Source: Sendable {
        /// As plain text.
        case text(TextInput)
        /// As a secret.
        case secret(SecretField)
    }

    /// The app's name for the field.
    public let name: String
    /// The label that the user reads beside the field and in messages.
    public let label: String
    /// What holds the typed text.
    public let source: Source
    /// The rule that makes a value of the text.
    public let rule: Rule<Value>

    private var serverChecks: [@Sendable (Value) async throws -> Reason?] = []

    /// A field whose text is not secret.
    public init(_ name: String, label: String? = nil, text: TextInput, rule: Rule<Value>) {
        self.init(name, label: label, source: .text(text), rule: rule)
    }

    /// A field whose content is secret.
    public init(_ name: String, label: String? = nil, secret: SecretField, rule: Rule<Value>) {
        self.init(name, label: label, source: .secret(secret), rule: rule)
    }

    private init(_ name: String, label: String?, source: Source, rule: Rule<Value>) {
        self.name = name
        self.label = label ?? name
        self.source = source
        self.rule = rule
    }

    /// The same field, with a server check of its value: for example, whether a name is free. The server is asked only
    /// after all fields of the form are valid by themselves. An error that `server` throws counts as `.unreachable`.
    public func checked(by server: @escaping @Sendable (Value) async throws -> Reason?) -> FormField {
        var field = self
        field.serverChecks.append(server)
        return field
    }

    /// The value of what was typed.
    public func value() throws(Reason) -> Value {
        switch source {
        case .text(let input): try rule.parse(input.text)
        case .secret(let field): try rule.parse(field)
        }
    }

    /// Why there is no value; nil if there is one.
    public var problem: FormProblem? {
        do {
            _ = try value()
            return nil
        } catch {
            return FormProblem(field: name, label: label, reason: error)
        }
    }

    func serverProblem(with value: Value) async -> FormProblem? {
        for check in serverChecks {
            do {
                if let reason = try await check(value) { return FormProblem(field: name, label: label, reason: reason) }
            } catch {
                return FormProblem(field: name, label: label, reason: Reason(.unreachable))
            }
        }
        return nil
    }

    var secret: SecretField? {
        if case .secret(let field) = source { field } else { nil }
    }

    func wasAccepted() { secret?.handle(.submitted) }
}

/// What is wrong with one field.
public struct FormProblem: Sendable, Equatable, CustomStringConvertible {
    /// The field's name.
    public let field: String
    /// The label that the user reads beside the field.
    public let label: String
    /// What is wrong.
    public let reason: Reason

    /// A problem.
    public init(field: String, label: String, reason: Reason) {
        self.field = field
        self.label = label
        self.reason = reason
    }

    /// The label and the English message, which contains nothing that was typed.
    public var description: String { Messages.english.text(for: self) }
}

/// Why a form gives no values: never empty, in the order of the fields. The cursor belongs in the first.
public struct FormProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, one for each wrong field.
    public let all: [FormProblem]

    /// The first wrong field; never nil for problems that a form threw.
    public var first: FormProblem? { all.first }

    /// Problems.
    public init(_ all: [FormProblem]) { self.all = all }

    /// The descriptions of all problems, in English. `Messages` has them in the user's language.
    public var description: String { all.map(\.description).joined(separator: " ") }
}
