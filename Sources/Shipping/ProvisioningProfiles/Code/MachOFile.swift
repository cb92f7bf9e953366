// SPDX-License-Identifier: Apache-2.0

import Readers

/// The slices of a Mach-O file, thin or fat, with their code signatures. Only headers and signatures are read.
enum MachOFile {
    private static let fatMagic: UInt32 = 0xCAFE_BABE
    private static let fatMagic64: UInt32 = 0xCAFE_BABF
    private static let maximumSlices = 16

    /// - Throws: ``ProfileError`` with code `machO`, `codeSignature`, `tooLarge` or the source's own.
    static func slices(of source: any ByteSource) throws(ProfileError) -> [CodeSlice] {
        guard source.size >= 4 else { throw ProfileError(.machO, "it is not a Mach-O file") }
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

/// One architecture of an executable.
public struct CodeSlice: Sendable {
    /// For example, `arm64`.
    public let architecture: String
    /// Its platform; nil for simulators and files without the load command.
    public let platform: Platform?
    /// Its code signature; nil if it has none.
    public let signature: CodeSignature?
}

/// Header and load commands of one architecture.
enum MachOSlice {
    private static let magic32: UInt32 = 0xFEED_FACE
    private static let magic64: UInt32 = 0xFEED_FACF
    private static let codeSignatureCommand: UInt32 = 0x1D
    private static let buildVersionCommand: UInt32 = 0x32
    private static let maximumCommands = 4096
    private static let maximumCommandBytes = 1 << 20
    private static let maximumSignatureBytes = 16 << 20

    static func read(_ source: any ByteSource) throws(ProfileError) -> CodeSlice {
        let header = BoundedBytes(try source.read(at: 0, count: 32), failingAs: .machO)
        let magic = try header.uint32(at: 0, .little)
        guard magic == magic32 || magic == magic64 else { throw ProfileError(.machO, "it is not a Mach-O file") }
        let headerSize = magic == magic64 ? 32 : 28
        let count = try header.length32(at: 16, .little)
        let size = try header.length32(at: 20, .little)
        guard count <= maximumCommands, size <= maximumCommandBytes else {
            throw ProfileError(.tooLarge, "\(count) load commands of \(size) bytes")
        }
        let commands = BoundedBytes(try source.read(at: UInt64(headerSize), count: size), failingAs: .machO)
        let found = try Commands(commands, count)
        let architecture = Architecture(
            type: try header.uint32(at: 4, .little), subtype: try header.uint32(at: 8, .little))
        return CodeSlice(
            architecture: architecture.name, platform: found.platform,
            signature: try found.signature.map { (range) throws(ProfileError) in
                try signature(source, range, after: UInt64(headerSize + size))
            })
    }

    private static func signature(
        _ source: any ByteSource, _ range: (offset: Int, size: Int), after end: UInt64
    ) throws(ProfileError) -> CodeSignature {
        guard range.size <= maximumSignatureBytes else {
            throw ProfileError(.tooLarge, "a code signature of \(range.size) bytes")
        }
        guard UInt64(range.offset) >= end else { throw ProfileError(.machO, "a code signature inside the header") }
        return try CodeSignature(source.read(at: UInt64(range.offset), count: range.size))
    }

    /// The LC_BUILD_VERSION platforms of devices and Macs; simulators have others.
    private static func platform(_ number: UInt32) -> Platform? {
        switch number {
        case 1: .macOS
        case 2: .iOS
        case 3: .tvOS
        case 4: .watchOS
        case 11: .visionOS
        default: nil
        }
    }

    /// The relevant load commands.
    private struct Commands {
        var signature: (offset: Int, size: Int)?
        var platform: Platform?

        init(_ bytes: BoundedBytes, _ count: Int) throws(ProfileError) {
            var position = 0
            for _ in 0..<count {
                let size = try bytes.length32(at: position + 4, .little)
                guard size >= 8, size.isMultiple(of: 4) else {
                    throw ProfileError(.machO, "a load command of \(size) bytes")
                }
                try take(bytes.window(at: position, count: size))
                position += size
            }
        }

        private mutating func take(_ command: BoundedBytes) throws(ProfileError) {
            switch try command.uint32(at: 0, .little) {
            case codeSignatureCommand:
                guard signature == nil else { throw ProfileError(.machO, "two code signatures in one slice") }
                signature = (try command.length32(at: 8, .little), try command.length32(at: 12, .little))
            case buildVersionCommand:
                // A slice for macOS and Mac Catalyst has two. No other may hide the platform that profiles name.
                guard let named = MachOSlice.platform(try command.uint32(at: 8, .little)) else { break }
                guard platform == nil || platform == named else {
                    throw ProfileError(.machO, "two platforms in one slice")
                }
                platform = named
            default: break
            }
        }
    }
}

/// A processor by its name in Apple's tools.
struct Architecture {
    let type: UInt32
    let subtype: UInt32

    var name: String {
        switch (type, subtype & 0x00FF_FFFF) {
        case (0x0100_000C, 2): "arm64e"
        case (0x0100_000C, _): "arm64"
        case (0x0200_000C, _): "arm64_32"
        case (0x0100_0007, _): "x86_64"
        case (0x0000_0007, _): "i386"
        case (0x0000_000C, 9): "armv7"
        case (0x0000_000C, 11): "armv7s"
        case (0x0000_000C, 12): "armv7k"
        default: "cpu \(type)/\(subtype)"
        }
    }
}
