// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Keychains

/// What an examination found and what was repaired.
enum FindingPrinter {
    static func lines(_ findings: [KeychainFinding], _ repairs: [(String, KeychainRepair)]) -> [String] {
        let done = repairs.map { name, repair in
            "\(name): \(repair.count)" + (repair.copy.map { ", the keychain from before is \($0.printable)" } ?? "")
        }
        guard !findings.isEmpty else { return done + ["nothing is wrong"] }
        return done
            + findings.map { finding in
                let item = finding.reference.map { " (item \(ReferenceWord.text(of: $0)))" } ?? ""
                return "\(finding.severity.rawValue): \(finding.kind.word): \(finding.message.printable)\(item)"
            }
    }

    static func json(
        _ findings: [KeychainFinding], _ repairs: [(String, KeychainRepair)], _ retired: RetiredKeys
    ) -> JSON {
        .object([
            ("findings", .array(findings.map(json))),
            (
                "repairs",
                .array(
                    repairs.map { name, repair in
                        .object([
                            ("repair", .text(name)), ("count", .number(Int64(repair.count))),
                            ("copy", repair.copy.map { .text($0) } ?? .null),
                        ])
                    }
                )
            ),
            ("retiredKeys", RetiredKeysPrinter.json(retired)),
        ])
    }

    private static func json(_ finding: KeychainFinding) -> JSON {
        .object([
            ("kind", .text(finding.kind.word)),
            ("severity", .text(finding.severity.rawValue)),
            ("message", .text(finding.message)),
            ("reference", finding.reference.map { .text(ReferenceWord.text(of: $0)) } ?? .null),
            ("count", .number(Int64(finding.count))),
        ])
    }
}
