// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// What a certificate says is not read out yet: functions answer nil, or errSecUnimplemented (-4).

/// The certificate in a few words, for a list.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { nil }

/// The common name of the subject.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus { errSecUnimplemented }

/// The mail addresses of the subject.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus { errSecUnimplemented }

/// The serial number, as the bytes of its integer.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}

/// The subject's name, in the form that is compared.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? { nil }

/// The issuer's name, in the form that is compared.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? { nil }

/// The public key.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }

/// The certificate of an identity.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus { errSecUnimplemented }

/// The private key of an identity.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity, _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus { errSecUnimplemented }

/// The identities and certificates in a PKCS#12 file, as dictionaries with the `kSecImportItem` keys.
@discardableResult
public func SecPKCS12Import(
    _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { errSecUnimplemented }
#endif
