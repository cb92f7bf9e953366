// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Keys are not built yet: every function here answers nil, or false, with errSecUnimplemented (-4) as the error.

/// A new key, or key pair, of these parameters.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe error.failUnimplemented()
    return nil
}

/// The key in these bytes, of the type, class and size that the attributes tell.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe error.failUnimplemented()
    return nil
}

/// The key as bytes: PKCS#1 for RSA, X9.63 for elliptic curves.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}

/// The public half of a key.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }

/// What kind of key it is.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { nil }

/// The key's block, in bytes.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }

/// Whether the key can do this.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool { false }

/// A signature of a digest or message, as the algorithm says.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}

/// Whether the signature is one of this key over this data.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unsafe error.failUnimplemented()
    return false
}

/// The plaintext, encrypted to a public key.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}

/// The ciphertext, decrypted with a private key.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}

/// The secret that a private and another's public key share.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe error.failUnimplemented()
    return nil
}
#endif
