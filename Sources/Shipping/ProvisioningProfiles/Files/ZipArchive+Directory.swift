// SPDX-License-Identifier: Apache-2.0

import Readers

/// The location of the central directory, from the end record or the Zip64 one before it.
struct ZipDirectoryLocation {
    let offset: UInt64
    let size: Int
    let count: Int

    private static let endRecordSize = 22
    private static let maximumComment = 65_535

    init(_ source: any ByteSource) throws(ProfileError) {
        let tailSize = min(source.size, UInt64(Self.endRecordSize + Self.maximumComment + 20))
        let tailStart = source.size - tailSize
        let tail = BoundedBytes(try source.read(at: tailStart, count: Int(tailSize)), failingAs: .archive)
        let end = try Self.endRecord(in: tail)
        guard try tail.uint16(at: end + 4, .little) == 0, try tail.uint16(at: end + 6, .little) == 0 else {
            throw ProfileError(.archive, "an archive in several parts")
        }
        var count = UInt64(try tail.uint16(at: end + 10, .little))
        var size = UInt64(try tail.uint32(at: end + 12, .little))
        var offset = UInt64(try tail.uint32(at: end + 16, .little))
        guard try tail.uint16(at: end + 8, .little) == UInt16(truncatingIfNeeded: count) else {
            throw ProfileError(.archive, "an archive in several parts")
        }
        var directoryEnd = tailStart + UInt64(end)
        if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
            (count, size, offset, directoryEnd) = try Self.zip64(source, tail: tail, end: end, tailStart: tailStart)
        }
        guard count <= UInt64(ZipArchive.maximumEntries), size <= UInt64(ZipArchive.maximumDirectorySize) else {
            throw ProfileError(.tooLarge, "an archive with \(count) entries in a directory of \(size) bytes")
        }
        // No gap: bytes that belong to no record are refused.
        guard offset <= directoryEnd, size == directoryEnd - offset else {
            throw ProfileError(.archive, "the archive's directory is not where its end record says")
        }
        (self.offset, self.size, self.count) = (offset, Int(size), Int(count))
    }

    /// The end record whose comment ends exactly at the end of the file.
    private static func endRecord(in tail: BoundedBytes) throws(ProfileError) -> Int {
        var position = tail.count - endRecordSize
        while position >= 0 {
            if try tail.uint32(at: position, .little) == 0x0605_4B50,
                Int(try tail.uint16(at: position + 20, .little)) == tail.count - position - endRecordSize
            {
                return position
            }
            position -= 1
        }
        throw ProfileError(.archive, "it is not a zip archive, or is cut short")
    }

    private static func zip64(
        _ source: any ByteSource, tail: BoundedBytes, end: Int, tailStart: UInt64
    ) throws(ProfileError) -> (count: UInt64, size: UInt64, offset: UInt64, end: UInt64) {
        let locator = try tail.window(at: end - 20, count: 20)
        guard try locator.uint32(at: 0, .little) == 0x0706_4B50, try locator.uint32(at: 16, .little) <= 1 else {
            throw ProfileError(.archive, "a Zip64 archive without its locator")
        }
        let recordOffset = try locator.uint64(at: 8, .little)
        let locatorOffset = tailStart + UInt64(end) - 20
        guard locatorOffset >= 56, recordOffset == locatorOffset - 56 else {
            throw ProfileError(.archive, "a Zip64 end record that is not before its locator")
        }
        let record = BoundedBytes(try source.read(at: recordOffset, count: 56), failingAs: .archive)
        guard try record.uint32(at: 0, .little) == 0x0606_4B50, try record.uint64(at: 4, .little) == 44,
            try record.uint64(at: 24, .little) == record.uint64(at: 32, .little)
        else { throw ProfileError(.archive, "a Zip64 end record that can't be read") }
        return (
            try record.uint64(at: 32, .little), try record.uint64(at: 40, .little),
            try record.uint64(at: 48, .little), recordOffset
        )
    }
}

