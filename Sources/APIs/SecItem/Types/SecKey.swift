// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
package import SecurityTypes

/// A private or public key: RSA, or a NIST elliptic curve. Two are equal if they are the same half of the same pair.
///
/// A key in memory stays usable as long as the object exists, even after its keychain was locked. A key in a TPM checks
/// the lock at each use.
public final class SecKey: NSObject, Sendable {
    package let content: any KeyContent

    package init(_ content: any KeyContent) { self.content = content }

    /// Whether `object` is the same half of the same pair.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return content.isSameHalf(as: other.content)
    }

    /// Equal keys have equal hashes.
    public override var hash: Int { content.publicBytes.hashValue }

    /// For debugging: the kind of key, and nothing of the key itself.
    public override var description: String { "<SecKey: \(content.summary)>" }
}

/// A certificate with its private key. Two are equal if both parts are.
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

    /// Equal identities have equal hashes.
    public override var hash: Int { certificate.hash }
}

/// An algorithm of a key: operation, padding and digest. The raw value is Apple's name.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    package let name: String
    /// The parsed name; nil for an unknown name. Parsed once, since parsing takes nearly as long as a signature.
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

    /// Compares the names.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The operations of an algorithm.
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

/// The name of a parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    package let name: String

    /// Apple's name.
    public var rawValue: CFString { NSString(string: name) }

    /// The parameter of this name.
    public init(rawValue: CFString) { name = String(describing: rawValue) }

    /// The number of bytes to derive. A number.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// Data that enters the derivation with the shared secret.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}
#endif
