// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychains
import Readers
import SecretMemory

/// Items in the output for users and scripts.
enum ItemPrinter {
    /// Whether the field names the item. Such fields are shown even if they are empty.
    private static func isName(_ field: ItemField, of record: ItemRecord) -> Bool {
        switch record.itemClass {
        case .genericPassword, .internetPassword: field == .service || field == .server || field == .account
        case .certificate, .key, .identity, .syncRecord: field == .label
        }
    }

    /// The item as one JSON object. The secret is text, or Base64 if it isn't UTF-8; `encoding` says which.
    static func json(_ record: ItemRecord) throws -> JSON {
        var members: [(String, JSON)] = [("class", .text(record.itemClass.name))]
        for field in ItemField.allCases {
            guard let value = record[field], !value.isEmpty || isName(field, of: record) else { continue }
            switch field {
            case .port: members.append((field.name, Int64(value).map { .number($0) } ?? .text(value)))
            case .synchronizable: members.append((field.name, .bool(value == "true")))
            default: members.append((field.name, .text(value)))
            }
        }
        members += record.details.map { ($0.name, .text($0.value)) }
        let asks = record.accessControl.name
        if !asks.isEmpty { members.append(("asks-for", .text(asks))) }
        members += dates(record).map { ($0, .text($1)) }
        if let reference = record.persistentReference {
            members.append(("reference", .text(ReferenceWord.text(of: reference))))
        }
        if let secret = record.secret { members += try value(secret) }
        if record.itemClass == .identity, let certificate = record.certificate {
            members.append(("certificate", .text(try Data(exposing: certificate).base64EncodedString())))
        }
        return .object(members)
    }

    static func value(_ secret: Secret) throws -> [(String, JSON)] {
        if let text = try String(exposing: secret) { return [("value", .text(text)), ("encoding", .text("text"))] }
        let base64 = try Data(exposing: secret).base64EncodedString()
        return [("value", .text(base64)), ("encoding", .text("base64"))]
    }

    /// One line for each field.
    static func lines(_ record: ItemRecord) -> [String] {
        let fields = ItemField.allCases.compactMap { field in record[field].map { (field.name, $0.printable) } }
        let asks = ("asks for", record.accessControl.name)
        let rows = [("class", record.itemClass.name)] + fields + record.details + [asks] + dates(record)
        return rows.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
    }

    /// The head of a table of items.
    static let head = ["CLASS", "SERVICE, SERVER OR LABEL", "ACCOUNT OR TAG", "GROUP", "ACCESSIBLE"]

    static func row(_ record: ItemRecord) -> [String] {
        let isPassword = record.itemClass == .genericPassword || record.itemClass == .internetPassword
        let place = record[.service] ?? record[.server] ?? (isPassword ? nil : record[.label]) ?? ""
        let details = record.itemClass == .certificate ? record.details : []
        let subject = details.first { $0.name == "subject" }?.value
        let shown = subject.map { $0 == place || place.isEmpty ? $0 : "\(place) (\($0))" } ?? place
        let end = details.first { $0.name == "valid-until" }.map { "until \($0.value.prefix(10))" }
        let name = record[.account] ?? record[.tag] ?? end ?? ""
        let columns = [shown, name, record[.group] ?? "", record[.accessible] ?? ""]
        return [record.itemClass.name] + columns.map(\.printable)
    }

    private static func dates(_ record: ItemRecord) -> [(String, String)] {
        let (created, modified) = (record.creationDate, record.modificationDate)
        let text = created?.formatted(.iso8601)
        return [("created", text), ("modified", modified == created ? text : modified?.formatted(.iso8601))]
            .compactMap { name, text in text.map { (name, $0) } }
    }
}

/// The output for an export or an import.
enum TransferPrinter {
    /// The result as lines. `verb` is the action on an item, for example "added".
    static func lines(
        _ transfer: KeychainTransfer, verb: String, refusals: [ItemListing.Refusal] = [], place: String = "line",
        notes: [ImportNotes.Note] = []
    ) -> [String] {
        let (partly, refusals) = (refusals.filter(\.isPart), refusals.filter { !$0.isPart })
        var lines = ["\(verb): \(transfer.count)"]
        if transfer.replaced > 0 { lines.append("replaced: \(transfer.replaced)") }
        for (reason, count) in leftOut(transfer) where reason != .refused {
            lines.append("left out, \(words[reason] ?? reason.word): \(count)")
        }
        let refused = transfer.leftOut[.refused, default: 0] + refusals.count
        if refused > 0 { lines.append("refused: \(refused)") }
        lines += notes.map { note in
            (note.line.map { "  \(place) \($0): " } ?? "  ") + "\(note.name.printable): \(note.what.printable)"
        }
        lines += refusals.map { "  \(place) \($0.line): \($0.reason.printable)" }
        if !partly.isEmpty { lines.append("not taken over of items that were: \(partly.count)") }
        return lines + partly.map { "  \(place) \($0.line): \($0.reason.printable)" }
    }

    static func json(
        _ transfer: KeychainTransfer, verb: String, refusals: [ItemListing.Refusal] = [], names: [String]? = nil,
        notes: [ImportNotes.Note] = [], kept: [String: Int] = [:]
    ) -> JSON {
        func list(_ refusals: [ItemListing.Refusal]) -> JSON {
            .array(refusals.map { .object([("line", .count($0.line)), ("reason", .text($0.reason))]) })
        }
        let partly = refusals.filter(\.isPart)
        let told = notes.map { note in
            JSON.known([
                ("line", note.line.map { .count($0) }), ("name", .text(note.name)), ("reason", .text(note.what)),
            ])
        }
        return .known([
            (verb, .count(transfer.count)), ("replaced", transfer.replaced > 0 ? .count(transfer.replaced) : nil),
            ("leftOut", .object(leftOut(transfer).map { ($0.0.word, .count($0.1)) })),
            ("refused", list(refusals.filter { !$0.isPart })), ("partly", partly.isEmpty ? nil : list(partly)),
            ("items", told.isEmpty ? nil : .array(told)), ("names", names.map { .array($0.map { .text($0) }) }),
            ("kept", kept.isEmpty ? nil : .sorted(kept) { .count($0) }),
        ])
    }

    private static func leftOut(_ transfer: KeychainTransfer) -> [(KeychainTransfer.Reason, Int)] {
        transfer.leftOut.sorted { $0.key.word < $1.key.word }.map { ($0.key, $0.value) }
    }

    private static let words: [KeychainTransfer.Reason: String] = [
        .thisDeviceOnly: "bound to this device", .accessControlled: "asks for the person each time",
        .locked: "locked now", .damaged: "damaged", .keyDestroyed: "its key was destroyed",
        .duplicate: "already there", .different: "stored with other contents",
        .notEntitled: "of a group that may not be used",
        .notAnItem: "no item, but of a backup (see: zamok users restore)",
    ]
}
