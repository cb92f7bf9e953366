// SPDX-License-Identifier: Apache-2.0

import Chips
import Files
import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What tells an earlier state of a root home that was put back from the present one: a counter in the chip that has the device secret, and a record
/// of what the home had reached when the counter was last raised (Documentation/Formats/Chip.md, "Freshness").
///
/// Its lock is a leaf: the files' locks are taken before it.
final class Freshness: Sendable {
    /// Why the counter grows.
    enum Cause: Sendable {
        /// A passcode was changed, keys or a user were removed: at once.
        case person
        /// Something was deleted: after a while, together with what else was.
        case deletion
        /// Something was stored: once a day.
        case change
    }

    /// Between two that count deletions, in seconds: 36 a day at most.
    static let pause: Int64 = 40 * 60
    private static let day: Int64 = 86_400
    /// How long a chip that failed isn't asked again for what can wait.
    private static let rest: Int64 = 600

    /// Of this moment, in seconds since 1970; tests put another one in its place.
    static let clock = Locked<@Sendable () -> Int64>({ Int64(Date().timeIntervalSince1970) })

    private struct State {
        /// When the counter was last raised, as far as this process knows.
        var last: Int64 = 0
        var isDeletionDue = false
        var restUntil: Int64 = 0
        /// The highest generations that are known to be recorded.
        var generations: [UniqueIdentifier: UInt64] = [:]
    }

    private let root: HomeFolder
    private let deviceSecret: DeviceSecretFile
    private let placed: PlacedCounter
    private let number: UInt32
    private let state = Locked(State())

    private var file: FreshnessFile { FreshnessFile(folder: root, counter: placed.counter) }

    /// Nil: no chip has the device secret, or it has no room for a counter, or the recovery code stands for it.
    init?(_ place: KeybagPlace) throws {
        guard ChipSecrets.isUsed, ChipSecrets.recoveryCodes.isEmpty, let record = try place.deviceSecret.record(),
            case .chip(let named, let sealed) = record.form, let counter = record.counter
        else { return nil }
        root = place.rootFolder
        deviceSecret = place.deviceSecret
        number = record.number
        placed = PlacedCounter(counter, of: sealed.identity, over: place.deviceSecret.way ?? named)
    }

    private var now: Int64 { Self.clock.withLock { $0 }() }

    // MARK: Reading

    /// Throws unless the root home is what it was when the counter was last raised, or has come on since. Finishes what was interrupted between record and counter.
    ///
    /// Errors: `.rolledBack`, `.damaged` (the record), `.counterGone`, `.counterReplaced`, and those of the chip.
    func check() throws {
        // What the counter said beside the device secret, if that was asked for now. Whoever raises it meanwhile wrote the record before, which differs then.
        if let value = ChipSecrets.takeReading(of: placed.counter), try record()?.number == value { return }
        if try record()?.number == value() { return }
        try root.withLock(FreshnessFile.lockName) {
            let value = try value()
            guard let record = try record() else {
                throw DataProtectionError(
                    .damaged,
                    "\(root.path)/\(FreshnessFile.name(placed.counter)) is missing or damaged, by which an earlier state of the home is told; put it back, or, to go on with what is there, run: \(root.acceptCommand)"
                )
            }
            switch record.number {
            case value: break
            case let next where next > 0 && next - 1 == value: try raise(to: next)
            case ..<value:
                throw DataProtectionError(
                    .rolledBack,
                    "the home \(root.path) is an earlier state that was put back: the chip's counter has gone on since (\(value), the home is at \(record.number)); put the present one back, or, if you restored it, run: \(root.acceptCommand)"
                )
            default: throw error(.counterReplaced)
            }
        }
    }

    private func noteKnown() throws {
        guard let record = try record() else { return }
        state.withLock { state in
            state.last = record.time
            for entry in record.entries where entry.name == FreshnessRecord.Entry.keybag {
                state.generations[entry.owner] = entry.number
            }
        }
    }

    /// Throws `.rolledBack` if the keybag is older than it was when the counter was last raised. `again`: reads its generation once more, under its lock.
    func check(
        _ owner: UniqueIdentifier, at folder: HomeFolder, _ generation: UInt64, again: () throws -> UInt64
    ) throws {
        try noteKnown()
        guard let least = state.withLock({ $0.generations[owner] }), generation < least, try again() < least else {
            return
        }
        throw DataProtectionError(
            .rolledBack,
            "\(folder.path)/\(KeybagFile.fileName) is an earlier one that was put back (generation \(generation), and there was \(least)); put the present one back, or, if you restored it, run: \(folder.acceptCommand)"
        )
    }

    /// Drops a record that was being written.
    func tidy() {
        let name = FreshnessFile.name(placed.counter)
        guard (try? root.exists(name + HomeFolder.temporarySuffix)) == true else { return }
        _ = try? root.tryLock(FreshnessFile.lockName) { root.discard(name) }
    }

