// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// The types whose objects are records of a person's health, and the values in them.
struct HealthModels {
    private let project: ProjectModel
    /// By qualified name.
    private let types: Set<String>

    init(_ project: ProjectModel) {
        self.project = project
        var types: Set<String> = []
        var below: [String: Int] = [:]
        for type in project.types.values where type.isDeclared && Self.isHealth(type) {
            guard !Harmless.isBehaviour(type, in: project) else { continue }
            types.insert(type.name)
            for base in project.ancestors(of: type).dropFirst() { below[base.name, default: 0] += 1 }
        }
        // What several kinds of records are made of is one: a reading, below which there is one of glucose.
        for (name, count) in below where count > 1 && project.types[name].map(Self.measure) != nil {
            types.insert(name)
        }
        self.types = types
    }

    // MARK: Types

    private static func isHealth(_ type: TypeModel) -> Bool {
        isHealth(type.shortName, Array(type.properties.keys))
    }

    /// Whether a model's name says so, or two of its attributes.
    static func isHealth(_ name: String, _ attributes: [String]) -> Bool {
        tells(name) || attributes.count(where: tells) >= 2
            || SecretWords.words(of: name).contains("patient") && attributes.count(where: ofPatient.contains) >= 2
    }

    /// What a record of a patient has beside a name.
    private static let ofPatient: Set<String> = [
        "birthdate", "dateOfBirth", "birthDate", "dob", "gender", "sex", "age", "causeOfDeath", "deathDate", "weight",
        "height", "bloodGroup", "condition", "conditions", "notes", "doctor", "hospital", "ward", "disease",
    ]

    static func tells(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        return words.contains(where: single.contains)
            || zip(words, words.dropFirst()).contains { pairs.contains($0 + $1) }
    }

    /// The record that a type is, or that a value of the type has in it: `[Dose]`, and `Diary` of
    /// `struct Diary { var doses: [Dose] }`.
    func model(ofType type: String, depth: Int = 0) -> TypeModel? {
        guard depth < 3, !type.contains("->") else { return nil }
        for part in type.namedTypes.prefix(4) {
            guard let model = project.declared(part), model.declarations.contains(where: { $0.kind != .enum }),
                !Harmless.isBehaviour(model, in: project)
            else { continue }
            if types.contains(model.name) { return model }
            for property in model.declarations.flatMap(\.properties) where !property.isComputed && !property.isStatic {
                if let type = property.type, let found = self.model(ofType: type, depth: depth + 1) { return found }
            }
        }
        return nil
    }

    // MARK: Values

    private static let measures: Set<String> = [
        "value", "values", "reading", "amount", "quantity", "level", "measurement", "dose", "dosage", "result",
        "concentration", "severity", "intensity",
    ]

    private static func measure(_ type: TypeModel) -> String? { type.properties.keys.first(where: measures.contains) }

    /// The measure that an expression is: `glucose.value` of a reading, `sample.quantity` of HealthKit, `heartRate`; or
    /// a whole record, where it is shown with what it has.
    func value(_ expression: Expression, of function: Function) -> String? {
        let scope = project.scope(of: function)
        let value = expression.withoutCasts
        if let name = value.lastName, Self.isMeasure(name) {
            switch value.kind {
            case .name, .member: return name
            default: break
            }
        }
        if case .member(let base?, let name) = value.kind, Self.measures.contains(name) || name == "description",
            let type = scope.type(of: base), isRecord(type)
        {
            return base.dotted + "." + name
        }
        if case .member(let base?, let name) = value.kind, Self.kept.contains(name) {
            return self.value(base, of: function)
        }
        guard let type = scope.type(of: value), isRecord(type), isShown(type) else { return nil }
        return value.lastName ?? type
    }

    private static let kept: Set<String> = ["stringValue", "description", "floatValue", "doubleValue", "intValue"]
    private static let samples: Set<String> = ["HKQuantitySample", "HKCategorySample", "HKCorrelation"]

    private func isRecord(_ type: String) -> Bool {
        let element = type.namedTypes.first ?? type
        if Self.samples.contains(element) { return true }
        return project.declared(element).map { types.contains($0.name) && Self.measure($0) != nil } ?? false
    }

    /// An object of a class is printed as the name of its class, unless it is one of a database.
    private func isShown(_ type: String) -> Bool {
        guard let model = type.namedTypes.first.flatMap({ project.declared($0) }) else { return true }
        return model.declarations.first?.kind != .class
            || project.inherits(model) { $0.hasSuffix("Object") && !["NSObject", "ObservableObject"].contains($0) }
    }

    /// Whether a name is that of a measure itself: `heartRate`, `latestGlucose`, and not `glucoseUnit`.
    private static func isMeasure(_ name: String) -> Bool {
        var words = SecretWords.words(of: name)[...]
        while words.count > 1, let first = words.first, before.contains(first) { words = words.dropFirst() }
        while words.count > 1, let last = words.last, after.contains(last) { words = words.dropLast() }
        return measured.contains(words.joined())
    }

    private static let before: Set<String> = [
        "latest", "last", "current", "average", "avg", "mean", "new", "my", "resting", "max", "min",
    ]
    private static let after: Set<String> = ["value", "level", "reading", "string", "text", "average", "avg", "bpm"]
    private static let measured: Set<String> = [
        "heartrate", "bloodpressure", "glucose", "bloodglucose", "bloodsugar", "systolic", "diastolic", "spo2",
        "oxygensaturation", "hba1c", "a1c", "cholesterol", "ketones", "insulin", "bodyfat", "heartratevariability",
    ]
    private static let single: Set<String> = [
        "glucose", "insulin", "medication", "medications", "medicine", "medicines", "symptom", "symptoms", "diagnosis",
        "prescription", "prescriptions", "vitals", "allergy", "allergies", "vaccination", "vaccine", "menstrual",
        "menstruation", "pregnancy", "seizure", "migraine", "hba1c", "cholesterol", "ketones", "ovulation", "mood",
        "moods", "bloodpressure", "heartrate", "therapy", "diagnoses", "disease", "diseases", "illness", "surgery",
        "surgeries", "immunization", "immunizations", "ecg", "ekg", "systolic", "diastolic", "hrv", "rmssd", "spo2",
        "bmi", "epilepsy", "asthma", "dosage", "dosages", "chemotherapy", "anxiety", "depression", "glucosa",
        "glicemia", "glycemia", "glycemie", "blutzucker", "blutdruck", "medikament", "medikamente", "medicament",
        "medicaments", "medicamento", "medicamentos", "sintomas", "symptome", "diagnostico", "diagnosi", "vacuna",
        "vacunas", "xuetang", "xueya", "xinlv", "medicina", "medicinas", "remedio", "remedios", "ilaç", "ilac",
    ]
    private static let pairs: Set<String> = [
        "bloodpressure", "heartrate", "bloodsugar", "labresult", "bloodtype", "bloodglucose", "medicalrecord",
        "warningsign", "warningsigns", "copingstrategy", "copingstrategies", "panicattack", "bodymeasurement",
    ]
}
