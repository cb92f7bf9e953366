// SPDX-License-Identifier: Apache-2.0

public import Crypto
import Sealing
public import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys that this device received, and what was sealed to it under classes that were locked then.
public struct KeyRing: Sendable, CustomStringConvertible, CustomReflectable {
    private var keys: [UInt32: [TravellingClass: SymmetricKey]] = [:]
    private var checks: [UInt32: EpochChecks] = [:]
    private typealias Sealed = (envelope: Envelope, account: Digest32, epoch: UInt32)
    /// Everything that was sealed to this device; a class that was locked is opened from it again.
    private var sealed: [Sealed] = []
    private var waiting: [Sealed] = []

    /// The epochs, and no key.
    public var description: String { "KeyRing(epochs \(keys.keys.sorted()))" }

    /// Empty: printing the ring's content would print keys.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The first epoch whose keys are needed. A copy that begins at a snapshot has no checks of earlier epochs, and
    /// needs none of their keys.
    let first: UInt32

    /// A ring without keys. The checks of the log's epoch are trusted, since they are in the verified state.
    public init(_ state: LogState) { self.init(state, first: state.epoch) }

    /// The same, for a device that has the keys from an earlier epoch on.
    init(_ state: LogState, first: UInt32) {
        self.first = first
        checks[state.epoch] = state.checks
    }

    /// The key of an epoch and class, if it was received and the class was unlocked since.
    public subscript(epoch: UInt32, protectionClass: TravellingClass) -> SymmetricKey? {
        keys[epoch]?[protectionClass]
    }

    /// All open keys of an epoch.
    public func keys(of epoch: UInt32) -> EpochKeys { EpochKeys(epoch: epoch, keys: keys[epoch] ?? [:]) }

    /// Keeps keys that this device generated.
    public mutating func keep(_ made: EpochKeys) { keys[made.epoch] = made.keys }

    /// Keeps one stored key. `lock` removes it until it is provided again.
    mutating func keep(_ key: SymmetricKey, epoch: UInt32, _ own: TravellingClass) {
        keys[epoch, default: [:]][own] = key
    }

    /// The keys of a class, by epoch.
    func known(_ own: TravellingClass) -> [(epoch: UInt32, key: SymmetricKey)] {
        keys.sorted { $0.key < $1.key }.compactMap { epoch, keys in keys[own].map { (epoch, $0) } }
    }

    /// Receives what the genesis sealed to this member.
    package mutating func learn(_ genesis: Genesis, epoch: UInt32, as member: UInt32) {
        for founder in genesis.founders where founder.number == member {
            receive(founder.envelopes.map { ($0, Zero.digest, epoch) })
        }
    }

    /// Receives an entry's checks, and what it seals to this member.
    package mutating func learn(_ counted: LogState.Counted, as member: UInt32?) {
        switch counted.body {
        case .epoch(let body):
            checks[body.epoch] = body.checks
            receive(body.envelopes.filter { $0.member == member }.map { ($0, counted.entry.account, body.epoch) })
        case .addition(let addition) where addition.number == member:
            receive(addition.envelopes.map { ($0, counted.entry.account, counted.entry.epoch) })
        case .person(let addition) where addition.machine.number == member:
            receive(addition.machine.envelopes.map { ($0, counted.entry.account, counted.entry.epoch) })
        case .recovery(let holder) where holder.number == member:
            receive(holder.envelopes.map { ($0, counted.entry.account, counted.entry.epoch) })
        case .unattended(let unattended) where unattended.ticket.number == member:
            receive(unattended.envelopes.map { ($0, counted.entry.account, counted.entry.epoch) })
        default: break
        }
    }

    /// Opens what waits, as far as the classes of `device` are unlocked. Keys that don't match the log's check are not
    /// used. Returns whether any was opened, and what was wrong with another. A wrong key means that a member sealed
    /// something else to this device than to the others.
    package mutating func open(with device: DeviceKeys) -> (isAny: Bool, wrong: SyncLogError?) {
        var isAny = false
        var wrong: SyncLogError?
        let pending = waiting
        waiting = []
        for (envelope, account, epoch) in pending {
            guard let key = device.opening[envelope.protectionClass] else {
                waiting.append((envelope, account, epoch))
                continue
            }
            do throws(SyncLogError) {
                for (epoch, key) in try envelope.open(with: key, account: account, epoch: epoch) where epoch >= first {
                    if admit(key, epoch: epoch, envelope.protectionClass) {
                        isAny = true
                    } else {
                        wrong = wrong ?? .otherKey(epoch)
                    }
                }
            } catch {
                wrong = error
            }
        }
        return (isAny, wrong)
    }

