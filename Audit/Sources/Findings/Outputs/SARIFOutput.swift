// SPDX-License-Identifier: Apache-2.0

/// SARIF 2.1.0, with the chain of places as a code flow.
package enum SARIFOutput {
    package static func text(_ report: Report) -> String {
        Encoded.page(SARIF.Log(runs: [run(report)]))
    }

    private static func run(_ report: Report) -> SARIF.Run {
        let index = Dictionary(report.rules.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        let notifications = report.unread.map { part in
            SARIF.Notification(
                level: "error", message: SARIF.Message(text: "\(part.path) was not read: \(part.reason)"),
                locations: part.path.isEmpty
                    ? []
                    : [SARIF.Location(physicalLocation: SARIF.PhysicalLocation(artifactLocation: .init(part.path)))])
        }
        return SARIF.Run(
            tool: SARIF.Tool(
                driver: SARIF.Driver(
                    name: "zamok-audit", semanticVersion: report.version, rules: report.rules.map(rule))),
            invocations: [
                SARIF.Invocation(
                    executionSuccessful: report.unread.isEmpty, exitCode: report.exitStatus,
                    toolExecutionNotifications: notifications)
            ],
            originalUriBaseIds: [
                "SRCROOT": SARIF.ArtifactBase(description: SARIF.Message(text: "The folder that was examined."))
            ],
            columnKind: "unicodeCodePoints", results: report.findings.map { result($0, index) })
    }

    private static func rule(_ rule: RuleDescription) -> SARIF.Rule {
        SARIF.Rule(
            id: rule.id, name: rule.category, shortDescription: SARIF.Message(text: rule.title),
            fullDescription: SARIF.Message(text: rule.explanation),
            help: SARIF.MarkdownMessage(
                text: "\(rule.explanation)\n\n\(rule.plainRemedy)",
                markdown:
                    "\(rule.explanation)\n\n```swift\n\(rule.plainRemedy)\n```\n\nWith Zamok:\n\n```swift\n\(rule.zamokRemedy)\n```"
            ),
            properties: SARIF.RuleProperties(tags: ["security", rule.masvs, "external/cwe/cwe-\(rule.cwe)"]))
    }

    private static func result(_ told: ToldFinding, _ index: [String: Int]) -> SARIF.Result {
        let finding = told.finding
        let place = location(finding.place, told.excerpt)
        var steps = finding.chain.enumerated().map { position, step in
            let excerpt = told.steps.indices.contains(position) ? told.steps[position] : .empty
            var location = location(step.place, excerpt)
            location.message = SARIF.Message(text: step.note)
            return SARIF.FlowLocation(location: location)
        }
        if !steps.isEmpty, finding.chain.last?.place != finding.place {
            var end = place
            end.message = SARIF.Message(text: finding.message)
            steps.append(SARIF.FlowLocation(location: end))
        }
        return SARIF.Result(
            ruleId: finding.rule, ruleIndex: index[finding.rule], level: finding.certainty.level,
            message: SARIF.Message(text: finding.message), locations: [place],
            codeFlows: steps.isEmpty ? nil : [SARIF.CodeFlow(threadFlows: [SARIF.ThreadFlow(locations: steps)])],
            partialFingerprints: ["zamokLine/v1": told.fingerprint], suppressions: suppressions(told),
            fixes: finding.fix.isEmpty ? nil : [fix(finding)])
    }

    private static func suppressions(_ told: ToldFinding) -> [SARIF.Suppression] {
        switch told.standing {
        case .open: []
        case .allowed: [SARIF.Suppression(kind: "inSource", justification: told.reason)]
        case .baseline: [SARIF.Suppression(kind: "external", justification: "in the baseline")]
        case .older: [SARIF.Suppression(kind: "external", justification: "older than the revision that was named")]
        case .configured: [SARIF.Suppression(kind: "external", justification: "silenced by the configuration")]
        }
    }

    private static func location(_ place: Place, _ excerpt: Excerpt) -> SARIF.Location {
        let line = excerpt.line(place.line)
        let column = line.map {
            String(decoding: $0.utf8.prefix(max(0, place.column - 1)), as: UTF8.self).unicodeScalars.count + 1
        }
        return SARIF.Location(
            physicalLocation: SARIF.PhysicalLocation(
                artifactLocation: .init(place.file),
                region: SARIF.Region(
                    startLine: max(1, place.line), startColumn: column ?? max(1, place.column),
                    snippet: line.map { SARIF.Message(text: $0) })))
    }

    private static func fix(_ finding: Finding) -> SARIF.Fix {
        let files = Dictionary(grouping: finding.fix, by: \.file).sorted { $0.key < $1.key }
        return SARIF.Fix(
            description: SARIF.Message(text: "Removes the finding."),
            artifactChanges: files.map { file, edits in
                SARIF.ArtifactChange(
                    artifactLocation: .init(file),
                    replacements: edits.map { edit in
                        SARIF.Replacement(
                            deletedRegion: SARIF.ByteRegion(
                                byteOffset: edit.range.lowerBound, byteLength: edit.range.count),
                            insertedContent: SARIF.Message(text: edit.text))
                    })
            })
    }
}

/// The parts of the format that are written.
private enum SARIF {
    struct Log: Encodable {
        var schema = "https://json.schemastore.org/sarif-2.1.0.json"
        var version = "2.1.0"
        var runs: [Run]
        enum CodingKeys: String, CodingKey {
            case version, runs
            case schema = "$schema"
        }
    }
    struct Run: Encodable {
        var tool: Tool
        var invocations: [Invocation]
        var originalUriBaseIds: [String: ArtifactBase]
        var columnKind: String
        var results: [Result]
    }
    struct ArtifactBase: Encodable { var description: Message }
    struct Tool: Encodable { var driver: Driver }
    struct Driver: Encodable {
        var name: String
        var semanticVersion: String
        var rules: [Rule]
    }
    struct Rule: Encodable {
        var id: String
        var name: String
        var shortDescription: Message
        var fullDescription: Message
        var help: MarkdownMessage
        var properties: RuleProperties
    }
    struct RuleProperties: Encodable { var tags: [String] }
    struct Invocation: Encodable {
        var executionSuccessful: Bool
        var exitCode: Int32
        var toolExecutionNotifications: [Notification]
    }
    struct Notification: Encodable {
        var level: String
        var message: Message
        var locations: [Location]
    }
    struct Message: Encodable { var text: String }
    struct MarkdownMessage: Encodable {
        var text: String
        var markdown: String
    }
    struct Result: Encodable {
        var ruleId: String
        var ruleIndex: Int?
        var level: String
        var message: Message
        var locations: [Location]
        var codeFlows: [CodeFlow]?
        var partialFingerprints: [String: String]
        var suppressions: [Suppression]
        var fixes: [Fix]?
    }
    struct Suppression: Encodable {
        var kind: String
        var justification: String?
    }
    struct CodeFlow: Encodable { var threadFlows: [ThreadFlow] }
    struct ThreadFlow: Encodable { var locations: [FlowLocation] }
    struct FlowLocation: Encodable { var location: Location }
    struct Location: Encodable {
        var physicalLocation: PhysicalLocation
        var message: Message?
    }
    struct PhysicalLocation: Encodable {
        var artifactLocation: ArtifactLocation
        var region: Region?
    }
    struct ArtifactLocation: Encodable {
        var uri: String
        var uriBaseId = "SRCROOT"

        /// RFC 3986: what a path's part can't have as it is gets a percent sign.
        init(_ path: String) {
            let plain = Set("-._~!$&'()*+,;=@/".utf8)
            uri = path.utf8.map { byte in
                let isWord =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                if isWord || plain.contains(byte) { return String(Unicode.Scalar(byte)) }
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
        }
    }
    struct Region: Encodable {
        var startLine: Int
        var startColumn: Int
        var snippet: Message?
    }
    struct ByteRegion: Encodable {
        var byteOffset: Int
        var byteLength: Int
    }
    struct Fix: Encodable {
        var description: Message
        var artifactChanges: [ArtifactChange]
    }
    struct ArtifactChange: Encodable {
        var artifactLocation: ArtifactLocation
        var replacements: [Replacement]
    }
    struct Replacement: Encodable {
        var deletedRegion: ByteRegion
        var insertedContent: Message
    }
}
