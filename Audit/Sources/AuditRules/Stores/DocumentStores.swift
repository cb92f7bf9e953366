// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// YapDatabase and Couchbase Lite. Fine if the project configures a cipher key.
struct DocumentStores: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        let yap = Keys(
            opened: project.calls(to: "YapDatabase").map(\.caller.file),
            keyed: project.files(naming: ["cipherKeyBlock"]))
        for call in project.calls(to: "setObject") where call.argument("inCollection") != nil {
            guard let value = call.plainArguments.first?.value, !yap.protects(call.caller.file) else { continue }
            result.append(
                Write(
                    "YapDatabase", call, values: [value],
                    key: call.argument("forKey").flatMap { flows.project.scope(of: call.caller).literal($0) }))
        }
        let couch = Keys(
            opened: project.calls(to: "Database").map(\.caller.file),
            keyed: project.files(naming: ["EncryptionKey", "registerEncryptionKey"]))
        for call in ["putProperties", "MutableDocument", "saveDocument"].flatMap({ project.calls(to: $0) })
        where !couch.protects(call.caller.file) {
            result.append(Write("Couchbase Lite", call, values: call.plainArguments.map(\.value)))
        }
        return result
    }
}
