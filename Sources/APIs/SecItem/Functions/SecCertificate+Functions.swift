// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
import Readers
import SecurityTypes

// Certificate contents. SecTrust judges signatures, dates and names.

/// A short summary of the certificate, for a list: its common name, otherwise another part of the subject,
/// otherwise nil.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.fields.summary.map { NSString(string: $0) }
}

/// Gets the last common name of the subject.
///
/// - Returns: errSecSuccess; errSecInternal if there is none.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.fields.commonName else { return errSecInternal }
    unsafe commonName.pointee = NSString(string: name)
    return errSecSuccess
}

/// Gets the mail addresses in the subject alternative name and in the subject.
///
/// - Returns: errSecSuccess; errSecInternal if there are none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let addresses = certificate.fields.emailAddresses
    guard !addresses.isEmpty else { return errSecInternal }
    unsafe emailAddresses.pointee = addresses as NSArray
    return errSecSuccess
}

/// The serial number, as the bytes of its integer: big-endian, with a leading zero if the first bit is set.
///
/// - Parameters:
///   - certificate: The certificate.
///   - error: Never set.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { NSData(data: Data(certificate.fields.serialNumber)) }

/// The subject's name in the form used for comparison, a sequence in DER: PrintableString texts in capitals, with their
/// white space folded.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(DistinguishedName.sequence(of: certificate.fields.normalizedSubject)))
}

/// The issuer's name in the form used for comparison; see SecCertificateCopyNormalizedSubjectSequence.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(DistinguishedName.sequence(of: certificate.fields.normalizedIssuer)))
}

/// The public key; nil for a type or curve that is not supported.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    CurrentEngine.value?.key(of: certificate)
}

/// The public key; nil for a type or curve that is not supported. This is the name on iOS.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// Gets the public key, with the signature of macOS.
///
/// - Returns: errSecSuccess; errSecUnsupportedFormat for a type or curve that is not supported.
@discardableResult
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    guard let found = SecCertificateCopyKey(certificate) else { return errSecUnsupportedFormat }
    unsafe key.pointee = found
    return errSecSuccess
}

/// Finds the identity of a certificate, with its private key from the keychain of the current home.
///
/// - Parameters:
///   - keychainOrArray: Ignored.
///   - certificateRef: The certificate.
///   - identityRef: Set to the identity.
/// - Returns: errSecSuccess; errSecItemNotFound if its private key is not there; otherwise the codes
///   of SecItemCopyMatching.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate, _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    guard let key = SecCertificateCopyKey(certificateRef),
        let label = key.content.attributeDictionary[kSecAttrApplicationLabel as String]
    else { return errSecItemNotFound }
    var query: [String: Any] = [kSecReturnRef as String: true, kSecAttrApplicationLabel as String: label]
    query[kSecClass as String] = kSecClassKey as String
    query[kSecAttrKeyClass as String] = kSecAttrKeyClassPrivate as String
    query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny as String
    var found: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as NSDictionary, &found)
    guard status == errSecSuccess else { return status }
    guard let own = found as? SecKey, let identity = SecIdentityCreate(nil, certificateRef, own) else {
        return errSecItemNotFound
    }
    unsafe identityRef.pointee = identity
    return errSecSuccess
}

/// The certificate of an identity. Returns errSecSuccess.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificate.pointee = identity.certificate
    return errSecSuccess
}

/// The private key of an identity. Returns errSecSuccess.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity, _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    unsafe privateKey.pointee = identity.key
    return errSecSuccess
}

/// The identity of a certificate and its private key; nil if the two don't belong together.
///
/// - Parameters:
///   - allocator: Ignored.
///   - certificate: The certificate with the public key.
///   - privateKey: The private key.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    privateKey.content.belongs(to: certificate) ? SecIdentity(certificate, privateKey) : nil
}

/// Reads the identities in a PKCS#12 file, as dictionaries: `kSecImportItemIdentity`, `kSecImportItemCertChain` (its
/// certificate first, then those of its issuers), `kSecImportItemLabel`, `kSecImportItemKeyID`. `kSecImportItemTrust`
/// is a SecTrust of the chain, with a basic policy. Certificates without an identity follow, with a chain only.
///
/// Nothing is stored, as on iOS: add the identity with SecItemAdd and `kSecValueRef`. It reads files as openssl 3
/// writes them (AES under PBES2). If the system has OpenSSL 3 with its legacy provider, it also reads those of Keychain
/// Access and older openssl (3DES, RC2). The limits are 16 MiB and 10,000 certificates. A duplicate key in the file
/// counts once.
///
/// - Parameters:
///   - data: The file.
///   - options: `kSecImportExportPassphrase`, a string.
///   - items: Set to one dictionary for each identity.
/// - Returns: errSecSuccess; errSecPassphraseRequired without a passphrase; errSecPkcs12VerifyFailure for a wrong
///   passphrase or changed bytes; errSecUnsupportedFormat for older encryption, with the remedy in the log;
///   errSecDecode for a file of another kind; errSecDataTooLarge.
@discardableResult
public func SecPKCS12Import(
    _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe CurrentEngine.value?.importPKCS12(data, options: options, items: items) ?? errSecNotAvailable
}
#endif