    /// What a store had reached when the counter was last raised; nil: that isn't known. To be asked before the store is looked at.
    func entry(_ owner: UniqueIdentifier, _ name: String) throws -> FreshnessRecord.Entry? {
        try record()?.entry(owner, name)
    }

    private func record() throws -> FreshnessRecord? { try file.read(try secret()) }

    private func secret() throws -> SecretBytes { try deviceSecret.read(number) }

    private func value() throws -> UInt64 {
        do {
            return try placed.way.read(
                placed.counter, try placed.counter.authorization(try secret()), of: placed.identity)
        } catch let error as ChipError {
            throw self.error(error)
        }
    }

    private func raise(to number: UInt64) throws {
        ChipSecrets.forgetReading()
        do {
            let reached = try placed.way.raise(
                placed.counter, to: number, try placed.counter.authorization(try secret()), of: placed.identity)
            guard reached >= number else { throw ChipError.counterReplaced }
        } catch let error as ChipError {
            throw self.error(error)
        }
    }

    private func error(_ error: ChipError) -> DataProtectionError {
        DataProtectionError(counter: error, placed.way, accepting: root.acceptCommand)
    }

    /// When the counter was last raised, and what it says; for `status`.
    func standing() throws -> (value: UInt64, time: Int64)? { try record().map { ($0.number, $0.time) } }

    /// What the record says and what the chip says.
    func bothNumbers() throws -> (record: UInt64?, counter: UInt64) { (try record()?.number, try value()) }

    // MARK: Counting

    /// Raises the counter if it is time to. Never fails: what could not be counted is counted by whoever comes next.
    /// - Parameters:
    ///   - generation: whose keybag, and its generation.
    ///   - gone: a user who was removed.
    ///   - stores: what the stores that are open here contain, all of it on the disk.
    func count(
        _ cause: Cause, _ owner: UniqueIdentifier, generation: UInt64, gone: UniqueIdentifier? = nil,
        stores: () -> [FreshnessRecord.Entry]
    ) {
        if cause == .deletion { state.withLock { $0.isDeletionDue = true } }
        let isTime = { [self] in
            guard cause == .person else { return isDue }
            return gone != nil || generation > state.withLock { $0.generations[owner] ?? 0 }
        }
        guard isTime() else { return }
        let entries =
            stores() + [
                FreshnessRecord.Entry(owner: owner, name: FreshnessRecord.Entry.keybag, number: generation)
            ]
        do {
            try root.withLock(FreshnessFile.lockName) {
                try noteKnown()
                // Another process may have counted it meanwhile.
                guard isTime() else { return }
                try count(entries, gone)
            }
            try noteKnown()
            state.withLock { $0.isDeletionDue = false }
        } catch {
            let now = now
            state.withLock { $0.restUntil = now + Self.rest }
        }
    }

    private var isDue: Bool {
        let now = now
        let (last, isDeletionDue, rest) = state.withLock { ($0.last, $0.isDeletionDue, $0.restUntil) }
        if now < rest, rest - now <= Self.rest { return false }
        // A clock that was set back must not stop it.
        if now < last { return true }
        return now / Self.day != last / Self.day || (isDeletionDue && now - last >= Self.pause)
    }

    /// The lock is held by the caller. First the record, then the counter: in between the record is one ahead, and whoever finds that raises the counter.
    private func count(_ entries: [FreshnessRecord.Entry], _ gone: UniqueIdentifier?) throws {
        let value = try value()
        // What was put back is no state to count: that takes a person's word.
        guard var record = try record(), record.number == value || record.number == value &+ 1 else { return }
        record.number = value &+ 1
        record.time = now
        if let gone { record.entries.removeAll { $0.owner == gone } }
        for entry in entries { record.note(entry) }
        try file.write(record, try secret())
        try raise(to: record.number)
    }

    /// A person's word that what is there is to be gone on with. A counter that is gone, or that somebody replaced, is made anew. The lock of the root home's keybag is held by the caller.
    func accept() throws {
        do {
            try root.withLock(FreshnessFile.lockName) {
                let value = try value()
                try file.write(FreshnessRecord(number: value + 1, time: now), try secret())
                try raise(to: value + 1)
            }
        } catch let error as DataProtectionError {
            guard [.counterGone, .counterReplaced].contains(error.code) else { throw error }
            try deviceSecret.renewCounter(at: now)
        }
    }
}

extension DataProtectionError {
    /// What a person reads when the chip's counter is not as it should be.
    init(counter error: ChipError, _ way: ChipWay, accepting command: String) {
        let accept =
            "by which an earlier state of the home is told; nothing was changed; if you know why, go on with what is there: \(command)"
        switch error {
        case .counterGone:
            self.init(
                .counterGone, "the counter that this home has in the chip \(way) is not there any more, \(accept)",
                cause: error)
        case .counterReplaced:
            self.init(
                .counterReplaced,
                "somebody put another counter in the place of the one that this home has in the chip \(way), \(accept)",
                cause: error)
        default: self.init(error, way)
        }
    }
}
