// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// The format of an export.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    /// Sealed under a passphrase.
    case zamok
    /// Plaintext, for another password manager.
    case json, csv
}

/// A plaintext export of passwords for another password manager, as Bitwarden's JSON or as CSV.
struct LeavingExport {
    /// The result of an export.
    struct Report {
        var count = 0
        var leftOut: [(reason: String, count: Int)] = []
    }

    let keychain: Keychain
    let doctor: KeychainDoctor
    let isJSON: Bool

    /// Writes a new file of mode 0600. Prompts the user for secrets that require it.
    func write(to path: String) throws -> Report {
        var report = Report()
        var (binary, others) = (0, 0)
        do {
            let file = try NewFile(at: FileLocation(path))
            var offset = 0
            func put(_ part: Secret) throws {
                try part.withSecretBytes { try file.write($0, at: offset) }
                offset += part.count
            }
            func put(_ text: String) throws { try put(try Secret(copying: Array(text.utf8))) }
            try put(isJSON ? BitwardenText.beginning : LeavingEntry.head)
            for itemClass in [ItemClass.genericPassword, .internetPassword] {
                for known in try keychain.records(matching: ItemRecord(itemClass)) {
                    guard let reference = known.persistentReference else { continue }
                    let record = try keychain.record(reference, includingSecret: true)
                    guard let parts = try parts(record) else {
                        binary += 1
                        continue
                    }
                    if isJSON, report.count > 0 { try put(",\n") }
                    for part in parts { try put(part) }
                    report.count += 1
                }
            }
            if isJSON { try put(BitwardenText.end) }
            for itemClass in [ItemClass.certificate, .key] {
                others += try keychain.records(matching: ItemRecord(itemClass)).count
            }
            try file.finish()
        } catch let error as FileError {
            throw CommandFailure.status(
                error.isPresentAlready ? .duplicateItem : .inputOutput,
                "\(path.printable) can't be written: \(error.text)")
        }
        // Items that can't be opened appear in no listing.
        let damaged = try doctor.examine().filter { $0.severity == .damage }.reduce(0) { $0 + $1.count }
        if damaged > 0 { report.leftOut.append(("damaged", damaged)) }
        if binary > 0 { report.leftOut.append(("no text, or no secret", binary)) }
        if others > 0 { report.leftOut.append(("certificates and keys", others)) }
        return report
    }

    /// `nil`: the item can't be written as text.
    private func parts(_ record: ItemRecord) throws -> [Secret]? {
        if isJSON { return try BitwardenText.entry(record) }
        return try record.secret.flatMap { try LeavingEntry(record).record($0) }.map { [$0] }
    }

    /// Runs the export and prints its result.
    static func run(_ choice: HomeChoice, format: ExportFormat, file: String, json: Bool) throws {
        let home = try ChosenHome.openUnlocked(choice.reading)
        let leaving = LeavingExport(
            keychain: Keychain(home: home), doctor: KeychainDoctor(home: home), isJSON: format == .json)
        let report = try leaving.write(to: file)
        let leftOut = report.leftOut
        Done.note("the export is written")
        try Printer(json: json).answer(
            .object([
                ("exported", .count(report.count)),
                ("leftOut", .object(leftOut.map { ($0.reason, .count($0.count)) })),
            ]),
            ["exported: \(report.count)"] + leftOut.map { "left out, \($0.reason): \($0.count)" })
        try Channel.error.line(
            "zamok: \(file.printable) holds all of these secrets in clear; remove it once it is read")
        guard leftOut.isEmpty else { throw CommandFailure.inPart }
    }
}
