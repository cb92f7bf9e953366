// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files

/// Whether git has the bytes of a file, by its index (gitformat-index(5)). No program is started: a foreign
/// repository's configuration could name others.
struct GitIndexes {
    /// The largest index that is read, and the most entries.
    private static let largest = 64 << 20
    /// The largest file that is compared.
    private static let largestFile = 16 << 20

    /// By the folder of the work tree.
    private var known: [FileLocation: [[UInt8]: [UInt8]]] = [:]

    /// Whether the index names the file with the hash that its bytes have now. False wherever that isn't certain.
    mutating func has(_ file: WalkedFile) -> Bool {
        guard file.status.size <= Self.largestFile else { return false }
        var folder = file.location.folder
        for _ in 0..<64 {
            let entries: [[UInt8]: [UInt8]]
            if let cached = known[folder] {
                entries = cached
            } else {
                entries = Self.read(folder) ?? [:]
                if known.count < 64 { known[folder] = entries }
            }
            let prefix = folder.bytes.last == 0x2F ? folder.bytes : folder.bytes + [0x2F]
            if !entries.isEmpty, file.location.bytes.starts(with: prefix) {
                guard let hash = entries[Array(file.location.bytes.dropFirst(prefix.count))] else { return false }
                return Self.hash(file) == hash
            }
            let above = folder.folder
            guard above != folder, folder.bytes != [0x2F] else { return false }
            folder = above
        }
        return false
    }

    private static func hash(_ file: WalkedFile) -> [UInt8]? {
        guard let bytes = try? file.file.read(count: min(largestFile, Int(file.status.size) + 1)) else { return nil }
        var hash = Insecure.SHA1()
        hash.update(data: Array("blob \(bytes.count)\0".utf8))
        hash.update(data: bytes)
        return Array(hash.finalize())
    }

    private static func read(_ tree: FileLocation) -> [[UInt8]: [UInt8]]? {
        let place = tree.appending(".git")
        let hooks = FileHooks()
        guard let opened = try? OpenFile.open(place, mode: .look, hooks: hooks), let status = try? opened.status()
        else { return nil }
        var folder = place
        if status.kind == .file {
            // A work tree beside its repository: `gitdir: PATH`.
            guard let bytes = try? opened.read(count: 4096), bytes.starts(with: Array("gitdir: ".utf8)) else {
                return nil
            }
            let path = bytes.dropFirst(8).prefix { $0 != 0x0A && $0 != 0x0D }
            folder = path.first == 0x2F ? FileLocation(bytes: Array(path)) : tree.appending(Array(path))
        }
        guard let index = try? OpenFile.open(folder.appending("index"), mode: .look, hooks: hooks),
            let size = try? index.status().size,
            size <= largest, let bytes = try? index.read(count: size)
        else { return nil }
        return entries(bytes)
    }

    /// The hashes by path, of versions 2 to 4 with SHA-1; of a file with conflicts none.
    static func entries(_ bytes: [UInt8]) -> [[UInt8]: [UInt8]] {
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard bytes.count >= 12, bytes.starts(with: Array("DIRC".utf8)) else { return [:] }
        let version = number(4)
        guard (2...4).contains(version) else { return [:] }
        var entries: [[UInt8]: [UInt8]] = [:]
        var at = 12
        var before: [UInt8] = []
        for _ in 0..<min(number(8), 1_000_000) {
            guard at + 62 <= bytes.count else { break }
            let flags = Int(bytes[at + 60]) << 8 | Int(bytes[at + 61])
            var name = at + 62
            if version >= 3, flags & 0x4000 != 0 { name += 2 }
            var path: [UInt8]
            if version == 4 {
                guard let (removed, next) = varint(bytes, name), removed <= before.count else { break }
                name = next
                path = Array(before.dropLast(removed))
            } else {
                path = []
            }
            guard name <= bytes.count, let end = bytes[name...].firstIndex(of: 0) else { break }
            path += bytes[name..<end]
            if flags & 0x3000 == 0 { entries[path] = Array(bytes[at + 40..<at + 60]) }
            before = path
            // Up to version 3 an entry is filled up with zeros to a multiple of eight bytes.
            at = version == 4 ? end + 1 : at + (end - at + 8) / 8 * 8
        }
        return entries
    }

    private static func varint(_ bytes: [UInt8], _ start: Int) -> (Int, Int)? {
        var at = start
        guard at < bytes.count else { return nil }
        var value = Int(bytes[at] & 127)
        while bytes[at] & 128 != 0 {
            at += 1
            guard at < bytes.count, value < 1 << 40 else { return nil }
            value = (value + 1) << 7 | Int(bytes[at] & 127)
        }
        return (value, at + 1)
    }
}
