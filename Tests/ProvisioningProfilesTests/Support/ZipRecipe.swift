// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Zip archives assembled record by record, so that every record can be wrong. Entries are stored, or deflated in
/// "stored" blocks, which need no compressor.
struct ZipRecipe {
    struct Entry {
        var name: String
        var content: [UInt8]
        var isDeflated = true
        /// Already compressed bytes, instead of blocks made here.
        var compressed: [UInt8]?
        var flags: UInt16 = 0
        var method: UInt16?
        var usesZip64 = false
        /// Where the local header differs from the directory.
        var localName: String?
        var localFlags: UInt16?
        var localSize: UInt32?
        var crc: UInt32?
        var size: UInt32?
        var externalAttributes: UInt32 = 0
        var extra: [UInt8] = []

        init(name: String, content: [UInt8], isDeflated: Bool = true) {
            (self.name, self.content, self.isDeflated) = (name, content, isDeflated)
        }

        var data: [UInt8] { compressed ?? (isDeflated ? Self.deflated(content) : content) }

        /// Blocks of at most 65,535 bytes, not compressed (RFC 1951, 3.2.4).
        static func deflated(_ content: [UInt8]) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = content[...]
            repeat {
                let block = rest.prefix(0xFFFF)
                rest = rest.dropFirst(block.count)
                let length = UInt16(block.count)
                bytes += [rest.isEmpty ? 1 : 0] + little(length) + little(~length) + block
            } while !rest.isEmpty
            return bytes
        }
    }

    var entries: [Entry]
    var usesZip64End = false
    var comment: [UInt8] = []
    /// Between the last entry and the directory.
    var gap: [UInt8] = []
    /// Moves the second entry's offset in the directory.
    var offsetShift: Int64 = 0
    var count: UInt16?
    var disk: UInt16 = 0
    /// Zero bytes behind the content of the first entry, which must be stored; they exist in the file only.
    var hole: UInt32 = 0

    func bytes() -> [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            let offset = Int64(file.count) + (index == 1 ? offsetShift : 0) + (index > 0 ? Int64(hole) : 0)
            file += local(entry, hole: index == 0 ? hole : 0)
            directory += central(entry, at: UInt32(offset), hole: index == 0 ? hole : 0)
        }
        let start = file.count + Int(hole)
        file += directory
        if usesZip64End {
            let record = file.count
            file += little(UInt32(0x0606_4B50)) + little(UInt64(44)) + little(UInt16(45)) + little(UInt16(45))
            file +=
                little(UInt32(0)) + little(UInt32(0)) + little(UInt64(entries.count)) + little(UInt64(entries.count))
            file += little(UInt64(directory.count)) + little(UInt64(start))
            file += little(UInt32(0x0706_4B50)) + little(UInt32(0)) + little(UInt64(record)) + little(UInt32(1))
        }
        file += gap
        let number = count ?? (usesZip64End ? 0xFFFF : UInt16(entries.count))
        file += little(UInt32(0x0605_4B50)) + little(disk) + little(disk) + little(number) + little(number)
        file += little(usesZip64End ? .max : UInt32(directory.count)) + little(usesZip64End ? .max : UInt32(start))
        return file + little(UInt16(comment.count)) + comment
    }

    /// Writes the archive; the hole takes no space on the disk.
    func write(to path: String) throws {
        let bytes = bytes()
        let split = local(entries[0], hole: hole).count
        try Data(bytes[..<split]).write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(split) + UInt64(hole))
        try file.write(contentsOf: bytes[split...])
    }

    private func local(_ entry: Entry, hole: UInt32 = 0) -> [UInt8] {
        let name = Array((entry.localName ?? entry.name).utf8)
        let hasDescriptor = entry.flags & 8 != 0
        let size = entry.localSize ?? entry.size ?? UInt32(entry.content.count) + hole
        let extra = entry.extra + (entry.usesZip64 ? zip64(entry, hasOffset: false) : [])
        var bytes = little(UInt32(0x0403_4B50)) + little(UInt16(20)) + little(entry.localFlags ?? entry.flags)
        bytes += little(method(entry)) + little(UInt32(0)) + little(hasDescriptor ? 0 : crc(entry))
        bytes += little(entry.usesZip64 ? .max : hasDescriptor ? 0 : UInt32(entry.data.count) + hole)
        bytes += little(entry.usesZip64 ? .max : hasDescriptor ? 0 : size)
        bytes += little(UInt16(name.count)) + little(UInt16(extra.count)) + name + extra + entry.data
        guard hasDescriptor else { return bytes }
        return bytes + little(UInt32(0x0807_4B50)) + little(crc(entry)) + little(UInt32(entry.data.count))
            + little(size)
    }

    private func central(_ entry: Entry, at offset: UInt32, hole: UInt32) -> [UInt8] {
        let name = Array(entry.name.utf8)
        let extra = entry.extra + (entry.usesZip64 ? zip64(entry, hasOffset: true, offset: UInt64(offset)) : [])
        var bytes = little(UInt32(0x0201_4B50)) + little(UInt16(0x0314)) + little(UInt16(20)) + little(entry.flags)
        bytes += little(method(entry)) + little(UInt32(0)) + little(crc(entry))
        bytes += little(entry.usesZip64 ? .max : UInt32(entry.data.count) + hole)
        bytes += little(entry.usesZip64 ? .max : entry.size ?? UInt32(entry.content.count) + hole)
        bytes += little(UInt16(name.count)) + little(UInt16(extra.count)) + little(UInt16(0)) + little(UInt16(0))
        bytes += little(UInt16(0)) + little(entry.externalAttributes)
        return bytes + little(entry.usesZip64 ? .max : offset) + name + extra
    }

    private func zip64(_ entry: Entry, hasOffset: Bool, offset: UInt64 = 0) -> [UInt8] {
        little(UInt16(1)) + little(UInt16(hasOffset ? 24 : 16)) + little(UInt64(entry.content.count))
            + little(UInt64(entry.data.count)) + (hasOffset ? little(offset) : [])
    }

    private func method(_ entry: Entry) -> UInt16 { entry.method ?? (entry.isDeflated ? 8 : 0) }
    private func crc(_ entry: Entry) -> UInt32 { entry.crc ?? CRC32.checksum(entry.content) }
}

func little<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Integer(8 * $0)) }
}

/// The checksum of zip, worked out apart from zlib.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
