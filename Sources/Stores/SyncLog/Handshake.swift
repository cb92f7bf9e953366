// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private let magic = Array("zsyj".utf8)

private func start(_ step: UInt8, _ id: [UInt8]) -> [UInt8] { magic + [1, step, 0, 0] + id }

private func open(_ bytes: [UInt8], _ step: UInt8, _ id: [UInt8]?) throws(SyncLogError) -> (ByteReader, id: [UInt8]) {
    var reader = ByteReader(bytes)
    guard try reader.take(8) == magic + [1, step, 0, 0] else { throw .malformed("not step \(step) of a hand-shake") }
    let own = try reader.take(16)
    if let id, id != own { throw SyncLogError(.wrongWords, "a message of another hand-shake") }
    return (reader, own)
}

/// The user's answer to the words: step 4 is the applicant's answer, step 5 the approver's. It is not signed: a party
/// that can write a "no" could also withhold everything else. A "yes" adds nothing to the answer of the approver's
/// own user.
public enum WordsAnswer {
    /// The step of the applicant's answer.
    public static let byApplicant: UInt8 = 4
    /// The step of the approver's answer, written only for a "no": an addition means "yes".
    public static let byApprover: UInt8 = 5

    /// Encodes an answer.
    public static func message(_ areSame: Bool, step: UInt8, id: [UInt8]) -> [UInt8] {
        start(step, id) + [areSame ? 1 : 0]
    }

    /// Decodes an answer: whether the words were the same.
    public static func read(_ message: [UInt8], step: UInt8, id: [UInt8]) throws(SyncLogError) -> Bool {
        var (reader, _) = try open(message, step, id)
        let answer = try reader.take(1)
        try reader.end()
        guard answer[0] <= 1 else { throw .malformed("not an answer to the words of a hand-shake") }
        return answer[0] == 1
    }
}

private func commitment(_ nonce: [UInt8], _ record: DeviceRecord, _ person: [UInt8]) -> Digest32 {
    KeyLabel.syncCommitment.digest(nonce, record.bytes, person)
}

/// A person in the hand-shake of a group, by a machine of its account. In the group that machine has keys of its own.
public struct HandshakePerson: Sendable {
    /// The id of its account.
    public let id: Digest32
    private let signing: P256.Signing.PrivateKey

    /// A person, with its machine's keys in the account.
    public init(_ id: Digest32, _ device: DeviceKeys) {
        self.id = id
        signing = device.signing
    }

    /// By which another person knows the machine again.
    package var key: [UInt8] { Array(signing.publicKey.rawRepresentation) }

    package func signed(_ messages: [UInt8]) throws(SyncLogError) -> [UInt8] {
        do {
            return Array(try signing.signature(for: KeyLabel.groupHandshake.info(messages)).rawRepresentation)
        } catch {
            throw SyncLogError(.wrongKey, "this device's key signs nothing")
        }
    }

    /// Throws unless the messages are signed by the machine with the key.
    static func verify(_ signature: [UInt8], by key: [UInt8], _ messages: [UInt8]) throws(SyncLogError) {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: key),
            key.verifies(signature, .groupHandshake, messages)
        else {
            throw SyncLogError(
                .wrongWords,
                "a step of the hand-shake isn't signed by its machine; another one is between you, so begin anew")
        }
    }
}

private func spelled(_ messages: [[UInt8]]) -> String {
    Words.spell(KeyLabel.syncWords.digest(messages.flatMap { $0 }), 3)
}

/// The side that joins. Each step is a value of its own, so that none can be skipped.
public struct Applicant: Sendable {
    /// The mailbox of the messages.
    public let id: [UInt8]
    /// Step 1: commits the applicant to its keys before the approver answers.
    public let first: [UInt8]
    private let nonce: [UInt8]
    private let record: DeviceRecord
    private let person: HandshakePerson?

    /// Begins a handshake with two random values: 16 bytes for the mailbox, 32 for the words.
    /// To a group `person` applies, else nil.
    public init(
        _ record: DeviceRecord, id: [UInt8], nonce: [UInt8], for person: HandshakePerson? = nil
    ) throws(SyncLogError) {
        guard id.count == 16, nonce.count == 32 else { throw .outside }
        self.id = id
        self.nonce = nonce
        self.record = record
        self.person = person
        first = start(1, id) + commitment(nonce, record, person.map { $0.id + $0.key } ?? [])
    }

