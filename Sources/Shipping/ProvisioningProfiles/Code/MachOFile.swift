// SPDX-License-Identifier: Apache-2.0

import Readers

/// The slices of a Mach-O file, thin or fat, with their code signatures. Only headers and signatures are read.
enum MachOFile {
    private static let fatMagic: UInt32 = 0xCAFE_BABE
    private static let fatMagic64: UInt32 = 0xCAFE_BABF
    private static let maximumSlices = 16

    /// - Throws: ``ProfileError`` with code `machO`, `codeSignature`, `tooLarge` or the source's own.
    static func slices(of source: any ByteSource) throws(ProfileError) -> [CodeSlice] {
        guard source.size >= 4 else { throw ProfileError(.machO, "it is no Mach-O file") }
        let magic = try BoundedBytes(source.read(at: 0, count: 4), failingAs: .machO).uint32(at: 0, .big)
        guard magic == fatMagic || magic == fatMagic64 else { return [try MachOSlice.read(source)] }
        let ranges = try fatRanges(source, is64Bit: magic == fatMagic64)
        var slices: [CodeSlice] = []
        for range in ranges {
            slices.append(try MachOSlice.read(ByteWindow(source, at: range.offset, size: range.size)))
        }
        return slices
    }

    private typealias Range = (offset: UInt64, size: UInt64)

    /// In the order of the file, so that a compressed file is inflated once. Slices may not overlap.
    private static func fatRanges(_ source: any ByteSource, is64Bit: Bool) throws(ProfileError) -> [Range] {
        let count = try BoundedBytes(source.read(at: 4, count: 4), failingAs: .machO).length32(at: 0, .big)
        guard (1...maximumSlices).contains(count) else {
            throw ProfileError(.machO, "a fat file with \(count) slices")
        }
        let width = is64Bit ? 32 : 20
        let table = BoundedBytes(try source.read(at: 8, count: count * width), failingAs: .machO)
        var ranges: [Range] = []
        for index in 0..<count {
            let record = try table.window(at: index * width, count: width)
            ranges.append(
                is64Bit
                    ? (try record.uint64(at: 8, .big), try record.uint64(at: 16, .big))
                    : (UInt64(try record.uint32(at: 8, .big)), UInt64(try record.uint32(at: 12, .big))))
        }
        ranges.sort { $0.offset < $1.offset }
        var end = UInt64(8 + count * width)
        for range in ranges {
            guard range.offset >= end, range.offset <= source.size, range.size <= source.size - range.offset else {
                throw ProfileError(.machO, "slices that overlap or lie outside the file")
            }
            end = range.offset + range.size
        }
        return ranges
    }
}
