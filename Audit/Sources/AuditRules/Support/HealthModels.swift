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
        let isAboutHealth = Self.isAboutHealth(project)
        for type in project.types.values
        where type.isDeclared
            && (Self.isHealth(type) || isAboutHealth && Self.isRecord(type) || Self.hasKinds(type, project))
        {
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

    /// Whether the app reads the system's health data.
    private static func isAboutHealth(_ project: ProjectModel) -> Bool {
        project.swift.contains { $0.imports.contains { ["HealthKit", "CareKit", "ResearchKit"].contains($0) } }
    }

    /// In such an app: `HealthEvent`, and what has values of a metric.
    private static func isRecord(_ type: TypeModel) -> Bool {
        guard type.declarations.contains(where: { $0.kind == .struct || $0.kind == .class }) else { return false }
        let words = SecretWords.words(of: type.shortName)
        if words.contains("health"), words.last.map(records.contains) == true { return true }
        let stored = type.declarations.flatMap(\.properties).filter { !$0.isComputed && !$0.isStatic }
        // What represents such a record, and tells of it.
        if stored.contains(where: { property in
            let words = SecretWords.words(of: property.name)
            return words.first == "health" && words.last == "id" && words.dropFirst().contains(where: records.contains)
        }) {
            return stored.contains { SecretWords.words(of: $0.name).contains("text") }
        }
        return stored.contains { metrics.contains(SecretWords.words(of: $0.name).joined()) }
            && stored.contains { property in
                ["Double", "Float", "Int"].contains(property.type?.namedTypes.last ?? "")
                    && SecretWords.words(of: property.name).contains(where: figures.contains)
            }
    }

    private static let records: Set<String> = [
        "event", "record", "entry", "anomaly", "metric", "metrics", "sample", "measurement", "observation", "summary",
        "log", "history", "snapshot", "report", "finding", "reading", "condition", "baseline", "insight", "note",
    ]
    private static let metrics: Set<String> = ["metric", "metrictype", "biomarker", "vital", "vitaltype", "vitalsign"]
    private static let figures: Set<String> = ["value", "values", "mean", "average", "median", "baseline", "reading"]

    /// Whether an enum of the kinds that a record has names those of an illness: medication, diagnosis, surgery.
    private static func hasKinds(_ type: TypeModel, _ project: ProjectModel) -> Bool {
        type.declarations.flatMap(\.properties).contains { property in
            guard !property.isComputed, !property.isStatic,
                ["type", "kind", "category"].contains(SecretWords.words(of: property.name).last ?? ""),
                let kinds = property.type.flatMap({ project.declared($0.trimmedOptional) }),
                kinds.declarations.contains(where: { $0.kind == .enum })
            else { return false }
            let cases = kinds.declarations.flatMap(\.cases).map(\.name)
            return cases.contains(where: tells)
                && cases.count(where: { name in
                    tells(name) || SecretWords.words(of: name).contains(where: illness.contains)
                }) > 1
        }
    }

    private static let illness: Set<String> = [
        "condition", "conditions", "procedure", "injury", "lab", "labs", "vital", "vitals", "treatment", "dose",
        "doctor", "hospital",
    ]

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

extension String {
    /// `Kind` of `Kind?`
    fileprivate var trimmedOptional: String { String(prefix { $0 != "?" && $0 != "!" }) }
}