    /// The approver's answer, with which the applicant can show words.
    public struct Answered: Sendable {
        /// Step 3.
        public let third: [UInt8]
        /// The words that the user compares.
        public let words: String
        /// The account to join.
        public let account: Digest32
        /// The approver's head: the log must lead there.
        public let place: UInt64
        /// The hash at that place.
        public let hash: Digest32
        /// SHA-256 of the state of the log at that place.
        public let stateDigest: Digest32
        /// The last snapshot that the approver computed itself, at which to begin; 0 for the genesis.
        public let snapshot: UInt64
        /// The approver's number.
        public let approver: UInt32
        /// Its keys.
        public let approverRecord: DeviceRecord
        /// The key of the approver's machine in its own account, of a group.
        public let approverKey: [UInt8]?
    }

    /// Processes step 2.
    /// - Throws: `wrongWords` if it is not signed by the approver's machine, where a person applies to a group.
    public func answer(_ second: [UInt8]) throws(SyncLogError) -> Answered {
        var (reader, _) = try open(second, 2, id)
        let account = try reader.take(32)
        let place = try reader.long()
        let hash = try reader.take(32)
        let stateDigest = try reader.take(32)
        let snapshot = try reader.long()
        let approver = try reader.word()
        let record = try DeviceRecord(reader.take(DeviceRecord.size))
        _ = try reader.take(32)
        var third = start(3, id) + nonce + self.record.bytes + (person.map { $0.id + $0.key } ?? [])
        let words = spelled([first, second, third])
        var approverKey: [UInt8]?
        if let person {
            let key = try reader.take(64)
            try HandshakePerson.verify(try reader.take(64), by: key, first + second.dropLast(64))
            approverKey = key
            // Not in the words: the signer could choose among many signatures.
            third += try person.signed(first + second + third)
        }
        try reader.end()
        return Answered(
            third: third, words: words, account: account, place: place, hash: hash,
            stateDigest: stateDigest, snapshot: snapshot, approver: approver, approverRecord: record,
            approverKey: approverKey)
    }
}

/// The member that approves an applicant.
public struct Approver: Sendable {
    /// Step 2.
    public let second: [UInt8]
    private let first: [UInt8]
    private let id: [UInt8]
    private let promised: Digest32
    private let isOfGroup: Bool

    /// Answers step 1 with a fresh nonce of 32 bytes. `snapshot` is the last one that this member computed
    /// itself (`LogReplica.verifiedSnapshot`); `person` this member's, of a group.
    public init(
        _ first: [UInt8], state: LogState, as member: UInt32, nonce: [UInt8], snapshot: UInt64 = 0,
        as person: HandshakePerson? = nil
    ) throws(SyncLogError) {
        var (reader, id) = try open(first, 1, nil)
        promised = try reader.take(32)
        try reader.end()
        guard nonce.count == 32, let record = state.record(of: member) else { throw .outside }
        var second = start(2, id) + state.account
        second.append(state.place, bytes: 8)
        second += state.hash
        second += Array(SHA256.hash(data: state.bytes))
        second.append(snapshot, bytes: 8)
        second.append(UInt64(member), bytes: 4)
        second += record.bytes + nonce
        if let person {
            second += person.key
            second += try person.signed(first + second)
        }
        self.second = second
        isOfGroup = person != nil
        self.first = first
        self.id = id
    }

    /// Processes step 3: returns the words that the user compares, and the keys to add if they match.
    /// For a group also the person, and the key of its machine in its own account.
    public func finish(
        _ third: [UInt8]
    ) throws(SyncLogError) -> (words: String, record: DeviceRecord, person: (id: Digest32, key: [UInt8])?) {
        var (reader, _) = try open(third, 3, id)
        let nonce = try reader.take(32)
        let record = try DeviceRecord(reader.take(DeviceRecord.size))
        let person = isOfGroup ? (id: try reader.take(32), key: try reader.take(64)) : nil
        let signature = isOfGroup ? try reader.take(64) : []
        try reader.end()
        let said = Array(third.dropLast(signature.count))
        if let person { try HandshakePerson.verify(signature, by: person.key, first + second + said) }
        guard commitment(nonce, record, person.map { $0.id + $0.key } ?? []) == promised else {
            throw SyncLogError(
                .wrongWords,
                "the applicant's keys are not those it promised; another machine is between you, so begin anew")
        }
        return (spelled([first, second, said]), record, person)
    }
}