extension ZipArchive {
    /// Reads the central record at `position` and moves past it.
    static func entry(_ bytes: BoundedBytes, _ position: inout Int) throws(ProfileError) -> Entry {
        let fixed = try bytes.window(at: position, count: 46)
        guard try fixed.uint32(at: 0, .little) == 0x0201_4B50 else {
            throw ProfileError(.archive, "the archive's directory can't be read")
        }
        let nameLength = Int(try fixed.uint16(at: 28, .little))
        let extraLength = Int(try fixed.uint16(at: 30, .little))
        let commentLength = Int(try fixed.uint16(at: 32, .little))
        let name = try checkedName(bytes.window(at: position + 46, count: nameLength))
        let extra = try bytes.window(at: position + 46 + nameLength, count: extraLength)
        _ = try bytes.window(at: position + 46 + nameLength + extraLength, count: commentLength)
        position += 46 + nameLength + extraLength + commentLength
        let sizes = try Zip64Sizes(fixed, extra)
        let madeByUnix = try fixed.uint16(at: 4, .little) >> 8 == 3
        let mode = try fixed.uint32(at: 38, .little) >> 16
        let entry = Entry(
            name: name, flags: try fixed.uint16(at: 8, .little), method: try fixed.uint16(at: 10, .little),
            crc: try fixed.uint32(at: 16, .little), compressedSize: sizes.compressed, size: sizes.size,
            headerOffset: sizes.offset, isSymbolicLink: madeByUnix && mode & 0o170000 == 0o120000)
        try check(entry, disk: fixed.uint16(at: 34, .little))
        return entry
    }

    private static func check(_ entry: Entry, disk: UInt16) throws(ProfileError) {
        // Bits 0, 6 and 13: encrypted entry, strong encryption, encrypted directory.
        guard entry.flags & 0x2041 == 0 else { throw ProfileError(.archive, "an encrypted entry") }
        guard entry.method == 0 || entry.method == 8 else {
            throw ProfileError(.archive, "an entry compressed by another method than deflate")
        }
        guard entry.method == 8 || entry.compressedSize == entry.size else {
            throw ProfileError(.archive, "a stored entry of two sizes")
        }
        guard !entry.isSymbolicLink else { throw ProfileError(.archive, "a symbolic link") }
        guard disk == 0 || disk == 0xFFFF else { throw ProfileError(.archive, "an archive in several parts") }
        // Deflate can't do better than 1032 to 1.
        guard entry.size / 1032 <= entry.compressedSize else {
            throw ProfileError(.archive, "an entry with an impossible size")
        }
    }

    /// A relative path inside the archive, with forward slashes only.
    private static func checkedName(_ bytes: BoundedBytes) throws(ProfileError) -> String {
        guard let name = String(validUTF8: bytes.bytes), !name.isEmpty else {
            throw ProfileError(.archive, "an entry without a name, or one that is not UTF-8")
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let folders = parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
        let isSafe =
            !name.hasPrefix("/") && !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x5C || $0 == 0x7F })
            && !folders.contains { $0.isEmpty || $0 == "." || $0 == ".." }
        guard isSafe else { throw ProfileError(.archive, "an entry whose name leads out of the archive") }
        return name
    }
}

/// Sizes and offset of a record, taken from its Zip64 field where the short ones are full.
private struct Zip64Sizes {
    var size: UInt64
    var compressed: UInt64
    var offset: UInt64

    init(_ fixed: BoundedBytes, _ extra: BoundedBytes) throws(ProfileError) {
        compressed = UInt64(try fixed.uint32(at: 20, .little))
        size = UInt64(try fixed.uint32(at: 24, .little))
        offset = UInt64(try fixed.uint32(at: 42, .little))
        let isWide = [size, compressed, offset].contains(0xFFFF_FFFF)
        guard let field = try ZipExtra.field(1, in: extra) else {
            guard !isWide else { throw ProfileError(.archive, "an entry without its Zip64 sizes") }
            return
        }
        var position = 0
        for path in [\Zip64Sizes.size, \.compressed, \.offset] where self[keyPath: path] == 0xFFFF_FFFF {
            self[keyPath: path] = try field.uint64(at: position, .little)
            position += 8
        }
    }
}

enum ZipExtra {
    /// The content of the extra field with this identifier; nil if there is none. Duplicates are refused.
    static func field(_ identifier: UInt16, in extra: BoundedBytes) throws(ProfileError) -> BoundedBytes? {
        var found: BoundedBytes?
        var position = 0
        // Android's aligner pads with fewer than four zero bytes.
        while extra.count - position >= 4 {
            let length = Int(try extra.uint16(at: position + 2, .little))
            let content = try extra.window(at: position + 4, count: length)
            if try extra.uint16(at: position, .little) == identifier {
                guard found == nil else { throw ProfileError(.archive, "a duplicate extra field") }
                found = content
            }
            position += 4 + length
        }
        return found
    }
}
