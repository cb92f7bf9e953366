// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Readers
import SecretMemory
import Sweeps

extension SweepReport {
    /// 0 nothing, 1 findings, 2 something was not looked at.
    var exitStatus: Int32 {
        if !isComplete { return ExitStatus.notRun }
        return findings.isEmpty ? 0 : ExitStatus.findings
    }

    /// The names are stable; Documentation/Sweep.md lists them.
    func json() throws -> JSON {
        .object([
            ("version", .count(1)), ("findings", .array(try findings.map(Self.json))),
            ("unread", .array(walk.unread.map(Self.json))), ("moreUnread", .count(walk.moreUnread)),
            ("cut", .array(cut.map(Self.json))), ("moreFindings", .count(moreFindings)),
            ("files", .count(files)), ("bytes", .count(bytes)), ("binaryFiles", .count(binaries)),
            ("otherUsersFiles", .count(walk.others)),
            ("links", .count(walk.links)), ("specialFiles", .count(walk.special)),
            ("packageFolders", .count(walk.packages)),
            ("isComplete", .bool(isComplete)),
        ])
    }

    private static func json(_ unread: WalkCounts.Unread) -> JSON {
        .object([("file", .text(String(printing: unread.path.bytes))), ("reason", .text(unread.reason))])
    }

    private static func json(_ finding: SweepFinding) throws -> JSON {
        let secret = finding.secret
        return .known([
            ("file", .text(path(finding.location))), ("line", .count(secret.line)),
            ("rule", .text(secret.rule.identifier)),
            ("kind", .text(secret.rule.kind.rawValue)), ("place", finding.place.map { .text($0.word) }),
            ("issuer", .text(secret.rule.issuer)),
            ("masked", .text(try MaskedSecret.text(secret.secret))), ("service", .text(secret.service)),
            ("account", secret.account.isEmpty ? nil : .text(secret.account)),
            ("rotation", secret.rule.rotation.map { .text($0) }),
            ("move", finding.place.map { .text($0.move.word) }),
            ("modified", .date(Date(timeIntervalSince1970: Double(finding.modified)))),
            ("readers", .text(finding.readers.rawValue)), ("inGit", .bool(finding.isInGit)),
        ])
    }

    private static func path(_ location: FileLocation) -> String { location.text ?? String(printing: location.bytes) }

    /// SARIF 2.1.0 (OASIS).
    func sarif() throws -> JSON {
        let rules = Set(findings.map(\.secret.rule)).sorted { $0.identifier < $1.identifier }
        let index = Dictionary(rules.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let notifications = (walk.unread + cut).map { unread in
            JSON.object([
                ("level", .text("error")), ("message", Self.text(unread.reason)),
                (
                    "locations",
                    .array([
                        .object([("physicalLocation", .object([("artifactLocation", Self.artifact(unread.path))]))])
                    ])
                ),
            ])
        }
        let invocation = JSON.object([
            ("executionSuccessful", .bool(isComplete)), ("exitCode", .count(Int(exitStatus))),
            ("toolExecutionNotifications", .array(notifications)),
        ])
        let driver = JSON.object([
            ("name", .text("zamok sweep")), ("semanticVersion", .text(Version.text)),
            ("rules", .array(rules.map(Self.rule))),
        ])
        let run = JSON.object([
            ("tool", .object([("driver", driver)])), ("invocations", .array([invocation])),
            ("columnKind", .text("unicodeCodePoints")),
            ("results", .array(try findings.map { try Self.result($0, index) })),
        ])
        let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        return .object([("$schema", .text(schema)), ("version", .text("2.1.0")), ("runs", .array([run]))])
    }

    private static func rule(_ rule: Rule) -> JSON {
        .known([
            ("id", .text(rule.identifier)), ("shortDescription", text("A secret in clear: \(rule.issuer)")),
            ("helpUri", rule.rotation.map { .text($0) }),
            ("properties", .object([("tags", .texts(["security", "external/cwe/cwe-312"]))])),
        ])
    }

    private static func result(_ finding: SweepFinding, _ index: [Rule: Int]) throws -> JSON {
        let secret = finding.secret
        let message =
            "\(SweepWords.what(secret.rule)) in clear: \(try MaskedSecret.text(secret.secret)). \(SweepWords.readers(finding.readers))."
        return .known([
            ("ruleId", .text(secret.rule.identifier)), ("ruleIndex", index[secret.rule].map { .count($0) }),
            ("level", .text("error")),
            ("message", text(message)),
            (
                "locations",
                .array([
                    .object([
                        (
                            "physicalLocation",
                            .object([
                                ("artifactLocation", artifact(finding.location)),
                                ("region", .object([("startLine", .count(secret.line))])),
                            ])
                        )
                    ])
                ])
            ),
        ])
    }

    private static func text(_ text: String) -> JSON { .object([("text", .text(text))]) }

    private static func artifact(_ location: FileLocation) -> JSON {
        let plain = Set("-._~!$&'()*+,;=@/".utf8)
        let uri = location.bytes.map { byte -> String in
            let isWord = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isWord || plain.contains(byte) { return String(Unicode.Scalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        return .object([("uri", .text(uri.hasPrefix("/") ? "file://\(uri)" : uri))])
    }
}

extension Move {
    /// One word for scripts.
    var word: String {
        switch self {
        case .helper: "helper"
        case .variable: "variable"
        case .environment: "environment"
        case .command: "command"
        case .filled: "filled"
        case .reference: "reference"
        case .agent: "agent"
        case .mask: "mask"
        case .clearOnly: "clear-only"
        }
    }
}
