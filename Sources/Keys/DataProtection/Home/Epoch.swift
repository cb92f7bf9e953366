// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// One of the two slots of an epoch.
enum EpochSlot: UInt8, Sendable {
    case first = 0
    case second = 1

    var other: EpochSlot { self == .first ? .second : .first }
}

/// The epoch secret of one home (Documentation/Formats/Epoch.md). Destroying it destroys every key of the home.
struct Epoch: Sendable {
    static let fileName = "epoch"
    private static let magic = Array("zamokepo".utf8)
    private static let version: UInt8 = 1
    private static let blockSize = 4096
    private static let size = 3 * blockSize

    let folder: HomeFolder
    let name: String

    var place: String { "\(folder.path)/\(name)" }

    func exists() throws -> Bool { try folder.exists(name) }

    /// Runs `body` while no other thread or process holds the epoch's lock; waits for it. Without an epoch there is
    /// nothing to wait for.
    func withLock<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        guard let file = try? folder.openForLocking(name, .read) else { return try body() }
        try file.lock()
        defer { file.unlock() }
        return try body()
    }

    /// Like `withLock`, but returns nil immediately if another thread or process holds the lock.
    func tryLock<R>(_ body: () throws -> R) throws -> R? {
        guard let file = try? folder.openForLocking(name, .read) else { return try body() }
        guard try file.tryLock() else { return nil }
        defer { file.unlock() }
        return try body()
    }

    /// Makes the file with `secret` in the first slot, durably. `beforeCommit` runs when the file is on the disk but
    /// not yet in place.
    func make(_ secret: borrowing SecretBytes, beforeCommit: () throws -> Void) throws {
        let header = Self.magic + [Self.version]
        try folder.prepare(name) { file in
            try file.write(header + [UInt8](repeating: 0, count: Self.size - header.count))
            try put(secret, .first, generation: 1, into: file)
        }
        try beforeCommit()
        try folder.commit(name, replacing: false)
    }

    /// The secret of a slot and the generation of the first keybag that uses it; nil if the slot is empty.
    func read(_ slot: EpochSlot) throws -> Content? { try read(slot, in: try open(.read)) }

    private func read(_ slot: EpochSlot, in file: OpenFile) throws -> Content? {
        let offset = Self.offset(slot)
        guard let secret = try file.readSecret(count: 32, at: offset) else { throw damaged }
        guard try !secret.isZero() else { return nil }
        var reader = ByteReader(try file.read(count: 8, at: offset + 32))
        return Content(secret: secret, generation: try reader.integer())
    }

    /// The content of a slot.
    struct Content: ~Copyable {
        let secret: SecretBytes
        let generation: UInt64
    }

    func isEmpty(_ slot: EpochSlot) throws -> Bool { try read(slot) == nil }

    /// Whether an interrupted change left a secret in each slot.
    func hasTwoSecrets() throws -> Bool {
        let file = try open(.read)
        return try read(.first, in: file) != nil && read(.second, in: file) != nil
    }

    /// Overwrites a slot in place with a new secret, durably.
    func renew(_ slot: EpochSlot, generation: UInt64) throws {
        let file = try open(.change)
        try put(try SecretBytes.random(count: 32), slot, generation: generation, into: file)
        try file.syncData()
    }

    /// Overwrites a slot in place with zeros, durably.
    func zero(_ slot: EpochSlot) throws {
        let file = try open(.change)
        let zeros = [UInt8](repeating: 0, count: Self.blockSize)
        try file.write(zeros, at: Self.offset(slot))
        try file.syncData()
    }

    /// Overwrites the existing file with zeros, durably, regardless of its format and mode. Anything but a regular file
    /// contains no secret. `again`: slots that are already zero are only read.
    func destroy(again isAgain: Bool = false) throws {
        do {
            guard try exists() else { return }
            var trouble = Trouble()
            // Each slot by itself: even a full disk accepts writes to allocated bytes.
            for slot in [EpochSlot.first, .second] {
                trouble.unless { if try !isAgain || !isEmpty(slot) { try zero(slot) } }
            }
            try trouble.end()
        } catch let error as DataProtectionError {
            // The format is unknown, or others have access to the file.
            guard [.damaged, .newerFormat, .unsafeHome].contains(error.code) else { throw error }
            try zeroAll()
        }
    }

    /// Overwrites a file of any format with zeros, durably.
    private func zeroAll() throws {
        guard try folder.status(of: name)?.kind == .file else { return }
        guard let file = try folder.openForLocking(name, .change) else {
            throw DataProtectionError(.unsafeHome, "\(place) is not a file of this process's user; move it away")
        }
        let size = try file.status().size
        for offset in stride(from: 0, to: size, by: Self.blockSize) {
            let zeros = [UInt8](repeating: 0, count: min(Self.blockSize, size - offset))
            try file.write(zeros, at: offset)
        }
        try file.sync()
    }

    private static func offset(_ slot: EpochSlot) -> Int { blockSize * (1 + Int(slot.rawValue)) }

    // Writes the whole block at once. A torn write can't mix two secrets unnoticed: the keybag's HMAC would fail.
    private func put(
        _ secret: borrowing SecretBytes, _ slot: EpochSlot, generation: UInt64, into file: OpenFile
    ) throws {
        var rest = ByteWriter()
        rest.integer(generation)
        rest.append([UInt8](repeating: 0, count: Self.blockSize - 40))
        let block = try secret.joined(with: try SecretBytes(copying: rest.bytes))
        try file.write(block, at: Self.offset(slot))
    }

    private func open(_ mode: OpenFile.Mode) throws -> OpenFile {
        guard let file = try folder.openFile(name, mode) else {
            throw DataProtectionError(.damaged, "the epoch \(place) is missing; put it back from a backup")
        }
        let header = try file.read(count: 16)
        guard header.count == 16, header.starts(with: Self.magic), header[8] != 0 else { throw damaged }
        guard header[8] == Self.version else {
            throw DataProtectionError(
                .newerFormat, "the epoch \(place) was written by a newer version of Zamok; nothing was changed"
            )
        }
        guard header[9...].allSatisfy({ $0 == 0 }), try file.status().size == Self.size
        else { throw damaged }
        return file
    }

    private var damaged: DataProtectionError {
        DataProtectionError(.damaged, "the epoch \(place) is damaged; put it back from a backup")
    }
}
