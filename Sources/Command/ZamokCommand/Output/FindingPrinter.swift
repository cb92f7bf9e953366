// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Keychains
import ProtectedFiles
import Readers
import UserPreferences

/// A finding of an examination, in any store.
struct DoctorFinding {
    let severity: KeychainFinding.Severity
    let word: String
    let message: String
    var reference: String?
    var count = 1

    init(_ finding: KeychainFinding) {
        severity = finding.severity
        word = finding.kind.word
        message = finding.message
        reference = finding.reference.map { ReferenceWord.text(of: $0) }
        count = finding.count
    }

    init(_ finding: PreferencesFinding) {
        severity = .damage
        word = finding.word
        message = finding.message
        count = finding.count
    }

    init(_ finding: ProtectedFilesFinding) {
        severity = finding.word == KeychainFinding.Kind.notExamined.word ? .note : .damage
        word = finding.word
        message = finding.message
    }

    init(_ finding: UsersFinding) {
        severity = .damage
        word = finding.word
        message = finding.message
    }

    /// `message`: why it isn't known which stores the home has had.
    private init(ofStores message: String) {
        severity = .damage
        word = "damaged-record"
        self.message = message
    }

    /// A finding if the home can't tell which stores it has had. Errors: as opening a store.
    static func ofStores(_ home: Home) throws -> [DoctorFinding] {
        try home.doubtAboutStores().map { [DoctorFinding(ofStores: $0)] } ?? []
    }

    private init(ofLog message: String, isDamage: Bool) {
        severity = isDamage ? .damage : .note
        word = isDamage ? "access-log" : KeychainFinding.Kind.notExamined.word
        self.message = "the access log: \(message)"
    }

    /// A note on the last sweep of the home, if there was one and it found something.
    static func ofSweep() -> [DoctorFinding] {
        guard let last = LastSweep.read(), last.findings > 0 else { return [] }
        return [DoctorFinding(note: "clear-secrets", last.text)]
    }

    private init(note word: String, _ message: String) {
        severity = .note
        self.word = word
        self.message = message
    }

    /// The findings of the access log; none if it was never on. Errors: `.unsafeHome`, from opening the home.
    static func ofLog(_ home: Home) throws -> [DoctorFinding] {
        let log = try AccessLog.of(home)
        do {
            return try log.read(from: .max) { _ in }.findings.map { DoctorFinding(ofLog: $0.text, isDamage: true) }
        } catch {
            guard error.code != .notAvailable else { return [] }
            return [DoctorFinding(ofLog: error.message, isDamage: error.code != .locked)]
        }
    }

    /// A finding for a keychain that can't be opened.
    init(_ error: KeychainError) {
        severity = .damage
        word = KeychainFinding.Kind.damagedFile.word
        message = error.message
    }
}

/// The output for findings and repairs.
enum FindingPrinter {
    static func lines(_ findings: [DoctorFinding], _ repairs: [(String, KeychainRepair)]) -> [String] {
        let done = repairs.map { name, repair in
            "\(name): \(repair.count)" + (repair.copy.map { ", the keychain from before is \($0.printable)" } ?? "")
        }
        guard !findings.isEmpty else { return done + ["nothing is wrong"] }
        return done
            + findings.map { finding in
                let item = finding.reference.map { " (item \($0))" } ?? ""
                return "\(finding.severity.rawValue): \(finding.word): \(finding.message.printable)\(item)"
            }
    }

    static func json(
        _ findings: [DoctorFinding], repairs: [(String, KeychainRepair)], retired: RetiredKeys, tpm: JSON?
    ) -> JSON {
        let tpm: [(String, JSON)] = tpm.map { [("tpm", $0)] } ?? []
        return .object(
            [
                ("findings", .array(findings.map(json))),
                (
                    "repairs",
                    .array(
                        repairs.map { name, repair in
                            .object([
                                ("repair", .text(name)), ("count", .count(repair.count)),
                                ("copy", repair.copy.map { .text($0) } ?? .null),
                            ])
                        }
                    )
                ),
                ("retiredKeys", RetiredKeysPrinter.json(retired)),
            ] + tpm)
    }

    private static func json(_ finding: DoctorFinding) -> JSON {
        let reference: JSON = if let known = finding.reference { .text(known) } else { .null }
        return .object([
            ("kind", .text(finding.word)),
            ("severity", .text(finding.severity.rawValue)),
            ("message", .text(finding.message)),
            ("reference", reference),
            ("count", .count(finding.count)),
        ])
    }
}
