// SPDX-License-Identifier: Apache-2.0

/// Fields that are submitted together: the values are handed over only if all fields have one.
///
/// ```swift
/// let form = Form(
///     FormField("email", label: "E-mail", text: email, rule: .email()),
///     FormField("password", label: "Password", secret: password, rule: .password)
/// )
/// try await form.submit { email, password in try await server.logIn(email, password) }
/// ```
///
/// Generic over several types, which Apple's systems have from iOS 17 on.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct Form<each Value: Sendable>: Sendable {
    /// The fields, in the order of the screen.
    public let fields: (repeat FormField<each Value>)

    /// A form of these fields.
    public init(_ fields: repeat FormField<each Value>) { self.fields = (repeat each fields) }

    /// The problems of all fields now, without asking a server.
    public var problems: [FormProblem] {
        var problems: [FormProblem] = []
        for field in repeat each fields {
            if let problem = field.problem { problems.append(problem) }
        }
        return problems
    }

    /// The values of all fields, without asking a server. Throws all problems, first field first.
    ///
    /// Catch them by `catch { show(error) }`, whose `error` is a `FormProblems`. Swift 6.3.1 crashes while it compiles
    /// `catch let problems as FormProblems` round this call alone, inside a `do` with other calls that throw.
    public func values() throws(FormProblems) -> (repeat each Value) {
        let problems = problems
        guard problems.isEmpty else { throw FormProblems(problems) }
        do {
            return (repeat try (each fields).value())
        } catch {
            // A field changed between the two checks.
            throw FormProblems(self.problems)
        }
    }

    /// Passes the values of all fields to `body` once every field is valid and no server objects.
    ///
    /// When `body` returns, the secret fields are cleared by their policies. If it throws, they keep what was typed.
    /// Until then they are lent and take no edit, so what is seen is what is sent.
    ///
    /// Errors: `FormProblems`, `SecretFieldError` `.isLent` while another submission is in progress, and those
    /// of `body`.
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

/// One field of a form for a user interface, without the type of its value.
public struct FormEntry: Sendable {
    /// The app's name for the field.
    public let name: String
    /// The label that the user reads beside the field.
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

    /// What is wrong with the field now; nil if nothing is.
    public var problem: FormProblem? { check() }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Form {
    /// The fields, in order, for a user interface that draws them.
    public var entries: [FormEntry] {
        var entries: [FormEntry] = []
        for field in repeat each fields { entries.append(FormEntry(field)) }
        return entries
    }
}