    private mutating func admit(_ key: SymmetricKey, epoch: UInt32, _ protectionClass: TravellingClass) -> Bool {
        guard let check = checks[epoch]?.check(protectionClass),
            EpochKeys.check(of: key, epoch: epoch, protectionClass).elementsEqual(check)
        else { return false }
        keys[epoch, default: [:]][protectionClass] = key
        return true
    }

    private mutating func receive(_ given: [Sealed]) {
        sealed += given
        waiting += given
    }

    /// Forgets the keys of a class; they are opened again from what was sealed to this device.
    package mutating func lock(_ protectionClass: TravellingClass) {
        for epoch in keys.keys { keys[epoch]?[protectionClass] = nil }
        waiting.removeAll { $0.envelope.protectionClass == protectionClass }
        waiting += sealed.filter { $0.envelope.protectionClass == protectionClass }
    }

    /// The open keys of a class for a new member, from epoch `first` on.
    func forNewcomer(from first: UInt32, _ protectionClass: TravellingClass) -> [(epoch: UInt32, key: SymmetricKey)] {
        keys.sorted { $0.key < $1.key }.suffix(Envelope.mostKeys).compactMap { epoch, keys in
            epoch < first ? nil : keys[protectionClass].map { (epoch, $0) }
        }
    }
}

extension SyncLogError {
    fileprivate static func otherKey(_ epoch: UInt32) -> Self {
        Self(.wrongKey, "the key of epoch \(epoch) that was sealed to this device is not the others'")
    }
}

extension SealedPart {
    static func key(
        _ epochKey: SymmetricKey, salt: [UInt8], account: Digest32, _ own: TravellingClass
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: epochKey, salt: salt, info: KeyLabel.syncBody.info() + account + [own.rawValue],
            outputByteCount: 32)
    }

    private static func authenticated(
        _ account: Digest32, author: UInt32, sequence: UInt64, epoch: UInt32, _ protectionClass: TravellingClass
    ) -> [UInt8] {
        var bytes = account
        bytes.append(UInt64(author), bytes: 4)
        bytes.append(sequence, bytes: 8)
        bytes.append(UInt64(epoch), bytes: 4)
        return bytes + [protectionClass.rawValue]
    }

    /// Seals the content of a part.
    package static func seal(
        _ plain: [UInt8], _ protectionClass: TravellingClass, under key: SymmetricKey, account: Digest32,
        author: UInt32, sequence: UInt64, epoch: UInt32
    ) throws -> SealedPart {
        let salt = SymmetricKey(size: .bits256).exposingBytes
        let own = Self.key(key, salt: salt, account: account, protectionClass)
        let box = try AES.GCM.seal(
            plain, using: own, nonce: AES.GCM.Nonce(data: Zero.nonce),
            authenticating: authenticated(account, author: author, sequence: sequence, epoch: epoch, protectionClass))
        return SealedPart(
            protectionClass: protectionClass, salt: salt, sealed: Array(box.ciphertext) + Array(box.tag))
    }

    /// The operations of this part in an entry that counts. A part that doesn't open, or breaks the format, throws.
    func operations(
        of entry: Entry, place: UInt64, under key: SymmetricKey, counted: CountedBefore
    ) throws(SyncLogError) -> [(key: [UInt8], operation: Operation)] {
        let own = Self.key(key, salt: salt, account: entry.account, protectionClass)
        let authenticated = Self.authenticated(
            entry.account, author: entry.author, sequence: entry.sequence, epoch: entry.epoch, protectionClass)
        guard let nonce = try? AES.GCM.Nonce(data: Zero.nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
            let plain = try? AES.GCM.open(box, using: own, authenticating: authenticated)
        else { throw .malformed("a part that doesn't open") }
        return try PartContent.operations(
            Array(plain), entry: entry, place: place, protectionClass, counted: counted)
    }
}
