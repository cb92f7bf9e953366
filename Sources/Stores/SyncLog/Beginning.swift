// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A snapshot that a member computed itself, identified by its entry's hash. A device that knows the hash may begin
/// there, since the entry names the state before it and each chunk.
public struct Beginning: Hashable, Sendable {
    /// The place of the snapshot's entry.
    public let place: UInt64
    /// The hash of the entry there.
    public let hash: Digest32

    /// A place and the hash of its entry.
    public init(place: UInt64, hash: Digest32) {
        self.place = place
        self.hash = hash
    }
}

extension RecoveryCode {
    private static let magic = Array("zsyb".utf8) + [1, 0, 0, 0]
    private static let size = 80

    /// The engine's mailbox for the beginning, among the handshake messages. It can't be found without the code.
    public func mailbox(in account: Digest32) -> [UInt8] {
        Array(derived(in: account, 5).exposingBytes.prefix(16))
    }

    /// The beginning for a device that has only the code, once the engine no longer has the first entry.
    public func message(_ beginning: Beginning, in account: Digest32) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(beginning.place, bytes: 8)
        bytes += beginning.hash
        return bytes + HMAC<SHA256>.authenticationCode(for: bytes, using: derived(in: account, 6))
    }

    /// Reads a message of ``message(_:in:)``.
    /// - Throws: `differentBytes` if it was not written with the code.
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
