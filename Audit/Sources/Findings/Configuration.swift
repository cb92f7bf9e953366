// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What `.zamok-audit.json` says.
package struct Configuration: Sendable {
    /// How sure a rule has to be to be told, or that it is never told.
    package enum Demand: Equatable, Sendable {
        case off
        case atLeast(Certainty)
    }

    /// Settings for some paths.
    package struct Part: Sendable {
        package var pattern: PathPattern
        package var rules: [String: Demand] = [:]
        package var demand: Demand?
    }

    package var rules: [String: Demand] = [:]
    package var demand: Demand?
    package var exclude: [PathPattern] = []
    package var thirdParty: [PathPattern] = []
    package var own: [PathPattern] = []
    package var parts: [Part] = []
    package var baseline: String?

    /// The name it is looked for under, in the examined folder.
    package static let name = ".zamok-audit.json"

    package init() {}

    /// Why a text is no configuration: what is wrong, at which key.
    package struct Failure: Error, Equatable {
        package let message: String
        package init(message: String) { self.message = message }
    }

    /// Every key is known, or it is refused: a misspelt one would silence nothing.
    package init(text: [UInt8], knownRules: Set<String>) throws(Failure) {
        let value: Any
        do { value = try JSONSerialization.jsonObject(with: Data(text)) } catch {
            throw Failure(message: "it is not JSON")
        }
        guard let object = value as? [String: Any] else { throw Failure(message: "it has to be an object { }") }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            switch key {
            case "$schema": break
            case "rules": rules = try Self.rules(value, key, knownRules)
            case "minCertainty": demand = try Self.demand(value, key)
            case "exclude": exclude = try Self.patterns(value, key)
            case "thirdParty": thirdParty = try Self.patterns(value, key)
            case "own": own = try Self.patterns(value, key)
            case "baseline": baseline = try Self.text(value, key)
            case "paths": parts = try Self.parts(value, key, knownRules)
            default:
                throw Failure(
                    message:
                        "\"\(key)\" is unknown; known are rules, minCertainty, exclude, thirdParty, own, paths and baseline"
                )
            }
        }
    }

    private static func parts(_ value: Any, _ key: String, _ known: Set<String>) throws(Failure) -> [Part] {
        guard let list = value as? [[String: Any]] else {
            throw Failure(message: "\"\(key)\" has to be a list of objects with \"path\"")
        }
        var parts: [Part] = []
        for object in list {
            guard let path = object["path"] as? String else {
                throw Failure(message: "an object in \"\(key)\" lacks \"path\"")
            }
            var part = Part(pattern: try pattern(path, key))
            for (inner, value) in object.sorted(by: { $0.key < $1.key }) {
                switch inner {
                case "path", "reason": _ = try text(value, inner)
                case "rules": part.rules = try rules(value, inner, known)
                case "minCertainty": part.demand = try demand(value, inner)
                default:
                    throw Failure(
                        message: "\"\(inner)\" in \"\(key)\" is unknown; known are path, rules, minCertainty and reason"
                    )
                }
            }
            parts.append(part)
        }
        return parts
    }

    private static func rules(_ value: Any, _ key: String, _ known: Set<String>) throws(Failure) -> [String: Demand] {
        guard let object = value as? [String: Any] else {
            throw Failure(message: "\"\(key)\" has to be an object from rules to off, possible, likely or sure")
        }
        var result: [String: Demand] = [:]
        for (rule, value) in object.sorted(by: { $0.key < $1.key }) {
            guard known.contains(rule) else {
                throw Failure(message: "\"\(rule)\" in \"\(key)\" is no rule; zamok-audit rules lists them")
            }
            result[rule] = try demand(value, rule)
        }
        return result
    }

    private static func demand(_ value: Any, _ key: String) throws(Failure) -> Demand {
        let text = value as? String
        if text == "off" { return .off }
        guard let certainty = text.flatMap({ Certainty(rawValue: $0) }) else {
            throw Failure(message: "\"\(key)\" has to be \"off\", \"possible\", \"likely\" or \"sure\"")
        }
        return .atLeast(certainty)
    }

    private static func patterns(_ value: Any, _ key: String) throws(Failure) -> [PathPattern] {
        guard let texts = value as? [String] else { throw Failure(message: "\"\(key)\" has to be a list of texts") }
        return try texts.map { (text) throws(Failure) in try pattern(text, key) }
    }

    private static func pattern(_ text: String, _ key: String) throws(Failure) -> PathPattern {
        guard let pattern = PathPattern(text) else {
            throw Failure(
                message: "\"\(text)\" in \"\(key)\" fits no path; name what is below the folder, such as \"App/Old\"")
        }
        return pattern
    }

    private static func text(_ value: Any, _ key: String) throws(Failure) -> String {
        guard let text = value as? String else { throw Failure(message: "\"\(key)\" has to be a text") }
        return text
    }
}

extension Configuration {
    /// What is asked of a rule (its identifier or category) at a path: what stands last in the file for the path, else for the whole, else `usual`.
    package func demand(of rule: String, _ category: String, at path: String, usual: Certainty) -> Demand {
        for part in parts.reversed() where part.pattern.matches(path) {
            if let demand = part.rules[rule] ?? part.rules[category] ?? part.demand { return demand }
        }
        return rules[rule] ?? rules[category] ?? demand ?? .atLeast(usual)
    }
}
