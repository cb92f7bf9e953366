// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import NIOCore
import NIOPosix
import NIOSSL

/// The private key of one handshake.
///
/// It holds the item that the handshake began with, its bytes in secret memory, for one case: the item is removed between the moment in which the certificate was chosen and that of the signature. The lock state is read at the signature in any case.
final class HandshakeKey: NIOSSLCustomPrivateKey, Hashable {
    /// Who makes a handshake wait must not be able to use a removed key for longer.
    private static let patience = Duration.seconds(10)

    let signatureAlgorithms: [SignatureAlgorithm]
    let query: KeychainQuery<KeyItem>
    let context: AuthenticationContext
    private let source: IdentitySource
    private let item: KeyItem
    private let begin: ContinuousClock.Instant

    init(
        _ source: IdentitySource, _ query: KeychainQuery<KeyItem>, _ item: KeyItem, _ context: AuthenticationContext,
        _ algorithms: [SignatureAlgorithm], begin: ContinuousClock.Instant = .now
    ) {
        (self.source, self.query, self.item, self.context, self.begin) = (source, query, item, context, begin)
        signatureAlgorithms = algorithms
    }

    /// The key that the handshake began with; nil: that was too long ago.
    var held: KeyItem? { begin.duration(to: .now) < Self.patience ? item : nil }

    func sign(
        channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer
    ) -> EventLoopFuture<ByteBuffer> {
        NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) {
            ByteBuffer(bytes: try self.source.sign(Array(data.readableBytesView), algorithm, with: self))
        }
    }

    /// Key exchange by RSA has no forward secrecy, and no configuration of ours offers it.
    func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeFailedFuture(KeychainIdentityError.noSuchSignature)
    }

    static func == (left: HandshakeKey, right: HandshakeKey) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
