// SPDX-License-Identifier: Apache-2.0

import Findings

extension Flow {
    func secret(in expression: Expression, _ level: Int) -> Secret? {
        guard level < 40 else { return nil }
        let next = level + 1
        switch expression.kind {
        case .name(let name): return ofName(name, expression)
        case .member(let base, let name): return ofMember(expression, base, name, next)
        case .call(let callee, let arguments): return ofCall(expression, callee, arguments, next)
        case .element(let base, let arguments): return ofElement(expression, base, arguments, next)
        case .text(let parts):
            return Secret.surest(parts) { part in
                guard case .interpolation(let arguments) = part else { return nil }
                return arguments.first.flatMap { self.secret(in: $0.value, next) }
            }
        case .array(let values): return Secret.surest(values) { self.secret(in: $0, next) }
        case .dictionary(let pairs):
            for (key, value) in pairs {
                if let found = secret(in: value, next) { return found }
                if let key = scope.literal(key), !Harmless.isValue(value, scope),
                    let found = named(key, at: value.span, value: value)
                {
                    return found
                }
            }
            return nil
        case .tuple(let arguments), .macro(_, let arguments):
            return Secret.surest(arguments) { self.secret(in: $0.value, next) }
        case .unary(let operation, let value): return operation == "!" ? nil : secret(in: value, next)
        case .binary(let operation, let left, let right):
            switch operation {
            case "+", "??", "|": return Secret.surest([left, right]) { self.secret(in: $0, next) }
            case "=", "+=": return secret(in: right, next)
            default: return nil
            }
        case .choice(_, let then, let otherwise):
            return Secret.surest([then, otherwise]) { self.secret(in: $0, next) }
        case .cast(let value, let operation, let type):
            return operation == "is" || Harmless.isType(type, in: project) ? nil : secret(in: value, next)
        case .attempt(let value): return secret(in: value, next)
        case .block(let statements): return ofBlock(statements, next)
        case .number, .boolean, .none, .closure, .keyPath, .other: return nil
        }
    }

    private func ofBlock(_ statements: [Statement], _ level: Int) -> Secret? {
        guard let last = statements.last else { return nil }
        switch last.kind {
        case .expression(let value): return secret(in: value, level)
        case .leave(.return, let value?): return secret(in: value, level)
        case .branch(let branch): return ofBlock(branch.then, level) ?? ofBlock(branch.otherwise, level)
        case .choose(_, let cases): return cases.lazy.compactMap { self.ofBlock($0.body, level) }.first
        default: return nil
        }
    }

    private func ofName(_ name: String, _ expression: Expression) -> Secret? {
        let plain =
            name.hasPrefix("$") && name.count > 1 && name.last?.isNumber == false ? String(name.dropFirst()) : name
        if let known = local(plain, at: expression.span.start) { return known }
        if let parameter = function.parameters.first(where: { $0.name == plain }) {
            if let found = ofTyped(parameter.name, parameter.type, at: expression, what: "the parameter") {
                return found
            }
            // What a property is set to is called as the property is.
            guard function.kind == .setter || function.kind == .observer else { return nil }
            return ofTyped(function.name, parameter.type, at: expression, what: "the new value of")
        }
        if plain.first?.isUppercase == true { return nil }
        if let property = scope.property(of: expression) { return ofProperty(property, expression) }
        return ofTyped(plain, scope.type(of: expression), at: expression, what: "")
    }

    /// What a name and its type say.
    func ofTyped(_ name: String, _ type: String?, at expression: Expression, what: String) -> Secret? {
        if ErrorNames.isError(name) || name.hasPrefix("kSec") { return nil }
        if let type, Harmless.isType(type, in: project) { return nil }
        if let (kind, certainty) = judge(name) {
            let bare = type.map { lastPart(of: $0) }
            // A type of the project under a secret's name holds one only if it has a property that does.
            if let bare, let model = project.declared(bare), !model.declarations.isEmpty {
                return carrier(model, name, expression)
            }
            let text = what.isEmpty ? name : what + " " + name
            return Secret(
                kind: kind, name: name, steps: [Step("\(text) holds \(kind.article)", at: function.place(expression))],
                certainty: certainty)
        }
        guard let type, let model = project.declared(type.elementType) else { return nil }
        return carrier(model, name, expression)
    }

    private func ofProperty(_ property: Property, _ expression: Expression) -> Secret? {
        if property.isConstant || property.isStatic, scope.literal(expression) != nil { return nil }
        if property.value?.literal.map({ !$0.isEmpty }) == true, property.isConstant { return nil }
        let type = property.type ?? scope.type(of: expression)
        return ofTyped(property.name, type, at: expression, what: "") ?? ofFilled(property, expression)
    }

