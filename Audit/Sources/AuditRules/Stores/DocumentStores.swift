// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// YapDatabase and Couchbase Lite. Fine if the project configures a cipher key.
struct DocumentStores: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        if !project.encryptsStores(["cipherKeyBlock"]) {
            for call in project.calls(to: "setObject") where call.argument("inCollection") != nil {
                guard let value = call.plainArguments.first?.value else { continue }
                result.append(
                    Write(
                        "YapDatabase", call, values: [value],
                        key: call.argument("forKey").flatMap { flows.of(call.caller).literal($0) }))
            }
        }
        if !project.encryptsStores(["EncryptionKey", "registerEncryptionKey"]) {
            let couchbase = ["putProperties", "MutableDocument", "saveDocument"].flatMap { project.calls(to: $0) }
            for call in couchbase {
                result.append(Write("Couchbase Lite", call, values: call.plainArguments.map(\.value)))
            }
        }
        return result
    }
}
