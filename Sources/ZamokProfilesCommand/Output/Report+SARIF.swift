// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// SARIF 2.1.0 (OASIS), which code hosts show beside the code.
extension Report {
    private struct Log: Encodable {
        let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        let version = "2.1.0"
        let runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version
            case runs
        }
    }

    private struct Run: Encodable {
        struct Tool: Encodable { let driver: Driver }
        struct Driver: Encodable {
            let name = "zamok-profiles"
            let rules: [RuleRecord]
        }
        struct RuleRecord: Encodable {
            struct Configuration: Encodable { let level: String }
            let id: String
            let shortDescription: Text
            let help: Text
            let defaultConfiguration: Configuration
        }
        struct Invocation: Encodable {
            let executionSuccessful: Bool
            let exitCode: Int32
            let toolExecutionNotifications: [Notification]
        }
        struct Notification: Encodable {
            let level: String
            let message: Text
            let locations: [Location]?
        }
        let tool: Tool
        let invocations: [Invocation]
        let results: [Result]
        let columnKind = "unicodeCodePoints"
    }

    private struct Text: Encodable { let text: String }

    private struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Text
        let locations: [Location]
    }

    private struct Location: Encodable {
        struct Physical: Encodable { let artifactLocation: Artifact }
        struct Artifact: Encodable { let uri: String }
        struct Logical: Encodable { let fullyQualifiedName: String }
        let physicalLocation: Physical
        let logicalLocations: [Logical]?

        init(path: String, detail: String? = nil) {
            physicalLocation = Physical(artifactLocation: Artifact(uri: Self.uri(path)))
            logicalLocations = detail.map { [Logical(fullyQualifiedName: $0)] }
        }

        /// A relative reference, or a file URI for an absolute path.
        private static func uri(_ path: String) -> String {
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
            if path.hasPrefix("/") { return "file://\(escaped)" }
            // A colon in the first part of a relative reference would be read as a scheme.
            return escaped.split(separator: "/").first?.contains(":") == true ? "./\(escaped)" : escaped
        }
    }

    func sarif() throws -> String {
        let rules = Rule.all.map {
            Run.RuleRecord(
                id: $0.id, shortDescription: Text(text: $0.title), help: Text(text: $0.remedy),
                defaultConfiguration: .init(level: $0.severity.rawValue))
        }
        let results = findings.map { finding in
            Result(
                ruleId: finding.rule.id, ruleIndex: Rule.all.firstIndex(of: finding.rule) ?? -1,
                level: finding.severity.rawValue, message: Text(text: "\(finding.reason). \(finding.remedy)"),
                locations: [Location(path: finding.place.path, detail: finding.place.detail)])
        }
        let unread = failures.map {
            Run.Notification(
                level: "error", message: Text(text: "\($0.code): \($0.message)"), locations: [Location(path: $0.path)])
        }
        let limits = (coversCode ? CheckReport.notChecked : []).map {
            Run.Notification(level: "note", message: Text(text: "Not checked: \($0)"), locations: nil)
        }
        let invocation = Run.Invocation(
            executionSuccessful: failures.isEmpty, exitCode: exitStatus, toolExecutionNotifications: unread + limits)
        return try encoded(
            Log(runs: [Run(tool: .init(driver: .init(rules: rules)), invocations: [invocation], results: results)]))
    }
}
