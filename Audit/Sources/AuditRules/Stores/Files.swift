// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Files written with Data, String, dictionaries, archivers, FileManager and FileHandle, property lists among them.
struct Files: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        for call in project.calls(to: "write") {
            guard let receiver = call.receiver,
                let target = call.argument("to") ?? call.argument("toFile") ?? call.argument("toPath")
            else { continue }
            // `FileHandle.write(contentsOf:)`, streams and sockets have other labels.
            if case .closure = target.kind { continue }
            result.append(Write("a file", call, values: [receiver], key: Self.path(target, call, flows), isFile: true))
        }
        for call in project.calls(to: "createFile") {
            guard let contents = call.argument("contents") else { continue }
            result.append(
                Write(
                    "a file", call, values: [contents],
                    key: call.argument("atPath").flatMap { Self.path($0, call, flows) }, isFile: true))
        }
        for call in project.calls(to: "archiveRootObject") {
            guard let value = call.plainArguments.first?.value, call.argument("toFile") != nil else { continue }
            result.append(Write("an archive in a file", call, values: [value], isFile: true))
        }
        for call in project.calls(to: "write") + project.calls(to: "writeData") {
            guard call.receiver(flows, isOneOf: ["FileHandle", "NSFileHandle"], orNamed: ["filehandle"]),
                call.argument("to") == nil,
                let value = call.plainArguments.first?.value
            else { continue }
            result.append(Write("a file", call, values: [value], isFile: false))
        }
        result += unpacked(project, flows)
        return result
    }

    /// Archives with a password, unpacked in clear.
    private func unpacked(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        var result: [Write] = []
        for call in project.calls(to: "unzipFile") + project.calls(to: "unzip") + project.calls(to: "unzipItem") {
            guard let password = call.argument("password") else { continue }
            if case .none = password.kind { continue }
            result.append(
                Write(
                    "a folder, unpacked in clear from an archive that had a password", call, values: [password],
                    isFile: true))
        }
        return result
    }

    /// The literal part of a path, as far as it can be told.
    static func path(_ target: Expression, _ call: CallSite, _ flows: Flows) -> String? {
        let flow = flows.of(call.caller)
        if let text = flow.literal(target) { return text }
        var found: String?
        target.visit { part in
            if found == nil, let text = part.literal, !text.isEmpty { found = text }
        }
        return found
    }

    /// Whether a write names a class of protection that keeps the file shut while the device is locked.
    static func isProtected(_ call: CallSite, _ flows: Flows) -> Bool {
        var found = false
        func look(_ expression: Expression) {
            expression.visit { part in
                guard let name = part.lastName else { return }
                if name.hasPrefix("completeFileProtection") || name.hasPrefix("NSDataWritingFileProtectionComplete") {
                    found = true
                }
                if name == "protectionKey" || name == "NSFileProtectionKey" { found = true }
            }
        }
        for argument in call.arguments { look(argument.value) }
        if found { return true }
        // The options in a local, or the class set on the file afterwards.
        call.caller.body.visit { part in
            guard let name = part.lastName else { return }
            if name.hasPrefix("completeFileProtection") || name == "protectionKey" || name == "fileProtection"
                || name == "NSFileProtectionKey"
                || name == "NSFileProtectionComplete" || name == "fileProtectionKey"
            {
                found = true
            }
        }
        return found
    }
}
