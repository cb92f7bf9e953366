// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Realm: objects that are added. Fine if a configuration of the project has an encryption key.
struct RealmStore: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        guard !Self.files(project).isEmpty else { return [] }
        let isProtected = Self.protection(project)
        var result: [Write] = []
        for name in ["add", "create", "addOrUpdate", "addObject", "addOrUpdateObject", "addObjects"] {
            for call in project.calls(to: name) {
                guard call.receiver(flows, isOneOf: ["Realm"], orNamed: ["realm"]),
                    !isProtected(call.caller.file)
                else { continue }
                result.append(Write("Realm", call, values: call.plainArguments.map(\.value)))
            }
        }
        return result
    }

    private static func files(_ project: ProjectModel) -> Set<String> {
        Set(project.swift.filter { $0.imports.contains { $0 == "RealmSwift" || $0 == "Realm" } }.map(\.path))
    }

    /// Whether what a file opens or writes has a key: its own, that of the nearest file that opens one, or that of the
    /// default configuration.
    static func protection(_ project: ProjectModel) -> (String) -> Bool {
        let keys = keys(project, files(project))
        let ownConfigurations = Set(
            project.calls(to: "Realm").filter { $0.argument("configuration") != nil }.map(\.caller.file))
        let isKeyedByDefault = isKeyedByDefault(project, keys)
        return { file in keys.protects(file) || isKeyedByDefault && !ownConfigurations.contains(file) }
    }

    /// Where configurations are made and the default one is set: what `Realm()` opens is told there.
    static func configured(_ project: ProjectModel) -> [Place] {
        let made = project.calls(to: "Configuration").filter {
            $0.path.contains("Realm") && $0.argument("inMemoryIdentifier") == nil
        }
        let set = project.assignments(to: "defaultConfiguration").filter {
            $0.target.dotted.contains("Realm") || $0.target.dotted.contains("RLM")
        }
        return (made.map(\.place) + set.map { $0.function.place($0.target) }).sorted()
    }

    /// Whether the default configuration, with which every `Realm()` of the app is opened, is set beside a key.
    private static func isKeyedByDefault(_ project: ProjectModel, _ keys: Keys) -> Bool {
        let files =
            project.assignments(to: "defaultConfiguration").map(\.function.file)
            + project.calls(to: "setDefaultConfiguration").map(\.caller.file)
        return files.contains(where: keys.areSet)
    }

    /// Keys of Realm's configurations; other types have properties of that name, too.
    private static func keys(_ project: ProjectModel, _ files: Set<String>) -> Keys {
        let configured = ["Configuration", "init", "Realm"].flatMap { project.calls(to: $0) }.filter { call in
            guard let key = call.argument("encryptionKey"), !key.isNone else { return false }
            return call.path.contains("Realm") || call.path == "Configuration" && files.contains(call.caller.file)
                || call.path == ".init" && files.contains(call.caller.file)
        }
        let set = project.assignments(to: "encryptionKey").filter {
            !$0.value.isNone && files.contains($0.function.file)
        }
        // `Realm(configuration: Vault.settings())`, where what makes the configuration gives it a key.
        let makers = Set(set.map { ObjectIdentifier($0.function) } + configured.map { ObjectIdentifier($0.caller) })
        let opened = project.calls(to: "Realm")
        let keyed = opened.filter { call in
            guard let given = call.argument("configuration")?.withoutCasts else { return false }
            let name = given.lastName ?? ""
            return project.functions.contains { $0.name == name && makers.contains(ObjectIdentifier($0)) }
        }
        return Keys(
            opened: opened.map(\.caller.file),
            keyed: configured.map(\.caller.file) + set.map(\.function.file) + keyed.map(\.caller.file))
    }
}
