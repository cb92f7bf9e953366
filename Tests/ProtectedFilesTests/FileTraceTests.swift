// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// What reading a file leaves in the memory of a process that has closed it again.
@Suite(.disabled(if: MemorySearch.isHindered)) struct FileTraceTests {
    @Test(
        "no key of a file that was read whole is left in memory",
        arguments: [ProtectionClass.none, .complete, .completeUnlessOpen], [1000, 100_000])
    func reading(_ protection: ProtectionClass, count: Int) throws {
        let found = try traces(protection, count, isClearing: true)
        #expect(found == [])
    }

    @Test("and would be, if nothing cleared it") func careless() throws {
        #expect(try !traces(.none, 1000, isClearing: false).isEmpty)
    }

    private func traces(_ protection: ProtectionClass, _ count: Int, isClearing: Bool) throws -> [String] {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.store.write(pattern(count), to: path, protection: protection)
        let header = try SealedFile.open(path, mode: .read, keybag: files.home.keybag, hooks: FileHooks()).header
        let keys = try FileKeys.fetch(header, from: files.home.keybag)
        // Both halves and the middle: a copy may have lost its ends.
        let needles = try [0..<16, 8..<24, 16..<32].flatMap { part in
            [try #require(try keys.content.exposingBytes(part)), try #require(try keys.header.exposingBytes(part))]
        }
        let child = try Child("test-worker", ["files", files.temporary.path])
        func ask(_ line: String) throws -> String {
            try child.send("\(line)\n".utf8)
            return try child.line()
        }
        if !isClearing { #expect(try ask("clearing-off") == "ok") }
        for _ in 0..<3 { #expect(try ask("read \(path)") == "ok \(count)") }
        return try MemorySearch.search(process: child.id, for: needles).map(\.description)
    }
}