    /// A collection without a telling type that the class puts a secret into, here or in another function.
    private func ofFilled(_ property: Property, _ expression: Expression) -> Secret? {
        guard let name = property.owner, let owner = project.type(name),
            let (found, place) = project.fills.secret(of: property, owner, in: project)
        else { return nil }
        switch found {
        case .element(let model):
            return carrier(model, property.name, expression)?.through("it is put into \(property.name)", at: place)
        case .key(let key, let kind):
            return Secret(
                kind: kind, name: key, steps: [Step("\"\(key)\" is put into \(property.name)", at: place)])
        }
    }

    /// A value of a project's type that has secrets among its stored properties.
    func carrier(_ model: TypeModel, _ name: String, _ expression: Expression) -> Secret? {
        guard let (property, kind) = Carriers.secret(of: model, in: project) else { return nil }
        var found = Secret(
            kind: kind, name: "\(name).\(property.name)",
            steps: [
                Step("\(model.shortName) has \(property.name), which holds \(kind.article)", at: property.place),
                Step("\(name) is \(model.shortName.article)", at: function.place(expression)),
            ])
        found.holder = model
        return found
    }

    private func ofMember(_ expression: Expression, _ base: Expression?, _ name: String, _ level: Int) -> Secret? {
        guard let base else { return nil }
        if Masks.members.contains(name) { return nil }
        if Flow.textMembers.contains(name) {
            // `passwordField.text`: the field's name tells.
            guard let field = base.lastName, let kind = SecretWords(name: field)?.kind else {
                return secret(in: base, level)
            }
            if let type = scope.type(of: base), lastPart(of: type) == "UILabel" { return nil }
            return Secret(
                kind: kind, name: field, steps: [Step("the text of \(field) is read", at: function.place(expression))],
                certainty: .sure)
        }
        if name == "allHTTPHeaderFields", let root = base.root {
            return local(root + ".headers", at: expression.span.start) ?? nil
        }
        if name == "httpBody", let root = base.root, let body = local(root + ".httpBody", at: expression.span.start) {
            return body
        }
        if base.dotted == "self" { return ofName(name, Expression(.name(name), expression.span)) }
        if Flow.transparentMembers.contains(name) {
            if let found = secret(in: base, level) { return found }
            if let type = scope.type(of: base), let (kind, certainty) = judge(base.lastName ?? ""),
                !Harmless.isType(type, in: project)
            {
                return Secret(
                    kind: kind, name: base.dotted,
                    steps: [Step("\(base.dotted) is read", at: function.place(expression))], certainty: certainty)
            }
            return nil
        }
        // `Keys.accessToken` and `.password` name a key or a case.
        if base.lastName?.first?.isUppercase == true,
            scope.property(of: expression) == nil || scope.literal(expression) != nil
        {
            return nil
        }
        if let property = scope.property(of: expression) {
            if property.isStatic, scope.literal(expression) != nil { return nil }
            return ofTyped(name, property.type, at: expression, what: "")
        }
        if let type = scope.type(of: base), let model = project.declared(type),
            model.declarations.contains(where: { $0.kind == .enum })
        {
            return nil
        }
        return ofTyped(name, nil, at: expression, what: "")
    }

    private func ofElement(
        _ expression: Expression, _ base: Expression, _ arguments: [Argument], _ level: Int
    ) -> Secret? {
        guard let index = arguments.first?.value else { return nil }
        if let key = scope.literal(index) ?? index.lastName, let (kind, certainty) = judge(key), !key.hasPrefix("kSec")
        {
            return Secret(
                kind: kind, name: key, steps: [Step("\"\(key)\" is read", at: function.place(expression))],
                certainty: certainty)
        }
        // Another key of a dictionary that holds a secret isn't the secret.
        if scope.literal(index) != nil { return nil }
        return secret(in: base, level)
    }

    // MARK: Calls

