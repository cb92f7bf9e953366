// SPDX-License-Identifier: Apache-2.0

public import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key that opens what is sealed to one class of a device: an X-Wing private key, which is its seed of 32 bytes.
public struct OpeningKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// Contains no key.
    public var description: String { "OpeningKey" }

    /// Empty: this is a private key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The private key.
    public let seed: SymmetricKey
    /// 1,216 bytes.
    public let publicKey: [UInt8]

    /// Generates a key with the system's random generator.
    public init() throws { try self.init(seed: SymmetricKey(size: .bits256)) }

    /// A stored key.
    public init(seed: SymmetricKey) throws {
        self.seed = seed
        publicKey = try XWing.publicKey(of: seed)
    }
}

/// The only code that uses X-Wing, which Apple's systems have from version 26 on.
enum XWing {
    private static var unavailable: SyncLogError {
        SyncLogError(.unavailable, "this system has no X-Wing, which sync needs; version 26 of Apple's systems has it")
    }

    static func publicKey(of seed: SymmetricKey) throws -> [UInt8] {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { throw unavailable }
        let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: seed.exposingBytes, publicKey: nil)
        return Array(key.publicKey.rawRepresentation)
    }

    static func seal(
        _ plain: [UInt8], to publicKey: ArraySlice<UInt8>, info: [UInt8]
    ) throws -> (encapsulated: [UInt8], sealed: [UInt8]) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { throw unavailable }
        var sender = try HPKE.Sender(
            recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: publicKey),
            ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info))
        let sealed = Array(try sender.seal(plain))
        return (Array(sender.encapsulatedKey), sealed)
    }

    static func open(_ sealed: [UInt8], encapsulated: [UInt8], with key: OpeningKey, info: [UInt8]) throws -> Data {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { throw unavailable }
        var recipient = try HPKE.Recipient(
            privateKey: XWingMLKEM768X25519.PrivateKey(seedRepresentation: key.seed.exposingBytes, publicKey: nil),
            ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info),
            encapsulatedKey: Data(encapsulated))
        return try recipient.open(sealed)
    }
}
