// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory
import TPMs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Detects that an earlier state of a root home was put back (`Documentation/Formats/TPMObjects.md`, "Freshness"). It
/// uses a counter in the TPM that has the device secret. A record contains what the home had reached when the
/// counter was last raised.
///
/// Its lock is a leaf: the files' locks are taken before it.
final class Freshness: Sendable {
    /// Why the counter is raised.
    enum Cause: Sendable {
        /// A passcode was changed, or keys or a user were removed.
        case atOnce
        /// Something was deleted: raised after a while, once for all deletions until then.
        case soon
        /// Something was stored: raised once a day.
        case daily
    }

    /// The least time in seconds between two increments for deletions: 36 a day at most.
    static let pause: Int64 = 40 * 60
    private static let day: Int64 = 86_400
    /// How long a TPM that failed is not asked again for work that can wait, in seconds.
    private static let rest: Int64 = 600

    /// The current time in seconds since 1970; tests replace it.
    static let clock = Locked<@Sendable () -> Int64>({ Int64(Date().timeIntervalSince1970) })

    private struct State {
        /// When the counter was last raised, as far as this process knows.
        var last: Int64 = 0
        var isDeletionDue = false
        var restUntil: Int64 = 0
        /// The generations of the keybags that are known to be recorded.
        var generations: [UniqueIdentifier: UInt64] = [:]
    }

    private let root: HomeFolder
    private let deviceSecret: DeviceSecretFile
    private let placed: LocatedCounter
    private let number: UInt32
    private let state = Locked(State())

    private var file: FreshnessFile { FreshnessFile(folder: root, counter: placed.counter) }

    /// Nil if no TPM has the device secret, if the TPM has no room for a counter, or if the recovery code
    /// replaces the TPM.
    ///
    /// Call it after the device secret was read: before that it is nil in every home. So homes without a TPM don't read
    /// the record of the device secret.
    init?(_ place: KeybagLocation) throws {
        guard TPMSecrets.hasOpenedAny, TPMSecrets.recoveryCodes.isEmpty, let record = try place.deviceSecret.record(),
            case .tpm(let named, let sealed) = record.form, let counter = record.counter
        else { return nil }
        root = place.rootFolder
        deviceSecret = place.deviceSecret
        number = record.number
        placed = LocatedCounter(counter, of: sealed.identity, over: place.deviceSecret.way ?? named)
    }

    private var now: Int64 { Self.clock.withLock { $0 }() }

    // MARK: Reading