    private func ofCall(
        _ expression: Expression, _ callee: Expression, _ arguments: [Argument], _ level: Int
    ) -> Secret? {
        let name = callee.lastName ?? ""
        if asksForLogin, LoginRequests.isRequest(expression) { return response(at: expression) }
        if let key = derivedKey(name, expression) { return key }
        if Masks.isMask(name) || Masks.isMask(callee.root ?? "") { return nil }
        // They give a status.
        if Flow.givesStatus(name) { return nil }
        let given = arguments.filter { !$0.isTrailing }
        if case .member(let base?, _) = callee.kind {
            if name == "filter", keepsOthers(arguments) { return nil }
            if Flow.transparentMethods.contains(name) {
                if let found = secret(in: base, level) { return found }
                if Flow.joiningMethods.contains(name) { return first(of: given, level) }
            }
            if name == "first" || name == "filter", let found = chosen(expression, arguments) { return found }
            if Flow.passing.contains(name) {
                // `tokens.map { $0.identifier }`, `tokens.map(\.identifier)`: the member tells.
                if let member = Self.taken(arguments), SecretWords(name: member) == nil,
                    !Flow.transparentMembers.contains(member)
                {
                    return nil
                }
                return secret(in: base, level)
            }
            if name == "first" || name == "last" { return secret(in: base, level) }
            if name == "decode", let type = scope.type(of: expression), let model = project.declared(type) {
                return carrier(model, name, expression)
            }
            if name == "jsonObject" || name == "encode" || name == "archivedData"
                || name == "data" && (base.dotted.hasPrefix("JSON") || base.dotted.hasPrefix("PropertyList"))
            {
                var found = first(of: given, level)
                found?.holder = nil
                return found
            }
        }
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        if name.first?.isUppercase == true || name == "init" {
            return ofInitializer(call, name == "init" ? callee.dotted : name, given, level)
        }
        if let found = ofProjectCall(call, level) ?? ofGetter(call) { return found }
        // `secret.addingEscapes()`, `token.toBase32()`: a conversion hands its receiver on.
        guard case .member(let base?, _) = callee.kind, let verb = SecretWords.words(of: name).first,
            Flow.converters.contains(verb)
        else { return nil }
        return secret(in: base, level)
    }

    /// The member that a closure or a key path takes of each element.
    private static func taken(_ arguments: [Argument]) -> String? {
        guard arguments.count == 1 else { return nil }
        switch arguments[0].value.kind {
        case .keyPath(let path): return path.split(separator: ".").last.map(String.init)
        case .closure(let closure):
            guard closure.body.count == 1, case .expression(let value) = closure.body[0].kind,
                case .member(let base?, let name) = value.kind, case .name(let root) = base.kind,
                root == "$0" || closure.parameters == [root]
            else { return nil }
            return name
        default: return nil
        }
    }

    /// A key that a function derives from a password.
    private func derivedKey(_ name: String, _ expression: Expression) -> Secret? {
        let words = SecretWords.words(of: name)
        let joined = words.joined()
        guard ["pbkdf", "scrypt", "argon", "bcrypt", "derivekey", "keyderivation"].contains(where: joined.contains)
        else { return nil }
        if scope.type(of: expression).map({ Harmless.isType($0, in: project) }) == true { return nil }
        return Secret(kind: .key, name: name, steps: [Step("\(name) derives a key", at: function.place(expression))])
    }

    /// `items.first { $0.name == "code" }`: the literal tells which one is taken.
    private func chosen(_ expression: Expression, _ arguments: [Argument]) -> Secret? {
        var key: String?
        for argument in arguments {
            argument.value.visit { part in
                guard case .binary("==", let left, let right) = part.kind else { return }
                for side in [left, right] { if let text = self.scope.literal(side), !text.isEmpty { key = text } }
            }
        }
        guard let key else { return nil }
        let kind = key == "code" && (isAboutLogin || function.isAboutOAuth) ? .token : SecretWords(name: key)?.kind
        guard let kind else { return nil }
        return Secret(
            kind: kind, name: key, steps: [Step("the item \"\(key)\" is taken", at: function.place(expression))])
    }

    /// Security's functions give a status or a reference, but for those that give bytes.
    private static func givesStatus(_ name: String) -> Bool {
        if name.hasPrefix("CCCrypt") { return true }
        return name.hasPrefix("Sec") && name.dropFirst(3).first?.isUppercase == true
            && !["SecKeyCopyExternalRepresentation", "SecKeyCreateDecryptedData"].contains(name)
    }

    /// `message.filter { ["url", "name"].contains($0.key) }`: what stays stands under keys that are no secret's.
    private func keepsOthers(_ arguments: [Argument]) -> Bool {
        var keys: [String] = []
        for argument in arguments {
            argument.value.visit { part in
                guard case .call(let callee, let given) = part.kind, case .member(let base?, "contains") = callee.kind,
                    case .array(let values) = base.kind, given.first?.value.lastName == "key"
                else { return }
                keys += values.compactMap { self.scope.literal($0) }
            }
        }
        return !keys.isEmpty && !keys.contains { SecretWords(name: $0) != nil }
    }

    private func first(of arguments: [Argument], _ level: Int) -> Secret? {
        arguments.lazy.compactMap { self.secret(in: $0.value, level) }.first
    }

    private func ofInitializer(_ call: CallSite, _ name: String, _ given: [Argument], _ level: Int) -> Secret? {
        let type = lastPart(of: name)
        if Harmless.isType(type, in: project) { return nil }
        if type == "URLQueryItem" || type == "HTTPCookie" {
            return first(of: given.filter { $0.label != "name" }, level) ?? queryItem(given)
        }
        if let model = project.declared(type) {
            // A wrapper of a view or of a service isn't the secret itself.
            guard let found = first(of: given, level), !Harmless.isBehaviour(model, in: project) else { return nil }
            return found.through("\(type) is made of it", at: call.place)
        }
        return first(of: given, level)
    }

