// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Files written with Data, String, dictionaries, archivers, FileManager and FileHandle, property lists among them.
struct Files: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        for call in project.calls(to: "write") {
            guard let receiver = call.receiver ?? Self.extended(call, project),
                let target = call.argument("to") ?? call.argument("toFile") ?? call.argument("toPath")
            else { continue }
            // `FileHandle.write(contentsOf:)`, streams and sockets have other labels.
            if case .closure = target.kind { continue }
            var write = Write("a file", call, values: [receiver], key: Self.path(target, call, flows), isFile: true)
            write.known = Documents.secret(receiver, write, call, flows)
            result.append(write)
        }
        for call in project.calls(to: "createFile") {
            guard let contents = call.argument("contents") else { continue }
            var write = Write(
                "a file", call, values: [contents],
                key: call.argument("atPath").flatMap { Self.path($0, call, flows) }, isFile: true)
            write.known = Documents.secret(contents, write, call, flows)
            result.append(write)
        }
        result += Documents.copies(project, flows)
        for call in project.calls(to: "archiveRootObject") {
            guard let value = call.plainArguments.first?.value, call.argument("toFile") != nil else { continue }
            result.append(Write("an archive in a file", call, values: [value], isFile: true))
        }
        for call in project.calls(to: "write") + project.calls(to: "writeData") {
            guard
                call.receiver(flows, isOneOf: ["FileHandle", "NSFileHandle"], orNamed: ["filehandle"])
                    || Self.isStreamOfFile(call, flows),
                call.argument("to") == nil, call.receiver?.lastName != "standardOutput",
                call.receiver?.lastName != "standardError",
                let value = call.plainArguments.first?.value
            else { continue }
            result.append(Write("a file", call, values: [value], isFile: false))
        }
        for name in ["fputs", "fwrite", "fprintf"] {
            for call in project.calls(to: name) where call.receiver == nil && project.targets(of: call).isEmpty {
                let values = call.plainArguments.map(\.value)
                guard !values.contains(where: { ["stderr", "stdout"].contains($0.lastName ?? "") }) else { continue }
                result.append(Write("a file", call, values: values))
            }
        }
        result += unpacked(project, flows)
        return result
    }

    /// Other streams go into memory or to a socket.
    private static func isStreamOfFile(_ call: CallSite, _ flows: Flows) -> Bool {
        guard let receiver = call.receiver,
            case .call(let made, let given) = flows.project.scope(of: call.caller).resolved(receiver).kind
        else { return false }
        return ["OutputStream", "NSOutputStream"].contains(made.lastName)
            && given.contains { ["toFileAtPath", "url"].contains($0.label) }
    }

    /// What `write(to:)` writes in an extension of a type such as Data.
    private static func extended(_ call: CallSite, _ project: ProjectModel) -> Expression? {
        guard case .name = call.callee.kind, let owner = call.caller.owner, project.declared(owner) == nil else {
            return nil
        }
        return Expression(.name("self"), call.expression.span)
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
        let flow = flows.project.scope(of: call.caller)
        if let text = flow.literal(target) { return text }
        var found: String?
        target.visit { part in
            if found == nil, let text = part.literal, !text.isEmpty { found = text }
        }
        return found
    }

    private static func isClass(_ name: String) -> Bool {
        name.hasPrefix("completeFileProtection") || name.hasPrefix("NSDataWritingFileProtectionComplete")
            || [
                "protectionKey", "NSFileProtectionKey", "fileProtection", "fileProtectionKey",
                "NSFileProtectionComplete",
            ].contains(name)
    }

    private static func namesClass(_ expression: Expression) -> Bool {
        var found = false
        expression.visit { if let name = $0.lastName, isClass(name) { found = true } }
        return found
    }

    private static func names(in expression: Expression) -> Set<String> {
        var names: Set<String> = []
        expression.visit { if case .name(let name) = $0.kind, name.first?.isLowercase == true { names.insert(name) } }
        return names
    }

    /// Whether a write names a class of protection that keeps the file shut while the device is locked: itself, in a
    /// local that it is given, or on the file
    /// afterwards. The class of another file in the function isn't this one's.
    static func isProtected(_ call: CallSite, _ flows: Flows) -> Bool {
        if call.arguments.contains(where: { namesClass($0.value) }) { return true }
        let given = call.arguments.reduce(into: Set<String>()) { $0.formUnion(names(in: $1.value)) }
        var found = false
        func look(_ statements: [Statement]) {
            statements.visitStatements { statement in
                guard case .bind(let binding) = statement.kind, let value = binding.value, namesClass(value) else {
                    return
                }
                if !given.isDisjoint(with: binding.names) { found = true }
            }
        }
        look(call.caller.body)
        call.caller.body.visit { part in
            switch part.kind {
            case .closure(let closure): look(closure.body)
            case .binary(_, let target, let value):
                guard namesClass(value) || namesClass(target) else { return }
                if target.lastName == "fileProtection" || target.root.map(given.contains) == true { found = true }
            case .call(let callee, let arguments):
                guard part !== call.expression, let name = callee.lastName,
                    !["write", "createFile", "createDirectory"].contains(name),
                    arguments.contains(where: { namesClass($0.value) })
                else { return }
                let names = names(in: part)
                if names.isEmpty || !given.isDisjoint(with: names) { found = true }
            default: break
            }
        }
        return found
    }
}
