// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Mutations
import Testing

@testable import ProtectedFiles

/// What the readers of folder records and of the list of known folders make of hostile bytes.
@Suite struct FolderRecordFuzzTests {
    private static let state = FileState(bytes: pattern(64))

    private static let records: [[UInt8]] = {
        var full = FolderRecord()
        full.apply(.protection(.complete))
        full.apply(.indexed(true))
        for number in 0..<3 { full.apply(.adopted(pattern(16, seed: UInt64(number)))) }
        for number in 0..<6 { full.apply(.known(name: Array("name \(number)".utf8), state)) }
        full.apply(.intent(name: [3], from: .absent, to: state))
        let gone = FolderRecord.encode(.gone(name: [3])) + FolderRecord.encode(.known(name: [0xFF], state))
        return [FolderRecord().compact, full.compact, full.compact + gone]
    }()

    @Test("a folder record that is read is written and read again as the same") func records() {
        let run = FuzzRun.tried("folder records", corpus: Self.records, bounded: 20_000) { input in
            let bytes = Array(input)
            guard let record = try? FolderRecord(bytes) else { return false }
            let again = try FolderRecord(record.compact)
            #expect(again.compact == record.compact)
            #expect(again.files == record.files && again.adopted == record.adopted)
            #expect(again.protection == record.protection && again.isIndexed == record.isIndexed)
            // No more than the bytes can hold.
            #expect(record.files.count <= bytes.count / 70 && record.adopted.count <= 1024)
            return true
        }
        #expect(run.refused > run.inputs / 4 && run.refused < run.inputs)
    }

    @Test("a list of known folders in any form is read as far as it goes, at once or in parts") func lists() {
        let list =
            KnownList.kept(3) + Array("17 /a/b\u{0}18446744073709551615 /c\u{0}17 /a/b\u{0}99 /d e/f\u{0}12 /un".utf8)
        let run = FuzzRun.tried(
            "lists of known folders", corpus: [list, Array("#9223372036854775807".utf8) + [0]], bounded: 20_000
        ) { input in
            let bytes = Array(input)
            var (whole, parts) = (KnownList(), KnownList())
            whole.take(bytes)
            // A reader that comes again goes on where it was.
            parts.take(Array(bytes.prefix(bytes.count / 2)))
            parts.take(Array(bytes.dropFirst(parts.end)))
            #expect(whole.order == parts.order && whole.end == parts.end)
            #expect(whole.isCrowded == parts.isCrowded)
            return !whole.order.isEmpty
        }
        #expect(run.refused < run.inputs)
    }
}
