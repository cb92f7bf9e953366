// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Realm: objects that are added. Fine if a configuration of the project has an encryption key.
struct RealmStore: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        guard project.swift.contains(where: { $0.imports.contains { $0 == "RealmSwift" || $0 == "Realm" } }),
            !Self.isEncrypted(project)
        else { return [] }
        var result: [Write] = []
        for name in ["add", "create", "addOrUpdate", "addObject", "addOrUpdateObject", "addObjects"] {
            for call in project.calls(to: name) {
                guard call.receiver(flows, isOneOf: ["Realm"], orNamed: ["realm"]) else { continue }
                result.append(Write("Realm", call, values: call.plainArguments.map(\.value)))
            }
        }
        return result
    }

    static func isEncrypted(_ project: ProjectModel) -> Bool {
        if project.hasArgument("encryptionKey", in: ["Configuration", "init", "Realm"]) { return true }
        return project.functions.contains { function in
            var found = false
            function.body.visit {
                if case .binary("=", let target, _) = $0.kind, target.lastName == "encryptionKey" { found = true }
            }
            return found
        }
    }
}
