// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Databases whose models have health data: told once, where the database is opened.
enum HealthStores {
    static func findings(in project: ProjectModel, flows: Flows) -> [Finding] {
        guard project.resources.defaultDataProtection?.hasPrefix("NSFileProtectionComplete") != true,
            project.files(naming: ["encryptionKey", "SQLCipher", "EncryptedStore", "usePassphrase"]).isEmpty
        else { return [] }
        return kinds.compactMap { store, names, models in
            guard let (model, place) = models(project),
                let opener = DatabaseOpener.all.first(where: { $0.1.names == names })
            else { return nil }
            let calls = opener.1.calls(in: project, flows).sorted { $0.place < $1.place }
            guard let first = calls.first else { return nil }
            return Finding(
                SecretsInStores.description.id, at: first.place,
                "Health data (\(model)) is kept in \(store) in clear.",
                chain: [Step("\(model) is a model of health data", at: place)]
                    + calls.dropFirst().prefix(8).map { Step("it is opened here, too", at: $0.place) })
        }
    }

    private typealias Models = @Sendable (ProjectModel) -> (String, Place)?

    private static let kinds: [(String, [String], Models)] = [
        (
            "Core Data", ["NSPersistentContainer", "NSPersistentCloudKitContainer", "addPersistentStore"],
            { project in
                let entities = project.resources.dataModels.flatMap(\.entities)
                let found = entities.first { entity in isHealth(entity.name, entity.attributes.map(\.name)) }
                return found.flatMap { entity in entity.attributes.first.map { (entity.name, $0.place) } }
            }
        ),
        ("SwiftData", ["ModelContainer"], { project in declared(project) { $0.attribute("Model") != nil } }),
        (
            "Realm", ["Realm"],
            { project in declared(project) { project.inherits($0) { $0 == "Object" || $0 == "RLMObject" } } }
        ),
    ]

    private static func declared(_ project: ProjectModel, _ isModel: (TypeModel) -> Bool) -> (String, Place)? {
        project.types.values.filter { type in
            isModel(type) && isHealth(type.shortName, Array(type.properties.keys))
        }.min { $0.place < $1.place }.map { ($0.shortName, $0.place) }
    }

    /// Whether a model's name says so, or two of its attributes.
    private static func isHealth(_ name: String, _ attributes: [String]) -> Bool {
        tells(name) || attributes.count(where: tells) >= 2
    }

    private static func tells(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        return words.contains(where: single.contains)
            || zip(words, words.dropFirst()).contains { pairs.contains($0 + $1) }
    }

    private static let single: Set<String> = [
        "glucose", "insulin", "medication", "medications", "medicine", "medicines", "symptom", "symptoms", "diagnosis",
        "prescription", "prescriptions", "vitals", "allergy", "allergies", "vaccination", "vaccine", "menstrual",
        "menstruation", "pregnancy", "seizure", "migraine", "hba1c", "cholesterol", "ketones", "ovulation",
    ]
    private static let pairs: Set<String> = [
        "bloodpressure", "heartrate", "bloodsugar", "labresult", "bloodtype", "bloodglucose", "medicalrecord",
    ]
}
