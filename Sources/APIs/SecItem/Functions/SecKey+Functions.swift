// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Functions with `error` store an error in NSOSStatusErrorDomain there when they return nil or false; the caller then
// owns it. All may be called from any thread. Only SecKeyCreateRandomKey and operations of TPM keys use the keychain.

/// Makes a new private key.
///
/// With `kSecAttrIsPermanent` it is stored in the keychain of the current home. Its public key is also stored if the
/// parameters or `kSecPublicKeyAttrs` say so. This function then also has the errors of SecItemAdd, and stores nothing
/// if there is one.
///
/// With `kSecAttrTokenID`, which is `kSecAttrTokenIDSecureEnclave`, the TPM 2.0 makes a P-256 key that can be used only
/// there. It is never made in software instead.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` (RSA or `kSecAttrKeyTypeECSECPrimeRandom`) and `kSecAttrKeySizeInBits` (1024 to
///     8192 in steps of 8, below 2048 with a warning in the log; 256, 384, 521); attributes of a key item, for one of
///     the keys in `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs`.
///   - error: errSecUnimplemented for another type, for another token, and without a TPM; errSecNotAvailable if a
///     configured TPM can't be reached, or refuses; errSecKeySizeNotAllowed, errSecParam.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe CurrentEngine.value(error)?.randomKey(parameters, error)
}

/// Reads a key from its bytes: PKCS#1 for RSA, X9.63 for elliptic curves (04 || X || Y, followed by K for
/// private keys).
///
/// - Parameters:
///   - keyData: The key in the format of `SecKeyCopyExternalRepresentation`.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. The size follows from the bytes.
///   - error: errSecParam if they are not such a key; errSecUnimplemented for other types, symmetric keys and tokens.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe CurrentEngine.value(error)?.key(keyData, attributes: attributes, error: error)
}

/// The key as bytes: PKCS#1 for RSA, X9.63 for elliptic curves. The bytes are in ordinary memory, and the caller owns
/// them. A private key in a TPM can't be exported: errSecUnimplemented.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard let bytes = key.content.externalRepresentation else {
        unsafe error.fail(errSecUnimplemented, "the private key is in a TPM, and nothing takes it out")
        return nil
    }
    return NSData(data: bytes)
}

/// The public key of a private key; for a public key, the key itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.content.publicKey }

/// The attributes of a key: type, class, size, application label (SHA-1 of the public key), permitted uses. Never the
/// key itself.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    key.content.attributeDictionary
}

/// The block size of the key in bytes: that of RSA's modulus, or of an elliptic curve's coordinate.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.content.blockSize }

/// Whether the key supports an operation with an algorithm. Private keys sign, decrypt and agree; public keys verify
/// and encrypt. These need the system's libcrypto of OpenSSL 3, and are unsupported without it: SHA-224, RSA without
/// padding or without a named digest, and OAEP with other digests than SHA-1 and SHA-256.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    key.content.supports(operation, algorithm)
}

/// Signs a message or digest.
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: A signature algorithm.
///   - dataToSign: The message or its digest, depending on the algorithm.
///   - error: errSecParam for an algorithm of another kind of key, and for a digest of another size;
///     errSecUnimplemented for an algorithm that is not supported.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.signature(algorithm, data: dataToSign, error: error)
}

/// Verifies that this key's private key signed the data.
///
/// - Parameters:
///   - key: The public key.
///   - algorithm: The algorithm of the signature.
///   - signedData: The message or its digest.
///   - signature: The signature to verify.
///   - error: errSecVerifyFailed if it doesn't verify; otherwise as in SecKeyCreateSignature.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unsafe key.content.isValid(signature, of: signedData, algorithm: algorithm, error: error)
}

/// Encrypts plaintext to a public key.
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: An encryption algorithm.
///   - plaintext: The bytes to encrypt.
///   - error: errSecParam for plaintext too long for the key; otherwise as in SecKeyCreateSignature.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.encrypted(algorithm, plaintext: plaintext, error: error)
}

/// Decrypts ciphertext with a private key.
///
/// - Parameters:
///   - key: The private key.
///   - algorithm: The algorithm of the encryption.
///   - ciphertext: The bytes to decrypt.
///   - error: errSecParam for ciphertext that was not made for this key, regardless of the reason; otherwise as
///     in SecKeyCreateSignature.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.decrypted(algorithm, ciphertext: ciphertext, error: error)
}

/// The shared secret of a private key and another party's public key.
///
/// - Parameters:
///   - privateKey: The caller's key.
///   - algorithm: A key exchange algorithm.
///   - publicKey: The other party's key, on the same curve.
///   - parameters: For algorithms that derive: `SecKeyKeyExchangeParameter.requestedSize` (1 to 65,536 bytes) and, if
///     both sides have it, `sharedInfo`.
///   - error: errSecParam for keys on different curves, and for a missing or wrong size; otherwise as
///     in SecKeyCreateSignature.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe privateKey.content.exchange(algorithm, with: publicKey, parameters: parameters, error: error)
}
#endif
