// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The identities in a PKCS#12 file, as dictionaries: `kSecImportItemIdentity`, `kSecImportItemCertChain` (its
/// certificate first, then those of its issuers), `kSecImportItemLabel`, `kSecImportItemKeyID`. Certificates that belong
/// to none follow, with a chain alone. There is no `kSecImportItemTrust`: nothing here judges certificates.
///
/// Nothing is stored, as on iOS: add the identity with SecItemAdd and `kSecValueRef`. Files are read as openssl 3 writes
/// them: AES under PBES2, a MAC with SHA-2, at most 16 MiB and 10,000 certificates. A key that stands there twice is one.
///
/// - Parameter options: `kSecImportExportPassphrase`, a string.
/// - Returns: errSecSuccess; errSecPassphraseRequired without one; errSecPkcs12VerifyFailure for a wrong one or changed
///   bytes; errSecUnsupportedFormat for older encryption, with the remedy in the log; errSecDecode for what is no such
///   file; errSecDataTooLarge.
@discardableResult
public func SecPKCS12Import(
    _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe CurrentEngine.value?.importPKCS12(data, options, items) ?? errSecNotAvailable
}
#endif
