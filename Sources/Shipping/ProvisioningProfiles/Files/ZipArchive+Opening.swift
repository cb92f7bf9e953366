// SPDX-License-Identifier: Apache-2.0

import Readers

extension ZipArchive {
    private static let unsuspiciousSize: UInt64 = 4 << 20
    private static let maximumRatio: UInt64 = 200

    /// Opens an entry after checking that its local header agrees with the directory.
    func open(_ entry: Entry) throws(ProfileError) -> any ByteSource {
        // A zip bomb: nothing opened here (code, property lists, profiles) compresses this well.
        guard entry.size <= Self.unsuspiciousSize || entry.size / Self.maximumRatio <= entry.compressedSize else {
            throw ProfileError(.archive, "an entry that unpacks to more than \(Self.maximumRatio) times its size")
        }
        let start = try contentStart(entry)
        let stored = try ByteWindow(source, at: start, size: entry.compressedSize)
        return entry.method == 0
            ? StoredEntry(stored, crc: entry.crc) : InflatedEntry(stored, size: entry.size, crc: entry.crc)
    }

    private func contentStart(_ entry: Entry) throws(ProfileError) -> UInt64 {
        let fixed = BoundedBytes(try source.read(at: entry.headerOffset, count: 30), failingAs: .archive)
        let nameLength = Int(try fixed.uint16(at: 26, .little))
        let extraLength = Int(try fixed.uint16(at: 28, .little))
        let rest = BoundedBytes(
            try source.read(at: entry.headerOffset + 30, count: nameLength + extraLength), failingAs: .archive)
        let name = try rest.window(at: 0, count: nameLength).bytes
        guard try fixed.uint32(at: 0, .little) == 0x0403_4B50, Array(name) == Array(entry.name.utf8),
            try fixed.uint16(at: 6, .little) == entry.flags, try fixed.uint16(at: 8, .little) == entry.method,
            try sizesAgree(entry, fixed: fixed, extra: rest.window(from: nameLength))
        else { throw ProfileError(.archive, "an entry's own header does not agree with the directory") }
        let start = entry.headerOffset + 30 + UInt64(nameLength + extraLength)
        let end = limit(of: entry)
        guard start <= end, entry.compressedSize <= end - start else {
            throw ProfileError(.archive, "two entries overlap, or one lies outside the archive")
        }
        return start
    }

    /// With a data descriptor (bit 3) the header may have zero checksum and sizes. Otherwise they must equal
    /// the directory's.
    private func sizesAgree(_ entry: Entry, fixed: BoundedBytes, extra: BoundedBytes) throws(ProfileError) -> Bool {
        var sizes = (UInt64(try fixed.uint32(at: 18, .little)), UInt64(try fixed.uint32(at: 22, .little)))
        let crc = try fixed.uint32(at: 14, .little)
        if entry.flags & 0x0008 != 0, crc == 0, sizes.0 == 0 || sizes.0 == 0xFFFF_FFFF { return true }
        if sizes.0 == 0xFFFF_FFFF || sizes.1 == 0xFFFF_FFFF {
            guard let field = try ZipExtra.field(1, in: extra) else { return false }
            sizes = (try field.uint64(at: 8, .little), try field.uint64(at: 0, .little))
        }
        return crc == entry.crc && sizes == (entry.compressedSize, entry.size)
    }
}

/// An uncompressed entry. Its checksum is verified when the whole entry is read at once.
final class StoredEntry: ByteSource {
    private let stored: any ByteSource
    private let crc: UInt32

    init(_ stored: any ByteSource, crc: UInt32) { (self.stored, self.crc) = (stored, crc) }

    var size: UInt64 { stored.size }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        let bytes = try stored.read(at: offset, count: count)
        if offset == 0, UInt64(count) == size, crc32(bytes, continuing: 0) != crc {
            throw ProfileError(.archive, "an entry does not have its checksum")
        }
        return bytes
    }
}

/// A compressed entry, inflated while it is read. Reading forwards inflates nothing twice. Reading backwards restarts,
/// which a fat file out of order may cause a few times.
final class InflatedEntry: ByteSource {
    private let stored: any ByteSource
    private let crc: UInt32
    let size: UInt64
    private var inflater: Inflater?
    /// Bytes inflated so far, and compressed bytes used.
    private var position: UInt64 = 0
    private var inputPosition: UInt64 = 0
    private var input: ArraySlice<UInt8> = []
    private var runningCRC: UInt32 = 0
    private var restarts = 0

    private static let chunk = 128 << 10
    private static let maximumRestarts = 32

    init(_ stored: any ByteSource, size: UInt64, crc: UInt32) {
        (self.stored, self.size, self.crc) = (stored, size, crc)
    }

    func read(at offset: UInt64, count: Int) throws(ProfileError) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw ProfileError(.archive, "cut short: \(count) bytes wanted at \(offset), \(size) there")
        }
        if inflater == nil || offset < position { try restart() }
        while position < offset { _ = try advance(Int(min(UInt64(Self.chunk), offset - position))) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try advance(min(Self.chunk, count - bytes.count)) }
        if position == size { try checkEnd() }
        return bytes
    }

    private func restart() throws(ProfileError) {
        restarts += 1
        guard restarts <= Self.maximumRestarts else { throw ProfileError(.archive, "an entry read back and forth") }
        inflater = try Inflater()
        (position, inputPosition, input, runningCRC) = (0, 0, [], 0)
    }

    private func refill() throws(ProfileError) {
        guard input.isEmpty, inputPosition < stored.size else { return }
        let count = Int(min(UInt64(Self.chunk), stored.size - inputPosition))
        input = try stored.read(at: inputPosition, count: count)[...]
        inputPosition += UInt64(count)
    }

    /// Inflates at least one byte and at most `capacity`.
    private func advance(_ capacity: Int) throws(ProfileError) -> [UInt8] {
        guard let inflater else { throw ProfileError(.archive, "an entry that is not open") }
        while true {
            try refill()
            let (output, used) = try inflater.inflate(input, capacity: capacity)
            input = input.dropFirst(used)
            if !output.isEmpty {
                position += UInt64(output.count)
                runningCRC = crc32(output, continuing: runningCRC)
                return output
            }
            guard used > 0, !inflater.isAtEnd else {
                throw ProfileError(.archive, "an entry is shorter than the directory says")
            }
        }
    }

    /// At the end the stream must be finished, with nothing after it, and the checksum must be correct.
    private func checkEnd() throws(ProfileError) {
        guard runningCRC == crc else { throw ProfileError(.archive, "an entry does not have its checksum") }
        while let inflater, !inflater.isAtEnd {
            try refill()
            let (output, used) = try inflater.inflate(input, capacity: 1)
            input = input.dropFirst(used)
            guard output.isEmpty, used > 0 || inflater.isAtEnd else {
                throw ProfileError(.archive, "an entry is longer than the directory says")
            }
        }
        guard input.isEmpty, inputPosition == stored.size else {
            throw ProfileError(.archive, "an entry has bytes after its end")
        }
    }
}
