// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SecretMemory
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// 160 bits on paper, from which the keys are derived to which each epoch is sealed. They add a new device when no
/// device is left.
public struct RecoveryCode: Sendable, CustomStringConvertible, CustomReflectable {
    private static let digits = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

    private let key: SymmetricKey

    /// Reveals nothing of the code.
    public var description: String { "RecoveryCode" }

    /// Empty: this is a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Generates a code with the system's random generator.
    public init() { key = SymmetricKey(size: SymmetricKeySize(bitCount: 160)) }

    /// Reads a printed code: 32 digits in groups, in any case and with any separators, and two check digits that reveal
    /// a typing error.
    /// - Throws: `wrongWords` if it can't be a code.
    public init(_ text: String) throws(SyncLogError) {
        let values = text.uppercased().compactMap { Self.digits.firstIndex(of: $0) }
        guard values.count == 34 else { throw Self.slip }
        var bytes = [UInt8](repeating: 0, count: 20)
        for (position, value) in values.prefix(32).enumerated() {
            for bit in 0..<5 where value >> (4 - bit) & 1 == 1 {
                let at = position * 5 + bit
                bytes[at / 8] |= 0x80 >> UInt8(at % 8)
            }
        }
        guard Self.check(bytes) == Array(values.suffix(2)) else { throw Self.slip }
        key = SymmetricKey(data: bytes)
    }

    init(bytes: borrowing SecretBytes) throws { key = try SymmetricKey(bytes) }

    func secret() throws -> Secret { try key.secret() }

    private static var slip: SyncLogError {
        SyncLogError(
            .wrongWords, "this is no recovery code: a character is missing or mistyped; compare it with the paper")
    }

    private static func check(_ bytes: [UInt8]) -> [Int] {
        let digest = KeyLabel.syncRecoveryCode.digest(bytes)
        return [Int(digest[0] >> 3), Int(digest[1] >> 3)]
    }

    /// The code for printing, to be shown only once and only to the user: groups of four, including the two
    /// check digits.
    public var text: String {
        let bytes = key.exposingBytes
        var values: [Int] = []
        for position in 0..<32 {
            var value = 0
            for at in position * 5..<position * 5 + 5 {
                value = value << 1 | Int(bytes[at / 8] >> UInt8(7 - at % 8)) & 1
            }
            values.append(value)
        }
        let all = (values + Self.check(bytes)).map { Self.digits[$0] }
        return stride(from: 0, to: all.count, by: 4).map { String(all[$0..<min($0 + 4, all.count)]) }
            .joined(separator: "-")
    }

    /// The keys derived for an account. They differ for each account, so that another party's log can't be presented to
    /// the code.
    public func device(in account: Digest32) throws -> DeviceKeys {
        try DeviceKeys(derivedFrom: key, KeyLabel.syncRecoveryCode.info(account))
    }

    /// A key derived for an account, for other uses than a device's keys.
    func derived(in account: Digest32, _ purpose: UInt8) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: KeyLabel.syncRecoveryCode.info() + account + [purpose], outputByteCount: 32)
    }
}

extension DeviceKeys {
    /// Keys derived from a secret. HKDF output for counters 0, 1, ... is tried as the signing key, and the first valid
    /// one is used.
    init(derivedFrom secret: SymmetricKey, _ purpose: [UInt8]) throws {
        let derive = { (name: [UInt8]) in
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: purpose + name, outputByteCount: 32)
        }
        var counter: UInt8 = 0
        var signing: P256.Signing.PrivateKey?
        while signing == nil, counter < 255 {
            signing = try? P256.Signing.PrivateKey(rawRepresentation: derive([0, counter]).exposingBytes)
            counter += 1
        }
        guard let signing else { throw SyncLogError(.malformed, "no signing key follows from this secret") }
        try self.init(
            signing: signing,
            opening: Dictionary(
                uniqueKeysWithValues: TravellingClass.allCases.map { ($0, try OpeningKey(seed: derive([$0.rawValue]))) }
            ))
    }
}

extension LogWriter {
    /// Seals the epochs from `first` on, and each later one, to a recovery code; the previous code ends.
    public func recovery(_ code: RecoveryCode, keysFrom first: UInt32 = 1) throws -> Entry {
        let record = try code.device(in: state.account).record
        return try entry(
            .recovery,
            Addition.bytes(number: state.next, record: record, envelopes: try envelopes(for: record, keysFrom: first)))
    }

    /// A ticket whose holder can read without being added, until the next epoch: the current keys are sealed to it.
    public func unattendedTicket(for device: DeviceRecord, machines: UInt16) throws -> Entry {
        let envelopes = try envelopes(for: device, keysFrom: state.epoch)
        let ticket = Ticket(
            number: state.next, key: Array(device.bytes.prefix(64)), machines: machines, place: state.place,
            hash: state.hash)
        return try entry(.unattended, ticket.bytes + device.bytes.dropFirst(64) + envelopes.flatMap(\.bytes))
    }
}

extension LogReplica {
    /// A writer for the entry by which the recovery code, whose keys this copy has, adds a new device.
    /// - Throws: `notAccepted` if the account has no such code, or another one by now.
    public func recoveryWriter() throws(SyncLogError) -> LogWriter {
        guard let recovery = state.recovery, recovery == holder else {
            throw SyncLogError(
                .notAccepted,
                "this recovery code is not the account's: it was ended, another one was made since, or it is of another account"
            )
        }
        return LogWriter(after: state, as: recovery, device, keys: keys)
    }
}

/// A ticket with keys sealed to it.
public struct UnattendedTicket: Sendable {
    /// The ticket.
    public let ticket: Ticket
    let envelopes: [Envelope]

    init(from reader: inout ByteReader) throws(SyncLogError) {
        ticket = try Ticket(from: &reader)
        _ = try DeviceRecord(ticket.key + reader.take(DeviceRecord.size - 64))
        envelopes = try Envelope.ofMember(ticket.number, keys: 1...Envelope.mostKeys, from: &reader)
    }
}
