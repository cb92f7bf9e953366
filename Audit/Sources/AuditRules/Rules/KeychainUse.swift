// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R7: keychain calls whose answer is dropped, and items that are less protected than they look.
package struct KeychainUse: Rule {
    package static let description = RuleDescription(
        id: "keychain-use", category: "R7", title: "A keychain call's answer or protection is lost",
        explanation: """
            A keychain call answers with a status: dropped, the app goes on as if the secret were kept or gone. It fires on SecItemAdd, \
            SecItemUpdate and SecItemDelete whose status nobody looks at, on an add that has no answer to errSecDuplicateItem, on \
            kSecAttrAccessibleAlways, on passwords, PINs, seeds and private keys that are readable from the first unlock on, on access controls whose failure goes unseen into the query, and on wrappers' writes whose Bool or \
            error is dropped. It doesn't on a delete just before an add, on an add after a look-up or an update, on statuses that are \
            compared, switched over or returned, and on migrations away from kSecAttrAccessibleAlways.
            """,
        masvs: "MASVS-STORAGE-1", cwe: 252,
        plainRemedy: """
            var status = SecItemAdd(query as CFDictionary, nil)
            if status == errSecDuplicateItem { status = SecItemUpdate(find as CFDictionary, change as CFDictionary) }
            guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
            """,
        zamokRemedy: "try keychain.add(item) // throws a KeychainError with its reason")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let keychain = ["SecItemAdd", "SecItemUpdate", "SecItemDelete"].flatMap { dropped($0, project) }
        return keychain + duplicates(project) + always(project) + controls(project) + wrappers(project)
            + synchronized(project) + ownWrappers(project) + KeychainClasses(project).findings(excluding: isAllowed)
    }

    // MARK: Statuses

    private func dropped(_ name: String, _ project: ProjectModel) -> [Finding] {
        // The second of a function is dropped for the same reason as the first.
        var seen: Set<ObjectIdentifier> = []
        return project.calls(to: name).filter { call in
            guard case .name = call.callee.kind, call.arguments.count <= 2 else { return false }
            guard DroppedResults(in: call.caller).contains(call.expression) || neverRead(call) else { return false }
            guard name != "SecItemDelete" || !isFollowedByAdd(call, project), !isForPlain(call.caller, project) else {
                return false
            }
            return seen.insert(ObjectIdentifier(call.caller)).inserted
        }.map { call in
            Finding(
                Self.description.id, at: call.place,
                "Nobody looks at the status of \(name), so a failure goes unseen.", certainty: .sure)
        }
    }

    /// Whether a helper of the keychain has no caller, or all of them give it what is no secret: a device's identifier.
    private func isForPlain(_ function: Function, _ project: ProjectModel) -> Bool {
        let words = SecretWords.words(of: function.owner ?? "") + SecretWords.words(of: function.file)
        guard function.kind == .function, !function.parameters.isEmpty, function.attributes.isEmpty,
            words.contains(where: { ["keychain", "chain", "key"].contains($0) }),
            !function.parameters.contains(where: { SecretWords.kind(ofName: $0.name) != nil })
        else { return false }
        return project.callers(of: function).allSatisfy { isPlain($0, project) }
    }

    /// `let status = SecItemAdd(...)`, and nothing names `status` afterwards.
    private func neverRead(_ call: CallSite) -> Bool {
        var name: String?
        call.caller.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind, binding.value === call.expression {
                name = binding.names.first
            }
        }
        guard let name else { return false }
        var uses = 0
        call.caller.body.visit { expression in
            if case .name(let used) = expression.kind, used == name, expression.span.start > call.expression.span.end {
                uses += 1
            }
        }
        return uses == 0
    }

    /// Deleting what may not be there before adding it anew needs no look at the status.
    private func isFollowedByAdd(_ call: CallSite, _ project: ProjectModel) -> Bool {
        let after = { (function: Function, start: UInt32) in
            function.calls.contains { $0.name == "SecItemAdd" && $0.expression.span.start > start }
        }
        if after(call.caller, call.expression.span.start) { return true }
        return project.callers(of: call.caller).contains { caller in
            after(caller.caller, caller.expression.span.start)
                || project.functionsReached(from: caller.caller, hops: 1).contains { reached in
                    reached !== call.caller && reached.calls.contains { $0.name == "SecItemAdd" }
                }
        }
    }

    // MARK: Duplicates

    /// Calls that show that the item was looked for before, or is replaced.
    private static let lookups: Set<String> = ["SecItemDelete", "SecItemUpdate", "SecItemCopyMatching"]

    private func duplicates(_ project: ProjectModel) -> [Finding] {
        project.calls(to: "SecItemAdd").compactMap { call in
            guard case .name = call.callee.kind, !DroppedResults(in: call.caller).contains(call.expression),
                !neverRead(call)
            else { return nil }
            guard !isAnswered(call, project), !returnsStatus(call, project) else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "An item that is there already makes SecItemAdd fail with errSecDuplicateItem, which nothing here answers.",
                certainty: .likely)
        }
    }

    /// Whether the function, what it calls before, or what its callers do before or afterwards, deals with an item that is there.
    private func isAnswered(_ call: CallSite, _ project: ProjectModel) -> Bool {
        if namesDuplicate(call.caller) || looksUp(call.caller, before: call.expression, project) { return true }
        let isPrivate = !call.caller.modifiers.allSatisfy { $0 != "private" && $0 != "fileprivate" }
        return project.callers(of: call.caller).contains { outer in
            guard !isPrivate || outer.caller.file == call.caller.file else { return false }
            return namesDuplicate(outer.caller) || looksUp(outer.caller, before: outer.expression, project)
        }
    }

    private func namesDuplicate(_ function: Function) -> Bool {
        var names = false
        function.body.visit { expression in
            switch expression.kind {
            case .name(let name), .member(_, let name):
                if name == "errSecDuplicateItem" || name == "duplicateItem" { names = true }
            case .number("25299"): names = true
            default: break
            }
        }
        return names
    }

    private func looksUp(_ function: Function, before expression: Expression, _ project: ProjectModel) -> Bool {
        function.calls.contains { call in
            guard call.expression.span.start < expression.span.start else { return false }
            if Self.lookups.contains(call.name) { return true }
            let verb = SecretWords.words(of: call.name).first ?? ""
            return ["delete", "remove", "update"].contains(verb)
                || project.targets(of: call).contains {
                    $0 !== function && $0.calls.contains { Self.lookups.contains($0.name) }
                }
        }
    }

    /// Whether the status itself goes out, so that others answer it: returned, thrown or kept in an error.
    private func returnsStatus(_ call: CallSite, _ project: ProjectModel) -> Bool {
        var name: String?
        call.caller.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind, binding.value === call.expression {
                name = binding.names.first
            }
        }
        var goesOut = call.caller.returns?.contains("OSStatus") == true
        call.caller.body.visit { expression in
            switch expression.kind {
            case .call(_, let arguments) where name != nil:
                if arguments.contains(where: { $0.value.lastName == name }) { goesOut = true }
            case .binary("=", let target, let value):
                if value === call.expression, case .member = target.kind { goesOut = true }
            default: break
            }
        }
        call.caller.body.visitStatements { statement in
            if case .leave(.return, let value?) = statement.kind,
                value === call.expression || name != nil && value.lastName == name
            {
                goesOut = true
            }
            if case .choose(let subject, _) = statement.kind,
                subject === call.expression || name != nil && subject.lastName == name
            {
                goesOut = true
            }
        }
        return goesOut
    }

    // MARK: Accessibility

    private static let always = [
        "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly", "UICKeyChainStoreAccessibilityAlways",
        "UICKeyChainStoreAccessibilityAlwaysThisDeviceOnly",
    ]

    private func always(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for function in project.functions {
            function.body.visitNames { name, expression in
                guard Self.always.contains(name) || self.isWrapperAlways(name, expression, function) else { return }
                // Comparing with it, or looking for such items, is how one gets away from it.
                guard !isMigration(function), !isCompared(expression, in: function), !tellsOfAccessibility(function)
                else { return }
                findings.append(
                    Finding(
                        Self.description.id, at: function.place(expression),
                        "\(name) leaves the item readable while the device is locked.", certainty: .likely))
            }
        }
        return findings
    }

    private func isWrapperAlways(_ name: String, _ expression: Expression, _ function: Function) -> Bool {
        guard ["always", "alwaysThisDeviceOnly", "accessibleAlways", "accessibleAlwaysThisDeviceOnly"].contains(name)
        else { return false }
        if name.hasPrefix("accessible") { return !Self.translates(name, function) }
        var isArgument = false
        function.body.visit { outer in
            guard case .call(let callee, let arguments) = outer.kind else { return }
            for argument in arguments where argument.value === expression {
                if argument.label == "accessibility" || argument.label == "withAccessibility"
                    || callee.lastName == "accessibility"
                {
                    isArgument = true
                }
            }
        }
        return isArgument
    }

    /// `case .accessibleAlways: return .accessibleAlways`, among others: one name is put for another.
    private static func translates(_ name: String, _ function: Function) -> Bool {
        var isCase = false
        function.body.visitStatements { statement in
            guard case .choose(_, let cases) = statement.kind else { return }
            for item in cases {
                for pattern in item.patterns { pattern.visit { if $0.lastName == name { isCase = true } } }
            }
        }
        return isCase
    }

    /// Whether a mention of an accessibility chooses none: it is compared, migrated from or one of a table.
    private func isAllowed(_ expression: Expression, _ function: Function) -> Bool {
        isMigration(function) || isCompared(expression, in: function) || tellsOfAccessibility(function)
    }

    private func isMigration(_ function: Function) -> Bool {
        let names = [function.name, function.owner ?? "", function.file].map { $0.lowercased() }
        return names.contains { $0.contains("migrat") || $0.contains("upgrade") || $0.contains("legacy") }
    }

    private func isCompared(_ expression: Expression, in function: Function) -> Bool {
        var compared = false
        function.body.visit { outer in
            if case .binary(let operation, let left, let right) = outer.kind, ["==", "!=", "~="].contains(operation) {
                for side in [left, right] { side.visit { if $0 === expression { compared = true } } }
            }
        }
        function.body.visitStatements { statement in
            guard case .choose(_, let cases) = statement.kind else { return }
            for pattern in cases.flatMap(\.patterns) { pattern.visit { if $0 === expression { compared = true } } }
        }
        return compared
    }

    /// A table from own names to the system's names: all values of the system stand there, chosen or not.
    private func tellsOfAccessibility(_ function: Function) -> Bool {
        var names: Set<String> = []
        function.body.visitNames { name, _ in
            if name.hasPrefix("kSecAttrAccessible"), name != "kSecAttrAccessible" { names.insert(name) }
        }
        return names.count >= 4
    }

    // MARK: Access controls

    /// `query[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(..., nil)`: a failure leaves the item without one.
    private func controls(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for call in project.calls(to: "SecAccessControlCreateWithFlags") {
            guard call.arguments.count == 4 else { continue }
            if case .array(let flags) = call.arguments[2].value.kind, flags.isEmpty {
                findings.append(
                    Finding(
                        Self.description.id, at: call.place,
                        "The access control has no flags, so it asks for nobody's presence.", certainty: .likely))
                continue
            }
            guard case .none = call.arguments[3].value.kind else { continue }
            let local = Self.local(holding: call.expression, in: call.caller)
            call.caller.body.visit { expression in
                if case .dictionary(let pairs) = expression.kind, let local,
                    pairs.contains(where: { Self.isOptional($0.value, local) })
                {
                    findings.append(Self.unbound(call, expression))
                    return
                }
                guard case .binary("=", let target, let value) = expression.kind, case .element = target.kind,
                    value.withoutCasts === call.expression || local.map({ Self.isOptional(value, $0) }) == true
                else { return }
                findings.append(
                    Finding(
                        Self.description.id, at: call.place,
                        "If the access control can't be made, nil goes into the query and the item is kept without one.",
                        chain: [Step("it goes into \(target.dotted)", at: call.caller.place(target))],
                        certainty: .likely))
            }
        }
        return findings
    }

    private static func unbound(_ call: CallSite, _ query: Expression) -> Finding {
        Finding(
            description.id, at: call.place,
            "If the access control can't be made, nil goes into the query and the item is kept without one.",
            chain: [Step("it goes into the query", at: call.caller.place(query))], certainty: .likely)
    }

    /// The local that keeps what a call gives.
    private static func local(holding expression: Expression, in function: Function) -> String? {
        var name: String?
        function.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind, binding.value?.withoutCasts === expression {
                name = binding.names.first
            }
        }
        return name
    }

    /// `access as Any`: what is written for an optional that nobody looked at.
    private static func isOptional(_ value: Expression, _ local: String) -> Bool {
        guard case .cast(let inner, "as", "Any") = value.kind, case .name(local) = inner.kind else { return false }
        return true
    }

    // MARK: Synchronization

    /// An item that is added with kSecAttrSynchronizable = true is on every device of the account.
    private func synchronized(_ project: ProjectModel) -> [Finding] {
        project.calls(to: "SecItemAdd").map(\.caller).reduce(into: [Finding]()) { findings, function in
            func look(_ key: Expression, _ value: Expression) {
                guard key.withoutCasts.dotted.hasPrefix("kSecAttrSynchronizable") else { return }
                switch value.withoutCasts.kind {
                case .boolean(true), .name("kCFBooleanTrue"): break
                default: return
                }
                let place = function.place(value)
                guard !findings.contains(where: { $0.place == place }) else { return }
                findings.append(
                    Finding(
                        Self.description.id, at: place,
                        "The item goes to every device of the user's account, and is only as safe as the least of them.",
                        certainty: .likely))
            }
            function.body.visit { part in
                switch part.kind {
                case .dictionary(let pairs): for pair in pairs { look(pair.key, pair.value) }
                case .binary("=", let target, let value):
                    if case .element(_, let arguments) = target.kind, let key = arguments.first?.value {
                        look(key, value)
                    }
                default: break
                }
            }
        }
    }

    // MARK: Wrappers

    /// Writes of wrappers that give back a Bool which may be dropped, by a part of the receiver's type.
    private static let writes: Set<String> = [
        "set", "setPassword", "save", "setString", "setData", "setObject", "store",
    ]
    private static let boolWrappers = [
        "KeychainWrapper", "KeychainSwift", "SAMKeychain", "SSKeychain", "KeychainItemAccessibility",
    ]

    private func wrappers(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for name in Self.writes {
            for call in project.calls(to: name) {
                guard case .member(let base?, _) = call.callee.kind,
                    let wrapper = wrapper(base, call, project) ?? throwing(base, call, project)
                else { continue }
                guard DroppedResults(in: call.caller).contains(call.expression), !asksForError(call),
                    !isPlain(call, project)
                else { continue }
                findings.append(
                    Finding(
                        Self.description.id, at: call.place,
                        "\(wrapper).\(name) answers whether it kept the item, and nobody looks.", certainty: .likely))
            }
        }
        return findings
    }

    private static let plainWords: Set<String> = [
        "id", "uuid", "udid", "identifier", "date", "expiry", "expires", "expiration", "name", "username", "email",
        "flag", "version", "count", "device", "language", "locale", "type", "url", "host", "enabled", "timestamp",
        "phone", "time", "firstname", "surname", "lastname", "gender", "birthday", "reason", "bonus", "discount",
        "currency", "city", "country", "theme",
    ]

    /// Whether the key and the value are named after what is no secret: a device's id, a date.
    private func isPlain(_ call: CallSite, _ project: ProjectModel) -> Bool {
        let scope = project.scope(of: call.caller)
        let values = call.plainArguments.map(\.value)
        let names = values.flatMap { [$0.lastName, scope.literal($0)].compactMap { $0 } }
        let verb = SecretWords.words(of: call.name).dropFirst().joined(separator: "_")
        guard !(names + [verb]).contains(where: { SecretWords(name: $0) != nil }) else { return false }
        // A flag, a number or nothing: no secret is lost or left.
        if let value = values.first, scope.literal(value) == "" { return true }
        switch values.first?.kind {
        case .boolean, .number: return true
        default: return names.contains { SecretWords.words(of: $0).contains { Self.plainWords.contains($0) } }
        }
    }

    /// A wrapper that throws, where `try?` drops the error.
    private func throwing(_ base: Expression, _ call: CallSite, _ project: ProjectModel) -> String? {
        let file = project.swift(call.caller.file)
        guard let library = ["KeychainAccess", "Valet"].first(where: { file?.imports.contains($0) == true }) else {
            return nil
        }
        let type = project.scope(of: call.caller).type(of: base) ?? base.lastName ?? ""
        guard type.lowercased().contains(library == "Valet" ? "valet" : "keychain") else { return nil }
        var isAttempted = false
        call.caller.body.visit { part in
            if case .attempt(let inner) = part.kind, inner === call.expression { isAttempted = true }
        }
        return isAttempted ? library : nil
    }

    /// Functions of the project that hand the status of a write on, called by somebody who drops it.
    private func ownWrappers(_ project: ProjectModel) -> [Finding] {
        let writers = (project.calls(to: "SecItemAdd") + project.calls(to: "SecItemUpdate")).map(\.caller)
        var seen: Set<ObjectIdentifier> = []
        return writers.filter { seen.insert(ObjectIdentifier($0)).inserted }.flatMap { writer -> [Finding] in
            guard let type = writer.returns, type == "OSStatus" || type == "Bool", !isMigration(writer) else {
                return []
            }
            var callers: Set<ObjectIdentifier> = []
            return project.callers(of: writer).filter { call in
                isCalled(on: writer.owner, call, project) && !isPlain(call, project)
                    && DroppedResults(in: call.caller).contains(call.expression)
                    && callers.insert(ObjectIdentifier(call.caller)).inserted
            }.map { call in
                Finding(
                    Self.description.id, at: call.place,
                    "\(writer.name) answers whether the keychain took the item, and nobody looks.",
                    chain: [Step("\(writer.name) hands the status on", at: writer.place)], certainty: .likely)
            }
        }
    }

    /// Whether the receiver is of the type: by its name, its type, or as one's own method. Others have methods of that name too.
    private func isCalled(on owner: String?, _ call: CallSite, _ project: ProjectModel) -> Bool {
        guard let owner else { return true }
        guard case .member(let base?, _) = call.callee.kind, base.dotted != "self" else {
            return call.caller.owner == owner
        }
        let name = project.scope(of: call.caller).type(of: base) ?? base.root ?? ""
        return project.type(name)?.name == owner
    }

    /// `[query save:&error]`, and somebody looks at the error afterwards.
    private func asksForError(_ call: CallSite) -> Bool {
        // The caller gave it the place for an error, and can look there.
        if let given = call.argument("error")?.lastName,
            call.caller.parameters.contains(where: { $0.name == given && $0.name.lowercased().contains("error") })
        {
            return true
        }
        let errors = call.plainArguments.compactMap { argument -> String? in
            guard case .unary("&", let value) = argument.value.kind else { return nil }
            return value.lastName
        }
        var looks = false
        call.caller.body.visitNames { name, expression in
            if errors.contains(name), expression.span.start > call.expression.span.end { looks = true }
        }
        return looks
    }

    private func wrapper(_ base: Expression, _ call: CallSite, _ project: ProjectModel) -> String? {
        let type = project.scope(of: call.caller).type(of: base) ?? base.root ?? ""
        // A type of that name in the project itself is its own wrapper: its signature is here to be read.
        guard let found = Self.boolWrappers.first(where: { type.contains($0) || base.dotted.contains($0) }),
            project.declared(found) == nil
        else { return nil }
        return found
    }
}
