// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem

/// An object in `kSecValueRef`.
enum ItemObject {
    case certificate(SecCertificate)
    case key(SecKey)
    case identity(SecIdentity)

    init?(_ value: Any) {
        switch value {
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let key as SecKey: self = .key(key)
        case let identity as SecIdentity: self = .identity(identity)
        default: return nil
        }
    }

    var object: CFTypeRef {
        switch self {
        case .certificate(let certificate): certificate
        case .key(let key): key
        case .identity(let identity): identity
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .certificate: .certificate
        case .key: .key
        case .identity: .identity
        }
    }

    /// Whether it can represent an item of that class. Either part can be used to find an identity.
    func fits(_ itemClass: ItemClass, _ call: ItemCall) -> Bool {
        itemClass == self.itemClass || (itemClass == .identity && call != .add)
    }

    /// All attributes that a new item takes from it.
    var itemAttributes: Attributes {
        switch self {
        case .certificate(let certificate):
            var attributes = certificate.fields.itemAttributes
            attributes[.label] = certificate.fields.summary.map { .text($0) }
            return attributes
        case .key(let key): return key.material.itemAttributes.merging(key.attributes) { $1 }
        case .identity(let identity):
            return Self.key(identity.key).itemAttributes.merging(Self.certificate(identity.certificate).itemAttributes)
            {
                $1
            }
        }
    }

    /// The attributes that distinguish it from other items.
    var identifyingAttributes: Attributes {
        switch self {
        case .certificate(let certificate): certificate.fields.identifyingAttributes
        case .key(let key):
            key.material.identifyingAttributes.merging(key.attributes.filter { $0.key == .applicationLabel }) { $1 }
        case .identity(let identity):
            Self.key(identity.key).identifyingAttributes
                .merging(Self.certificate(identity.certificate).identifyingAttributes) { $1 }
        }
    }

    /// The key, if it is a private key in a TPM, which has no bytes.
    var tpmKey: KeyMaterial? {
        switch self {
        case .certificate: nil
        case .key(let key): key.material.isInTPM ? key.material : nil
        case .identity(let identity): identity.key.material.isInTPM ? identity.key.material : nil
        }
    }

    /// The bytes of an item of its class; for an identity, those of the key.
    var data: NSData {
        switch self {
        case .certificate(let certificate): NSData(data: certificate.der)
        case .key(let key): NSData(data: key.material.externalRepresentation)
        case .identity(let identity): NSData(data: identity.key.material.externalRepresentation)
        }
    }
}
#endif
