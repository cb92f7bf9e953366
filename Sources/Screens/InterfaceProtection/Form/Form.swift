// SPDX-License-Identifier: Apache-2.0

/// Fields that are sent together: either all of them have values of their types, or nothing is handed over.
///
/// ```swift
/// let form = Form(
///     FormField("email", label: "E-mail", text: email, rule: .email()),
///     FormField("password", label: "Password", secret: password, rule: .password)
/// )
/// try await form.submit { email, password in try await server.logIn(email, password) }
/// ```
public struct Form<each Value: Sendable>: Sendable {
    /// The fields, in the order in which they stand on the screen.
    public let fields: (repeat FormField<each Value>)

    /// A form of these fields.
    public init(_ fields: repeat FormField<each Value>) { self.fields = (repeat each fields) }

    /// What is wrong now, without asking a server; every field is looked at.
    public var problems: [FormProblem] {
        var problems: [FormProblem] = []
        for field in repeat each fields {
            if let problem = field.problem { problems.append(problem) }
        }
        return problems
    }

    /// The values of all fields, without asking a server. Errors: all problems, first field first.
    public func values() throws(FormProblems) -> (repeat each Value) {
        let problems = problems
        guard problems.isEmpty else { throw FormProblems(problems) }
        do {
            return (repeat try (each fields).value())
        } catch {
            // Someone typed between the two looks.
            throw FormProblems(self.problems)
        }
    }

    /// Hands the values of all fields to `body`, once no field is wrong and no server objects, and clears the secret fields by
    /// their policies when it returns. If it throws, they keep what was typed. Until then they are lent and take no edit: what is seen is
    /// what is sent. Errors: `FormProblems`, `SecretFieldError` `.isLent` while another submission is under way, and those of `body`.
    nonisolated(nonsending)
        public func submit<R>(_ body: (repeat each Value) async throws -> R) async throws -> R
    {
        var lent: [SecretField] = []
        defer { for field in lent { field.release() } }
        for field in repeat each fields {
            guard let secret = field.secret, !lent.contains(where: { $0 === secret }) else { continue }
            try secret.hold()
            lent.append(secret)
        }
        let values = try values()
        var problems: [FormProblem] = []
        for (field, value) in repeat (each fields, each values) {
            if let problem = await field.serverProblem(with: value) { problems.append(problem) }
        }
        guard problems.isEmpty else { throw FormProblems(problems) }
        let result = try await body(repeat each values)
        for field in repeat each fields { field.wasAccepted() }
        return result
    }
}

/// One field of a form as an interface sees it, without the type of its value.
public struct FormEntry: Sendable {
    /// The name by which the app knows it.
    public let name: String
    /// What the user reads beside it.
    public let label: String
    /// The input that holds what was typed; nil if it is secret.
    public let text: TextInput?
    /// The field that holds what was typed; nil if it is not secret.
    public let secret: SecretField?
    private let check: @Sendable () -> FormProblem?

    init(_ field: FormField<some Sendable>) {
        name = field.name
        label = field.label
        check = { field.problem }
        switch field.source {
        case .text(let input): (text, secret) = (input, nil)
        case .secret(let field): (text, secret) = (nil, field)
        }
    }

    /// What is wrong with it now; nil if nothing is.
    public var problem: FormProblem? { check() }
}

extension Form {
    /// The fields, in their order, for an interface that draws them.
    public var entries: [FormEntry] {
        var entries: [FormEntry] = []
        for field in repeat each fields { entries.append(FormEntry(field)) }
        return entries
    }
}
