// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XPASTE: a secret is put on the general pasteboard without an end and for every device.
package struct SecretsOnPasteboard: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "secret-on-pasteboard", category: "XPASTE", title: "A secret stays on the general pasteboard",
        explanation: """
            What is put on the general pasteboard can be read by every app that is opened next, and goes to the user's other devices. A secret on it needs an expiry and must stay on this device. The rule \
            looks at what is written, and through helpers at what their callers pass; public texts are fine, so is reading.
            """,
        masvs: "MASVS-PLATFORM-1", cwe: 200,
        plainRemedy: """
            UIPasteboard.general.setItems(
                [[UTType.utf8PlainText.identifier: code]],
                options: [.localOnly: true, .expirationDate: Date().addingTimeInterval(60)])
            """,
        zamokRemedy: """
            UIPasteboard.general.copy(field, under: policy)  // a ClipboardPolicy: whether, and cleared after how long
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        var findings: [Finding] = []
        for function in project.functions {
            for (value, span) in writes(in: function, flows) {
                guard var secret = flows.secret(in: value, of: function) ?? oneTimeCode(in: value, of: function, flows)
                else { continue }
                guard !secret.kind.isPersonal else { continue }
                // A word such as `otp` alone is weak elsewhere; what a person copies under it is a code.
                if secret.certainty == .possible { secret.certainty = .likely }
                let place = function.place(span)
                findings.append(
                    Finding(
                        Self.description.id, at: place,
                        "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is put on the general pasteboard without expiry, and for other devices too.",
                        chain: secret.steps + [Step("it is put on the pasteboard", at: place)],
                        certainty: secret.certainty))
            }
        }
        return findings.sorted { $0.place < $1.place }
    }

    private func writes(in function: Function, _ flows: Flows) -> [(Expression, SourceSpan)] {
        var result: [(Expression, SourceSpan)] = []
        func isPasteboard(_ expression: Expression) -> Bool {
            if let type = flows.project.scope(of: function).type(of: expression),
                type == "UIPasteboard" || type == "NSPasteboard"
            {
                return true
            }
            return expression.dotted.lowercased().contains("pasteboard")
        }
        function.body.visit { part in
            switch part.kind {
            case .binary("=", let target, let value):
                guard case .member(let base?, let name) = target.kind,
                    ["string", "strings", "items", "url"].contains(name), isPasteboard(base)
                else { return }
                result.append((value, part.span))
            case .call(let callee, let arguments):
                guard case .member(let base?, let name) = callee.kind,
                    ["setValue", "setString", "setItems", "addItems", "setData", "setObjects"].contains(name),
                    isPasteboard(base), let value = arguments.first?.value
                else { return }
                if name == "setItems", arguments.contains(where: { $0.label == "options" && limits($0.value) }) {
                    return
                }
                result.append((value, part.span))
            default: break
            }
        }
        return result
    }

    /// Options with an expiry or for this device alone.
    private func limits(_ options: Expression) -> Bool {
        var found = false
        options.visit { if $0.lastName == "localOnly" || $0.lastName == "expirationDate" { found = true } }
        return found
    }

    /// A code that is called one, here or by the callers of a helper that copies.
    private func oneTimeCode(in value: Expression, of function: Function, _ flows: Flows) -> Secret? {
        if let name = codeName(in: value), flows.project.makesOneTimeCodes {
            let step = Step("\(name) is a one-time code", at: function.place(value))
            return Secret(kind: .oneTimeCode, name: name, steps: [step])
        }
        guard let parameter = flows.of(function).parameter(in: value) else { return nil }
        for call in flows.project.callers(of: function).prefix(16) {
            guard
                let given = flows.project.bound(call, to: function).first(where: { $0.parameter.name == parameter.name }
                )?.value,
                let name = codeName(in: given), flows.project.makesOneTimeCodes
            else { continue }
            return Secret(
                kind: .oneTimeCode, name: name,
                steps: [Step("\(name), a one-time code, is passed to \(function.name)", at: call.place)])
        }
        return nil
    }

    private static let codeWords: Set<String> = [
        "code", "codes", "current", "next", "previous", "new", "my", "the", "formatted", "displayed", "visible",
        "shown",
        "token", "account", "item", "entry", "credential", "oath", "generated", "copied", "one", "two", "time",
        "factor",
        "onetime", "verification", "security", "login", "auth", "authentication", "otp", "totp", "hotp", "2", "fa",
        "mfa",
        "raw", "plain", "value", "text", "string", "unmasked", "selected", "last", "valid",
    ]

    private func codeName(in value: Expression) -> String? {
        var found: String?
        value.visit { part in
            guard found == nil, let name = part.lastName else { return }
            let words = SecretWords.words(of: name)
            guard let last = words.last, ["otp", "totp", "hotp", "code", "codes", "passcode"].contains(last) else {
                return
            }
            // A coupon, a country and a colour have codes too.
            if last == "code" || last == "codes", !Self.codeWords.isSuperset(of: words) { return }
            if !words.contains("error") { found = name }
        }
        return found
    }
}

extension ProjectModel {
    /// Whether the app makes or shows one-time codes.
    var makesOneTimeCodes: Bool {
        let words: Set<String> = ["otp", "totp", "hotp", "oath", "authenticator", "twofactor"]
        return types.values.contains { !words.isDisjoint(with: SecretWords.words(of: $0.shortName)) }
            || swift.contains { $0.imports.contains { $0.lowercased().contains("otp") || $0 == "OneTimePassword" } }
    }
}
