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
            for (value, span, lacking) in writes(in: function, flows) {
                let value = Self.given(value)
                guard
                    var secret = flows.secret(in: value, of: function) ?? oneTimeCode(in: value, of: function, flows)
                        ?? shown(value, of: function, flows) ?? provided(value, of: function, flows)
                else { continue }
                // A text that is copied is no object which has a secret among other parts.
                guard !secret.kind.isPersonal, secret.holder == nil else { continue }
                // A word such as `otp` alone is weak elsewhere; what a person copies under it is a code.
                if secret.certainty == .possible { secret.certainty = .likely }
                let place = function.place(span)
                findings.append(
                    Finding(
                        Self.description.id, at: place,
                        "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is put on the general pasteboard \(lacking).",
                        chain: secret.steps + [Step("it is put on the pasteboard", at: place)],
                        certainty: secret.certainty))
            }
        }
        return findings.sorted { $0.place < $1.place }
    }

    /// What an item provider is made of: `[NSItemProvider(object: text as NSString)]`.
    private static func given(_ value: Expression) -> Expression {
        guard case .array(let values) = value.kind, case .call(let callee, let arguments)? = values.first?.kind,
            callee.lastName == "NSItemProvider", let object = arguments.first?.value
        else { return value }
        return object
    }

    /// What is put on a pasteboard, where, and which limit it lacks.
    private func writes(in function: Function, _ flows: Flows) -> [(Expression, SourceSpan, String)] {
        let unlimited = "without expiry, and for other devices too"
        var result: [(Expression, SourceSpan, String)] = []
        func isPasteboard(_ expression: Expression) -> Bool {
            // One of the app's own, that others don't read.
            if case .call(let callee, let given) = flows.project.scope(of: function).resolved(expression).kind,
                callee.lastName == "withUniqueName" || given.contains(where: { $0.label == "name" })
            {
                return false
            }
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
                result.append((value, part.span, unlimited))
            case .call(let callee, let arguments):
                guard case .member(let base?, let name) = callee.kind,
                    Self.setters.contains(name), isPasteboard(base), let value = arguments.first?.value
                else { return }
                let limits = Self.limits(arguments, flows.project.scope(of: function))
                switch (limits.isLocal, limits.expires) {
                case (true, true): return
                case (true, false): result.append((value, part.span, "without expiry"))
                case (false, true): result.append((value, part.span, "for other devices too"))
                case (false, false): result.append((value, part.span, unlimited))
                }
            default: break
            }
        }
        return result
    }

    private static let setters: Set<String> = [
        "setValue", "setString", "setItems", "addItems", "setData", "setObjects", "setItemProviders",
    ]

    /// Whether the options keep what is copied on this device, and end it; options that can't be read do both.
    private static func limits(_ arguments: [Argument], _ scope: Scope) -> (isLocal: Bool, expires: Bool) {
        var (isLocal, expires) = (false, false)
        func look(_ name: String, _ value: Expression) {
            if case .boolean(false) = value.kind { return }
            if name == "localOnly" || name == "UIPasteboardOptionLocalOnly" { isLocal = true }
            guard name == "expirationDate" || name == "UIPasteboardOptionExpirationDate", !value.isNone else { return }
            expires = true
        }
        for argument in arguments {
            look(argument.label ?? "", argument.value)
            guard argument.label == "options" else { continue }
            guard case .dictionary(let pairs) = scope.resolved(argument.value).kind else { return (true, true) }
            for pair in pairs { look(pair.key.lastName ?? "", pair.value) }
        }
        return (isLocal, expires)
    }

    // MARK: What is shown and given

    private static let phrases: Set<String> = [
        "phrase", "word", "words", "wordlist", "seed", "seedwords", "mnemonic", "backupwords", "allwords",
    ]
    private static let recovery: Set<String> = [
        "recovery", "mnemonic", "seed", "backup", "restore", "bip39", "passphrase", "phrase",
    ]

    /// A name without the word of the view that shows it: `words` of `wordsLabel`.
    private static func bare(_ name: String) -> String {
        let words = SecretWords.words(of: name)
        guard words.count > 1, let last = words.last, ["label", "lbl", "text", "view"].contains(last) else {
            return words.joined()
        }
        return words.dropLast().joined()
    }

    /// The text of a label or view that is named after a secret, and the words of a recovery phrase.
    private func shown(_ value: Expression, of function: Function, _ flows: Flows) -> Secret? {
        if let found = labelled(value, of: function, flows) { return found }
        // A helper that copies what its callers show.
        if let parameter = flows.of(function).parameter(in: value) {
            for call in flows.project.callers(of: function).prefix(16) {
                let given = flows.project.bound(call, to: function).first { $0.parameter.name == parameter.name }?.value
                if let found = given.flatMap({ labelled($0, of: call.caller, flows) }) {
                    return found.through("it is passed to \(function.name)", at: call.place)
                }
            }
        }
        let file = function.file.split(separator: "/").last.map(String.init) ?? ""
        let company = [function.name, function.owner ?? "", file].flatMap { SecretWords.words(of: $0) }
        guard company.contains(where: Self.recovery.contains) else { return nil }
        var found: Secret?
        value.visit { part in
            guard found == nil, let name = part.lastName,
                Self.phrases.contains(Self.bare(name))
            else { return }
            switch part.kind {
            case .name, .member: break
            default: return
            }
            if let type = flows.of(function).type(of: part),
                !["[String]", "String", "Array<String>", "UILabel", "UITextView"].contains(type)
            {
                return
            }
            found = Secret(
                kind: .seed, name: name,
                steps: [Step("\(name) has the words of a recovery phrase", at: function.place(part))])
        }
        return found
    }

    private func labelled(_ value: Expression, of function: Function, _ flows: Flows) -> Secret? {
        let shown = flows.of(function).scope.resolved(value)
        guard let name = shown.holderName, let words = SecretWords(holder: name), !words.isWeak || words.kind == .seed
        else { return nil }
        return Secret(
            kind: words.kind, name: name,
            steps: [Step("\(name) shows \(words.kind.article)", at: function.place(shown))])
    }

    /// What an object gives when it is asked, which provides itself: `setObjects([self])`.
    private func provided(_ value: Expression, of function: Function, _ flows: Flows) -> Secret? {
        guard case .array(let values) = value.kind, values.contains(where: { $0.dotted == "self" }),
            let owner = function.owner.flatMap({ flows.project.type($0) })
        else { return nil }
        for provider in owner.functions["loadData"] ?? [] {
            for call in provider.calls {
                let values = call.plainArguments.map(\.value)
                if let found = values.lazy.compactMap({ flows.secret(in: $0, of: provider) }).first {
                    return found.through("loadData gives it", at: call.place)
                }
            }
        }
        return nil
    }

    /// A code that is called one, here or by the callers of a helper that copies.
    private func oneTimeCode(in value: Expression, of function: Function, _ flows: Flows) -> Secret? {
        if let name = codeName(in: value), flows.project.makesOneTimeCodes, !isOther(name, function, flows.project) {
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

    /// Whether what is beside a `code` makes it the text of a program, or one that invites.
    private func isOther(_ name: String, _ function: Function, _ project: ProjectModel) -> Bool {
        guard name == "code", let owner = function.owner.flatMap({ project.type($0) }) else { return false }
        let names = [owner.shortName] + owner.properties.keys
        return names.flatMap { SecretWords.words(of: $0) }.contains {
            [
                "snippet", "filename", "language", "syntax", "source", "invite", "invitation", "referral", "room",
                "promo",
            ]
            .contains($0)
        }
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
