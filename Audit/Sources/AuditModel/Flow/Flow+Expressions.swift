// SPDX-License-Identifier: Apache-2.0

import Findings

extension Flow {
    func secret(in expression: Expression, _ level: Int) -> Secret? {
        guard level < 40, trail.goDeeper() else { return nil }
        defer { trail.comeBack() }
        switch expression.kind {
        case .call, .member:
            let id = ObjectIdentifier(expression)
            // A chain of calls asks for its beginning more than once at each link.
            if let known = answers[id], known.version == version { return known.secret }
            guard asked.insert(id).inserted else { return nil }
            defer { asked.remove(id) }
            let before = version
            let found = look(expression, level + 1)
            if version == before { answers[id] = (expression, version, found) }
            return found
        default: return look(expression, level + 1)
        }
    }

    private func look(_ expression: Expression, _ next: Int) -> Secret? {
        switch expression.kind {
        case .name(let name): return ofName(name, expression)
        case .member(let base, let name): return ofMember(expression, base, name, next)
        case .call(let callee, let arguments): return ofCall(expression, callee, arguments, next)
        case .element(let base, let arguments): return ofElement(expression, base, arguments, next)
        case .text(let parts):
            let found = Secret.surest(parts) { part in
                guard case .interpolation(let arguments) = part else { return nil }
                return arguments.first.flatMap { self.secret(in: $0.value, next) }
            }
            return found.map { $0.certainty >= .likely } == true ? found : inQuery(parts) ?? found
        case .array(let values): return Secret.surest(values) { self.secret(in: $0, next) }?.of(.list)
        case .dictionary(let pairs):
            for (key, value) in pairs {
                if let found = secret(in: value, next) ?? secret(in: key, next) {
                    // What is kept in the keychain and sent in a header signs in.
                    if found.kind == .secret, found.certainty == .possible,
                        pairs.contains(where: { Self.isHeader(self.scope.literal($0.key)) })
                    {
                        var sure = found
                        sure.certainty = .likely
                        return sure.of(.part)
                    }
                    return found.of(.part)
                }
                if let key = scope.literal(key), !Harmless.isValue(value, scope),
                    let found = named(key: key, at: value.span, value: value)
                {
                    return found.of(.part)
                }
            }
            return nil
        case .tuple(let arguments), .macro(_, let arguments):
            return Secret.surest(arguments) { self.secret(in: $0.value, next) }?.of(.part)
        case .unary(let operation, let value): return operation == "!" ? nil : secret(in: value, next)
        case .binary(let operation, let left, let right):
            switch operation {
            case "+", "??", "|", "&":
                if operation == "+", case .text(let parts) = left.withoutCasts.lastSummand.kind,
                    let found = inQuery(
                        parts + [.interpolation([Argument(label: nil, value: right, isTrailing: false)])])
                {
                    return secret(in: right, next) ?? found
                }
                return Secret.surest([left, right]) { self.secret(in: $0, next) }
            case "=", "+=": return secret(in: right, next)
            // A column of SQLite.swift and its value.
            case "<-":
                if let found = secret(in: right, next) { return found }
                return Harmless.isValue(right, scope)
                    ? nil : left.lastName.flatMap { named($0, at: left.span, value: right) }
            default:
                // An operator of the project.
                guard let functions = project.functionsByName[operation],
                    !functions.contains(where: { $0.returns.map { Harmless.isType($0, in: project) } ?? true })
                else { return nil }
                return Secret.surest([left, right]) { self.secret(in: $0, next) }
            }
        case .choice(_, let then, let otherwise):
            return Secret.surest([then, otherwise]) { self.secret(in: $0, next) }
        case .cast(let value, let operation, let type):
            return operation == "is" || Harmless.isType(type, in: project) ? nil : secret(in: value, next)
        case .attempt(let value): return secret(in: value, next)
        case .block(let statements): return ofBlock(statements, next)
        case .other(let values): return Secret.surest(values) { self.secret(in: $0, next) }
        case .number, .boolean, .none, .closure, .keyPath: return nil
        }
    }