    private func queryItem(_ given: [Argument]) -> Secret? {
        guard let key = given.first(where: { $0.label == "name" }).flatMap({ scope.literal($0.value) }),
            let value = given.first(where: { $0.label == "value" })?.value, !Harmless.isValue(value, scope)
        else { return nil }
        return named(key, at: value.span, value: value)
    }

    /// A function of the project that returns what it was given, or a secret of its own.
    private func ofProjectCall(_ call: CallSite, _ level: Int) -> Secret? {
        let targets = project.targets(of: call, scope: scope)
        for target in targets.prefix(3) {
            if let type = target.returns, Harmless.isType(type, in: project) { continue }
            guard target.returns != nil, let inner = entered(target, call) else { continue }
            if let found = inner.returned() { return found.through("\(target.name) returns it", at: call.place) }
        }
        return nil
    }

    /// `getPassword()`, `keychain.get("token")`: what the name or the key of a read tells.
    private func ofGetter(_ call: CallSite) -> Secret? {
        let targets = project.targets(of: call, scope: scope)
        if let returned = targets.first?.returns, Harmless.isType(returned, in: project) { return nil }
        if !targets.isEmpty, targets.allSatisfy({ $0.returns == nil }) { return nil }
        let words = SecretWords.words(of: call.name)
        guard let verb = words.first, Flow.getters.contains(verb) else { return nil }
        if let key = call.argument("forKey") ?? call.argument("key") ?? call.argument(nil),
            targets.isEmpty || words.count == 1,
            let text = scope.literal(key), let (kind, certainty) = judge(text)
        {
            return Secret(
                kind: kind, name: text, steps: [Step("\"\(text)\" is read", at: call.place)], certainty: certainty)
        }
        if words.count > 1, let found = SecretWords(function: call.name), !found.isWeak || isAboutLogin {
            return Secret(
                kind: found.kind, name: call.name,
                steps: [Step("\(call.name) returns \(found.kind.article)", at: call.place)])
        }
        let receiver = call.callee.dotted.lowercased()
        guard receiver.contains("keychain") || receiver.contains("valet") || receiver.contains("locksmith") else {
            return nil
        }
        let key = call.arguments.first.flatMap { scope.literal($0.value) ?? $0.value.lastName } ?? "item"
        let kind = SecretWords(name: key)?.kind ?? .secret
        return Secret(kind: kind, name: key, steps: [Step("\(key) is read from the keychain", at: call.place)])
    }

    /// What the function returns, if that is a secret.
    func returned() -> Secret? {
        if function.body.count == 1, case .expression(let value) = function.body[0].kind { return secret(in: value) }
        var found: Secret?
        function.body.visitStatements { statement in
            if case .leave(.return, let value?) = statement.kind, found == nil { found = secret(in: value) }
        }
        return found
    }

    static let textMembers: Set<String> = ["text", "stringValue", "attributedText"]
    static let transparentMembers: Set<String> = [
        "value", "wrappedValue", "projectedValue", "description", "debugDescription", "utf8", "unicodeScalars",
        "rawValue", "bytes", "base64", "absoluteString",
        "data", "string", "unsafelyUnwrapped", "localizedDescription_", "query", "url", "queryItems",
        "percentEncodedQuery", "httpBody", "hexString",
        "base64String", "asString", "stringRepresentation", "first", "last", "lowercased",
        // Objective-C's messages without arguments.
        "copy", "mutableCopy", "UTF8String", "lowercaseString", "uppercaseString", "capitalizedString",
        "stringByRemovingPercentEncoding",
    ]
    static let transparentMethods: Set<String> = [
        "trimmingCharacters", "lowercased", "uppercased", "data", "base64EncodedString", "base64EncodedData",
        "replacingOccurrences", "appending", "joined", "components",
        "split", "utf8", "description", "capitalized", "addingPercentEncoding", "removingPercentEncoding", "reversed",
        "sorted", "string", "value", "appendingPathComponent",
        "mutableCopy", "copy", "toString", "asData", "hexEncodedString", "toHexString", "withUnsafeBytes", "unwrap",
        "get", "decodeUrl", "filter",
    ]
    static let converters: Set<String> = [
        "adding", "by", "to", "as", "with", "escaped", "encoded", "trimmed", "trimming", "formatted", "replacing",
        "removing", "inserting", "appending", "decoded",
        "base", "base64", "base32", "normalized", "grouped", "url",
    ]
    static let joiningMethods: Set<String> = ["appending", "joined", "replacingOccurrences", "appendingPathComponent"]
    static let getters: Set<String> = [
        "get", "load", "read", "fetch", "retrieve", "extract", "find", "copy", "current", "object", "value", "valet",
        "obtain", "acquire", "string",
        "data", "generate",
    ]
}
