// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Dispatch
public import Foundation
import Readers
import SecurityTypes

// Nothing here uses the network. What a path needs is provided by the caller, or is in the system's store (OpenSSL's:
// SSL_CERT_FILE and SSL_CERT_DIR, or the system's location).

/// The result of an evaluation.
public enum SecTrustResultType: UInt32, Sendable {
    /// Not evaluated yet.
    case invalid = 0
    /// Trusted, because of exceptions that were set.
    case proceed = 1
    /// Never returned here.
    case confirm = 2
    /// Never returned here.
    case deny = 3
    /// Trusted.
    case unspecified = 4
    /// Not trusted, for a reason that exceptions can cover.
    case recoverableTrustFailure = 5
    /// Not trusted: revoked, or too weak.
    case fatalTrustFailure = 6
    /// Evaluation was not possible.
    case otherError = 7
}

/// The elements, if all are of this type; a single object counts as its own list.
private func objects<T>(_ value: CFTypeRef, _: T.Type) -> [T]? {
    if let single = value as? T { return [single] }
    guard let array = value as? NSArray else { return nil }
    // Through a mirror, since Foundation would convert the elements deeply.
    let elements = Mirror(reflecting: array).children.map(\.value)
    let found = elements.compactMap { $0 as? T }
    return found.count == elements.count && found.count == array.count ? found : nil
}

/// The most certificates that a trust may have.
private let certificateLimit = 256

/// Makes an evaluation of a certificate.
///
/// - Parameters:
///   - certificates: A SecCertificate, or an array of them: first the one to evaluate, then others for its path.
///   - policies: A SecPolicy, an array of them, or nil for a basic one.
///   - trust: Set to the evaluation.
/// - Returns: errSecSuccess; errSecParam for other objects, for no certificate, and for more than 256.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    let list = policies.map { objects($0, SecPolicy.self) } ?? []
    guard let all = objects(certificates, SecCertificate.self), (1...certificateLimit).contains(all.count), let list
    else {
        return errSecParam
    }
    unsafe trust.pointee = SecTrust(all, list)
    return errSecSuccess
}

/// Replaces the policies of the evaluation by a SecPolicy or an array of them. Returns errSecSuccess; errSecParam
/// for others.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let list = objects(policies, SecPolicy.self), !list.isEmpty else { return errSecParam }
    trust.change { $0.question.policies = list }
    return errSecSuccess
}

/// The policies of the evaluation. Returns errSecSuccess.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    unsafe policies.pointee = trust.read { $0.question.policies } as NSArray
    return errSecSuccess
}

/// Trusts these certificates instead of the system's; see SecTrustSetAnchorCertificatesOnly. An array of
/// SecCertificate, or nil to trust the system's again; otherwise errSecParam.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let anchorCertificates else {
        trust.change { ($0.question.anchors, $0.question.usesSystemAnchors) = ([], true) }
        return errSecSuccess
    }
    guard let anchors = objects(anchorCertificates, SecCertificate.self), anchors.count <= certificateLimit else {
        return errSecParam
    }
    trust.change { ($0.question.anchors, $0.question.usesSystemAnchors) = (anchors, false) }
    return errSecSuccess
}

/// Sets whether only the anchors that were set are trusted, without the system's. Returns errSecSuccess.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.question.usesSystemAnchors = !anchorCertificatesOnly }
    return errSecSuccess
}

/// The anchors that were set. Returns errSecSuccess.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe anchors.pointee = trust.read { $0.question.anchors } as NSArray
    return errSecSuccess
}

/// Sets the time for which the certificate is judged, instead of now. Returns errSecSuccess.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate as Date
    trust.change { $0.question.date = date }
    return errSecSuccess
}

/// The time for which the certificate is judged: seconds since 2001-01-01 00:00 UTC.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    (trust.read { $0.question.date } ?? Date()).timeIntervalSinceReferenceDate
}

/// Sets an OCSP response about the certificate, in DER, as a server staples it: data, an array whose first element is
/// used, or nil for none. It is used with a policy of SecPolicyCreateRevocation, if its signer is the issuer or a
/// responder that the issuer delegated.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    let responses = responseData.map { objects($0, NSData.self) } ?? []
    guard let responses else { return errSecParam }
    let bytes = responses.first.map { Data(referencing: $0) } ?? Data()
    trust.change { $0.question.statusResponse = bytes }
    return errSecSuccess
}

/// Accepted and ignored, since there is no list of public logs here. Returns errSecSuccess.
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus {
    errSecSuccess
}