    private static func isHeader(_ key: String?) -> Bool {
        ["accept", "content-type", "authorization", "user-agent", "accept-language"].contains(key?.lowercased() ?? "")
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
        if Self.isOfPicture(plain) { return nil }
        if let known = local(plain, at: expression.span.start) { return known }
        if let parameter = function.parameters.first(where: { $0.name == plain }) {
            if Flow.bodyNames.contains(plain), let body = ofAnyRequest("the parameters of each request", expression) {
                return body
            }
            if let found = ofTyped(parameter.name, parameter.type, at: expression, what: "the parameter") {
                return found
            }
            // What a property is set to is called as the property is.
            guard function.kind == .setter || function.kind == .observer else { return nil }
            return ofTyped(function.name, parameter.type, at: expression, what: "the new value of")
        }
        // A type or a constant, but for properties of older sources: `self.AccessToken`.
        if plain.first?.isUppercase == true,
            scope.property(of: expression).map({ $0.isStatic || $0.isConstant }) ?? true
        {
            return nil
        }
        if let property = scope.property(of: expression) {
            return ofProperty(property, expression) ?? onSelf(plain, property)
        }
        return ofTyped(plain, scope.type(of: expression), at: expression, what: "") ?? onSelf(plain, nil)
    }

    /// A member of the receiver in an extension of a type such as String.
    private func onSelf(_ name: String, _ property: Property?) -> Secret? {
        guard name != "self", function.parameters.allSatisfy({ $0.name != name }), scope.locals[name] == nil,
            let receiver = local("self", at: 0) ?? nil, receiver.extent == .whole, !Masks.ends(name)
        else { return nil }
        return property == nil ? receiver : computed(name, of: receiver)
    }

    /// What a computed member of a type of others gives, such as one of an extension of String.
    func computed(_ name: String, of receiver: Secret) -> Secret? {
        let getters = (project.functionsByName[name] ?? []).filter { getter in
            getter.kind == .getter && getter.owner.map { project.declared($0) == nil } == true
        }
        guard let getter = getters.first, getters.count <= 3 else { return nil }
        return entered(getter, on: receiver)?.returned()?.through("\(name) is made of it", at: getter.place)
    }

    /// What a name and its type say.
    func ofTyped(_ name: String, _ type: String?, at expression: Expression, what: String) -> Secret? {
        if ErrorNames.isError(name) || name.hasPrefix("kSec") { return nil }
        if let type, Harmless.isType(type, in: project),
            !Harmless.isMeasure(type, of: SecretWords.kind(ofName: name))
        {
            return nil
        }
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
        return type.flatMap { carrier(ofType: $0, name, expression) }
    }

    private func ofProperty(_ property: Property, _ expression: Expression) -> Secret? {
        if property.isConstant || property.isStatic, scope.literal(expression).map({ !$0.isEmpty }) == true {
            return nil
        }
        if property.isJoined || property.value?.literal.map({ !$0.isEmpty }) == true && property.isConstant {
            return nil
        }
        let type = property.type ?? scope.type(of: expression)
        let named = ofTyped(property.name, type, at: expression, what: "") ?? ofFilled(property, expression)
        if let named, named.certainty >= .likely { return named }
        return ofKept(property) ?? named
    }

