// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing

/// A file key as stored in the header.
struct SealedFileKey: Equatable, Sendable {
    enum Form: UInt8 {
        /// Wrapped under a class key.
        case wrapped = 1
        /// Wrapped under the key agreed between an ephemeral key pair and the class's key pair.
        case agreed = 2
    }
    let form: Form
    let classKeyID: UInt64
    /// 32 bytes.
    let ephemeralPublicKey: [UInt8]
    /// 40 bytes.
    let wrapped: [UInt8]
}

/// One state of a protected file (ProtectedFile.md, "Header slot").
struct FileHeader: Equatable, Sendable {
    let protection: ProtectionClass
    let fileID: [UInt8]
    var key: SealedFileKey
    var sequence: UInt64 = 1
    var generation: UInt64 = 1
    var length = 0
    var end = FileFormat.headerSize
    var seals = 0
    var height = 0
    var root = BlockEntry.none
    var isUnsettled = false
    /// The identifier of the home whose keys seal the file; 16 bytes.
    let home: [UInt8]
    /// The folder in which the file was last changed.
    var memory = FolderMemory.none

    /// Whether the other header is a state of the same file, with the same file key.
    func isSameFile(_ other: FileHeader) -> Bool { fileID == other.fileID && protection == other.protection }

    init(protection: ProtectionClass, fileID: [UInt8], home: [UInt8], key: SealedFileKey) {
        self.protection = protection
        self.fileID = fileID
        self.home = home
        self.key = key
    }
}

/// What a file remembers of the folder in which it was last changed. It reveals the removal or exchange of the
/// folder's record.
struct FolderMemory: Equatable, Sendable {
    /// The folder's inode number. A file in another folder was moved, and claims nothing.
    var inode: UInt64
    /// The id of the record whose default class was in force, which may be that of a folder above; 16 bytes,
    /// zeros: none.
    var classRecord: [UInt8]
    /// The id of the folder's own record, if it had an index.
    var indexRecord: [UInt8]

    static let noRecord = [UInt8](repeating: 0, count: 16)
    static let none = FolderMemory(inode: 0, classRecord: noRecord, indexRecord: noRecord)

    /// Whether the file remembers no record.
    var isEmpty: Bool { classRecord == Self.noRecord && indexRecord == Self.noRecord }
}

extension FileHeader {
    static let magic = Array("zamokfil".utf8)
    private static let authenticated = 480
    private static let padding = 232

    /// Bytes 0..<480 of the slot.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append([
            FileFormat.version, protection.rawValue, FileFormat.chunkExponent, key.form.rawValue, UInt8(height),
            isUnsettled ? 1 : 0, 0, 0,
        ])
        writer.append(fileID)
        writer.integer(key.classKeyID)
        writer.append(key.ephemeralPublicKey)
        writer.append(key.wrapped)
        writer.integer(sequence)
        writer.integer(generation)
        for number in [length, end, seals, root.offset] { writer.integer(UInt64(number)) }
        writer.append(root.digest)
        writer.append(home)
        writer.integer(memory.inode)
        writer.append(memory.classRecord + memory.indexRecord)
        writer.append(repeatElement(0, count: Self.padding))
        return writer.bytes
    }

    /// Parses a slot's fields without authenticating them; nil if they break the format.
    init?(_ slot: [UInt8]) {
        guard let header = try? Self.read(slot), header.isWithinLimits else { return nil }
        self = header
    }

    /// The authentication code of a slot.
    static func code(of slot: [UInt8]) -> [UInt8] { Array(slot[authenticated...]) }
    /// The bytes that the code covers.
    static func covered(_ slot: [UInt8]) -> [UInt8] { Array(slot[..<authenticated]) }

    private static func read(_ slot: [UInt8]) throws -> FileHeader {
        var reader = ByteReader(slot)
        guard slot.count == FileFormat.slotSize, try reader.read(8) == magic,
            try reader.read(1) == [FileFormat.version],
            let protection = ProtectionClass(rawValue: try reader.integer()), protection != .whenPasscodeSet,
            try reader.read(1) == [FileFormat.chunkExponent],
            let form = SealedFileKey.Form(rawValue: try reader.integer())
        else { throw SealingError.malformed }
        let height = Int(try reader.integer(UInt8.self))
        let flags = try reader.integer(UInt8.self)
        guard flags <= 1, try reader.read(2) == [0, 0] else { throw SealingError.malformed }
        let fileID = try reader.read(16)
        let key = SealedFileKey(
            form: form, classKeyID: try reader.integer(), ephemeralPublicKey: try reader.read(32),
            wrapped: try reader.read(40)
        )
        let (sequence, generation): (UInt64, UInt64) = (try reader.integer(), try reader.integer())
        let numbers = try (0..<4).map { _ in Int(clamping: try reader.integer(UInt64.self)) }
        let root = BlockEntry(offset: numbers[3], digest: try reader.read(FileFormat.digestSize))
        var header = FileHeader(protection: protection, fileID: fileID, home: try reader.read(16), key: key)
        header.height = height
        header.isUnsettled = flags == 1
        header.sequence = sequence
        header.generation = generation
        (header.length, header.end, header.seals) = (numbers[0], numbers[1], numbers[2])
        header.root = root
        header.memory = FolderMemory(
            inode: try reader.integer(), classRecord: try reader.read(16), indexRecord: try reader.read(16)
        )
        let end = slot.count - reader.remaining + padding
        guard reader.remaining >= padding, slot.isZero(end - padding..<end) else { throw SealingError.malformed }
        return header
    }

    private var isWithinLimits: Bool {
        let chunks = FileFormat.chunkCount(min(length, FileFormat.greatestLength))
        return (key.form == .agreed) == (protection == .completeUnlessOpen)
            && (key.form == .agreed || key.ephemeralPublicKey.allSatisfy { $0 == 0 })
            && length <= FileFormat.greatestLength && seals <= FileFormat.greatestSeals
            && sequence > 0 && sequence < .max && generation > 0 && generation < .max
            && end >= FileFormat.headerSize && end < 1 << 46
            && height == FileFormat.height(chunks: chunks)
            && (chunks > 0 || root == .none)
    }
}

/// What a folder's index stores about a file: two states are equal exactly if their content is.
struct FileState: Equatable, Sendable {
    static let size = 64
    let bytes: [UInt8]

    /// The state of a file that doesn't exist.
    static let absent = FileState(bytes: [UInt8](repeating: 0, count: size))

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ header: FileHeader) {
        var writer = ByteWriter()
        writer.append(header.fileID)
        writer.integer(header.generation)
        writer.integer(UInt64(header.length))
        writer.append(header.root.digest)
        bytes = writer.bytes
    }
}

extension FileHeader {
    /// Whether the class key that wraps the file key is retired.
    func isUnder(retiredKeyOf keybag: Keybag) -> Bool { keybag.isRetired(ClassKeyID(key.classKeyID)) }
}
