// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R9: archives that let their author choose the classes which are made.
package struct Archives: Rule {
    package static let description = RuleDescription(
        id: "insecure-archive", category: "R9", title: "An archive is read without secure coding",
        explanation: """
            An archive says which classes its objects have. Read without secure coding, it makes an object of any class that the app has and \
            runs its code before a cast looks at the type, so whoever can write the file runs code in the app. It fires on the unarchivers \
            that don't ask for secure coding, on requiresSecureCoding = false, and, in an app that reads archives in such a way, on \
            decodeObject(forKey:) in an initializer of a class of Swift with NSCoding; those of Objective-C are told with the call that reads. \
            It doesn't on unarchivedObject(ofClass:from:), \
            decodeObject(of:forKey:) and Codable. How an archive is written makes no difference to its reader.
            """,
        masvs: "MASVS-CODE-4", cwe: 502,
        plainRemedy: """
            final class Token: NSObject, NSSecureCoding {
                static let supportsSecureCoding = true
                let text: NSString
                init?(coder: NSCoder) {
                    guard let text = coder.decodeObject(of: NSString.self, forKey: "text") else { return nil }
                    self.text = text
                }
                func encode(with coder: NSCoder) { coder.encode(text, forKey: "text") }
            }
            let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: Token.self, from: data)
            """,
        zamokRemedy:
            "Make the type Codable and keep it with ProtectedPreferences or a keychain item, which read no classes.")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let swift = Self.readers.flatMap { reading(project, $0) } + switchedOff(project)
        let reads = swift + project.resources.objectiveC.flatMap(objectiveC)
        guard !reads.isEmpty else { return [] }
        // What is decoded inside of an archive is as safe as its reader: in Objective-C, where each class of a model has
        // such an initializer, it is told there.
        let nested = project.resources.objectiveC.flatMap(nested).sorted { $0.place < $1.place }
        var findings = Self.folded(reads.oncePerLine())
        if let first = findings.indices.min(by: { findings[$0].place < findings[$1].place }) {
            findings[first].chain += nested.prefix(12).map {
                Step("objects of it are decoded here without naming their classes", at: $0.place)
            }
        }
        return (findings + Self.folded(decoding(project))).oncePerLine()
    }

    /// Many findings of one kind in a file are one, with the other lines beside it.
    private static func folded(_ findings: [Finding]) -> [Finding] {
        let groups = ByName(grouping: findings) { "\($0.place.file)\u{0}\($0.message)" }
        return groups.values.flatMap { group -> [Finding] in
            guard group.count > 3, var first = group.min(by: { $0.place < $1.place }) else { return group }
            let others = group.filter { $0.place != first.place }.sorted { $0.place < $1.place }
            first.message += " \(group.count) places of the file do so."
            first.chain += others.prefix(12).map { Step("here too", at: $0.place) }
            return [first]
        }
    }

    // MARK: Swift

    private static let readers = [
        "unarchiveObject", "unarchiveTopLevelObjectWithData", "unarchiveTopLevelObject", "unarchivedObjectWithData",
        "unarchiveObjectWithData", "unarchiveObjectWithFile",
    ]

    private func reading(_ project: ProjectModel, _ name: String) -> [Finding] {
        project.calls(to: name).filter { Self.isUnarchiver($0.callee) }.map { call in
            Finding(
                Self.description.id, at: call.place,
                "\(name) makes objects of whatever class the archive names; a cast afterwards comes too late.",
                certainty: .sure)
        }
            + (name == Self.readers[0]
                ? project.calls(to: "NSKeyedUnarchiver").filter { $0.argument("forReadingWith") != nil }.map { call in
                    Finding(
                        Self.description.id, at: call.place,
                        "NSKeyedUnarchiver(forReadingWith:) doesn't require secure coding.", certainty: .likely)
                } : [])
    }

    private static func isUnarchiver(_ callee: Expression) -> Bool {
        ["NSKeyedUnarchiver", "NSUnarchiver"].contains(callee.root ?? "")
    }

    private func switchedOff(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for function in project.functions {
            function.body.visit { expression in
                guard case .binary("=", let target, let value) = expression.kind,
                    target.lastName == "requiresSecureCoding",
                    case .boolean(false) = value.kind
                else { return }
                findings.append(
                    Finding(
                        Self.description.id, at: function.place(expression),
                        "requiresSecureCoding = false lets the archive choose the classes.", certainty: .sure))
            }
        }
        return findings
    }

    /// `init(coder:)` of a class that is archived: views decode from their own storyboards, which nobody else writes.
    private func decoding(_ project: ProjectModel) -> [Finding] {
        let calls = project.calls(to: "decodeObject").filter { call in
            call.argument("of") == nil && call.argument("ofClass") == nil && call.argument("ofClasses") == nil
                && call.argument("forKey") != nil && call.caller.name == "init"
                && call.caller.parameters.contains { $0.type.contains("NSCoder") }
        }
        var seen: Set<ObjectIdentifier> = []
        return calls.compactMap { call in
            guard let owner = call.caller.owner, let type = project.type(owner), isArchived(type, project),
                seen.insert(ObjectIdentifier(call.caller)).inserted
            else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "\(type.shortName) decodes objects without naming their classes.",
                chain: [Step("\(type.shortName) is archived", at: type.place)], certainty: .likely)
        }
    }

    private func isArchived(_ type: TypeModel, _ project: ProjectModel) -> Bool {
        !project.inherits(type) { $0.hasPrefix("UI") || $0.hasPrefix("NSView") || Self.isView($0) }
    }

    // MARK: Objective-C

    private func objectiveC(_ file: ObjCFile) -> [Finding] {
        file.calls.compactMap { call in
            guard call.isMessage else { return nil }
            let isReader =
                ["NSKeyedUnarchiver", "NSUnarchiver"].contains(call.receiver)
                && (call.name.hasPrefix("unarchiveObjectWith") || call.name.hasPrefix("unarchiveTopLevelObject"))
            let isOpen = call.name == "setRequiresSecureCoding:" && call.arguments.first.map(file.text) == "NO"
            guard isReader || isOpen else { return nil }
            return Finding(
                Self.description.id, at: call.place, "An archive is read by \(call.name) without secure coding.",
                certainty: .sure)
        }
    }

    private func nested(_ file: ObjCFile) -> [Finding] {
        var seen: Set<Int> = []
        return file.calls.compactMap { call in
            guard call.isMessage, call.name == "decodeObjectForKey:", let index = call.method,
                file.methods[index].name.hasPrefix("initWithCoder"), !Self.isView(file.methods[index].owner),
                seen.insert(index).inserted
            else { return nil }
            return Finding(
                Self.description.id, at: call.place, "Objects are decoded by \(call.name) without secure coding.",
                certainty: .likely)
        }
    }

    private static func isView(_ name: String) -> Bool {
        ["View", "Cell", "Controller", "Button", "Label", "Field", "Control", "Layout", "Window"].contains {
            name.hasSuffix($0)
        }
    }
}
