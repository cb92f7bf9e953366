// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A snapshot that a member computed itself, named by its entry's hash: who knows that may begin there, since the entry names the state before it and each chunk.
public struct Beginning: Hashable, Sendable {
    /// Where the snapshot's entry stands.
    public let place: UInt64
    /// The hash of the entry there.
    public let hash: Digest32

    /// A place and what stands there.
    public init(place: UInt64, hash: Digest32) {
        self.place = place
        self.hash = hash
    }
}

extension RecoveryCode {
    private static let magic = Array("zsyb".utf8) + [1, 0, 0, 0]
    private static let size = 80

    /// Under which the beginning stands at the engine, among the messages of hand-shakes: nobody without the code finds it.
    public func mailbox(in account: Digest32) -> [UInt8] {
        Array(derived(in: account, 5).exposingBytes.prefix(16))
    }

    /// What whoever has nothing but the code begins with, once the engine has no first entry any more.
    public func message(_ beginning: Beginning, in account: Digest32) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(beginning.place, bytes: 8)
        bytes += beginning.hash
        return bytes + HMAC<SHA256>.authenticationCode(for: bytes, using: derived(in: account, 6))
    }

    /// Reads what ``message(_:in:)`` wrote.
    /// - Throws: `differentBytes` if it was not written by who had the code.
    public func beginning(_ message: [UInt8], in account: Digest32) throws(SyncLogError) -> Beginning {
        let said = message.prefix(Self.size - 32)
        guard message.count == Self.size, said.starts(with: Self.magic),
            HMAC<SHA256>.isValidAuthenticationCode(
                message.suffix(32), authenticating: said, using: derived(in: account, 6))
        else {
            throw SyncLogError(
                .differentBytes, "where this recovery code begins was changed at the engine; nothing was taken over")
        }
        var reader = ByteReader(Array(said.dropFirst(Self.magic.count)))
        return Beginning(place: try reader.long(), hash: try reader.take(32))
    }
}