    /// Throws unless the root home is in the state of the last increment, or in a later one. Completes an increment
    /// that was interrupted between record and counter.
    ///
    /// Errors: `.rolledBack`, `.damaged` (the record), `.counterGone`, `.counterReplaced`, and those of the TPM.
    func checkCounter() throws {
        // The counter's value that was read together with the device secret, if that was read just now. A process that
        // raises the counter meanwhile writes the record first, so the record then differs.
        if let value = TPMSecrets.takeReading(of: placed.counter), try record()?.number == value { return }
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
                    "the home \(root.path) is an earlier state that was put back: the TPM's counter has gone on since (\(value), the home is at \(record.number)); put the present one back, or, if you restored it, run: \(root.acceptCommand)"
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

    /// Throws `.rolledBack` if the keybag is older than it was when the counter was last raised. `again` reads its
    /// generation once more, under its lock.
    func checkGeneration(
        of owner: UniqueIdentifier, at folder: HomeFolder, _ generation: UInt64, again: () throws -> UInt64
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

    /// Drops the temporary file of an interrupted write of the record.
    func tidy() {
        let name = FreshnessFile.name(placed.counter)
        guard (try? root.exists(name + HomeFolder.temporarySuffix)) == true else { return }
        _ = try? root.tryLock(FreshnessFile.lockName) { root.discard(name) }
    }

    /// What a store had reached when the counter was last raised; nil: unknown. Call it before reading the store.
    func entry(_ owner: UniqueIdentifier, _ name: String) throws -> FreshnessRecord.Entry? {
        try record()?.entry(owner, name)
    }

    private func record() throws -> FreshnessRecord? { try file.read(try secret()) }

    private func secret() throws -> SecretBytes { try deviceSecret.read(number) }

    private func value() throws -> UInt64 {
        do {
            return try placed.way.read(
                placed.counter, try placed.counter.authorization(try secret()), of: placed.identity)
        } catch let error as TPMError {
            throw self.error(error)
        }
    }

    private func raise(to number: UInt64) throws {
        TPMSecrets.forgetReading()
        do {
            let reached = try placed.way.raise(
                placed.counter, to: number, try placed.counter.authorization(try secret()), of: placed.identity)
            guard reached >= number else { throw TPMError.counterReplaced }
        } catch let error as TPMError {
            throw self.error(error)
        }
    }

    private func error(_ error: TPMError) -> DataProtectionError {
        DataProtectionError(counter: error, placed.way, accepting: root.acceptCommand)
    }

    /// The counter's value and the time of the last increment according to the record; for `status`.
    func standing() throws -> (value: UInt64, time: Int64)? { try record().map { ($0.number, $0.time) } }

    /// The numbers of the record and of the TPM's counter; for tests.
    func bothNumbers() throws -> (record: UInt64?, counter: UInt64) { (try record()?.number, try value()) }

    // MARK: Counting

    /// Raises the counter if it is due. Never fails: a later call counts what this one can't.
    /// - Parameters:
    ///   - owner: The home whose keybag it is.
    ///   - generation: The generation of that keybag.
    ///   - gone: A user that was removed.
    ///   - stores: The contents of the stores that are open here, all of them on disk.
    func count(
        _ cause: Cause, _ owner: UniqueIdentifier, generation: UInt64, gone: UniqueIdentifier? = nil,
        stores: () -> [FreshnessRecord.Entry]
    ) {
        if cause == .soon { state.withLock { $0.isDeletionDue = true } }
        let isTime = { [self] in
            guard cause == .atOnce else { return isDue }
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
                // Another process may have counted this meanwhile.
                guard isTime() else { return }
                try writeAndRaise(entries, gone)
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
        // A clock that was set back must not stop the counting.
        if now < last { return true }
        return now / Self.day != last / Self.day || (isDeletionDue && now - last >= Self.pause)
    }

    /// The caller holds the lock. Writes the record first, then raises the counter. In between the record is one ahead,
    /// and any process that finds this raises the counter.
    private func writeAndRaise(_ entries: [FreshnessRecord.Entry], _ gone: UniqueIdentifier?) throws {
        let value = try value()
        // A state that was put back is not counted: that needs the user's explicit consent.
        guard var record = try record(), record.number == value || record.number == value &+ 1 else { return }
        record.number = value &+ 1
        record.time = now
        if let gone { record.entries.removeAll { $0.owner == gone } }
        for entry in entries { record.note(entry) }
        try file.write(record, try secret())
        try raise(to: record.number)
    }

    /// Accepts the state on disk, at the user's explicit request. Makes a new counter if the counter is gone or was
    /// replaced. The caller holds the lock of the root home's keybag.
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
    /// The error for the user when the TPM's counter is gone or was replaced.
    init(counter error: TPMError, _ way: TPMAddress, accepting command: String) {
        let accept =
            "by which an earlier state of the home is told; nothing was changed; if you know why, go on with what is there: \(command)"
        switch error {
        case .counterGone:
            self.init(
                .counterGone, "the counter that this home has in the TPM \(way) is not there any more, \(accept)",
                cause: error)
        case .counterReplaced:
            self.init(
                .counterReplaced,
                "another counter was put in the place of the one that this home has in the TPM \(way), \(accept)",
                cause: error)
        default: self.init(error, way)
        }
    }
}
