// SPDX-License-Identifier: Apache-2.0

import Readers

/// The directory of a zip archive, read from the end of the file and checked whole before any entry is opened
/// (Documentation/Formats/AppArchive.md). Only the requested entries are read.
struct ZipArchive {
    /// One record of the central directory.
    struct Entry: Equatable {
        let name: String
        let flags: UInt16
        let method: UInt16
        let crc: UInt32
        let compressedSize: UInt64
        let size: UInt64
        let headerOffset: UInt64
        let isSymbolicLink: Bool

        var isFolder: Bool { name.hasSuffix("/") }
    }

    /// The offsets of entries, in order, and then of the directory: no entry may extend past the next of these.
    private let starts: [UInt64]
    let entries: [String: Entry]
    let source: any ByteSource

    static let maximumEntries = 100_000
    static let maximumDirectorySize = 16 << 20

    init(_ source: any ByteSource) throws(ProfileError) {
        self.source = source
        let directory = try ZipDirectoryLocation(source)
        let bytes = BoundedBytes(
            try source.read(at: directory.offset, count: directory.size), failingAs: .archive)
        var read: [Entry] = []
        var position = 0
        for _ in 0..<directory.count { read.append(try Self.entry(bytes, &position)) }
        guard position == bytes.count else {
            throw ProfileError(.archive, "the archive's directory has a wrong length")
        }
        starts = try Self.starts(read, until: directory.offset)
        entries = try Self.byName(read)
    }

    /// The offset by which `entry` must end.
    func limit(of entry: Entry) -> UInt64 {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= entry.headerOffset { low = middle + 1 } else { high = middle }
        }
        return low < starts.count ? starts[low] : entry.headerOffset
    }

    private static func byName(_ read: [Entry]) throws(ProfileError) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        entries.reserveCapacity(read.count)
        var folded: Set<String> = []
        for entry in read {
            // The systems that unpack these archives treat names that differ only in case as one.
            guard folded.insert(entry.name.lowercased()).inserted else {
                throw ProfileError(.archive, "two entries of one name")
            }
            entries[entry.name] = entry
        }
        return entries
    }

    /// Entries may not share bytes. The local header is at least as long as its fixed part and the name.
    private static func starts(_ read: [Entry], until end: UInt64) throws(ProfileError) -> [UInt64] {
        let sorted = read.sorted { $0.headerOffset < $1.headerOffset }
        let starts = sorted.map(\.headerOffset) + [end]
        for (index, entry) in sorted.enumerated() {
            let next = starts[index + 1]
            let (needed, overflow) = entry.compressedSize.addingReportingOverflow(30 + UInt64(entry.name.utf8.count))
            guard !overflow, entry.headerOffset <= next, needed <= next - entry.headerOffset else {
                throw ProfileError(.archive, "two entries overlap, or one lies outside the archive")
            }
        }
        return starts
    }
}
