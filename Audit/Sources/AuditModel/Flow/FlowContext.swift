// SPDX-License-Identifier: Apache-2.0

import Findings

/// What is known of the flows of a project while one rule looks at it: flows of functions, and what properties are
/// given.
///
/// A value is followed over `most` properties: what is known with less left of that is kept apart, so that an answer
/// doesn't hang on the order of the questions.
final class FlowContext {
    static let most = 2
    /// Of so many places that give a property a value, or call a function, each is looked at.
    private static let mostPlaces = 16

    private struct Key: Hashable {
        var function: ObjectIdentifier
        var budget: Int
    }

    private let project: ProjectModel
    private let trail: Trail
    private var flows: [Key: Flow] = [:]
    private var properties: [String: Secret?] = [:]

    init(_ project: ProjectModel) {
        self.project = project
        trail = Trail(project)
    }

    func flow(of function: Function, budget: Int) -> Flow {
        let key = Key(function: ObjectIdentifier(function), budget: budget)
        if let flow = flows[key] { return flow }
        let flow = Flow(function, in: project, given: [:], depth: 0, context: self, budget: budget, trail: trail)
        flows[key] = flow
        return flow
    }

    func secret(in expression: Expression, of function: Function, hops: Int, budget: Int) -> Secret? {
        let flow = flow(of: function, budget: budget)
        if let found = flow.secret(in: expression) { return found }
        guard hops > 0, let parameter = flow.parameter(in: expression) else { return nil }
        for (value, caller) in givers(of: parameter.name, function) {
            guard let found = secret(in: value, of: caller, hops: hops - 1, budget: budget) else { continue }
            // Of an object with a secret among other parts, the function may take another one.
            if found.extent == .part, flow.secret(in: expression, given: found, as: parameter.name) == nil { continue }
            return found.through("it is passed to \(function.name)", at: caller.place(value))
        }
        return nil
    }

    /// The values that a parameter is given: by calls, and for accessors by assignments to their property.
    private func givers(of parameter: String, _ function: Function) -> [(Expression, Function)] {
        if function.kind == .setter || function.kind == .observer {
            guard let owner = function.owner.flatMap({ project.type($0) }) else { return [] }
            return project.assignments(to: function.name, of: owner).prefix(Self.mostPlaces).map {
                ($0.value, $0.function)
            }
        }
        return project.callers(of: function).prefix(Self.mostPlaces).compactMap { call in
            if parameter == "self" {
                guard case .member(let base?, _) = call.callee.kind else { return nil }
                return (base, call.caller)
            }
            let value = project.bound(call, to: function).first { $0.parameter.name == parameter }?.value
            return value.map { ($0, call.caller) }
        }
    }

    // MARK: Properties

    func secret(of property: Property, budget: Int) -> Secret? {
        guard budget > 0, let name = property.owner, canHold(property) else { return nil }
        let key = "\(budget) \(name).\(property.name)"
        if let known = properties[key] { return known }
        let found = look(property, name, budget - 1)
        properties[key] = .some(found)
        return found
    }

    /// A text, bytes, a collection of them, or what the source doesn't say.
    private func canHold(_ property: Property) -> Bool {
        guard !property.isOutlet, !ErrorNames.isError(property.name), !Masks.isOther(property.name) else {
            return false
        }
        // A store of the system: what was put into it says nothing of what is read under other keys.
        if property.value.map(Self.isStore) == true { return false }
        guard let type = property.type.map(project.unaliased) else { return true }
        if Self.isSubject(type) { return true }
        let element = type.elementType
        return Self.texts.contains(element) || element.hasPrefix("[String")
    }

    private static func isStore(_ value: Expression) -> Bool {
        let root = value.dotted.split(separator: ".").first ?? ""
        return [
            "UserDefaults", "NSUserDefaults", "UIPasteboard", "FileManager", "NotificationCenter",
            "NSUbiquitousKeyValueStore", "HTTPCookieStorage", "NSCache",
        ].contains(String(root))
    }

    private static let texts: Set<String> = [
        "String", "Data", "NSString", "NSMutableString", "Substring", "Any", "AnyObject", "NSData", "UInt8",
        "NSDictionary", "Dictionary", "Array", "NSMutableDictionary", "NSArray", "NSMutableArray", "URL", "T", "Value",
        "CharSequence", "AttributedString", "NSAttributedString", "Character",
    ]

    /// What hands on to its subscribers what it is sent.
    private static func isSubject(_ type: String) -> Bool {
        let short = lastPart(of: type)
        return short.hasSuffix("Subject") || short.hasSuffix("Relay")
    }

    /// What a property of that kind is sent.
    private func sent(to property: Property, _ budget: Int) -> Secret? {
        guard let type = property.type, Self.isSubject(type) else { return nil }
        for name in ["send", "onNext", "accept"] {
            for call in project.calls(to: name) {
                guard case .member(let base?, _) = call.callee.kind, base.lastName == property.name,
                    let value = call.arguments.first(where: { !$0.isTrailing })?.value,
                    project.scope(of: call.caller).property(of: base).map({ $0.owner == property.owner }) ?? true,
                    let found = secret(in: value, of: call.caller, hops: 1, budget: budget)
                else { continue }
                return found.through("\(property.name) hands it on", at: call.place)
            }
        }
        return nil
    }

