// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A certificate in general: its path, its dates, its strength.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basic) }

/// A certificate for TLS: of a server, or of a client. Keys and digests have at least 112 bits of strength (RSA of 2048 bits, no SHA-1).
///
/// Its path keeps RFC 5280's rules for who issues certificates, that of a server those of the CA/Browser Forum as well: a server's names serverAuth
/// among its extended key usages. What an anchor is like counts little: it is trusted as it stands.
///
/// - Parameters:
///   - server: Whether it is a server's.
///   - hostname: Its name or IP address, which has to be among the certificate's alternative names, where a `*` may stand for the first
///     label of a name. Names in other scripts are looked for in their ASCII form. nil: any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.ssl(isServer: server, host: hostname as String?))
}

/// A certificate that was not revoked, in addition to what other policies ask for. The sources are an answer of OCSP that was given
/// (SecTrustSetOCSPResponse) and lists in the folder of the system's store; nothing is fetched. Without `kSecRevocationRequirePositiveResponse`
/// a certificate about which there is no information passes.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    SecPolicy(.revocation(revocationFlags))
}

/// The policy of one of the identifiers `kSecPolicyApple...`; nil for one that can't be checked here.
///
/// - Parameters:
///   - policyIdentifier: The identifier.
///   - properties: `kSecPolicyName`: the host, or the mail address. `kSecPolicyClient`: true for a client's certificate.
///     `kSecPolicyRevocationFlags`.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    let name = properties?[kSecPolicyName as String] as? String
    switch policyIdentifier as? String {
    case "1.2.840.113635.100.1.2": return SecPolicyCreateBasicX509()
    case "1.2.840.113635.100.1.3":
        let isClient = (properties?[kSecPolicyClient as String] as? NSNumber)?.boolValue == true
        return SecPolicy(.ssl(isServer: !isClient, host: name))
    case "1.2.840.113635.100.1.8": return SecPolicy(.mail(name))
    case "1.2.840.113635.100.1.21":
        let flags = properties?[kSecPolicyRevocationFlags as String] as? NSNumber
        return SecPolicy(.revocation(flags?.uintValue ?? kSecRevocationUseAnyAvailableMethod))
    default: return nil
    }
}

/// What a policy asks for: `kSecPolicyOid`, and `kSecPolicyName`, `kSecPolicyClient` and `kSecPolicyRevocationFlags` where it has them.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    var properties: [String: Any] = [:]
    let identifier: CFString
    switch policyRef.rule {
    case .basic: identifier = kSecPolicyAppleX509Basic
    case .ssl(let isServer, let host):
        identifier = kSecPolicyAppleSSL
        properties[kSecPolicyName as String] = host
        if !isServer { properties[kSecPolicyClient as String] = true }
    case .mail(let address):
        identifier = kSecPolicyAppleSMIME
        properties[kSecPolicyName as String] = address
    case .revocation(let flags):
        identifier = kSecPolicyAppleRevocation
        properties[kSecPolicyRevocationFlags as String] = flags
    }
    properties[kSecPolicyOid as String] = identifier as String
    return properties as NSDictionary
}

/// Answers of OCSP count.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Lists of revoked certificates count.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Prefers lists to answers of OCSP; without effect, since all that is there counts.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// There has to be information that the certificate was not revoked.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Nothing is fetched, which is always so here.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Both methods.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// A certificate in general.
@safe nonisolated(unsafe) public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// TLS.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// Mail.
@safe nonisolated(unsafe) public let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"
/// EAP; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"
/// IPsec; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"
/// Signed code; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"
/// Time stamps; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"
/// Whether something was revoked.
@safe nonisolated(unsafe) public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

/// Property of a policy: its identifier.
@safe nonisolated(unsafe) public let kSecPolicyOid: CFString = "SecPolicyOid"
/// Property of a policy: the host or mail address.
@safe nonisolated(unsafe) public let kSecPolicyName: CFString = "SecPolicyName"
/// Property of a policy: whether it is for clients. A Boolean.
@safe nonisolated(unsafe) public let kSecPolicyClient: CFString = "SecPolicyClient"
/// Property of a policy: how revocation is checked. A number.
@safe nonisolated(unsafe) public let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"

/// Part of a result: when it was evaluated.
@safe nonisolated(unsafe) public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// Part of a result: what was found, a SecTrustResultType as a number.
@safe nonisolated(unsafe) public let kSecTrustResultValue: CFString = "TrustResultValue"
/// Property of a certificate in a path: its name.
@safe nonisolated(unsafe) public let kSecPropertyTypeTitle: CFString = "title"
/// Property of a certificate in a path: what is wrong with it.
@safe nonisolated(unsafe) public let kSecPropertyTypeError: CFString = "error"
#endif
