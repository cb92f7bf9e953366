// SPDX-License-Identifier: Apache-2.0

import Chips
import Sealing
import SecretMemory

extension ChipCounter {
    init(_ reader: inout ByteReader) throws {
        self.init(handle: try reader.integer(), mark: try reader.read(Self.markSize))
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(handle)
        writer.append(mark)
        return writer.bytes
    }

    /// What the chip is shown by whoever reads or raises it. `secret`: the device secret that the counter was made under.
    func authorization(_ secret: borrowing SecretBytes) throws -> Secret {
        let key = try KeyDerivation.expand(from: secret, label: .chipCounter, context: mark, count: 31)
        // Chips leave zeros at the end out.
        return Secret(try key.joined(with: try SecretBytes(copying: [1])))
    }
}

/// A counter of a chip, and which chip.
struct PlacedCounter: Equatable, Sendable {
    let counter: ChipCounter
    let identity: ChipIdentity
    let way: ChipWay

    init(_ counter: ChipCounter, of identity: ChipIdentity, over way: ChipWay) {
        self.counter = counter
        self.identity = identity
        self.way = way
    }

    init(_ reader: inout ByteReader) throws {
        counter = try ChipCounter(&reader)
        identity = ChipIdentity(parent: try reader.read(ChipName.size), chip: try reader.read(ChipName.size))
        guard let way = try ChipWay(reader.text(Int(reader.integer(UInt16.self)))) else { throw SealingError.malformed }
        self.way = way
    }

    var encoded: [UInt8] {
        let text = Array(way.description.utf8)
        var writer = ByteWriter()
        writer.append(counter.encoded + identity.parent + identity.chip)
        writer.integer(UInt16(truncatingIfNeeded: text.count))
        writer.append(text)
        return writer.bytes
    }

    /// Makes it; what it says then. `room`: nil where the chip has none.
    func make(_ secret: borrowing SecretBytes) throws -> UInt64? {
        do { return try way.make(counter, try counter.authorization(secret), of: identity) } catch ChipError
            .noRoomForCounter
        {
            return nil
        }
    }

    enum Removal { case gone, left, silent }

    /// Best effort: whether the chip doesn't have it any more. `patience`: nil: the chip's own.
    func remove(over named: ChipWay?, within patience: Duration? = Self.patience) -> Removal {
        var reached = named ?? way
        if let patience { reached.patience = min(reached.patience, patience) }
        do { try reached.remove(counter, of: identity) } catch ChipError.cleared {
            return .gone
        } catch ChipError.otherChip {
            // Another one is named now; its own may still be where it was.
            guard named != nil, reached.description != way.description else { return .gone }
            return remove(over: nil, within: patience)
        } catch ChipError.silent {
            return .silent
        } catch {
            return .left
        }
        return .gone
    }

    /// For what can be done later as well.
    static let patience = Duration.seconds(5)
}

extension [PlacedCounter] {
    /// Best effort. A chip that fell silent is asked for none of the rest: each would be waited for as long again. Those that may still be in a chip.
    func remove(
        over way: ChipWay?, within patience: Duration? = PlacedCounter.patience, silent known: [ChipWay] = []
    ) -> (left: Self, silent: [ChipWay]) {
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

/// The counters that are being made or removed, noted before the chip is asked: whichever of them no file names after a crash is removed
/// (Documentation/Formats/Chip.md, "Counters").
struct CounterNote {
    static let fileName = "chip-counters"
    private static let start = Array("zamokctn".utf8) + [1]
    private static let most = 32

    let folder: HomeFolder

    func exists() throws -> Bool { try folder.exists(Self.fileName) }

    /// Whether one was being written; nothing was done by it yet.
    var isUnfinished: Bool { get throws { try folder.exists(Self.fileName + HomeFolder.temporarySuffix) } }

    func discard() { folder.discard(Self.fileName) }

    /// Adds to what is noted, durably. The lock of the folder's keybag is held by the caller.
    func add(_ counters: [PlacedCounter]) throws {
        guard !counters.isEmpty else { return }
        try write((noted() + counters).suffix(Self.most))
    }

    /// Removes what isn't `named` from the chip, and then forgets it. What the chip could not be asked about stays noted.
    func settle(named: [ChipCounter], over way: ChipWay?) {
        guard (try? exists()) == true else { return }
        let superfluous = noted().filter { !named.contains($0.counter) }
        let left = superfluous.remove(over: way).left
        for gone in superfluous where !left.contains(gone) { try? FreshnessFile.remove(of: gone.counter, in: folder) }
        if left.isEmpty { _ = try? folder.remove(Self.fileName) } else { try? write(left[...]) }
    }

    private func write(_ counters: ArraySlice<PlacedCounter>) throws {
        try folder.replace(
            Self.fileName, with: Self.start + [UInt8(counters.count)] + counters.flatMap(\.encoded))
    }

    /// All that a folder of a home names, in its keybag or a note, though nothing of it was verified: to be removed.
    static func counters(in folder: HomeFolder) -> [PlacedCounter] {
        let bytes = (try? folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit)) ?? nil
        let file = bytes.flatMap { try? KeybagFile(parsing: $0, allowingInsecureKDF: true) }
        let bound = (try? file?.passcodeBinding?.placedCounter) ?? nil
        return [bound].compactMap(\.self) + CounterNote(folder: folder).noted()
    }

    /// Nothing where the file is no such note: it names nothing that is needed.
    func noted() -> [PlacedCounter] {
        guard let bytes = try? folder.read(Self.fileName, limit: 1 << 16), bytes.count <= 1 << 16,
            bytes.starts(with: Self.start)
        else { return [] }
        var reader = ByteReader(Array(bytes.dropFirst(Self.start.count)))
        guard let count = try? reader.integer(UInt8.self),
            let found = try? (0..<count).map({ _ in try PlacedCounter(&reader) })
        else { return [] }
        return found
    }
}
