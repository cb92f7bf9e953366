// SPDX-License-Identifier: Apache-2.0

import Foundation
public import NIOCore
import NIOPosix
public import NIOSSL
public import SecItem

/// A `SecKey` as the private key of a `TLSConfiguration`: RSA and the curves of NIST.
///
///     let key = NIOSSLPrivateKey(customPrivateKey: try SecKeyPrivateKey(secKey))
///
/// Signatures are made on a thread of NIO's pool. A `SecKey` that was got before a lock works on after it; for a key that a lock ends, see ``KeychainIdentity``.
public final class SecKeyPrivateKey: NIOSSLCustomPrivateKey, Hashable {
    /// What the key signs.
    public let signatureAlgorithms: [SignatureAlgorithm]
    private let key: SecKey

    /// Errors: `SecKeyPrivateKeyError` when the key doesn't sign.
    public init(_ key: SecKey) throws {
        self.key = key
        signatureAlgorithms = KeyAlgorithms.all.filter { algorithm in
            Self.named(algorithm).map { SecKeyIsAlgorithmSupported(key, .sign, $0) } ?? false
        }
        guard !signatureAlgorithms.isEmpty else { throw SecKeyPrivateKeyError.doesNotSign }
    }

    /// Called by NIO's TLS handler.
    public func sign(
        channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer
    ) -> EventLoopFuture<ByteBuffer> {
        NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) {
            try self.signature(of: Data(data.readableBytesView), algorithm)
        }
    }

    /// Called for key exchange by RSA, which has no forward secrecy: it fails.
    public func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeFailedFuture(SecKeyPrivateKeyError.doesNotDecrypt)
    }

    private func signature(of message: Data, _ algorithm: SignatureAlgorithm) throws -> ByteBuffer {
        guard let way = Self.named(algorithm) else { throw SecKeyPrivateKeyError.doesNotSign }
        var failure: Unmanaged<CFError>?
        guard let signature = unsafe SecKeyCreateSignature(key, way, message as CFData, &failure) else {
            if let failure = unsafe failure { throw unsafe failure.takeRetainedValue() as any Error }
            throw SecKeyPrivateKeyError.doesNotSign
        }
        return ByteBuffer(bytes: signature as Data)
    }

    private static func named(_ algorithm: SignatureAlgorithm) -> SecKeyAlgorithm? {
        switch algorithm {
        case .ecdsaSecp256R1Sha256: .ecdsaSignatureMessageX962SHA256
        case .ecdsaSecp384R1Sha384: .ecdsaSignatureMessageX962SHA384
        case .ecdsaSecp521R1Sha512: .ecdsaSignatureMessageX962SHA512
        case .rsaPssRsaeSha256: .rsaSignatureMessagePSSSHA256
        case .rsaPssRsaeSha384: .rsaSignatureMessagePSSSHA384
        case .rsaPssRsaeSha512: .rsaSignatureMessagePSSSHA512
        case .rsaPkcs1Sha256: .rsaSignatureMessagePKCS1v15SHA256
        case .rsaPkcs1Sha384: .rsaSignatureMessagePKCS1v15SHA384
        case .rsaPkcs1Sha512: .rsaSignatureMessagePKCS1v15SHA512
        default: nil
        }
    }

    /// Two are equal when their keys are.
    public static func == (left: SecKeyPrivateKey, right: SecKeyPrivateKey) -> Bool { left.key == right.key }
    /// As `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// What a `SecKey` is refused for.
public enum SecKeyPrivateKeyError: Error, Equatable, CustomStringConvertible {
    /// A public key, or one of a type that TLS has no signatures for.
    case doesNotSign
    /// Key exchange by RSA.
    case doesNotDecrypt

    /// What happened.
    public var description: String {
        switch self {
        case .doesNotSign: "the SecKey makes no signature that TLS has; take a private key, RSA or of a curve of NIST"
        case .doesNotDecrypt: "the other side wants key exchange by RSA; leave its ciphers out of the configuration"
        }
    }
}
