// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory

/// The file of known folders as far as it was read (ProtectedFile.md, "Known folders"). Later reads continue
/// from there.
///
/// Each entry's code covers the preceding code, so what was read is a prefix of what this home wrote. Only
/// `StoreRecord` knows how long the whole list was.
struct KnownList {
    private(set) var entries: Set<KnownFolders.Entry> = []
    private(set) var order: [KnownFolders.Entry] = []
    /// The end of the last entry that verified; 0: not even the header did.
    private(set) var end = 0
    /// The revision number. Each entry that is written increases it, and so does each rewrite of the list.
    /// Never reused.
    private(set) var number: Int64 = 0
    /// Whether there are bytes after the last entry that verified.
    private(set) var hasMore = false
    /// How many entries the list began with.
    private var kept = 0
    /// The code of the last entry, or of the header.
    private var code: [UInt8] = []
    private var inode: UInt64 = 0

    private static let magic: UInt32 = 0x7A6B_666C  // zkfl
    private static let version: UInt8 = 1
    private static let codeSize = 32
    private static let headerSize = 72
    /// The size of an entry without its path and its code.
    private static let fixed = 18
    private static let sizeLimit = 1 << 26
    private static let fewEntries = 512

    /// Whether the list has at least 512 entries, and twice as many as after entries of missing folders were last
    /// dropped. The cost of dropping is thus amortised over the entries added since.
    var isCrowded: Bool { order.count >= Self.fewEntries && order.count / 2 >= kept }

    /// What the home remembers besides the number.
    var mark: [UInt8] { Array(code.prefix(StoreRecord.markSize)) }

    /// Whether the list has all that the home remembers: more entries, or as many and the same last one. Earlier
    /// entries were compared when they were the last.
    func hasReached(_ known: StoreRecord.Remembered) -> Bool {
        number > known.revision || number == known.revision && mark == known.mark
    }

    /// Reads what was added since the last time, or all of another list. Throws `.newerFormat`.
    mutating func read(_ file: OpenFile, _ key: Secret) throws {
        let status = try file.status()
        let size = min(status.size, Self.sizeLimit)
        if end > 0, status.inode == inode, size >= end {
            let begin = end - Self.codeSize
            let bytes = try file.read(count: size - begin, at: begin)
            if bytes.starts(with: code) { return try take(Array(bytes.dropFirst(Self.codeSize)), key) }
        }
        self = KnownList()
        inode = status.inode
        try take(try file.read(count: size, at: 0), key)
    }

    /// Parses the bytes after `end`, entry by entry, as far as they verify.
    mutating func take(_ bytes: [UInt8], _ key: Secret) throws {
        var reader = ByteReader(bytes)
        if end == 0 {
            guard let header = try? reader.read(Self.headerSize), try take(header: header, key) else {
                hasMore = !bytes.isEmpty
                return
            }
        }
        while let entry = try next(&reader, key) {
            if entries.insert(entry).inserted { order.append(entry) }
            number += 1
        }
        hasMore = reader.remaining > 0
    }

    private mutating func take(header: [UInt8], _ key: Secret) throws -> Bool {
        let head = Array(header.dropLast(Self.codeSize))
        var reader = ByteReader(header)
        let found = Array(header.suffix(Self.codeSize))
        guard try reader.integer(UInt32.self) == Self.magic, try Self.code(of: head, key) == found else { return false }
        guard try reader.integer(UInt8.self) == Self.version else {
            throw ProtectedFileError(
                .newerFormat, "\(KnownFolders.place) was written by a newer version; update Zamok to use it")
        }
        _ = try reader.read(3)
        number = try reader.integer()
        kept = Int(clamping: try reader.integer(UInt64.self))
        code = found
        end = Self.headerSize
        return true
    }

    private mutating func next(_ reader: inout ByteReader, _ key: Secret) throws -> KnownFolders.Entry? {
        var ahead = reader
        guard let length = try? Int(ahead.integer(UInt16.self)), let device = try? ahead.integer(UInt64.self),
            let inode = try? ahead.integer(UInt64.self), let path = try? ahead.read(length),
            let found = try? ahead.read(Self.codeSize)
        else { return nil }
        let entry = KnownFolders.Entry(
            identity: FileIdentity(device: device, inode: inode), folder: FileLocation(bytes: path))
        guard try Self.code(of: code + Self.body(entry), key) == found else { return nil }
        code = found
        end += Self.fixed + length + Self.codeSize
        reader = ahead
        return entry
    }

    // MARK: Writing

    /// The bytes that add an entry.
    func appending(_ entry: KnownFolders.Entry, _ key: Secret) throws -> [UInt8] {
        let body = Self.body(entry)
        return try body + Self.code(of: code + body, key)
    }

    /// A whole list, with numbers above `number`.
    static func encoded(
        _ entries: [KnownFolders.Entry], above number: Int64, _ key: Secret
    ) throws -> (bytes: [UInt8], list: KnownList) {
        var writer = ByteWriter(capacity: headerSize)
        writer.integer(magic)
        writer.integer(version)
        writer.append(repeatElement(0, count: 3))
        writer.integer(number)
        writer.integer(UInt64(entries.count))
        // Random bytes, so that two lists never have the same codes.
        writer.append((0..<16).map { _ in UInt8.random(in: 0...255) })
        var (bytes, list) = (writer.bytes + (try code(of: writer.bytes, key)), KnownList())
        try list.take(bytes, key)
        for entry in entries {
            let added = try list.appending(entry, key)
            try list.take(added, key)
            bytes += added
        }
        return (bytes, list)
    }

    private static func body(_ entry: KnownFolders.Entry) -> [UInt8] {
        var writer = ByteWriter(capacity: fixed + entry.folder.bytes.count)
        writer.integer(UInt16(clamping: entry.folder.bytes.count))
        writer.integer(entry.identity.device)
        writer.integer(entry.identity.inode)
        writer.append(entry.folder.bytes)
        return writer.bytes
    }

    private static func code(of bytes: [UInt8], _ key: Secret) throws -> [UInt8] {
        try key.withSecretBytes { try KeyDerivation.authenticationCode(for: bytes, under: $0) }
    }
}
