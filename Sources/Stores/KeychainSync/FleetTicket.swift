// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
public import SyncLog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ticket with which a number of machines apply to an account, without a user at each of them. It reads nothing: an
/// unlocked member adds an applicant, and seals the keys to the machine's own keys.
public struct FleetTicket: Sendable, CustomStringConvertible, CustomReflectable {
    private static let mark = "zamok-ticket-1"
    private static let version: UInt8 = 1

    /// The account.
    public let account: Digest32
    /// Its number, by which it can be ended.
    public let number: UInt32
    /// The log's engine, as the member that made the ticket names it.
    public let engine: String
    /// A place that the log must have, and the hash there.
    let place: UInt64
    let hash: Digest32
    let signing: P256.Signing.PrivateKey

    /// The number, and not the key.
    public var description: String { "FleetTicket(\(number))" }

    /// Empty: the key is a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    init(
        account: Digest32, number: UInt32, engine: String, place: UInt64, hash: Digest32,
        signing: P256.Signing.PrivateKey
    ) {
        self.account = account
        self.number = number
        self.engine = engine
        self.place = place
        self.hash = hash
        self.signing = signing
    }

    /// Reads a ticket from its ``text``.
    /// - Throws: `malformed` if it is not a ticket, or was cut.
    public init(_ text: String) throws(SyncLogError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == Self.mark, let data = Data(base64Encoded: String(words[1])) else {
            throw Self.malformed
        }
        do {
            var reader = ByteReader(Array(data))
            guard try reader.integer(UInt8.self) == Self.version else { throw SealingError.malformed }
            account = try reader.read(32)
            number = try reader.integer()
            place = try reader.integer()
            hash = try reader.read(32)
            signing = try P256.Signing.PrivateKey(rawRepresentation: try reader.read(32))
            engine = String(decoding: try reader.prefixed(limit: 4096), as: UTF8.self)
            try reader.end()
        } catch {
            throw Self.malformed
        }
    }

    private static var malformed: SyncLogError {
        SyncLogError(.malformed, "this is no ticket, or a part of one; a member makes another with `zamok sync ticket`")
    }

    /// One line for a file that only the machines of the fleet can read: a program that has it may also apply.
    public var text: String {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.append(account)
        writer.integer(number)
        writer.integer(place)
        writer.append(hash)
        writer.append(Array(signing.rawRepresentation))
        writer.prefixed(Array(engine.utf8))
        return "\(Self.mark) \(Data(writer.bytes).base64EncodedString())"
    }
}
