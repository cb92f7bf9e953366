// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
package import SecurityTypes

/// A half of a key pair: RSA, or an elliptic curve of NIST. Two are equal when they are the same half of the same pair.
///
/// It stays usable as long as the object lives, even after the keychain that it came from was locked.
public final class SecKey: NSObject, Sendable {
    package let content: any KeyContent

    package init(_ content: any KeyContent) { self.content = content }

    /// Whether `object` is the same half of the same pair.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return content.isSameHalf(as: other.content)
    }

    /// Equal ones have equal hashes.
    public override var hash: Int { content.publicBytes.hashValue }

    /// For people who debug: the kind of key, and nothing of the key itself.
    public override var description: String { "<SecKey: \(content.summary)>" }
}

/// A certificate together with its private key. Two are equal when both parts are.
public final class SecIdentity: NSObject, Sendable {
    package let certificate: SecCertificate
    package let key: SecKey

    package init(_ certificate: SecCertificate, _ key: SecKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether `object` has the same certificate and key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecIdentity else { return false }
        return certificate == other.certificate && key == other.key
    }

    /// Equal ones have equal hashes.
    public override var hash: Int { certificate.hash }
}

/// What a key does: the operation, padding and digest. The raw value is Apple's name.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    package let name: String
    /// What the name stands for; nil for an unknown name. Parsed once, since parsing takes nearly as long as a signature.
    package let parsed: KeyAlgorithm?

    /// Apple's name.
    public var rawValue: CFString { NSString(string: name) }

    /// The algorithm of this name, which need not be supported.
    public init(rawValue: CFString) { self.init(name: String(describing: rawValue)) }

    init(_ name: String) { self.init(name: "algid:\(name)") }

    private init(name: String) {
        self.name = name
        parsed = KeyAlgorithm(name)
    }

    /// By the name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// By the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The operations for which an algorithm may be used.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// Make a signature.
    case sign = 0
    /// Check a signature.
    case verify = 1
    /// Encrypt data.
    case encrypt = 2
    /// Decrypt data.
    case decrypt = 3
    /// Agree on a shared secret.
    case keyExchange = 4
}

/// Names a parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    package let name: String

    /// Apple's name.
    public var rawValue: CFString { NSString(string: name) }

    /// The parameter of this name.
    public init(rawValue: CFString) { name = String(describing: rawValue) }

    /// How many bytes are wanted. A number.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// Bytes that enter the derivation together with the shared secret. Data.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}
#endif
