// SPDX-License-Identifier: Apache-2.0

import Foundation

// Files that import Foundation alone, as many do on Apple's systems, and call Security.

/// A store for tokens that updates what is there, and adds what isn't.
struct TokenStore {
    var service: String

    private var query: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service]
    }

    func set(_ token: String) -> OSStatus {
        let value = [kSecValueData as String: Data(token.utf8)]
        let status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
        guard status == errSecItemNotFound else { return status }
        return SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
    }

    func isThere() -> Bool {
        var quiet = query
        quiet[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUIFail
        let status = SecItemCopyMatching(quiet as CFDictionary, nil)
        return status == errSecSuccess || status == errSecInteractionNotAllowed
    }

    func wipe() { SecItemDelete(query as CFDictionary) }
}

/// What pins a server's certificate and checks its path asks for.
enum Pinning {
    static func judge(
        _ certificates: [SecCertificate], host: String, anchors: [SecCertificate]
    ) throws -> [SecCertificate] {
        var made: SecTrust?
        let policies = [SecPolicyCreateSSL(true, host as CFString), SecPolicyCreateBasicX509()]
        let status = SecTrustCreateWithCertificates(certificates as CFArray, policies as CFArray, &made)
        guard status == errSecSuccess, let trust = made else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
        SecTrustSetAnchorCertificates(trust, anchors as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        SecTrustSetVerifyDate(trust, Date() as CFDate)
        SecTrustSetNetworkFetchAllowed(trust, false)
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            throw error.map { $0 as any Error } ?? NSError(domain: NSOSStatusErrorDomain, code: -1)
        }
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        guard result == .unspecified || result == .proceed else { return [] }
        return SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
    }

    static func revocation() -> SecPolicy? {
        SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse)
    }

    static func key(_ trust: SecTrust) -> Data? {
        SecTrustCopyKey(trust).flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? }
    }
}

/// Keys by the older functions, and hybrid encryption by the newer ones.
enum OlderKeys {
    static func signed(_ digest: [UInt8]) -> Bool {
        var own: SecKey?
        var others: SecKey?
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits as String: 2048,
        ]
        guard SecKeyGeneratePair(parameters as CFDictionary, &others, &own) == errSecSuccess, let own, let others else {
            return false
        }
        var signature = [UInt8](repeating: 0, count: SecKeyGetBlockSize(own))
        var count = signature.count
        guard SecKeyRawSign(own, .PKCS1SHA256, digest, digest.count, &signature, &count) == errSecSuccess else {
            return false
        }
        return SecKeyRawVerify(others, .PKCS1SHA256, digest, digest.count, signature, count) == errSecSuccess
    }

    static func sealed(_ message: Data) -> Data? {
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
        ]
        let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        guard let own = SecKeyCreateRandomKey(parameters as CFDictionary, nil), let others = SecKeyCopyPublicKey(own),
            SecKeyIsAlgorithmSupported(others, .encrypt, algorithm),
            let box = SecKeyCreateEncryptedData(others, algorithm, message as CFData, nil)
        else { return nil }
        return SecKeyCreateDecryptedData(own, algorithm, box, nil) as Data?
    }

    static func files(_ key: SecKey) -> Int {
        var data: CFData?
        guard SecItemExport(key, .formatOpenSSL, .pemArmour, nil, &data) == errSecSuccess, let data else { return 0 }
        var format = SecExternalFormat.formatUnknown
        var type = SecExternalItemType.itemTypeUnknown
        var items: CFArray?
        guard SecItemImport(data, nil, &format, &type, [], nil, nil, &items) == errSecSuccess else { return 0 }
        return items?.count ?? 0
    }

    static func describe(_ certificate: SecCertificate) -> Any? {
        SecCertificateCopyValues(certificate, [kSecOIDX509V1ValidityNotAfter] as CFArray, nil) as? [String: Any]
    }
}

/// Core Foundation's own names beside it.
func errorOfOurs(_ text: String) -> CFError {
    CFErrorCreate(
        kCFAllocatorDefault, kCFErrorDomainOSStatus, -50,
        [kCFErrorLocalizedDescriptionKey as String: text] as CFDictionary)
}

func bundleIdentifier(_ plist: [String: Any]) -> String? { plist[kCFBundleIdentifierKey as String] as? String }
