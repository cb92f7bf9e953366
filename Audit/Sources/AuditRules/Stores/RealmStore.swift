// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Realm: objects that are added. Fine if a configuration of the project has an encryption key.
struct RealmStore: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        let files = Set(
            project.swift.filter { $0.imports.contains { $0 == "RealmSwift" || $0 == "Realm" } }.map(\.path))
        guard !files.isEmpty else { return [] }
        let keys = Self.keys(project, files)
        let ownConfigurations = Set(
            project.calls(to: "Realm").filter { $0.argument("configuration") != nil }.map(\.caller.file))
        let isKeyedByDefault = Self.isKeyedByDefault(project, keys)
        var result: [Write] = []
        for name in ["add", "create", "addOrUpdate", "addObject", "addOrUpdateObject", "addObjects"] {
            for call in project.calls(to: name) {
                guard call.receiver(flows, isOneOf: ["Realm"], orNamed: ["realm"]),
                    !keys.protects(call.caller.file),
                    !isKeyedByDefault || ownConfigurations.contains(call.caller.file)
                else { continue }
                result.append(Write("Realm", call, values: call.plainArguments.map(\.value)))
            }
        }
        return result
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
        return Keys(
            opened: project.calls(to: "Realm").map(\.caller.file),
            keyed: configured.map(\.caller.file) + set.map(\.function.file))
    }
}
