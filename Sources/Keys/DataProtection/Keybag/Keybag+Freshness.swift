// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A store that reports its contents for the record that detects an earlier state of the home.
package protocol FreshSource: AnyObject, Sendable {
    /// The contents on disk when this returns; nil if they are unknown now.
    func freshState() -> FreshState?
}

/// What a store had reached, and contained, at one moment.
package struct FreshState: Equatable, Sendable {
    package let name: String
    /// The number of the store's last write.
    package let number: UInt64
    /// A digest of the contents then, 16 bytes.
    package let digest: [UInt8]

    package init(name: String, number: UInt64, digest: [UInt8]) {
        self.name = name
        self.number = number
        self.digest = digest
    }
}

/// A weak reference to a source.
struct WeakFreshSource: Sendable {
    weak var value: (any FreshSource)?
}

/// Detection of earlier states that were put back (`Documentation/Formats/TPMObjects.md`, "Freshness"). It does
/// nothing in a home without a counter in a TPM.
extension Keybag {
    /// Checks a home that is being opened. Errors: as `Freshness.checkCounter`.
    func beginFreshness(_ file: KeybagFile) throws {
        guard let known = try Freshness(place) else { return }
        freshness.withLock { $0 = known }
        do {
            if place.owner.isEmpty { try known.checkCounter() }
            try known.checkGeneration(of: place.ownIdentifier, at: place.folder, file.generation) {
                try place.locked { try place.read().file.generation }
            }
        } catch let error as DataProtectionError {
            let isTold = [.rolledBack, .counterGone, .counterReplaced, .damaged].contains(error.code)
            guard place.toleratesRollback, isTold else { throw error }
            staleness.withLock { $0 = error }
            return
        }
        if place.owner.isEmpty { known.tidy() }
        // Finishes what was interrupted between a counter and the file that names it.
        let note = CounterNote(folder: place.folder)
        guard try note.exists() || note.isUnfinished else { return }
        _ = try? place.tryLocked {
            note.discard()
            place.settleCounters()
        }
    }

    /// Call it after the device secret moved.
    func renewFreshness() {
        let known = try? Freshness(place)
        freshness.withLock { $0 = known }
    }

    private var counting: Freshness? {
        // Most homes have no counter, and every write checks this.
        guard let known = freshness.withLock({ $0 }), staleness.withLock({ $0 }) == nil else { return nil }
        return known
    }

    /// Counts a change of the keybag, if there was one. The caller holds no lock of the keybag. `gone`: a user
    /// that was removed.
    func countKeybag(gone: UniqueIdentifier? = nil) {
        guard let counting, let file = try? view().file else { return }
        counting.count(.atOnce, place.ownIdentifier, generation: file.generation, gone: gone) { freshEntries }
    }

    /// Counts a write of a store, if it is due. Called after the commit; never fails.
    package func countWrite(deleting isDeletion: Bool) {
        guard let counting, let generation = try? view().file.generation else { return }
        counting.count(isDeletion ? .soon : .daily, place.ownIdentifier, generation: generation) { freshEntries }
    }

    private var freshEntries: [FreshnessRecord.Entry] {
        let sources = freshSources.withLock { $0.compactMap(\.value) }
        return sources.compactMap { $0.freshState() }.map {
            FreshnessRecord.Entry(owner: place.ownIdentifier, name: $0.name, number: $0.number, digest: $0.digest)
        }
    }

    /// Registers a store that reports its contents, for as long as it lives.
    package func register(fresh source: any FreshSource) {
        freshSources.withLock { $0 = $0.filter { $0.value != nil } + [WeakFreshSource(value: source)] }
    }

    /// What the store had reached when the counter was last raised; by now it has that or more. Call it before reading
    /// the store. Nil: unknown.
    package func freshState(of name: String) throws(DataProtectionError) -> FreshState? {
        guard let counting else { return nil }
        return try mapping {
            try counting.entry(place.ownIdentifier, name).map {
                FreshState(name: name, number: $0.number, digest: $0.digest)
            }
        }
    }
}

extension Home {
    /// Whether an earlier state that was put back, or a lost counter, was tolerated.
    package var isEarlierState: Bool {
        [root?.keybag, keybag].contains { $0?.staleness.withLock { $0 } != nil }
    }

    /// Accepts an earlier state that was put back, or the loss of the counter. Only for an explicit command. Errors:
    /// those of the TPM, `.diskFull`, `.readOnly`, `.io`.
    package func acceptEarlierState() throws(DataProtectionError) {
        let keybags = [root?.keybag, keybag].compactMap(\.self)
        guard isEarlierState, let known = keybag.freshness.withLock({ $0 }) else { return }
        let place = (root ?? self).keybag.place
        do {
            try place.rootFolder.withLock(KeybagFile.lockName) {
                try known.accept()
                place.settleCounters()
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
        for keybag in keybags {
            keybag.staleness.withLock { $0 = nil }
            keybag.renewFreshness()
            keybag.countKeybag()
        }
    }
}
