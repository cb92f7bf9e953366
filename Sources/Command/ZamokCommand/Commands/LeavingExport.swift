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
    case json, csv, cxf
}

/// A plaintext export of passwords for another password manager, as Bitwarden's JSON, as CSV or as a document of the
/// Credential Exchange Format.
struct LeavingExport {
    /// The result of an export.
    struct Report {
        var count = 0
        var leftOut: [(reason: String, count: Int)] = []

        mutating func leave(_ count: Int, _ reason: String) {
            if count > 0 { leftOut.append((reason, count)) }
        }
    }

    let keychain: Keychain
    let doctor: KeychainDoctor
    let format: ExportFormat

    private var isJSON: Bool { format == .json }

    /// Writes a new file of mode 0600. Prompts the user for secrets that require it.
    func write(to path: String) throws -> Report {
        var report = Report()
        do {
            let file = try NewFile(at: FileLocation(path))
            var offset = 0
            func put(_ part: Secret) throws {
                try part.withSecretBytes { try file.write($0, at: offset) }
                offset += part.count
            }
            report = try format == .cxf ? writeExchange(put) : writeItems(put)
            try file.finish()
        } catch let error as FileError {
            throw CommandFailure.status(
                error.isPresentAlready ? .duplicateItem : .inputOutput,
                "\(path.printable) can't be written: \(error.text)")
        }
        // Items that can't be opened appear in no listing.
        let damaged = try doctor.examine().filter { $0.severity == .damage }.reduce(0) { $0 + $1.count }
        if damaged > 0 { report.leftOut.insert(("damaged", damaged), at: 0) }
        return report
    }

    private func writeExchange(_ put: @escaping (Secret) throws -> Void) throws -> Report {
        var writer = ExchangeWriter(keychain, put)
        let result = try writer.write(at: Date())
        var report = Report(count: result.count)
        report.leave(result.binary, Self.noText)
        report.leave(result.byCounter, "one-time codes by counter")
        report.leave(result.keys, Self.others)
        report.leave(result.unreadable, "kept entries that can't be read")
        return report
    }

    private static let noText = "no text, or no secret"
    private static let others = "certificates and keys"

    private func writeItems(_ output: (Secret) throws -> Void) throws -> Report {
        var report = Report()
        var (binary, others, kept) = (0, 0, 0)
        func put(text: String) throws { try output(try Secret(copying: Array(text.utf8))) }
        try put(text: isJSON ? BitwardenText.beginning : LeavingEntry.head)
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            for known in try keychain.records(matching: ItemRecord(itemClass)) {
                guard let reference = known.persistentReference else { continue }
                guard !KeptEntry.isOne(known) else {
                    kept += 1
                    continue
                }
                let record = try keychain.record(reference, includingSecret: true)
                guard let parts = try parts(record) else {
                    binary += 1
                    continue
                }
                if isJSON, report.count > 0 { try put(text: ",\n") }
                for part in parts { try output(part) }
                report.count += 1
            }
        }
        if isJSON { try put(text: BitwardenText.end) }
        for itemClass in [ItemClass.certificate, .key] {
            others += try keychain.records(matching: ItemRecord(itemClass)).count
        }
        report.leave(binary, Self.noText)
        report.leave(others, Self.others)
        report.leave(kept, "kept for --format cxf")
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
            keychain: Keychain(home: home), doctor: KeychainDoctor(home: home), format: format)
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
