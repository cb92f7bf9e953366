// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Databases whose models have health data, told once, where one without a key is opened; and files and preferences
/// that are given such a model whole.
enum HealthStores {
    static func findings(in project: ProjectModel, flows: Flows) -> [Finding] {
        guard project.resources.defaultDataProtection?.hasPrefix("NSFileProtectionComplete") != true else { return [] }
        let health = HealthModels(project)
        return kinds.compactMap { database in
            guard let (model, place) = database.models(project) else { return nil }
            let isProtected = database.protection(project)
            let opened = database.opened(project, flows).filter { !isProtected($0.file) }
            guard let first = opened.first else { return nil }
            return Finding(
                SecretsInStores.description.id, at: first,
                "Health data (\(model)) is kept in \(database.name) in clear.",
                chain: [Step("\(model) is a model of health data", at: place)]
                    + opened.dropFirst().prefix(8).map { Step("it is opened here, too", at: $0) })
        } + whole(project, health, flows)
    }

    // MARK: Databases

    private struct Database: Sendable {
        var name: String
        /// A model of health data.
        var models: @Sendable (ProjectModel) -> (String, Place)?
        /// The places that open one, the most telling first.
        var opened: @Sendable (ProjectModel, Flows) -> [Place]
        /// Whether what a file opens has a key.
        var protection: @Sendable (ProjectModel) -> (String) -> Bool
    }

    private static let kinds: [Database] = [
        Database(
            name: "Core Data",
            models: { project in
                let entities = project.resources.dataModels.flatMap(\.entities)
                let found = entities.first { HealthModels.isHealth($0.name, $0.attributes.map(\.name)) }
                return found.flatMap { entity in entity.attributes.first.map { (entity.name, $0.place) } }
            },
            opened: { openers(of: "NSPersistentContainer", $0, $1) },
            protection: { CoreDataStore.keys($0).protects }),
        Database(
            name: "SwiftData", models: { project in declared(project) { $0.attribute("Model") != nil } },
            opened: { openers(of: "ModelContainer", $0, $1) }, protection: { _ in { _ in false } }),
        Database(
            name: "Realm",
            models: { project in
                declared(project) { project.inherits($0) { $0 == "Object" || $0 == "RLMObject" } }
            },
            opened: { project, flows in RealmStore.configured(project) + openers(of: "Realm", project, flows) },
            protection: { RealmStore.protection($0) }),
    ]

    private static func openers(of name: String, _ project: ProjectModel, _ flows: Flows) -> [Place] {
        let opener = DatabaseOpener.all.first { $0.1.names.contains(name) }?.1
        return opener?.calls(in: project, flows).map(\.place).sorted() ?? []
    }

    private static func declared(_ project: ProjectModel, _ isModel: (TypeModel) -> Bool) -> (String, Place)? {
        project.types.values.filter { type in
            isModel(type) && HealthModels.isHealth(type.shortName, Array(type.properties.keys))
        }.min { $0.place < $1.place }.map { ($0.shortName, $0.place) }
    }

    // MARK: Whole models

    private static func whole(_ project: ProjectModel, _ health: HealthModels, _ flows: Flows) -> [Finding] {
        let stores: [any Store] = [Files(), CacheStores(), Preferences()]
        return stores.flatMap { $0.writes(in: project, flows: flows) }.compactMap { write in
            guard let function = write.function, !Files.isProtected(write, flows),
                !write.values.contains(where: { flows.isEncrypted($0, of: function) })
            else { return nil }
            let scope = project.scope(of: function)
            for value in write.values {
                guard let (model, part) = record(in: value, scope, health) else { continue }
                return Finding(
                    SecretsInStores.description.id, at: write.place,
                    "Health data (\(model.shortName)) is written to \(write.store).",
                    chain: [
                        Step("\(model.shortName) is a model of health data", at: model.place),
                        Step("\(part.dotted) has it", at: function.place(part)),
                    ])
            }
            return nil
        }
    }

    private static let encoders: Set<String> = [
        "encode", "archivedData", "archivedDataWithRootObject", "data", "String", "Data", "write",
    ]

    /// The record that is encoded into what is written.
    private static func record(
        in value: Expression, _ scope: Scope, _ health: HealthModels, depth: Int = 0
    ) -> (TypeModel, Expression)? {
        let value = value.withoutCasts
        if let type = scope.type(of: value), let model = health.model(ofType: type) { return (model, value) }
        guard depth < 4 else { return nil }
        switch value.kind {
        case .name(let name):
            return scope.constants[name].flatMap { record(in: $0, scope, health, depth: depth + 1) }
        case .attempt(let inner): return record(in: inner, scope, health, depth: depth + 1)
        case .call(let callee, let arguments) where encoders.contains(callee.lastName ?? ""):
            return arguments.prefix(2).lazy.compactMap {
                record(in: $0.value, scope, health, depth: depth + 1)
            }.first
        default: return nil
        }
    }
}
