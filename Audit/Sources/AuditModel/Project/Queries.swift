// SPDX-License-Identifier: Apache-2.0

import Findings

/// A member of a type, by their names.
struct MemberName: Hashable, Sendable {
    var type: String
    var name: String
}

extension ProjectModel {
    /// A type by its qualified name, or by its last part if one type alone has it.
    ///
    /// Of several targets' types with this name it is the one nearest to `file`.
    package func type(_ name: String, near file: String? = nil) -> TypeModel? {
        if let type = types[name] {
            return file.flatMap { file in namesakes[name].map { $0.nearest(to: file) } } ?? type
        }
        let short = typesByShortName[lastPart(of: name)] ?? []
        return short.count == 1 ? short[0] : nil
    }

    /// What a type is called without other names: `UserDefaults` for `Store` of `typealias Store = UserDefaults`.
    func unaliased(_ type: String) -> String {
        guard !aliases.isEmpty else { return type }
        var type = type
        for _ in 0..<4 {
            guard let next = aliases[type] else { break }
            type = next
        }
        return type
    }

    /// The type of a parameter that takes a closure, also under another name; nil where it takes something else.
    func closureType(of parameter: Parameter) -> String? {
        if parameter.type.contains("->") { return parameter.type }
        guard !aliases.isEmpty, let last = parameter.type.split(separator: " ").last else { return nil }
        let type = unaliased(String(last).trimmingBrackets)
        return type.contains("->") ? type : nil
    }

    /// A type that the project declares; nil for one of others that it only extends, such as String.
    package func declared(_ name: String) -> TypeModel? { type(name).flatMap { $0.isDeclared ? $0 : nil } }

    /// The type, its superclasses and its protocols, nearest first, as far as they are in the project; stops at circles.
    package func ancestors(of type: TypeModel) -> [TypeModel] {
        var result = [type]
        var seen: Set<String> = [type.name]
        var index = 0
        while index < result.count, result.count < 64 {
            for base in result[index].inherits {
                if let next = self.type(base, near: type.place.file), seen.insert(next.name).inserted {
                    result.append(next)
                }
            }
            index += 1
        }
        return result
    }

    /// Whether the type or one of its ancestors names `base` as superclass or protocol (`UIViewController`, `View`).
    package func inherits(_ type: TypeModel, from base: String) -> Bool {
        ancestors(of: type).contains { $0.inherits.contains { lastPart(of: $0) == base } }
    }

    /// Whether the type names a base that satisfies `holds`, itself or through ancestors.
    package func inherits(_ type: TypeModel, where holds: (String) -> Bool) -> Bool {
        ancestors(of: type).contains { $0.inherits.contains { holds(lastPart(of: $0)) } }
    }

    /// Every call whose callee ends in `name`: `set` finds `defaults.set(...)`; `UITextField` finds `UITextField(...)`.
    package func calls(to name: String) -> [CallSite] { callsByName[name] ?? [] }

    /// Every name that is called.
    package var calledNames: some Collection<String> { callsByName.keys }

    /// The calls of a function by others, where the receiver's type doesn't speak against it.
    package func callers(of function: Function) -> [CallSite] {
        let name = function.kind == .initializer ? lastPart(of: function.owner ?? "") : function.name
        return callers.value(for: name) { callers(named: $0) }[ObjectIdentifier(function)] ?? []
    }

    /// The calls of a name by the functions that they reach. What is the same for all functions of the name is made once.
    fileprivate func callers(named name: String) -> [ObjectIdentifier: [CallSite]] {
        var result: [ObjectIdentifier: [CallSite]] = [:]
        for call in calls(to: name) + settingCalls(to: name) {
            for target in targets(of: call) where target !== call.caller && fits(call.arguments, target) {
                result[ObjectIdentifier(target), default: []].append(call)
            }
        }
        return result
    }

    /// `[Store setToken:text]`, which is read as an assignment, where a function of that name is called.
    private func settingCalls(to name: String) -> [CallSite] {
        guard name.hasPrefix("set"), let first = name.dropFirst(3).first, first.isUppercase,
            !["setValue", "setObject", "setText", "setString", "setData"].contains(name)
        else { return [] }
        return assignments(to: first.lowercased() + name.dropFirst(4)).compactMap { site in
            let file = site.function.file
            guard case .member(let base?, _) = site.target.kind, file.hasSuffix(".m") || file.hasSuffix(".mm") else {
                return nil
            }
            let callee = Expression(.member(base, name), site.target.span)
            let argument = Argument(label: nil, value: site.value, isTrailing: false)
            return CallSite(
                expression: Expression(.call(callee, [argument]), site.target.span), callee: callee,
                arguments: [argument], caller: site.function)
        }
    }