    /// What a dictionary that a property keeps has under a key.
    func secret(of property: Property, under key: String, budget: Int) -> Secret? {
        guard budget > 0, let name = property.owner, canHold(property), let owner = project.type(name) else {
            return nil
        }
        let known = "\(budget) \(name).\(property.name)[\(key)]"
        if let found = properties[known] { return found }
        properties[known] = .some(nil)
        var found: Secret?
        for site in project.assignments(to: property.name, of: owner).prefix(Self.mostPlaces) where found == nil {
            let scope = project.scope(of: site.function)
            var value: Expression?
            if case .element(_, let arguments) = site.target.kind {
                guard let index = arguments.first?.value, scope.literal(index) == key else { continue }
                value = site.value
            } else if case .dictionary(let pairs) = scope.resolved(site.value).kind {
                value = pairs.first { scope.literal($0.key) == key }?.value
            }
            guard let value else { continue }
            found = secret(in: value, of: site.function, hops: 1, budget: budget - 1)?
                .through("it goes into \(property.name)", at: site.function.place(site.target))
        }
        properties[known] = .some(found)
        return found
    }

    /// What notifications have under a key.
    func posted(under key: String, budget: Int) -> Secret? {
        guard budget > 0 else { return nil }
        let known = "\(budget) userInfo[\(key)]"
        if let found = properties[known] { return found }
        properties[known] = .some(nil)
        var found: Secret?
        for call in project.calls(to: "post").prefix(64) where found == nil {
            let scope = project.scope(of: call.caller)
            guard let info = call.argument("userInfo"), case .dictionary(let pairs) = scope.resolved(info).kind,
                let value = pairs.first(where: { scope.literal($0.key) == key })?.value
            else { continue }
            found = secret(in: value, of: call.caller, hops: 1, budget: budget - 1)?
                .through("a notification has it under \"\(key)\"", at: call.place)
        }
        properties[known] = .some(found)
        return found
    }

    private func look(_ property: Property, _ name: String, _ budget: Int) -> Secret? {
        guard let owner = project.type(name) else { return nil }
        if let found = sent(to: property, budget) { return found }
        // `lazy var shown = held`
        if case .name(let other)? = property.value?.kind, other != property.name, let held = owner.properties[other],
            !property.isStatic
        {
            if let kind = SecretWords.kind(ofName: other) {
                return Secret(
                    kind: kind, name: other, steps: [Step("\(property.name) is \(other)", at: property.place)])
            }
            if let found = secret(of: held, budget: budget) {
                return found.through("\(property.name) is \(other)", at: property.place)
            }
        }
        for function in owner.functions[property.name] ?? []
        where function.kind == .getter || function.kind == .initialValue {
            if let found = flow(of: function, budget: budget).returned() {
                return found.through("\(property.name) is made of it", at: function.place)
            }
        }
        if let found = typed(property, owner) { return found }
        for site in project.assignments(to: property.name, of: owner).prefix(Self.mostPlaces) {
            guard let found = secret(in: site.value, of: site.function, hops: 1, budget: budget) else { continue }
            let kept = found.through("it goes into \(property.name)", at: site.function.place(site.target))
            return site.isPart ? kept.of(.list) : kept
        }
        return nil
    }

    /// What a SecureField types into the property.
    private func typed(_ property: Property, _ owner: TypeModel) -> Secret? {
        for call in project.calls(to: "SecureField") {
            guard let binding = call.argument("text") else { continue }
            let isOwn =
                binding.lastName == "$" + property.name
                ? call.caller.owner == owner.name
                : binding.lastName == property.name && binding.root?.hasPrefix("$") == true
                    && project.scope(of: call.caller).property(of: binding)?.owner == owner.name
            guard isOwn else { continue }
            return Secret(
                kind: .password, name: property.name,
                steps: [Step("a SecureField types into \(property.name)", at: call.place)])
        }
        return nil
    }
}

/// A value that a property or a local gets.
package struct Assignment: Sendable {
    package var target: Expression
    package var value: Expression
    package var function: Function
    /// The target gets it among other things.
    package var isPart: Bool
}

extension ProjectModel {
    /// What is assigned or added to a name, of any type.
    package func assignments(to name: String) -> [Assignment] { assignmentsByName[name] ?? [] }

    /// The places that give a property of a type its value: assignments, memberwise initializers and what is appended.
    package func assignments(to name: String, of owner: TypeModel) -> [Assignment] {
        var result = (assignmentsByName[name] ?? []).filter { means($0, name, of: owner) }
        if owner.functions["init"] == nil {
            for call in calls(to: owner.shortName) {
                guard let value = call.argument(name) else { continue }
                result.append(
                    Assignment(target: call.expression, value: value, function: call.caller, isPart: false))
            }
        }
        return result
    }

    private func means(_ site: Assignment, _ name: String, of owner: TypeModel) -> Bool {
        var target = site.target
        if case .element(let base, _) = target.kind { target = base }
        let own = site.function.owner.flatMap { types[$0] ?? type($0) }
        switch target.kind {
        case .name:
            guard let own, site.function.parameters.allSatisfy({ $0.name != name }) else { return false }
            return ancestors(of: own).contains { $0.name == owner.name } && !scope(of: site.function).declares(name)
        case .member(let base?, _):
            if base.dotted == "self" {
                return own.map { ancestors(of: $0).contains { $0.name == owner.name } } ?? false
            }
            let scope = scope(of: site.function)
            if let type = scope.type(of: base) ?? type(base.dotted)?.name {
                return self.type(type, near: site.function.file).map {
                    ancestors(of: $0).contains { $0.name == owner.name }
                } ?? false
            }
            return ownersByProperty[name] == 1
        default: return false
        }
    }
}
