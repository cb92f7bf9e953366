// SPDX-License-Identifier: Apache-2.0

/// One field of a form as an interface sees it, without the type of its value.
public struct FormEntry: Sendable {
    /// The name by which the app knows it.
    public let name: String
    /// What the user reads beside it.
    public let label: String
    /// Where what was typed is; nil if that is secret.
    public let text: TextInput?
    /// Where what was typed is; nil if that is not secret.
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
