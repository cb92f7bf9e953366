// SPDX-License-Identifier: Apache-2.0

import Keychains

/// What an export or an import did.
enum TransferPrinter {
    /// `verb` says what was done with an item, "added" for example.
    static func lines(_ transfer: KeychainTransfer, _ verb: String, _ refusals: [ItemListing.Refusal] = []) -> [String]
    {
        var lines = ["\(verb): \(transfer.count)"]
        for (reason, count) in leftOut(transfer) where reason != .refused {
            lines.append("left out, \(words[reason] ?? reason.word): \(count)")
        }
        let refused = transfer.leftOut[.refused, default: 0] + refusals.count
        if refused > 0 { lines.append("refused: \(refused)") }
        return lines + refusals.map { "  line \($0.line): \($0.reason.printable)" }
    }

    static func json(_ transfer: KeychainTransfer, _ verb: String, _ refusals: [ItemListing.Refusal] = []) -> JSON {
        .object([
            (verb, .number(Int64(transfer.count))),
            ("leftOut", .object(leftOut(transfer).map { ($0.0.word, .number(Int64($0.1))) })),
            (
                "refused",
                .array(refusals.map { .object([("line", .number(Int64($0.line))), ("reason", .text($0.reason))]) })
            ),
        ])
    }

    private static func leftOut(_ transfer: KeychainTransfer) -> [(KeychainTransfer.Reason, Int)] {
        transfer.leftOut.sorted { $0.key.word < $1.key.word }.map { ($0.key, $0.value) }
    }

    private static let words: [KeychainTransfer.Reason: String] = [
        .thisDeviceOnly: "bound to this device", .accessControlled: "asks for the person each time",
        .locked: "locked now", .damaged: "damaged", .keyDestroyed: "its key was destroyed",
        .duplicate: "already there", .notEntitled: "of a group that may not be used",
        .notAnItem: "no item, but of a backup (see: zamok users restore)",
    ]
}
