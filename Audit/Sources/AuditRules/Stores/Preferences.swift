// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// UserDefaults, @AppStorage, @SceneStorage, NSUbiquitousKeyValueStore, and the project's own wrappers of them, which are resolved to what they write to.
struct Preferences: Store {
    private static let types: Set<String> = ["UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore"]
    private static let attributes = [
        "AppStorage": "UserDefaults, through @AppStorage",
        "SceneStorage": "the scene's saved state, through @SceneStorage",
        "Default": "UserDefaults, through @Default",
    ]

    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        calls(project, flows) + declarations(project, flows) + macros(project)
    }

    /// `#define KEEP(value, key) [[NSUserDefaults standardUserDefaults] setObject:value forKey:key]`
    private func macros(_ project: ProjectModel) -> [Write] {
        project.resources.objectiveC.flatMap(\.macros).flatMap { macro -> [Write] in
            let text = macro.text.filter { !" ()".contains($0) }
            guard text.contains("NSUserDefaults"),
                let value = macro.parameters.firstIndex(where: { name in
                    ["setObject:", "setValue:"].contains { text.contains($0 + name + "forKey") }
                })
            else { return [] }
            let key = macro.parameters.firstIndex { text.contains("forKey:" + $0 + "]") }
            return project.calls(to: macro.name).compactMap { call in
                guard value < call.arguments.count, case .name = call.callee.kind else { return nil }
                let name = key.flatMap { $0 < call.arguments.count ? call.arguments[$0].value : nil }
                return Write(
                    "UserDefaults", call, values: [call.arguments[value].value],
                    key: name.flatMap { project.scope(of: call.caller).literal($0) ?? $0.lastName })
            }
        }
    }

    static func isPreferences(_ call: CallSite, _ flows: Flows) -> Bool {
        // `extension UserDefaults { ... set(newValue, forKey: key) ... }`
        let owner = call.caller.owner.flatMap { flows.project.type($0)?.shortName ?? $0 }
        if call.receiver == nil || call.receiver?.dotted == "self" { return owner.map(types.contains) == true }
        // A protocol of the app that UserDefaults adopts.
        if let receiver = call.receiver, let type = flows.project.scope(of: call.caller).type(of: receiver),
            types.contains(where: { flows.project.type($0)?.inherits.contains(type) == true })
        {
            return true
        }
        guard let receiver = call.receiver,
            call.receiver(flows, isOneOf: types, orNamed: ["userdefaults", "defaults", "ubiquitouskeyvaluestore"])
        else { return false }
        // What is only called so, unless its type is known.
        return !receiver.dotted.lowercased().contains("keychain")
            || flows.project.scope(of: call.caller).type(of: receiver).map(types.contains) == true
    }

    private func calls(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        var result: [Write] = []
        for name in ["set", "setValue", "setObject"] {
            for call in project.calls(to: name) {
                guard let value = call.plainArguments.first?.value,
                    let key = call.argument("forKey") ?? call.argument("forKeyPath")
                else { continue }
                guard Self.isPreferences(call, flows) else { continue }
                let text = flows.project.scope(of: call.caller).literal(key) ?? keyName(key, call, flows)
                result.append(Write("UserDefaults", call, values: [value], key: text))
            }
        }
        for call in project.calls(to: "setPersistentDomain") + project.calls(to: "setValuesForKeys") {
            guard let value = call.plainArguments.first?.value, Self.isPreferences(call, flows) else { continue }
            result.append(Write("UserDefaults", call, values: [value]))
        }
        return result + elements(project, flows)
    }

    /// `Defaults[.accessToken] = token`, `UserDefaults.standard["token"] = token`
    private func elements(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        var result: [Write] = []
        for function in project.functions {
            function.body.visit { part in
                guard case .binary("=", let target, let value) = part.kind else { return }
                // SwiftyUserDefaults' members: `Defaults.userToken = token`.
                if case .member(let base?, let name) = target.kind, case .name("Defaults") = base.kind,
                    project.declared("Defaults") == nil
                {
                    let call = CallSite(expression: part, callee: target, arguments: [], caller: function)
                    result.append(Write("UserDefaults", call, values: [value], key: name))
                }
                guard case .element(let base, let arguments) = target.kind, let key = arguments.first?.value
                else { return }
                let call = CallSite(expression: part, callee: target, arguments: [], caller: function)
                let type = flows.project.scope(of: function).type(of: base) ?? base.dotted
                guard Self.types.contains(type) || ["Defaults", "UserDefaults.standard"].contains(base.dotted) else {
                    return
                }
                let text = flows.project.scope(of: function).literal(key) ?? keyName(key, call, flows)
                result.append(Write("UserDefaults", call, values: [value], key: text))
            }
        }
        return result
    }

    /// A key that isn't literal but is called something telling: `Keys.accessToken`.
    private func keyName(_ key: Expression, _ call: CallSite, _ flows: Flows) -> String? {
        if flows.of(call.caller).parameter(in: key) != nil { return nil }
        guard let name = key.lastName, name != "key", name != "rawValue" else {
            if case .member(let base?, "rawValue") = key.kind { return base.lastName }
            return nil
        }
        return name
    }

    /// Properties whose wrapper or type keeps its value in the preferences.
    private func declarations(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        let wrappers = Self.wrappers(in: project, flows)
        var result: [Write] = []
        for type in project.types.values {
            for property in type.declarations.flatMap(\.properties) {
                for attribute in property.attributes {
                    let store =
                        Self.attributes[attribute.name]
                        ?? wrappers[attribute.name].map { "UserDefaults, through \($0)" }
                    guard let store else { continue }
                    result.append(
                        Write(
                            store, declaration: property, type: property.type,
                            key: literalKey(attribute.arguments, property, flows)))
                }
                guard case .call(let callee, let arguments) = property.value?.kind, let name = callee.lastName,
                    let wrapper = wrappers[name]
                else { continue }
                let written = Self.genericArgument(callee) ?? Self.genericArgument(property.type)
                result.append(
                    Write(
                        "UserDefaults, through \(wrapper)", declaration: property, type: written,
                        key: literalKey(arguments, property, flows)))
            }
        }
        return result
    }

    private func literalKey(_ arguments: [Argument], _ property: Property, _ flows: Flows) -> String? {
        let key =
            arguments.first { $0.label?.lowercased().contains("key") == true } ?? arguments.first { $0.label == nil }
        return key.flatMap { $0.value.literal ?? $0.value.lastName }
    }

    /// `String` of `StorageValue<String>`.
    private static func genericArgument(_ expression: Expression) -> String? {
        switch expression.kind {
        case .name(let name): genericArgument(name)
        case .member(let base?, "init"): genericArgument(base)
        default: nil
        }
    }

    private static func genericArgument(_ type: String?) -> String? {
        guard let type, let open = type.firstIndex(of: "<"), type.last == ">" else { return nil }
        return String(type[type.index(after: open)...].dropLast())
    }

    /// The project's types that write their own value into the preferences under a key that they were given.
    private static func wrappers(in project: ProjectModel, _ flows: Flows) -> [String: String] {
        var result: [String: String] = [:]
        for name in ["set", "setValue", "setObject"] {
            for call in project.calls(to: name) {
                guard let owner = call.caller.owner, let type = project.type(owner), let key = call.argument("forKey")
                else { continue }
                guard call.caller.kind == .observer || call.caller.kind == .setter || call.caller.kind == .function
                else { continue }
                guard flows.project.scope(of: call.caller).literal(key) == nil, let keyName = key.lastName,
                    let property = type.properties[keyName]
                else { continue }
                guard !property.isStatic, property.value?.literal == nil, isPreferences(call, flows) else { continue }
                result[type.shortName] = type.shortName
            }
        }
        return result
    }
}
