// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R3: text of a person that goes into a request, a query, a page or a file's name as it was typed.
package struct Validation: Rule {
    package static let description = RuleDescription(
        id: "unchecked-input", category: "R3", title: "Typed text is used as it is",
        explanation: """
            What a person types, or pastes from someone else, changes the meaning of the text into which it is put: of a URL, a page, a script, \
            a query, a path. It fires where the text of a field goes, joined to other text, into a URL, a query, a page or a script, and \
            where it goes into the body of a request, into a document that is sent or into a file's name, and nothing in the function looked \
            at more than whether it is empty. It doesn't where a condition, a pattern or a failable initializer looks at it, where \
            URLQueryItem or percent encoding escapes it, and for comparisons on the device.
            """,
        masvs: "MASVS-CODE-4", cwe: 20,
        plainRemedy: """
            guard let amount = Decimal(string: field.text ?? ""), amount > 0 else { return show(.notAnAmount) }
            components.queryItems = [URLQueryItem(name: "q", value: text)]
            """,
        zamokRemedy:
            "let card = try Rule.paymentCard.parse(field.text ?? \"\")  // InterfaceProtection: rules for cards, mail, phones, passcodes"
    )

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let fields = boundFields(project)
        let found = project.functions.compactMap { examine($0, project, fields) }
        return (found + project.resources.objectiveC.flatMap(objectiveC)).oncePerLine()
    }

    /// The properties to which SwiftUI's fields are bound.
    private func boundFields(_ project: ProjectModel) -> Set<String> {
        var fields: Set<String> = []
        for call in ["TextField", "SecureField", "TextEditor"].flatMap({ project.calls(to: $0) }) {
            guard let binding = call.argument("text"),
                let property = project.scope(of: call.caller).property(of: binding),
                let owner = property.owner, !["value", "wrappedValue"].contains(property.name)
            else { continue }
            fields.insert("\(owner).\(property.name)")
        }
        return fields
    }

    private func examine(_ function: Function, _ project: ProjectModel, _ fields: Set<String>) -> Finding? {
        guard mayUse(function) else { return nil }
        let own = TypedText(function, in: project, fields: fields)
        if let found = examine(function, project, own) { return found }
        let given = given(to: function, project, fields)
        return given.isEmpty
            ? nil : examine(function, project, TypedText(function, in: project, fields: fields, given: given))
    }

    /// The parameters to which callers pass what was typed, unless they looked at it before.
    private func given(
        to function: Function, _ project: ProjectModel, _ fields: Set<String>
    ) -> [String: TypedText.Source] {
        guard function.parameters.contains(where: { $0.type.hasPrefix("String") }) else { return [:] }
        var given: [String: TypedText.Source] = [:]
        for call in project.callers(of: function).prefix(16) {
            let text = TypedText(call.caller, in: project, fields: fields)
            for (parameter, value) in project.bound(call, to: function)
            where parameter.type.hasPrefix("String") && given[parameter.name] == nil {
                guard let source = text.source(in: value), !text.isChecked(source, before: call.expression.span.start),
                    !isJudged(call.caller, source.name, project)
                else { continue }
                given[parameter.name] = source
            }
        }
        return given
    }

    private func examine(_ function: Function, _ project: ProjectModel, _ text: TypedText) -> Finding? {
        var found: Finding?
        function.body.visit { expression in
            guard found == nil, let use = use(expression, function), let source = text.source(in: use.value),
                !text.isChecked(source, before: expression.span.start),
                !use.isBody || !isJudged(function, source.name, project)
            else { return }
            found = Finding(
                Self.description.id, at: function.place(expression),
                "The text of \(source.name) goes \(use.way) as it was typed.",
                chain: [Step("\(source.name) is read", at: source.place)], certainty: .likely)
        }
        return found
    }

    // MARK: Uses

    private struct Use {
        var value: Expression
        /// "into a URL"
        var way: String
        /// Sent as data, which a check elsewhere may have looked at.
        var isBody = false
    }

    private static let pages: Set<String> = ["loadHTMLString", "evaluateJavaScript", "stringByEvaluatingJavaScript"]
    private static let queries: Set<String> = [
        "NSPredicate", "executeQuery", "executeUpdate", "executeStatements", "rawQuery",
    ]
    /// They take the database first.
    private static let statements: Set<String> = [
        "sqlite3_exec", "sqlite3_prepare", "sqlite3_prepare_v2", "sqlite3_prepare_v3",
    ]
    private static let documents: Set<String> = [
        "saveInBackground", "signUpInBackground", "saveEventually", "setData", "addDocument", "updateData",
    ]

    /// A look at the names alone, before anything is followed.
    private func mayUse(_ function: Function) -> Bool {
        var uses = false
        function.body.visit { if !uses, use($0, function) != nil { uses = true } }
        return uses
    }

    private func use(_ expression: Expression, _ function: Function) -> Use? {
        switch expression.kind {
        case .call(let callee, let arguments):
            let name = callee.lastName ?? ""
            let first = arguments.first { !$0.isTrailing }
            if Self.pages.contains(name), let value = first?.value {
                return Use(value: value, way: "into a page or a script")
            }
            if name == "URL", let value = first, value.label == "string", isJoined(value.value, function) {
                return Use(value: value.value, way: "into a URL")
            }
            if Self.queries.contains(name), let value = first?.value, isJoined(value, function) {
                return Use(value: value, way: "into a query")
            }
            if Self.statements.contains(name), arguments.count > 1, isJoined(arguments[1].value, function) {
                return Use(value: arguments[1].value, way: "into a query")
            }
            if Self.documents.contains(name), case .member(let base?, _) = callee.kind {
                return Use(
                    value: first.map(\.value).flatMap { $0.closure == nil ? $0 : nil } ?? base, way: "to a server",
                    isBody: true)
            }
            if name == "appendingPathComponent" || name == "appendPathComponent", let value = first?.value {
                return isFile(callee) ? Use(value: value, way: "into a file's name") : nil
            }
            return nil
        case .binary("=", let target, let value):
            return target.lastName == "httpBody"
                ? Use(value: value, way: "into the body of a request", isBody: true) : nil
        default: return nil
        }
    }

    /// Whether a text is joined where it is used, or where the local that holds it is made.
    private func isJoined(_ value: Expression, _ function: Function) -> Bool {
        if value.isJoined { return true }
        guard case .name(let name) = value.kind else { return false }
        var isJoined = false
        function.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind, binding.names == [name] {
                isJoined = isJoined || binding.value?.isJoined == true
            }
        }
        return isJoined
    }

    /// Paths of servers have other components than those of files.
    private func isFile(_ callee: Expression) -> Bool {
        let path = callee.dotted.lowercased()
        return ["document", "directory", "folder", "filemanager", "container", "caches", "temp"].contains(
            where: path.contains)
    }

    /// Whether the type looks at the field elsewhere: in a property or function that says whether the form is valid, while it is typed.
    private func isJudged(_ function: Function, _ field: String, _ project: ProjectModel) -> Bool {
        guard let owner = function.owner, let type = project.type(owner) else { return false }
        let words = [
            "valid", "verif", "check", "isenabled", "cansubmit", "cansave", "canlogin", "shouldchangecharacters",
        ]
        return type.allFunctions.contains { other in
            let names = other.name.lowercased() + other.parameters.map { ($0.label ?? "").lowercased() }.joined()
            guard other !== function, words.contains(where: names.contains) else { return false }
            var looks = names.contains("shouldchangecharacters") || names.contains("valid")
            other.body.visitNames { name, _ in if name == field { looks = true } }
            return looks
        }
    }

    // MARK: Objective-C

    private static let selectors: Set<String> = [
        "loadHTMLString:baseURL:", "stringByEvaluatingJavaScriptFromString:", "evaluateJavaScript:completionHandler:",
        "executeQuery:",
        "executeUpdate:", "predicateWithFormat:",
    ]

    private func objectiveC(_ file: ObjCFile) -> [Finding] {
        file.calls.compactMap { call in
            guard Self.selectors.contains(call.name), let value = call.arguments.first else { return nil }
            var ranges = [value]
            for name in file.names(in: value) where !name.contains(".") {
                if let assignment = file.assignment(to: name, before: call.range.lowerBound, in: call.method) {
                    ranges.append(assignment.value)
                }
            }
            // A predicate's own arguments are escaped; only a text formatted before isn't.
            let formatted = ranges.filter {
                file.text($0).contains("stringWithFormat:") || file.text($0).contains("stringByAppending")
            }
            let fields = formatted.flatMap(file.names).filter { name in
                name.hasSuffix(".text") && ["field", "view", "bar"].contains { name.lowercased().contains($0) }
            }
            guard let field = fields.first else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The text of \(field.dropLast(5)) goes into \(call.name) as it was typed.", certainty: .likely)
        }
    }
}
