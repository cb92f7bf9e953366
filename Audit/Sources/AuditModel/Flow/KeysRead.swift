// SPDX-License-Identifier: Apache-2.0

import Findings
import Synchronization

/// What a function reads out of a value by the key of a secret, itself or by a function that it hands the value to.
struct KeysRead: Sendable {
    var key: String
    var kind: SecretKind
    var place: Place

    private static let most = 4

    /// The first such key that is read out of what a name of a function holds.
    static func first(of name: String, in function: Function, _ project: ProjectModel) -> KeysRead? {
        var seen = Set<String>()
        return first(of: name, in: function, project, &seen, depth: 0)
    }

    private static func first(
        of name: String, in function: Function, _ project: ProjectModel, _ seen: inout Set<String>, depth: Int
    ) -> KeysRead? {
        let place = function.place
        let id = "\(place.file):\(place.line):\(place.column) \(function.name) \(name)"
        guard depth < most, seen.insert(id).inserted else { return nil }
        // What is found further on hangs on the depth and on what was seen before: kept, it would answer other
        // questions as it depends on which rule asked first.
        guard depth == 0 else { return look(for: name, in: function, project, &seen, depth) }
        if let known = project.keysRead.known(id) { return known }
        let found = look(for: name, in: function, project, &seen, depth)
        project.keysRead.keep(found, for: id)
        return found
    }

    private static func look(
        for name: String, in function: Function, _ project: ProjectModel, _ seen: inout Set<String>, _ depth: Int
    ) -> KeysRead? {
        let reads = project.keysRead.reads(of: function, project)
        let names = reads.parts(of: name)
        if let found = reads.keys.first(where: { names.contains($0.root) }) { return found.read }
        let scope = project.scope(of: function)
        let handed = reads.handed.lazy.compactMap { call, roots -> (CallSite, [Expression])? in
            let values = roots.filter { names.contains($0.root) }.map(\.value)
            return values.isEmpty ? nil : (call, values)
        }
        for (call, values) in handed.prefix(24) {
            for target in project.targets(of: call, scope: scope).prefix(2) where target !== function {
                for (parameter, value) in project.bound(call, to: target)
                where values.contains(where: { $0 === value }) && canBeRead(parameter.type) {
                    if let inner = first(of: parameter.name, in: target, project, &seen, depth: depth + 1) {
                        return inner
                    }
                }
            }
        }
        return nil
    }

    /// `answer` of `answer["data"]["user"] as? [String: Any]` and of `answer.arrayValue`.
    static func root(of expression: Expression) -> String? {
        switch expression.withoutCasts.kind {
        case .name(let name): name
        case .element(let base, _): root(of: base)
        case .attempt(let value): root(of: value)
        case .member(let base?, let name) where forms.contains(name): root(of: base)
        case .binary("??", let left, _): root(of: left)
        default: nil
        }
    }

    /// Members of SwiftyJSON and of optionals that give the same.
    private static let forms: Set<String> = [
        "dictionary", "dictionaryValue", "dictionaryObject", "array", "arrayValue", "arrayObject", "object", "rawValue",
        "first", "string", "stringValue",
    ]

    /// Whether a value of a type, as written, is one out of which parts are read by keys.
    static func canBeRead(_ type: String) -> Bool {
        let bare = lastPart(of: type)
        return type.hasPrefix("[String: A") || type.hasPrefix("[AnyHashable") || type.hasPrefix("[String : A")
            || type.hasPrefix("[String: JSON")
            || ["NSDictionary", "Dictionary", "JSON", "Any", "AnyObject"].contains(bare)
            || type.hasPrefix("[[String: A")
    }
}

/// What a function reads by keys, binds and hands on, by the name at the root of each expression.
private struct FunctionReads: Sendable {
    let keys: [(root: String, read: KeysRead)]
    let handed: [(CallSite, [(root: String, value: Expression)])]
    private let bound: [(part: String, root: String)]

    init(_ function: Function, _ project: ProjectModel) {
        let isAboutLogin = function.isAboutLogin && !function.isAboutNotifications
        let functionsByName = project.functionsByName
        var targets = Set<ObjectIdentifier>()
        var keys: [(root: String, read: KeysRead)] = []
        var handed: [(CallSite, [(root: String, value: Expression)])] = []
        function.body.visit { part in
            switch part.kind {
            case .binary("=", let target, let value):
                targets.insert(ObjectIdentifier(target))
                // `[self setDetails:answer]` is read as an assignment.
                guard case .member(let base?, let property) = target.kind, let first = property.first,
                    let root = KeysRead.root(of: value)
                else { return }
                let setter = "set" + first.uppercased() + property.dropFirst()
                guard functionsByName[setter] != nil else { return }
                let callee = Expression(.member(base, setter), target.span)
                let argument = Argument(label: nil, value: value, isTrailing: false)
                let call = CallSite(
                    expression: Expression(.call(callee, [argument]), part.span), callee: callee,
                    arguments: [argument], caller: function)
                handed.append((call, [(root, value)]))
            case .element(let base, let arguments):
                guard !targets.contains(ObjectIdentifier(part)), let key = arguments.first?.value.literal,
                    let root = KeysRead.root(of: base), let words = SecretWords(name: key),
                    !words.isWeak || words.kind == .token && isAboutLogin
                else { return }
                keys.append((root, KeysRead(key: key, kind: words.kind, place: function.place(part))))
            case .call(let callee, let arguments):
                guard callee.lastName != nil else { return }
                let roots = arguments.compactMap { argument in
                    KeysRead.root(of: argument.value).map { (root: $0, value: argument.value) }
                }
                guard !roots.isEmpty else { return }
                let call = CallSite(expression: part, callee: callee, arguments: arguments, caller: function)
                handed.append((call, roots))
            default: break
            }
        }
        var bound: [(part: String, root: String)] = function.bindings.compactMap { binding in
            guard let name = binding.names.first, let root = binding.value.flatMap(KeysRead.root) else { return nil }
            return (name, root)
        }
        function.body.visitStatements { statement in
            guard case .loop(let names, let sequence, _) = statement.kind, let root = KeysRead.root(of: sequence) else {
                return
            }
            for name in names { bound.append((name, root)) }
        }
        (self.keys, self.handed, self.bound) = (keys, handed, bound)
    }

    /// The name, and those that are bound to a part of what it holds.
    func parts(of name: String) -> Set<String> {
        var names: Set<String> = [name]
        for _ in 0..<3 { for (part, root) in bound where names.contains(root) { names.insert(part) } }
        return names
    }
}

/// What functions read out of values, each found out once.
final class KeysReadCache: Sendable {
    private let entries = Mutex<[String: KeysRead?]>([:])
    private let functions = Mutex<[ObjectIdentifier: FunctionReads]>([:])

    func known(_ id: String) -> KeysRead?? { entries.withLock { $0[id] } }
    func keep(_ found: KeysRead?, for id: String) { entries.withLock { $0[id] = .some(found) } }

    /// Reads the function once. Two threads may both do it.
    fileprivate func reads(of function: Function, _ project: ProjectModel) -> FunctionReads {
        let id = ObjectIdentifier(function)
        if let known = functions.withLock({ $0[id] }) { return known }
        let reads = FunctionReads(function, project)
        functions.withLock { $0[id] = reads }
        return reads
    }
}
