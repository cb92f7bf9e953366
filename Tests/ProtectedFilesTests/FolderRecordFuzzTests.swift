// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// What the readers of folder records and of the list of known folders make of hostile bytes.
@Suite struct FolderRecordFuzzTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
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
        #expect(run.isBounded && run.refused > run.inputs / 4 && run.refused < run.inputs)
    }

    @Test("a folder whose record is hostile, as a file or under its right key, gives its files back or says why")
    func folders() throws {
        let files = try TemporaryStore(inMemory: true)
        let path = files.path("a")
        try files.store.setDefaultProtection(.completeUnlessOpen, forFolder: files.folder)
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.write([1, 2, 3], to: path)
        let record = files.path(".zamok-folder")
        let good = try files.raw(record)
        var raws = Mutator(corpus: [Array(good[..<1100]), good], seed: Self.seed)
        let content = try #require(try files.store.folders.record(of: files.folder)).compact
        var contents = Mutator(corpus: Self.records + [content], seed: Self.seed &+ 1)
        let run = try FuzzRun.repeated("folders' records", bounded: 300) { number in
            if number % 2 == 0 {
                let bytes = raws.next()
                try files.setRaw(record, bytes.count > 1024 ? bytes : bytes + good.dropFirst(bytes.count))
            } else {
                try files.setRaw(record, good)
                let bytes = contents.next()
                var file = try SealedFile.open(record, mode: .change, keybag: files.home.keybag, hooks: FileHooks())
                try file.beginChange()
                try file.setLength(0)
                try bytes.withSpan(bytes.count) { try file.write($0, at: 0) }
                try file.commit()
            }
            // As another process would read it.
            let store = try files.another()
            let failure = code {
                #expect(try store.read(from: path) == [1, 2, 3])
                try store.verify(folder: files.folder)
            }
            let allowed: [ProtectedFileError.Code?] = [
                nil, .damaged, .newerFormat, .folderRecord, .foreign, .keyDestroyed, .notProtected, .replaced, .missing,
            ]
            #expect(allowed.contains(failure), "\(failure as Any)")
            return failure == nil
        }
        #expect(run.isBounded && run.refused < run.inputs)
    }

    @Test("a list of known folders in any form is read as far as it verifies, at once or in parts") func lists()
        throws
    {
        let key = try Secret(copying: [UInt8](repeating: 7, count: 32))
        let entries = (1...3).map {
            KnownFolders.Entry(identity: FileIdentity(device: $0, inode: 9), folder: FileLocation("/a/\($0)"))
        }
        let list = try KnownList.encoded(entries, above: 4, key).bytes
        let run = FuzzRun.tried("lists of known folders", corpus: [list], bounded: 20_000) { input in
            let bytes = Array(input)
            var (whole, parts) = (KnownList(), KnownList())
            try whole.take(bytes, key)
            // A reader that comes again goes on where it was.
            try parts.take(Array(bytes.prefix(bytes.count / 2)), key)
            try parts.take(Array(bytes.dropFirst(parts.end)), key)
            #expect(whole.order == parts.order && whole.end == parts.end && whole.number == parts.number)
            #expect(whole.order == Array(entries.prefix(whole.order.count)), "what it does not say is read from it")
            #expect(whole.isCrowded == parts.isCrowded)
            return !whole.order.isEmpty
        }
        #expect(run.isBounded && run.refused < run.inputs)
    }
}
