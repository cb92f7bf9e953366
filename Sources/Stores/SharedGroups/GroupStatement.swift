// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Sealing
package import SyncLog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One change of a group's members (Documentation/Formats/SharedGroup.md).
package enum GroupChange: Hashable, Sendable {
    case founding
    case addition(Digest32, GroupRole)
    case role(Digest32, GroupRole)
    case removal(Digest32)
    case leaving

    fileprivate var fields: (kind: UInt8, role: UInt8, subject: Digest32?) {
        switch self {
        case .founding: (1, GroupRole.owner.rawValue, nil)
        case .addition(let subject, let role): (2, role.rawValue, subject)
        case .role(let subject, let role): (3, role.rawValue, subject)
        case .removal(let subject): (4, 0, subject)
        case .leaving: (5, 0, nil)
        }
    }

    fileprivate init?(kind: UInt8, role: UInt8, subject: Digest32, author: Digest32) {
        let isOwn = subject == author
        switch (kind, GroupRole(rawValue: role)) {
        case (1, .owner?) where isOwn: self = .founding
        case (2, let role?) where !isOwn: self = .addition(subject, role)
        case (3, let role?): self = .role(subject, role)
        case (4, nil) where role == 0 && !isOwn: self = .removal(subject)
        case (5, nil) where role == 0 && isOwn: self = .leaving
        default: return nil
        }
    }

    /// The person that it is about, if that isn't the author.
    var subject: Digest32? { fields.subject }

    /// Whether this takes a member's right to change members, so that of another member it goes before what that one
    /// did at the same moment.
    var lowers: Bool {
        switch self {
        case .removal: true
        case .role(_, let role): role < .owner
        default: false
        }
    }
}

/// A change, signed by a machine of its author. It names the statements that the machine knew.
package struct GroupStatement: Hashable, Sendable {
    package static let mostParents = 32
    private static let head = 200
    private static let magic = Array("zsgm".utf8) + [1]

    package let change: GroupChange
    /// The id of the founding statement; nil in that one.
    package let group: Digest32?
    /// The person: the account of sync.
    package let author: Digest32
    /// The signing key of the author's machine, 64 bytes.
    package let key: [UInt8]
    /// 16 random bytes, so that equal changes are two statements.
    package let nonce: [UInt8]
    /// The statements that no other one known to the author named, ascending.
    package let parents: [Digest32]
    package let signature: [UInt8]
    /// The hash without the signature, which others can change into another valid one.
    package let id: Digest32

    /// Signs a change.
    package init(
        _ change: GroupChange, in group: Digest32?, by author: Digest32, _ machine: P256.Signing.PrivateKey,
        nonce: [UInt8], after parents: [Digest32]
    ) throws {
        (self.change, self.group, self.author, self.nonce, self.parents) = (change, group, author, nonce, parents)
        key = Array(machine.publicKey.rawRepresentation)
        let bytes = Self.bytes(change, group, author, key, nonce, parents)
        id = KeyLabel.groupHash.digest(bytes)
        signature = Array(try machine.signature(for: KeyLabel.groupStatement.info(bytes)).rawRepresentation)
    }

    /// Reads a statement and verifies its signature. Whether the key is the author's is for the reader to know.
    package init(_ bytes: [UInt8]) throws(GroupError) {
        guard bytes.count >= Self.head + 64, bytes.starts(with: Self.magic), bytes[7] == 0 else { throw .malformed }
        let count = Int(bytes[198]) << 8 | Int(bytes[199])
        guard count <= Self.mostParents, bytes.count == Self.head + 32 * count + 64 else { throw .malformed }
        let field = { (at: Int, count: Int) in Array(bytes[at..<at + count]) }
        let (group, author, subject) = (field(8, 32), field(40, 32), field(136, 32))
        guard let change = GroupChange(kind: bytes[5], role: bytes[6], subject: subject, author: author) else {
            throw .malformed
        }
        parents = (0..<count).map { field(Self.head + 32 * $0, 32) }
        let isZero = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == 0 } }
        guard zip(parents, parents.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
            change == .founding ? count == 0 && isZero(8..<40) : count > 0, isZero(184..<198)
        else { throw .malformed }
        (self.change, self.author, key, nonce) = (change, author, field(72, 64), field(168, 16))
        self.group = change == .founding ? nil : group
        let (signed, signature) = (field(0, bytes.count - 64), field(bytes.count - 64, 64))
        guard let verifying = try? P256.Signing.PublicKey(rawRepresentation: key) else { throw .malformed }
        guard let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            verifying.isValidSignature(parsed, for: KeyLabel.groupStatement.info(signed))
        else { throw .badSignature }
        self.signature = signature
        id = KeyLabel.groupHash.digest(signed)
    }

    /// The bytes, with the signature.
    package var bytes: [UInt8] { Self.bytes(change, group, author, key, nonce, parents) + signature }

    private static func bytes(
        _ change: GroupChange, _ group: Digest32?, _ author: Digest32, _ key: [UInt8], _ nonce: [UInt8],
        _ parents: [Digest32]
    ) -> [UInt8] {
        let fields = change.fields
        var bytes = magic + [fields.kind, fields.role, 0]
        bytes += group ?? [UInt8](repeating: 0, count: 32)
        bytes += author + key + (fields.subject ?? author) + nonce + [UInt8](repeating: 0, count: 14)
        bytes += [UInt8(parents.count >> 8), UInt8(truncatingIfNeeded: parents.count)]
        return bytes + parents.joined()
    }
}
