// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The policy for certificates in general: path, dates, strength.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basic) }

/// The policy for TLS certificates of a server or client. Keys and digests need at least 112 bits of strength (RSA of
/// 2048 bits, no SHA-1).
///
/// The path must follow RFC 5280's rules for issuers. A server's path must also follow those of the CA/Browser Forum:
/// the extended key usages of a server certificate include serverAuth. Few rules apply to an anchor itself, since it is
/// trusted as given.
///
/// - Parameters:
///   - server: Whether it is a server's certificate.
///   - hostname: The server's name or IP address, which must be among the certificate's alternative names. There, `*`
///     may replace the first label of a name. Names in other scripts are compared in their ASCII form. nil: any name.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.ssl(isServer: server, host: hostname as String?))
}

/// The policy for revocation, in addition to other policies. The sources are an OCSP response (SecTrustSetOCSPResponse)
/// and the CRLs in the folder of the system's store; nothing is fetched. Without
/// `kSecRevocationRequirePositiveResponse`, a certificate without revocation information passes.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    SecPolicy(.revocation(revocationFlags))
}

/// The policy of one of the identifiers `kSecPolicyApple...`; nil for one that can't be checked here.
///
/// - Parameters:
///   - policyIdentifier: The identifier.
///   - properties: `kSecPolicyName`: the host, or the mail address. `kSecPolicyClient`: true for a client's
///     certificate. `kSecPolicyRevocationFlags`.
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

/// The properties of a policy: `kSecPolicyOid`; `kSecPolicyName`, `kSecPolicyClient` and `kSecPolicyRevocationFlags` if
/// it has them.
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

/// Use OCSP responses.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Use certificate revocation lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Prefer CRLs to OCSP responses. Without effect, since all available information is used.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Require information that the certificate is not revoked.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Fetch nothing, which is always the case here.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Use both methods.
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
/// Revocation.
@safe nonisolated(unsafe) public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

/// Property of a policy: its identifier.
@safe nonisolated(unsafe) public let kSecPolicyOid: CFString = "SecPolicyOid"
/// Property of a policy: the host or mail address.
@safe nonisolated(unsafe) public let kSecPolicyName: CFString = "SecPolicyName"
/// Property of a policy: whether it is for clients. A Boolean.
@safe nonisolated(unsafe) public let kSecPolicyClient: CFString = "SecPolicyClient"
/// Property of a policy: the revocation flags. A number.
@safe nonisolated(unsafe) public let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"

/// Part of a result: the time for which the certificate was judged.
@safe nonisolated(unsafe) public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// Part of a result: the verdict, a SecTrustResultType as a number.
@safe nonisolated(unsafe) public let kSecTrustResultValue: CFString = "TrustResultValue"
/// Property of a certificate in a path: its name.
@safe nonisolated(unsafe) public let kSecPropertyTypeTitle: CFString = "title"
/// Property of a certificate in a path: its fault.
@safe nonisolated(unsafe) public let kSecPropertyTypeError: CFString = "error"
#endif