    /// The functions of the project that a call can reach: by the receiver's type if it is known, else those of that name whose labels fit, if few.
    package func targets(of call: CallSite, scope: Scope? = nil) -> [Function] {
        let scope = scope ?? self.scope(of: call.caller)
        let candidates: [Function]
        switch call.callee.kind {
        case .name(let name):
            if let local = scope.functions[name] {
                candidates = [local]
            } else if let type = type(name) {
                candidates = type.functions["init"] ?? []
            } else {
                let own = call.caller.owner.flatMap { self.type($0) }.map { members(named: name, of: $0) } ?? []
                let known = own.isEmpty ? (functionsByName[name] ?? []).filter { $0.owner == nil } : own
                candidates = known.isEmpty ? calledAsFunction(call.callee, scope) : known
            }
        case .member(let base?, let name):
            if name == "init", let type = type(base.dotted) {
                candidates = type.functions["init"] ?? []
            } else if let type = scope.type(of: base) {
                guard let model = self.type(type) else { return [] }
                candidates = members(named: name, of: model)
            } else if !base.isCall, let model = self.type(base.dotted) {
                candidates = members(named: name, of: model)
            } else {
                // The receiver's type isn't known: a name that few functions have is telling, a common one isn't.
                let named = Self.common.contains(name) ? [] : functionsByName[name] ?? []
                candidates = few(named) ?? few(named.filter { $0.isCalled && takes($0, call.arguments) }) ?? []
            }
        default: return []
        }
        // So many functions of one name and place tell nothing of which one is meant, and each pair of them would be followed.
        guard candidates.count <= Self.mostCandidates else { return [] }
        let calls = candidates.filter(\.isCalled)
        let fitting = calls.filter { fits(call.arguments, $0) }
        return fitting.isEmpty ? (calls.count == 1 ? calls : []) : fitting
    }

    private static let mostCandidates = 64

    /// `format(text)`, where the type of `format` can be called as a function.
    private func calledAsFunction(_ callee: Expression, _ scope: Scope) -> [Function] {
        guard functionsByName["callAsFunction"] != nil, let type = scope.type(of: callee), let model = self.type(type)
        else { return [] }
        return members(named: "callAsFunction", of: model)
    }

    /// Whether the function has a parameter for each argument, and no other one.
    private func takes(_ function: Function, _ arguments: [Argument]) -> Bool {
        function.parameters.count == arguments.count
            && zip(function.parameters, arguments).allSatisfy { $1.isTrailing || $0.label == $1.label }
    }

    private func few(_ functions: [Function]) -> [Function]? { functions.count <= 3 ? functions : nil }

    /// What subclasses have for a function that gives the parameters of a request.
    func overriding(_ function: Function) -> [Function] {
        let returned = function.returns ?? ""
        let isDictionary =
            returned.hasPrefix("[") && returned.contains(":")
            || ["Parameters", "HTTPHeaders", "NSDictionary", "Dictionary"].contains(returned.trimmingBrackets)
        guard isDictionary, let owner = function.owner.flatMap({ type($0) }) else { return [] }
        let below = (subclasses[owner.shortName] ?? []).flatMap { $0.functions[function.name] ?? [] }
        return Array(below.filter { $0.kind == .function }.sorted { $0.place < $1.place }.prefix(16))
    }

    /// Methods that everything has.
    private static let common: Set<String> = [
        "contains", "append", "insert", "remove", "map", "filter", "first", "last", "sort", "sorted", "reduce",
        "joined",
        "split", "min", "max", "prefix", "suffix", "forEach", "reversed", "union", "isEqual", "description", "count",
        "objectAtIndex", "addObject", "length", "firstIndex", "removeAll", "enumerated", "compactMap", "flatMap",
    ]

    /// Functions of a type, its ancestors and, for protocols and superclasses, of those below.
    package func members(named name: String, of type: TypeModel) -> [Function] {
        for ancestor in ancestors(of: type) {
            let found = (ancestor.functions[name] ?? []).filter { !$0.body.isEmpty }
            if !found.isEmpty { return found }
        }
        return below.value(for: MemberName(type: type.shortName, name: name)) { member in
            (subclasses[member.type] ?? []).flatMap { $0.functions[member.name] ?? [] }
        }
    }

    func fits(_ arguments: [Argument], _ function: Function) -> Bool {
        let given = arguments.filter { !$0.isTrailing }
        guard given.count <= function.parameters.count || function.parameters.contains(where: \.isVariadic) else {
            return false
        }
        var index = 0
        for argument in given {
            while index < function.parameters.count, function.parameters[index].label != argument.label { index += 1 }
            guard index < function.parameters.count else { return false }
            if !function.parameters[index].isVariadic { index += 1 }
        }
        return true
    }

    /// The arguments of a call by the parameter that takes them.
    package func bound(_ call: CallSite, to function: Function) -> [(parameter: Parameter, value: Expression)] {
        var result: [(Parameter, Expression)] = []
        var index = 0
        for argument in call.arguments where !argument.isTrailing {
            // What follows the first of a variadic parameter's values has no label.
            while index < function.parameters.count, function.parameters[index].label != argument.label,
                !(argument.label == nil && result.last?.0.isVariadic == true && function.parameters[index].isVariadic)
            {
                index += 1
            }
            guard index < function.parameters.count else { break }
            result.append((function.parameters[index], argument.value))
            if !function.parameters[index].isVariadic { index += 1 }
        }
        return result
    }

    /// The calls in a function and, at most `hops` calls away, in the functions of the project that it calls.
    package func callsReached(from function: Function, hops: Int) -> [CallSite] {
        functionsReached(from: function, hops: hops).flatMap(\.calls)
    }

    /// The function and those of the project that it calls, at most `hops` calls away; selectors and functions given as values count as called.
    package func functionsReached(from function: Function, hops: Int) -> [Function] {
        var result = [function]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(function)]
        var edge = [function]
        for _ in 0..<hops {
            var next: [Function] = []
            for caller in edge {
                let scope = self.scope(of: caller)
                for call in caller.calls {
                    for target in targets(of: call, scope: scope) where seen.insert(ObjectIdentifier(target)).inserted {
                        next.append(target)
                    }
                }
            }
            result += next
            edge = next
            if result.count > 200 { break }
        }
        return result
    }
}