/// Stored, but nothing is fetched in any case. Returns errSecSuccess.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.change { $0.mayFetch = allowFetch }
    return errSecSuccess
}

/// Gets the value of SecTrustSetNetworkFetchAllowed. Returns errSecSuccess.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<Bool>
) -> OSStatus {
    unsafe allowFetch.pointee = trust.read { $0.mayFetch }
    return errSecSuccess
}

// MARK: Evaluating

/// Whether the certificate meets all policies.
///
/// - Parameters:
///   - trust: The evaluation.
///   - error: Set if it doesn't: the most serious reason, in NSOSStatusErrorDomain. errSecCertificateRevoked;
///     errSecUnsupportedKeySize and errSecInvalidDigestAlgorithm (too weak); errSecNoBasicConstraints,
///     errSecPathLengthConstraintExceeded, errSecInvalidKeyUsageForPolicy, errSecUnknownCriticalExtensionFlag,
///     errSecCertificateNameNotAllowed; errSecNotTrusted (neither the system nor the app trusts its root),
///     errSecCreateChainFailed (an issuer is missing); errSecInvalidExtendedKeyUsage; errSecHostNameMismatch;
///     errSecCertificateExpired, errSecCertificateNotValidYet. errSecNotAvailable if the system has no libcrypto of
///     OpenSSL 3: then nothing was checked.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let verdict = trust.verdict()
    unsafe error?.pointee = verdict.error
    return verdict.failures.isEmpty
}

/// Like SecTrustEvaluateWithError, with the result on a queue. Returns errSecSuccess.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping @Sendable (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
    queue.async {
        let verdict = trust.verdict()
        result(trust, verdict.failures.isEmpty, verdict.error)
    }
    return errSecSuccess
}

/// Whether the certificate is trusted, as a result type. Prefer SecTrustEvaluateWithError, which gives the reason.
///
/// - Returns: errSecSuccess for any verdict; errSecNotAvailable if evaluation is not possible.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    let verdict = trust.verdict()
    unsafe result.pointee = verdict.result
    return verdict.isUnavailable ? errSecNotAvailable : errSecSuccess
}

/// Like SecTrustEvaluate, with the result on a queue; nil: a global queue. Returns errSecSuccess.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping @Sendable (SecTrust, SecTrustResultType) -> Void
) -> OSStatus {
    (queue ?? .global()).async { result(trust, trust.verdict().result) }
    return errSecSuccess
}

/// Gets the result of the last evaluation; `invalid` if there was none since the last change. Returns errSecSuccess.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    unsafe result.pointee = trust.read { $0.verdict?.result } ?? .invalid
    return errSecSuccess
}

/// The path, starting with the certificate, as far as it could be built. Evaluates if necessary.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.verdict().path as NSArray }

/// The number of certificates in the path. Evaluates if necessary.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.verdict().path.count }

/// A certificate of the path; nil past its end. Evaluates if necessary.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let path = trust.verdict().path
    return path.indices.contains(ix) ? path[ix] : nil
}

/// The certificate's public key, trusted or not; nil for a kind that is not supported.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.read { $0.question.certificates.first }.flatMap(SecCertificateCopyKey)
}

/// The older name of SecTrustCopyKey.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

/// The faults of the certificate, which SecTrustSetExceptions can accept later. nil if evaluation is not possible. The
/// format is our own.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    TrustExceptions(trust.verdict()).map { NSData(data: $0.bytes) }
}

/// Accepts the faults that the same certificate had when the exceptions were copied, and no others. nil revokes that.
///
/// - Returns: Whether there are exceptions for this certificate now.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let leaf = trust.read { $0.question.certificates.first?.der }
    var read = exceptions.flatMap { TrustExceptions($0.byteArray) }
    if read?.leaf != leaf { read = nil }
    trust.change { $0.exceptions = read }
    return read != nil
}

/// For each certificate of the path, a dictionary with its summary and its fault, if any.
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    let verdict = trust.verdict()
    return verdict.path.enumerated().map { depth, certificate in
        var properties: [String: Any] = [:]
        properties["title"] = certificate.fields.summary
        properties["error"] = verdict.failures.first { $0.depth == depth }?.message
        return properties
    } as NSArray
}

/// The verdict and its time: `kSecTrustResultValue`, `kSecTrustEvaluationDate`. nil if there was no evaluation since
/// the last change.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    trust.read { $0.verdict }.map { verdict in
        [
            kSecTrustResultValue as String: Int(verdict.result.rawValue),
            kSecTrustEvaluationDate as String: verdict.date,
        ] as NSDictionary
    }
}
#endif
