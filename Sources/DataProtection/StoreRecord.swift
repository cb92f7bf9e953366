// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a home remembers of a store outside of the store's own file: that it exists, and how many writes it has at least taken
/// (Documentation/Formats/Keychain.md, "What the home remembers"). A store that has less was lost, put back or robbed of its log.
///
/// It is written behind the commit and never synchronised: it may lag, and never leads.
package final class StoreRecord: Sendable {
    static let fileName = "stores-seen"
    private static let magic: UInt32 = 0x7A6B_7331  // zks1
    private static let header = 64
    private static let entry = 64
    private static let stores = 8
    private static let size = header + 2 * stores * entry

    private final class OpenFile: Sendable {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    private struct State {
        var file: OpenFile?
        /// The one of the two entries that is written next, so that a write which is cut off leaves the other.
        var next = 0
    }

    private let folder: HomeFolder
    private let keybag: Keybag
    private let place: Int
    private let applicationID: UInt32
    private let state = Locked(State())

    fileprivate init(_ home: Home, _ counter: ChangeCounter, _ applicationID: UInt32) {
        folder = home.openFolder
        keybag = home.keybag
        place = Self.header + 2 * Self.entry * Int(counter.rawValue)
        self.applicationID = applicationID
    }

    /// The writes that the store has taken at least; nil if nothing is remembered. What does not open counts as nothing.
    package func lowerBound() throws(DataProtectionError) -> Int64? {
        do {
            guard let bytes = try folder.read(Self.fileName, limit: Self.size), bytes.count == Self.size else {
                return nil
            }
            let known = try (0..<2).map {
                try revision(Array(bytes.dropFirst(place + $0 * Self.entry).prefix(Self.entry)))
            }
            let older = (known[0] ?? -1) <= (known[1] ?? -1) ? 0 : 1
            state.withLock { $0.next = older }
            return known.compactMap(\.self).max()
        } catch {
            throw .wrapping(error, folder.path)
        }
    }

    /// Behind the commit. What keeps it from being written is no error of the commit.
    package func remember(_ revision: Int64) { try? write(revision) }

    /// Seconds since the file of a store was written to, as a checkpoint does; nil if it can't be said.
    package func age(of name: String) -> Int? {
        guard let status = try? folder.status(of: name) else { return nil }
        return Int(clamping: Int64(Date().timeIntervalSince1970) - status.modified / 1_000_000_000)
    }

    private func write(_ revision: Int64) throws {
        let bytes = try entry(revision)
        if state.withLock({ $0.file == nil }), let file = try open() { state.withLock { $0.file = file } }
        let (file, next) = state.withLock { state in
            defer { state.next = 1 - state.next }
            return (state.file, state.next)
        }
        guard let file else { return }
        try folder.files.write(bytes, to: file.descriptor, Self.fileName, offset: place + next * Self.entry)
    }

    private func open() throws -> OpenFile? {
        if let file = try usable() { return file }
        try folder.withLock(KeybagFile.lockName) {
            guard try usable() == nil else { return }
            var writer = ByteWriter(capacity: Self.size)
            writer.integer(Self.magic)
            writer.append(repeatElement(0, count: Self.size - 4))
            try folder.remove(Self.fileName)
            try folder.make(Self.fileName, with: writer.bytes)
        }
        return try usable()
    }

    private func usable() throws -> OpenFile? {
        guard let file = try folder.openFile(Self.fileName, .readAndWrite),
            try folder.files.status(of: file, Self.fileName).size == Self.size
        else { return nil }
        return OpenFile(file)
    }

    private func entry(_ revision: Int64) throws -> [UInt8] {
        var writer = ByteWriter(capacity: Self.entry)
        writer.integer(applicationID)
        writer.integer(UInt32(0))
        writer.integer(revision)
        let code = try key().withSecretBytes { try KeyDerivation.authenticationCode(for: writer.bytes, under: $0) }
        writer.append(code)
        writer.append(repeatElement(0, count: Self.entry - 48))
        return writer.bytes
    }

    private func revision(_ bytes: [UInt8]) throws -> Int64? {
        var reader = ByteReader(bytes)
        let head = try reader.read(16)
        let code = try reader.read(32)
        guard try key().withSecretBytes({ try KeyDerivation.isValid(code, for: head, under: $0) }) else { return nil }
        var fields = ByteReader(head)
        guard try fields.integer(UInt32.self) == applicationID, try fields.integer(UInt32.self) == 0 else { return nil }
        let revision: Int64 = try fields.integer()
        return revision < 0 ? nil : revision
    }

    private func key() throws -> Secret {
        try keybag.metadataKey(of: .none).derived(.storeRecord, keybag.homeIdentifier)
    }
}

extension Home {
    /// What is remembered of the store whose file bears `applicationID`.
    package func record(of counter: ChangeCounter, _ applicationID: UInt32) -> StoreRecord {
        StoreRecord(self, counter, applicationID)
    }

    /// Whether a file of a store is missing or empty. Errors: `.unsafeHome`, `.io`.
    package func isMissingOrEmpty(_ name: String) throws(DataProtectionError) -> Bool {
        do { return try openFolder.status(of: name).map { $0.size == 0 } ?? true } catch {
            throw .wrapping(error, folder)
        }
    }
}
