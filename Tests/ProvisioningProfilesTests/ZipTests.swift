// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

struct ZipTests {
    private static let text = Array("some content that is long enough to be found again".utf8)
    private static let large = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private func recipe(_ change: (inout ZipRecipe) -> Void = { _ in }) -> ZipRecipe {
        var recipe = ZipRecipe(entries: [
            .init(name: "Payload/", content: [], isDeflated: false), .init(name: "Payload/a", content: Self.text),
            .init(name: "Payload/b", content: Self.large),
            .init(name: "Payload/stored", content: Self.text, isDeflated: false),
        ])
        change(&recipe)
        return recipe
    }

    private func read(_ recipe: ZipRecipe) throws -> [String: [UInt8]] {
        try InnerReaders.archive(recipe.bytes(), limit: 1 << 20)
    }

    @Test func `stored and deflated entries are read`() throws {
        let contents = try read(recipe())
        #expect(contents.keys.sorted() == ["Payload/a", "Payload/b", "Payload/stored"])
        #expect(contents["Payload/a"] == Self.text)
        #expect(contents["Payload/b"] == Self.large)
        #expect(contents["Payload/stored"] == Self.text)
    }

    @Test func `what zlib compressed is read`() throws {
        // "aaaa..." as raw deflate, made by zlib: 1,000 letters in 11 bytes.
        let compressed: [UInt8] = [0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60, 0x14, 0x0C, 0x77, 0x00, 0x00]
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        let packed = recipe {
            $0.entries[1].content = letters
            $0.entries[1].compressed = compressed
        }
        #expect(try read(packed)["Payload/a"] == letters)
    }

    @Test func `Zip64 entries, Zip64 end records, descriptors, comments and padding are read`() throws {
        let zip64 = recipe {
            $0.usesZip64End = true
            for index in $0.entries.indices { $0.entries[index].usesZip64 = true }
        }
        #expect(try read(zip64)["Payload/b"] == Self.large)
        let described = recipe {
            $0.entries[1].flags = 8
            $0.entries[2].flags = 8
        }
        #expect(try read(described)["Payload/a"] == Self.text)
        let padded = recipe {
            $0.comment = Array("comment".utf8)
            $0.entries[1].extra = [0x55, 0x54, 1, 0, 3, 0, 0, 0]
        }
        #expect(try read(padded)["Payload/a"] == Self.text)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (inout ZipRecipe) -> Void

        init(_ name: String, _ apply: @escaping @Sendable (inout ZipRecipe) -> Void) {
            (testDescription, self.apply) = (name, apply)
        }
    }

    static let faults = [
        Fault("local header with another name") { $0.entries[1].localName = "Payload/x" },
        Fault("local header with other flags") { $0.entries[1].localFlags = 2 },
        Fault("local header with another size") { $0.entries[1].localSize = 3 },
        Fault("two entries of one name") { $0.entries[2].name = "Payload/a" },
        Fault("names that differ only in case") { $0.entries[2].name = "PAYLOAD/A" },
        Fault("entries that overlap") { $0.offsetShift = -10 },
        Fault("an entry inside the content of another") { recipe in
            // Both headers are right; read in order, the second is content of the first.
            let inner = recipe.entries[1]
            let whole = ZipRecipe(entries: [inner]).bytes().prefix(30 + inner.name.utf8.count + inner.data.count)
            recipe.entries[0] = .init(name: "Payload/outer", content: Array(whole), isDeflated: false)
            recipe.offsetShift = -Int64(whole.count)
        },
        Fault("an entry outside the archive") { $0.offsetShift = 10_000_000 },
        Fault("an entry inside the directory") { $0.offsetShift = 200_500 },
        Fault("encrypted") { $0.entries[1].flags = 1 }, Fault("strongly encrypted") { $0.entries[1].flags = 0x40 },
        Fault("encrypted directory") { $0.entries[1].flags = 0x2000 },
        Fault("another method") { $0.entries[1].method = 12 },
        Fault("symbolic link") { $0.entries[1].externalAttributes = 0xA1FF_0000 },
        Fault("absolute name") { $0.entries[1].name = "/etc/passwd" },
        Fault("name with two dots") { $0.entries[1].name = "Payload/../../x" },
        Fault("name with one dot") { $0.entries[1].name = "Payload/./x" },
        Fault("name with an empty part") { $0.entries[1].name = "Payload//x" },
        Fault("name with a backslash") { $0.entries[1].name = "Payload\\x" },
        Fault("name with a control character") { $0.entries[1].name = "Payload/\n" },
        Fault("empty name") { $0.entries[1].name = "" },
        Fault("wrong checksum") { $0.entries[1].crc = 1 }, Fault("wrong checksum, stored") { $0.entries[3].crc = 1 },
        Fault("longer than it says") { $0.entries[1].size = 10 },
        Fault("shorter than it says") { $0.entries[1].size = 60 },
        Fault("stored with two sizes") { $0.entries[3].size = 10 },
        Fault("bytes behind the end of the stream") {
            $0.entries[1].compressed = ZipRecipe.Entry.deflated(ZipTests.text) + [0]
        },
        Fault("a stream that does not end") {
            $0.entries[1].compressed = Array(ZipRecipe.Entry.deflated(ZipTests.text).dropLast(4))
        },
        Fault("a broken stream") { $0.entries[1].compressed = [0xFF, 0xFF, 0xFF] },
        Fault("an impossible size") { $0.entries[1].size = 1 << 20 },
        Fault("a gap before the end record") { $0.gap = [0] }, Fault("fewer entries than there are") { $0.count = 3 },
        Fault("more entries than there are") { $0.count = 5 }, Fault("several parts") { $0.disk = 1 },
    ]

    // Rule: local headers and directory of an archive agree | not compared | another name, other flags, another size
    // Rule: one entry for each name, ignoring case | later ones win | one name, names that differ in case
    // Rule: entries do not overlap | not checked | an entry inside the content of another: written for this, since the
    //   overlap tested until then was refused by its broken header
    // Rule: no encrypted entries, links, or names that lead out | each ignored | encrypted in three ways, symbolic
    //   link, six names
    @Test(arguments: faults)
    func `each fault of an archive is refused`(fault: Fault) throws {
        #expect(profileError { _ = try read(recipe(fault.apply)) }?.code == .archive)
    }

    // Rule: a bomb is refused before it is inflated | a ratio of 2,000 allowed
    @Test func `a bomb is refused before it is inflated`() throws {
        // 8 MiB of one letter: possible for deflate, and nothing that code or property lists come to.
        let bomb = recipe {
            $0.entries[1].size = 8 << 20
            $0.entries[1].compressed = [UInt8](repeating: 0, count: 9000)
        }
        let error = try #require(profileError { _ = try InnerReaders.archive(bomb.bytes(), limit: .max) })
        #expect(error.code == .archive)
        #expect(error.message.contains("200 times"))
    }

    @Test func `an archive cut anywhere is refused`() throws {
        let whole = recipe().bytes()
        for length in stride(from: 0, to: whole.count, by: 997) + [whole.count - 1] {
            #expect(profileError { _ = try InnerReaders.archive(Array(whole.prefix(length)), limit: 1 << 20) } != nil)
        }
        #expect(profileError { _ = try InnerReaders.archive(whole + [0], limit: 1 << 20) }?.code == .archive)
    }
}
