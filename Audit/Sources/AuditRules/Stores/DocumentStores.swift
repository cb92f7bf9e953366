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

/// Libraries that keep values in files of their own: caches with a disk, MMKV, Disk. Fine with a key.
struct CacheStores: Store {
    private static let types: Set<String> = [
        "HybridStorage", "DiskStorage", "PINCache", "PINDiskCache", "TMCache", "TMDiskCache", "YYCache", "YYDiskCache",
        "EGOCache", "MMKV", "DataCache", "DiskCache", "SPTPersistentCache", "AwesomeCache",
    ]

    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        let keyed = Set(project.files(naming: ["cryptKey", "reKey", "mmkvWithID"]))
        var result: [Write] = []
        for name in ["setObject", "set", "save", "setValue", "setString", "setData"] {
            for call in project.calls(to: name) {
                guard let value = call.plainArguments.first?.value, let receiver = call.receiver,
                    !keyed.contains(call.caller.file)
                else { continue }
                let type = project.scope(of: call.caller).type(of: receiver) ?? receiver.root ?? ""
                let short = String(type.prefix { $0 != "<" }.split(separator: ".").last ?? "")
                let imports = project.swift(call.caller.file)?.imports ?? []
                let isStorage = short == "Storage" && imports.contains("Cache")
                let isDisk = receiver.dotted == "Disk" && imports.contains("Disk")
                guard Self.types.contains(short) || isStorage || isDisk, project.declared(short) == nil else {
                    continue
                }
                result.append(
                    Write(
                        "\(short.isEmpty ? "Disk" : short), which keeps it in a file", call, values: [value],
                        key: (call.argument("forKey") ?? call.argument("as")).flatMap {
                            project.scope(of: call.caller).literal($0)
                        }))
            }
        }
        return result
    }
}
