// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TPMs

extension TPMCounter {
    init(_ reader: inout ByteReader) throws {
        self.init(handle: try reader.integer(), mark: try reader.read(Self.markSize))
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(handle)
        writer.append(mark)
        return writer.bytes
    }

    /// The authorization with which the TPM's counter is read or raised. `secret`: the device secret that the counter
    /// was made under.
    func authorization(_ secret: borrowing SecretBytes) throws -> Secret {
        let key = try KeyDerivation.expand(from: secret, label: .tpmCounter, context: mark, count: 31)
        // TPMs drop trailing zeros.
        return Secret(try key.joined(with: try SecretBytes(copying: [1])))
    }
}

/// A counter of a TPM, and which TPM.
struct LocatedCounter: Equatable, Sendable {
    let counter: TPMCounter
    let identity: TPMIdentity
    let way: TPMAddress

    init(_ counter: TPMCounter, of identity: TPMIdentity, over way: TPMAddress) {
        self.counter = counter
        self.identity = identity
        self.way = way
    }

    init(_ reader: inout ByteReader) throws {
        counter = try TPMCounter(&reader)
        identity = TPMIdentity(parent: try reader.read(TPMName.size), tpm: try reader.read(TPMName.size))
        guard let way = try TPMAddress(reader.text(Int(reader.integer(UInt16.self)))) else {
            throw SealingError.malformed
        }
        self.way = way
    }

    var encoded: [UInt8] {
        let text = Array(way.description.utf8)
        var writer = ByteWriter()
        writer.append(counter.encoded + identity.parent + identity.tpm)
        writer.integer(UInt16(truncatingIfNeeded: text.count))
        writer.append(text)
        return writer.bytes
    }

    /// Makes the counter and returns its value; nil: the TPM has no room for it.
    func make(_ secret: borrowing SecretBytes) throws -> UInt64? {
        do { return try way.make(counter, try counter.authorization(secret), of: identity) } catch TPMError
            .noRoomForCounter
        {
            return nil
        }
    }

    enum Removal { case gone, left, silent }

    /// Removes the counter, best effort. Returns whether it is gone from the TPM. `patience`: nil: the TPM's own.
    func remove(over named: TPMAddress?, within patience: Duration? = Self.patience) -> Removal {
        var reached = named ?? way
        if let patience { reached.patience = min(reached.patience, patience) }
        do { try reached.remove(counter, of: identity) } catch TPMError.cleared {
            return .gone
        } catch TPMError.otherTPM {
            // Another TPM is named now; the counter's own may still be at its earlier address.
            guard named != nil, reached.description != way.description else { return .gone }
            return remove(over: nil, within: patience)
        } catch TPMError.silent {
            return .silent
        } catch {
            return .left
        }
        return .gone
    }

    /// For work that can also be done later.
    static let patience = Duration.seconds(5)
}

extension [LocatedCounter] {
    /// Removes the counters, best effort. A TPM that didn't answer is not asked about the rest, since each request
    /// would wait as long again. Returns the counters that may still be in a TPM, and the TPMs that didn't answer.
    func remove(
        over way: TPMAddress?, within patience: Duration? = LocatedCounter.patience, silent known: [TPMAddress] = []
    ) -> (left: Self, silent: [TPMAddress]) {
        var silent = known
        let left = filter { counter in
            let reached = way ?? counter.way
            guard !silent.contains(reached) else { return true }
            let removal = counter.remove(over: way, within: patience)
            if removal == .silent { silent.append(reached) }
            return removal != .gone
        }
        return (left, silent)
    }
}

/// The counters that are being made or removed, noted before the TPM is asked. After a crash, any of them that no file
/// names is removed (`Documentation/Formats/TPMObjects.md`, "Counters").
struct CounterNote {
    static let fileName = "chip-counters"
    private static let start = Array("zamokctn".utf8) + [1]
    private static let most = 32

    let folder: HomeFolder

    func exists() throws -> Bool { try folder.exists(Self.fileName) }

    /// Whether writing a note was interrupted; then nothing was done after it yet.
    var isUnfinished: Bool { get throws { try folder.exists(Self.fileName + HomeFolder.temporarySuffix) } }

    func discard() { folder.discard(Self.fileName) }

    /// Adds counters to the note, durably. The caller holds the lock of the folder's keybag.
    func add(_ counters: [LocatedCounter]) throws {
        guard !counters.isEmpty else { return }
        try write((noted() + counters).suffix(Self.most))
    }

    /// Removes the noted counters that aren't `named` from the TPM, and then from the note. Counters that the TPM could
    /// not be asked about stay noted.
    func settle(named: [TPMCounter], over way: TPMAddress?) {
        guard (try? exists()) == true else { return }
        let superfluous = noted().filter { !named.contains($0.counter) }
        let left = superfluous.remove(over: way).left
        for gone in superfluous where !left.contains(gone) { try? FreshnessFile.remove(of: gone.counter, in: folder) }
        if left.isEmpty { _ = try? folder.remove(Self.fileName) } else { try? write(left[...]) }
    }

    private func write(_ counters: ArraySlice<LocatedCounter>) throws {
        try folder.replace(
            Self.fileName, with: Self.start + [UInt8(counters.count)] + counters.flatMap(\.encoded))
    }

    /// All counters that a home's folder names in its keybag or a note, although nothing of it was verified:
    /// to be removed.
    static func counters(in folder: HomeFolder) -> [LocatedCounter] {
        let bytes = (try? folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit)) ?? nil
        let file = bytes.flatMap { try? KeybagFile(parsing: $0, allowingInsecureKDF: true) }
        let bound = (try? file?.passcodeBinding?.placedCounter) ?? nil
        return [bound].compactMap(\.self) + CounterNote(folder: folder).noted()
    }

    /// The noted counters. Empty if the file is no such note: it then names nothing that is needed.
    func noted() -> [LocatedCounter] {
        guard let bytes = try? folder.read(Self.fileName, limit: 1 << 16), bytes.count <= 1 << 16,
            bytes.starts(with: Self.start)
        else { return [] }
        var reader = ByteReader(Array(bytes.dropFirst(Self.start.count)))
        guard let count = try? reader.integer(UInt8.self),
            let found = try? (0..<count).map({ _ in try LocatedCounter(&reader) })
        else { return [] }
        return found
    }
}
