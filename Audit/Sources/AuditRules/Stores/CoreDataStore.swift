// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Core Data: an attribute of a managed object that is set to a secret; else one of a model that is declared for it.
struct CoreDataStore: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        let keys = Self.keys(project)
        let written = calls(project, flows)
        // Where the code is seen to set one, the code alone is judged.
        let set = Set(written.compactMap(\.key))
        let declared = project.resources.dataModels.flatMap(Self.declared).filter {
            let name = $0.declared?.name ?? ""
            return !set.contains(name) && !Self.isSealed(name, project)
        }
        return (written + declared).filter { !keys.protects($0.place.file) }
    }

    /// The files that open stores, and those that open an encrypted one.
    static func keys(_ project: ProjectModel) -> Keys {
        Keys(
            opened: ["NSPersistentContainer", "addPersistentStore"].flatMap {
                project.calls(to: $0).map(\.caller.file)
            }, keyed: project.files(naming: ["EncryptedStore", "NSEncryptedStore"]))
    }

    /// Whether what is set under an attribute's name, anywhere, is encrypted before.
    private static func isSealed(_ name: String, _ project: ProjectModel) -> Bool {
        project.functions.contains { function in
            var (names, seals) = (false, false)
            function.body.visit { part in
                if part.lastName == name || part.literal == name { names = true }
                guard case .call(let callee, _) = part.kind, let called = callee.lastName else { return }
                if SecretWords.words(of: called).contains(where: {
                    ["encrypt", "encrypted", "encrypting", "seal", "decrypt", "decrypted"].contains($0)
                }) {
                    seals = true
                }
            }
            return names && seals
        }
    }

    /// Attributes of a model that keep a secret as it is.
    private static func declared(_ model: DataModelFile) -> [Write] {
        model.entities.flatMap { entity in
            entity.attributes.compactMap { attribute in
                let isKept = ["String", "Binary", "Transformable"].contains(attribute.type) && !attribute.isTransient
                guard isKept, !Self.isEncrypted(attribute), let words = SecretWords(name: attribute.name),
                    !words.isWeak || isAboutLogin(entity)
                else { return nil }
                return Write(
                    "Core Data, as an attribute of \(entity.name)", attribute: attribute.name, at: attribute.place)
            }
        }
    }

    private static func isEncrypted(_ attribute: DataModelFile.Attribute) -> Bool {
        let names = [attribute.name, attribute.transformer ?? ""]
        return names.flatMap { SecretWords.words(of: $0) }.contains { word in
            ["encrypted", "encrypt", "encrypting", "encryption", "cipher", "ciphertext", "sealed", "hash", "hashed"]
                .contains(word)
        }
    }

    /// What a word like `token` needs beside it.
    private static func isAboutLogin(_ entity: DataModelFile.Entity) -> Bool {
        SecretWords.words(of: entity.name).contains {
            ["account", "user", "login", "session", "credential", "credentials", "auth", "authentication"].contains($0)
        }
    }

    private func calls(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        guard project.swift.contains(where: { $0.imports.contains("CoreData") }) else { return [] }
        var result: [Write] = []
        for function in project.functions {
            var objects: Set<String> = []
            function.body.visitLocals { name, value, type in
                if Self.isManagedObject(value, project) || type.map({ Self.isManaged($0, project) }) == true {
                    objects.insert(name)
                }
            }
            for property in function.owner.flatMap({ project.type($0) })?.properties.values.map({ $0 }) ?? []
            where property.type.map({ Self.isManaged($0, project) }) == true {
                objects.insert(property.name)
            }
            let ownsManaged = function.owner.map { Self.isManaged($0, project) } ?? false
            if ownsManaged { result += ownWrites(function, project) }
            guard
                !objects.isEmpty || !ownsManaged
                    || function.parameters.contains(where: { Self.isManaged($0.type, project) })
            else { continue }
            for parameter in function.parameters where Self.isManaged(parameter.type, project) {
                objects.insert(parameter.name)
            }
            guard !objects.isEmpty else { continue }
            result += writes(to: objects, in: function).filter { write in
                // Another object of the store has its own writes.
                let type = write.values.first.flatMap { flows.project.scope(of: function).type(of: $0) }
                return type.map { Self.isManaged($0, project) } != true
            }
        }
        return result
    }

    /// What a managed object's own method sets its attributes to.
    private func ownWrites(_ function: Function, _ project: ProjectModel) -> [Write] {
        guard let owner = function.owner.flatMap({ project.type($0) }) else { return [] }
        var result: [Write] = []
        function.body.visit { part in
            guard case .binary("=", let target, let value) = part.kind else { return }
            let name: String
            switch target.kind {
            case .name(let own): name = own
            case .member(let base?, let own) where base.dotted == "self": name = own
            default: return
            }
            guard let property = owner.properties[name], property.attribute("NSManaged") != nil else { return }
            let call = CallSite(expression: part, callee: target, arguments: [], caller: function)
            result.append(Write("Core Data", call, values: [value], key: name))
        }
        return result
    }

    private func writes(to objects: Set<String>, in function: Function) -> [Write] {
        var result: [Write] = []
        function.body.visit { part in
            switch part.kind {
            case .binary("=", let target, let value):
                guard case .member(let base?, let name) = target.kind, let root = base.root, objects.contains(root)
                else { return }
                let call = CallSite(expression: part, callee: target, arguments: [], caller: function)
                result.append(Write("Core Data", call, values: [value], key: name))
            case .call(let callee, let arguments):
                guard case .member(let base?, let name) = callee.kind,
                    name == "setValue" || name == "setPrimitiveValue", let root = base.root,
                    objects.contains(root), let value = arguments.first?.value
                else { return }
                let call = CallSite(expression: part, callee: callee, arguments: arguments, caller: function)
                result.append(Write("Core Data", call, values: [value], key: call.argument("forKey")?.literal))
            default: break
            }
        }
        return result
    }

    private static func isManagedObject(_ value: Expression, _ project: ProjectModel) -> Bool {
        switch value.kind {
        case .call(let callee, let arguments):
            if callee.lastName == "insertNewObject" { return true }
            let isMade = callee.lastName?.first?.isUppercase == true && arguments.first?.label == "context"
            return isMade || callee.lastName == "NSManagedObject"
        case .cast(let inner, _, _), .attempt(let inner): return isManagedObject(inner, project)
        default: return false
        }
    }

    private static func isManaged(_ type: String, _ project: ProjectModel) -> Bool {
        let name = type.prefix { $0 != "?" && $0 != "!" }
        if name == "NSManagedObject" { return true }
        // A class that Xcode writes from the model is in no source.
        if project.declared(String(name)) == nil, project.resources.isManaged(String(name)) { return true }
        return project.type(String(name)).map { project.inherits($0, from: "NSManagedObject") } ?? false
    }
}

/// SwiftData: a property of a model class, since the write itself names no attribute.
struct SwiftDataStore: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        project.types.values.filter { $0.attribute("Model") != nil }.flatMap { type in
            type.declarations.flatMap(\.properties).filter {
                !$0.isComputed && !$0.isStatic && $0.attribute("Transient") == nil
            }.map { property in
                Write("SwiftData", declaration: property, type: property.type, key: nil)
            }
        }
    }
}

extension [Statement] {
    /// Visits each local with its value and its written type, in closures too.
    func visitLocals(_ body: (String, Expression, String?) -> Void) {
        func look(_ binding: Binding, _ span: SourceSpan) {
            guard let name = binding.names.first, binding.names.count == 1 else { return }
            if let value = binding.value {
                body(name, value, binding.type)
            } else if let type = binding.type {
                // `var row: Row?`, which each branch gives its own.
                body(name, Expression(.none, span), type)
            }
        }
        func collect(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .bind(let binding): look(binding, statement.span)
                case .branch(let branch):
                    for case .bind(let binding) in branch.conditions { look(binding, statement.span) }
                default: break
                }
            }
        }
        collect(self)
        visit { if case .closure(let closure) = $0.kind { collect(closure.body) } }
    }
}
