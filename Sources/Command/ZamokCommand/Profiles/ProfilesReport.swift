// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Readers

/// The results of one run, to be printed in one of three forms.
struct ProfilesReport {
    /// An input that could not be read.
    struct Failure {
        let path: String
        let code: String
        let message: String

        init(_ path: String, _ error: ProfileError) {
            (self.path, code, message) = (path, error.code.name, error.message)
        }
    }

    var profiles: [(path: String, examined: ExaminedProfile)] = []
    /// Apps that were read, for `show`.
    var apps: [AppBundle] = []
    var findings: [Finding] = []
    var failures: [Failure] = []
    /// Whether code was examined. The report then lists what no check covers.
    var coversCode = false

    /// 0 clean, 1 findings worse than notes, 2 an input could not be read.
    var exitStatus: Int32 {
        if !failures.isEmpty { return ExitStatus.notRun }
        return findings.contains { $0.severity != .note } ? ExitStatus.findings : 0
    }
}

/// SARIF 2.1.0 (OASIS), which code hosts show beside the code.
extension ProfilesReport {
    var sarif: JSON {
        let limits = coversCode ? CheckReport.notChecked : []
        let notifications =
            failures.map { Self.notification("error", "\($0.code): \($0.message)", at: $0.path) }
            + limits.map { Self.notification("note", "Not checked: \($0)") }
        let invocation = JSON.object([
            ("executionSuccessful", .bool(failures.isEmpty)), ("exitCode", .count(Int(exitStatus))),
            ("toolExecutionNotifications", .array(notifications)),
        ])
        let driver = JSON.object([("name", .text("zamok")), ("rules", .array(Rule.all.map(Self.json)))])
        let run = JSON.object([
            ("tool", .object([("driver", driver)])), ("invocations", .array([invocation])),
            ("results", .array(findings.map(Self.result))), ("columnKind", .text("unicodeCodePoints")),
        ])
        let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        return .object([("$schema", .text(schema)), ("version", .text("2.1.0")), ("runs", .array([run]))])
    }

    private static func json(_ rule: Rule) -> JSON {
        .object([
            ("id", .text(rule.id)), ("shortDescription", text(rule.title)), ("help", text(rule.remedy)),
            ("defaultConfiguration", .object([("level", .text(rule.severity.rawValue))])),
        ])
    }

    private static func result(_ finding: Finding) -> JSON {
        .object([
            ("ruleId", .text(finding.rule.id)), ("ruleIndex", .count(Rule.all.firstIndex(of: finding.rule) ?? -1)),
            ("level", .text(finding.severity.rawValue)), ("message", text("\(finding.reason). \(finding.remedy)")),
            ("locations", location(finding.place.path, finding.place.detail)),
        ])
    }

    private static func notification(_ level: String, _ message: String, at path: String? = nil) -> JSON {
        .known([
            ("level", .text(level)), ("message", text(message)), ("locations", path.map { location($0, nil) }),
        ])
    }

    private static func text(_ text: String) -> JSON { .object([("text", .text(text))]) }

    private static func location(_ path: String, _ detail: String?) -> JSON {
        .array([
            .known([
                ("physicalLocation", .object([("artifactLocation", .object([("uri", .text(uri(path)))]))])),
                ("logicalLocations", detail.map { .array([.object([("fullyQualifiedName", .text($0))])]) }),
            ])
        ])
    }

    /// A relative reference, or a file URI for an absolute path.
    private static func uri(_ path: String) -> String {
        let escaped = path.utf8.map { byte in
            let sign = Character(Unicode.Scalar(byte))
            let isPlain = sign.isASCII && (sign.isLetter || sign.isNumber) || "!$&'()*+,-./:=@_~".contains(sign)
            return isPlain ? String(sign) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        if path.hasPrefix("/") { return "file://\(escaped)" }
        // A colon in the first segment of a relative reference would be parsed as a scheme.
        return escaped.split(separator: "/").first?.contains(":") == true ? "./\(escaped)" : escaped
    }
}

/// Shortens identifiers of people and their devices, so that CI logs contain neither.
struct Shortener {
    let isFull: Bool

    /// The first and last four characters of a device identifier.
    func device(_ identifier: String) -> String {
        isFull || identifier.count <= 8 ? identifier : "\(identifier.prefix(4))…\(identifier.suffix(4))"
    }

    /// The first letter of every word: a team may be a person.
    func name(_ name: String) -> String {
        isFull ? name : name.split(separator: " ").map { "\($0.prefix(1))…" }.joined(separator: " ")
    }

    /// `Apple Development: Jane Doe (ABCDE12345)` becomes `Apple Development: J… D… (ABCDE12345)`.
    func certificate(_ commonName: String) -> String {
        guard !isFull else { return commonName }
        guard let colon = commonName.range(of: ": ") else { return name(commonName) }
        var person = commonName[colon.upperBound...]
        var tail = ""
        if person.hasSuffix(")"), let open = person.lastIndex(of: "(") {
            tail = " " + person[open...]
            person = person[..<open]
        }
        return commonName[..<colon.upperBound] + name(String(person)) + tail
    }
}