    /// A property whose name says nothing, and that is given a secret.
    private func ofKept(_ property: Property) -> Secret? {
        guard budget > 0, let context else { return nil }
        return context.secret(of: property, budget: budget)
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

    private func ofMember(_ expression: Expression, _ base: Expression?, _ name: String, _ level: Int) -> Secret? {
        guard let base else { return nil }
        if case .name = base.kind, let known = local(expression.dotted, at: expression.span.start) { return known }
        if let part = part(name, of: base) { return secret(in: part, level) }
        if name == "code", let type = scope.type(of: base).flatMap({ project.declared($0) }), SentCodes.isSent(of: type)
        {
            return Secret(
                kind: .oneTimeCode, name: expression.dotted,
                steps: [Step("\(type.shortName) has the code that a person was sent", at: function.place(expression))])
        }
        if Masks.members.contains(name) || Self.isOfMedia(name, scope.type(of: base)) { return nil }
        if Flow.textMembers.contains(name) {
            // `passwordField.rx.text` is what it will be.
            if case .member(let field?, "rx") = base.kind { return ofMember(expression, field, name, level) }
            // `passwordField.text`: the field's name tells.
            guard let field = base.lastName, let words = SecretWords(name: field) else {
                return secret(in: base, level) ?? ofField(base)
            }
            let kind = words.kind
            if let type = scope.type(of: base), lastPart(of: type) == "UILabel" { return nil }
            if kind == .pin, isPostalCode(field) { return nil }
            return Secret(
                kind: kind, name: field, steps: [Step("the text of \(field) is read", at: function.place(expression))],
                certainty: isOfOther(field, words) ? .possible : .sure)
        }
        if name == "allHTTPHeaderFields" || name == "headers", let root = base.root,
            let found = local(root + ".headers", at: expression.span.start) ?? nil
        {
            return found
        }
        let isOfRequest = name == "allHTTPHeaderFields" && Self.requests.contains(base.lastName ?? "") && base.hasBase
        if isOfRequest || Self.sharedHeaders.contains(name), let key = project.signingHeader {
            return Secret(
                kind: .token, name: key, steps: [Step("\(key) is among the headers", at: function.place(expression))])
        }
        if name == "allHTTPHeaderFields" { return ofAnyRequest("the headers of each request", expression) }
        if name == "httpBody" {
            if let root = base.root, let body = local(root + ".httpBody", at: expression.span.start) { return body }
            return ofAnyRequest("the body of each request", expression)
        }
        if name.lowercased().hasPrefix("curl") { return contents(ofRequest: base) }
        if base.dotted == "self" { return ofName(name, Expression(.name(name), expression.span)) }
        if Flow.transparentMembers.contains(name), !isOwnPart(name, of: base, level) {
            if let found = secret(in: base, level) {
                guard let holder = found.holder, name.hasSuffix("escription"),
                    let getter = holder.functions[name]?.first(where: { $0.kind == .getter })
                else { return found }
                // An object that describes itself tells what it says there.
                return trail.described(by: getter) {
                    Flow(getter, in: project, given: [:], depth: 0, context: nil, budget: 0, trail: trail).returned()
                }
            }
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
            scope.property(of: expression) == nil || scope.literal(expression).map({ !$0.isEmpty }) == true
        {
            return nil
        }
        if let property = scope.property(of: expression) {
            if property.isJoined || property.isStatic && scope.literal(expression).map({ !$0.isEmpty }) == true {
                return nil
            }
            if ["access", "refresh"].contains(name),
                property.owner.flatMap({ project.declared($0) }).map(Carriers.hasTokenPair) == true
            {
                return Secret(
                    kind: .token, name: name, steps: [Step("\(name) is one of two tokens", at: property.place)])
            }
            var named = ofTyped(name, property.type, at: expression, what: "") ?? ofFilled(property, expression)
            // The token of a user or of an answer signs in.
            if named?.kind == .token, named?.certainty == .possible, !project.tradesTokens,
                property.owner.map({ Carriers.isMessage(lastPart(of: $0)) }) == true
            {
                named?.certainty = .likely
            }
            if let named, named.certainty >= .likely { return named }
            if property.owner.map({ project.declared($0) == nil }) == true {
                return secret(in: base, level).flatMap { $0.extent == .whole ? computed(name, of: $0) : nil }
            }
            return ofKept(property) ?? named
        }
        let type = scope.type(of: base)
        if let type, let model = project.declared(type) {
            if model.declarations.contains(where: { $0.kind == .enum }) { return nil }
            return ofTyped(name, nil, at: expression, what: "")
        }
        return ofTyped(name, nil, at: expression, what: "") ?? onward(base, type, name, level)
    }

    /// A member or a method that isn't known to end the flow, of a text that is a secret.
    private func onward(_ base: Expression, _ type: String?, _ name: String, _ level: Int) -> Secret? {
        guard !Masks.ends(name), type.map({ Flow.isText($0) }) ?? !Masks.endsObjects(name) else { return nil }
        if Harmless.isView(base, scope) || base.lastName?.first?.isUppercase == true { return nil }
        guard let found = secret(in: base, level), found.extent == .whole, found.holder == nil,
            found.certainty >= .likely || type == "String" && found.kind != .secret && !Masks.endsObjects(name)
        else { return nil }
        return computed(name, of: found) ?? found
    }

    /// Whether a type can be the secret itself, so that what is made of it is one, too.
    private static func isText(_ type: String) -> Bool {
        let short = lastPart(of: type)
        return !["URLRequest", "URLSession", "URLComponents", "HTTP", "UI", "NSMutableURLRequest", "LA", "Sec", "CK"]
            .contains { short.hasPrefix($0) }
    }

    /// The part of a tuple or of a new object that a member takes: `pair.content` of `(number: 1, content: text)`.
    private func part(_ name: String, of base: Expression) -> Expression? {
        switch scope.resolved(base).kind {
        case .tuple(let arguments):
            if let named = arguments.first(where: { $0.label == name }) { return named.value }
            return Int(name).flatMap { $0 < arguments.count ? arguments[$0].value : nil }
        case .call(let callee, let arguments):
            guard callee.lastName?.first?.isUppercase == true || callee.lastName == "init" else { return nil }
            return arguments.first { $0.label == name && !$0.isTrailing }?.value
        default: return nil
        }
    }

    /// The text of a field whose name says nothing, but which hides what is typed.
    private func ofField(_ base: Expression) -> Secret? {
        guard let property = scope.property(of: base), let owner = property.owner else { return nil }
        let drawn = project.resources.fields(of: lastPart(of: owner), property: property.name)
        let asked = drawn.lazy.compactMap { SecretWords.kind(ofText: $0.placeholder) }.first
        let secured = (project.assignmentsByName["isSecureTextEntry"] ?? []).contains { site in
            guard case .member(let field?, _) = site.target.kind, field.lastName == property.name,
                site.function.owner == owner
            else { return false }
            switch site.value.kind {
            case .boolean(let isOn): return isOn
            // A component that is told whether to hide serves every field of the app.
            case .name, .member, .binary, .choice: return !isComponent(owner)
            default: return true
            }
        }
        guard asked != nil || secured || drawn.contains(where: \.isSecure) else { return nil }
        let kind = asked ?? .password
        return Secret(
            kind: kind, name: property.name,
            steps: [Step("\(property.name) hides what is typed", at: property.place)])
    }

    private func ofElement(
        _ expression: Expression, _ base: Expression, _ arguments: [Argument], _ level: Int
    ) -> Secret? {
        guard let index = arguments.first?.value else { return nil }
        if let key = scope.literal(index), Self.setsSession(key) {
            return Secret(
                kind: .token, name: key, steps: [Step("the header \(key) is read", at: function.place(expression))])
        }
        if let key = scope.literal(index) ?? index.lastName, let (kind, certainty) = judge(key), !key.hasPrefix("kSec")
        {
            let isKept = Self.sessionKeys.contains(key.lowercased()) || base.dotted.lowercased().contains("defaults")
            return Secret(
                kind: kind, name: key, steps: [Step("\"\(key)\" is read", at: function.place(expression))],
                certainty: isKept && isOfSession(key) ? .likely : certainty)
        }
        if let key = scope.literal(index) {
            if case .name(let name) = base.kind, let known = local("\(name)[\(key)]", at: expression.span.start) {
                return known
            }
            if case .dictionary(let pairs) = scope.resolved(base).kind,
                let pair = pairs.first(where: { scope.literal($0.key) == key })
            {
                return secret(in: pair.value, level)
            }
            if budget > 0, let context {
                if base.lastName == "userInfo" { return context.posted(under: key, budget: budget) }
                if let property = scope.property(of: base) {
                    return context.secret(of: property, under: key, budget: budget)
                }
            }
            // Another key of a dictionary that holds a secret isn't the secret.
            return nil
        }
        if case .array(let values) = scope.resolved(base).kind, case .number(let digits) = index.kind,
            let place = Int(digits), place < values.count
        {
            return secret(in: values[place], level)
        }
        if let model = scope.type(of: base).flatMap({ project.declared($0) }) {
            let getters = (model.functions["subscript"] ?? []).filter {
                $0.kind == .getter && $0.parameters.count == arguments.count
            }
            let values = getters.isEmpty ? [] : arguments.map { secret(in: $0.value, level) }
            for getter in getters.prefix(2) {
                if let found = entered(getter, giving: values)?.returned() { return found }
            }
        }
        return secret(in: base, level)?.element
    }

    // MARK: Calls

    private func ofCall(
        _ expression: Expression, _ callee: Expression, _ arguments: [Argument], _ level: Int
    ) -> Secret? {
        let name = callee.lastName ?? ""
        if replies != .none, LoginRequests.isRequest(expression) { return response(at: expression) }
        if case .name(let text) = callee.kind, arguments.isEmpty, let known = local(text, at: expression.span.start),
            function.parameters.contains(where: { $0.name == text })
        {
            return known
        }
        switch callee.kind {
        case .closure(let closure): return result(of: closure.body, level)
        // `[UInt8](text.utf8)`
        case .array: return first(of: arguments, level)
        default: break
        }
        if let found = produced(name, arguments, level) { return found }
        if let key = derivedKey(name, expression) { return key }
        if case .member(let base?, _) = callee.kind, Flow.publishing.contains(name), let found = secret(in: base, level)
        {
            return found
        }
        if let open = openlyEncrypted(name, callee, arguments, level) { return open }
        if Masks.isMask(name) || Masks.isMask(callee.root ?? "") { return nil }
        // They give a status.
        if Flow.givesStatus(name) { return nil }
        let given = arguments.filter { !$0.isTrailing }
        if case .name(let local) = callee.kind, let inner = scope.functions[local] {
            guard level < 12 else { return nil }
            return result(of: inner.body, level + 8)
        }
        if isCase(callee) {
            var found = first(of: given, level)?.of(.part)
            found?.payload = true
            return found
        }
        if readsOther(name, arguments) { return nil }
        if case .member(let base?, _) = callee.kind {
            if let found = mapped(name, arguments, level) { return found }
            if name == "filter", keepsOthers(arguments) { return nil }
            if Flow.transparentMethods.contains(name) {
                if let found = secret(in: base, level) { return found }
                if Flow.joiningMethods.contains(name) { return first(of: given, level) }
            }
            if name == "first" || name == "filter", let found = chosen(expression, arguments) { return found }
            // What a promise goes on with is what its closure gives back.
            if name == "then", let next = continued(arguments, level) { return next }
            if Flow.passing.contains(name) {
                // `tokens.map { $0.identifier }`, `tokens.map(\.identifier)`: the member tells.
                if let member = Self.taken(arguments), SecretWords(name: member) == nil,
                    !Flow.transparentMembers.contains(member)
                {
                    return nil
                }
                return secret(in: base, level)
            }
            if name == "first" || name == "last" || name == "removeFirst" || name == "randomElement" {
                return secret(in: base, level)?.element
            }
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
        if isInitializer(callee, name, given) {
            return ofInitializer(call, name == "init" ? callee.dotted : name, given, level)
        }
        if let found = ofProjectCall(call, level) ?? ofGetter(call) ?? ofMaker(call) { return found }
        return converted(call, given, level) ?? decoded(given, expression) ?? ofReturned(call, given, level)
    }

    /// What is encrypted with a key that the source has is as good as open.
    private func openlyEncrypted(
        _ name: String, _ callee: Expression, _ arguments: [Argument], _ level: Int
    ) -> Secret? {
        guard SecretWords.words(of: name).contains(where: { $0.hasPrefix("encrypt") }) else { return nil }
        guard let key = arguments.firstIndex(where: { $0.isOpenKey(scope) }) else {
            guard project.encryptsOpenly(name) else { return nil }
            if case .member(let base?, _) = callee.kind, let found = secret(in: base, level) { return found }
            return first(of: arguments.filter { !$0.isTrailing }, level)
        }
        let others = arguments.enumerated().filter { $0.offset != key && !$0.element.isTrailing }.map(\.element)
        return first(of: others, level)
    }

    /// What an unknown function or method makes of a secret: `token.toBase32()`, `hexEncoded(token)`.
    private func converted(_ call: CallSite, _ given: [Argument], _ level: Int) -> Secret? {
        let name = call.name
        let targets = project.targets(of: call, scope: scope)
        // What a function of the project gives back was looked at, unless it is only of the same name.
        let isKnown = targets.contains { target in
            !target.body.isEmpty
                && (scope.owner?.name == target.owner || target.owner == nil || call.isOnForeignType(project))
        }
        if isKnown { return nil }
        if scope.type(of: call.expression).map({ Harmless.isType($0, in: project) }) == true { return nil }
        switch call.callee.kind {
        case .member(let base?, _):
            if let found = onward(
                base, scope.type(of: base).flatMap { project.declared($0) == nil ? $0 : "UI" }, name, level)
            {
                return found
            }
        case .name:
            if let receiver = local("self", at: 0) ?? nil, receiver.extent == .whole, !Masks.ends(name) {
                return receiver
            }
        default: return nil
        }
        let words = SecretWords.words(of: name)
        guard targets.isEmpty, !Masks.ends(name), words.contains(where: Flow.conversions.contains) else { return nil }
        return first(of: given, level)
    }

    /// A case of an enum that is given a payload: `.success(token)`, `Event.typed(text)`.
    private func isCase(_ callee: Expression) -> Bool {
        guard case .member(let base, let name) = callee.kind else { return false }
        guard let base else { return name.first?.isLowercase == true }
        guard let type = base.lastName, type.first?.isUppercase == true else { return false }
        if type == "Result" { return true }
        return project.declared(type)?.declarations.contains { $0.cases.contains { $0.name == name } } ?? false
    }

    /// `"...?token=\(value)"`: what is before the value says what it is.
    private func inQuery(_ parts: [TextPart]) -> Secret? {
        var before = ""
        for part in parts {
            switch part {
            case .literal(let text): before = text
            case .interpolation(let arguments):
                guard let value = arguments.first?.value, before.hasSuffix("=") else { continue }
                let name = before.dropLast().reversed().prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
                let key = String(name.reversed())
                guard before.dropLast(key.count + 1).last.map({ "?&#\"; ".contains($0) }) ?? true, key.count > 2,
                    !Harmless.isValue(value, scope), let words = SecretWords(name: key), !words.kind.isPersonal,
                    !words.isWeak || ["token", "auth", "pass", "otp", "pin"].contains(key.lowercased())
                else { continue }
                let step = Step("\(key)= is followed by \(words.kind.article)", at: function.place(value))
                return Secret(kind: words.kind, name: key, steps: [step])
            }
        }
        return nil
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

    func first(of arguments: [Argument], _ level: Int) -> Secret? {
        arguments.lazy.compactMap { self.secret(in: $0.value, level) }.first
    }

    /// A function of the project that returns what it was given, or a secret of its own.
    private func ofProjectCall(_ call: CallSite, _ level: Int) -> Secret? {
        var targets = project.targets(of: call, scope: scope)
        var most = Self.mostTargets
        if targets.count == 1, targets[0].isLeftOpen {
            targets += project.overriding(targets[0])
            most = max(most, targets.count)
        }
        for target in targets.prefix(most) {
            if let type = target.returns, Harmless.isType(type, in: project) { continue }
            if Masks.isOther(target.name) { continue }
            guard target.returns != nil, let inner = entered(target, call) else { continue }
            if let found = inner.returned(), !found.isOfAnyRequest {
                return found.through("\(target.name) returns it", at: call.place)
            }
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
        let said = call.argument("forKey") ?? call.argument("key") ?? call.argument("forHTTPHeaderField")
        if targets.isEmpty, let key = said ?? call.argument(nil), let text = scope.literal(key), Self.setsSession(text)
        {
            return Secret(kind: .token, name: text, steps: [Step("the header \(text) is read", at: call.place)])
        }
        if let key = call.argument("forKey") ?? call.argument("key") ?? call.argument(nil),
            targets.isEmpty || words.count == 1,
            let text = scope.literal(key), let (kind, certainty) = judge(text)
        {
            // Nothing but the token that signs in is kept as that.
            let isOnly = isOfSession(text)
            return Secret(
                kind: kind, name: text, steps: [Step("\"\(text)\" is read", at: call.place)],
                certainty: isOnly ? .likely : certainty)
        }
        if words.count > 1, let found = SecretWords(function: call.name),
            !found.isWeak || isAboutLogin
                || judge(String(call.name.dropFirst(verb.count)))?.certainty ?? .possible > .possible
        {
            return Secret(
                kind: found.kind, name: call.name,
                steps: [Step("\(call.name) returns \(found.kind.article)", at: call.place)])
        }
        let receiver = call.callee.dotted.lowercased()
        // A database that is called so for its key.
        if receiver.contains("realm") || receiver.contains("database") { return nil }
        guard receiver.contains("keychain") || receiver.contains("valet") || receiver.contains("locksmith") else {
            return nil
        }
        let key = call.arguments.first.flatMap { scope.literal($0.value) ?? $0.value.lastName } ?? "item"
        let told = SecretWords(name: key)?.kind
        // `keychain.getPurchaseHistory()` says that it is something else.
        if told == nil, words.count > 1, !["string", "data", "value", "object", "item", "for"].contains(words[1]) {
            return nil
        }
        // The keychain keeps names and dates, too.
        return Secret(
            kind: told ?? .secret, name: key, steps: [Step("\(key) is read from the keychain", at: call.place)],
            certainty: told == nil ? .possible : .likely)
    }

    /// What the function returns, if that is a secret.
    func returned() -> Secret? {
        if function.kind == .initialValue, function.body.count == 1,
            case .leave(.return, let value?) = function.body[0].kind,
            case .call(let callee, let arguments) = value.kind, arguments.isEmpty,
            case .closure(let closure) = callee.kind
        {
            return result(of: closure.body, 0)
        }
        return result(of: function.body, 0)
    }

    /// Of the functions that a call could mean, so many are looked at: each of them is entered.
    static let mostTargets = 8
}
