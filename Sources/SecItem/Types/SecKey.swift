// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
@_implementationOnly import KeyMaterials
@_implementationOnly import KeychainStore

/// A cryptographic key of a pair: RSA, or an elliptic curve of NIST. Two are equal when both halves are.
///
/// It stays usable as long as the object lives, also after the keychain that it came from was locked.
public final class SecKey: NSObject, Sendable {
    private let hidden: any Hidden

    var material: KeyMaterial { content.material }
    /// What is known of it beside the material: label, tag, application label.
    var attributes: Attributes { content.attributes }

    private typealias Content = (material: KeyMaterial, attributes: Attributes)
    private var content: Content { hidden.value() }

    init(_ material: KeyMaterial, _ attributes: Attributes = [:]) {
        var names: Attributes = [:]
        for name: AttributeName in ["labl", "atag", "klbl"] { names[name] = attributes[name] }
        hidden = HiddenValue<Content>((material, names))
    }

    /// Whether `object` is the same half of the same pair.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return material.role == other.material.role && publicBytes == other.publicBytes
    }

    /// Equal ones have equal hashes.
    public override var hash: Int { publicBytes.hashValue }

    /// For people who debug: the kind of key, and nothing of the key itself.
    public override var description: String {
        "<SecKey: \(material.family), \(material.role), \(material.sizeInBits) bits>"
    }

    private var publicBytes: Data? { material.publicKey?.externalRepresentation }
}

/// A certificate together with its private key. Two are equal when both parts are.
public final class SecIdentity: NSObject, Sendable {
    let certificate: SecCertificate
    let key: SecKey

    init(_ certificate: SecCertificate, _ key: SecKey) {
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

/// The evaluation of a chain of certificates: the name alone. Nothing here judges certificates.
public final class SecTrust: NSObject, Sendable {
    override init() {}
}

/// A policy that a certificate may be fit for: the name alone.
public final class SecPolicy: NSObject, Sendable {
    override init() {}
}
#endif
