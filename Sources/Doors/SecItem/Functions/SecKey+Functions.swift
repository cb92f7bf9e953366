// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Functions that take `error` store an error in NSOSStatusErrorDomain there when they return nil or false; the caller
// then owns it. All may be called from any thread; none but SecKeyCreateRandomKey uses the keychain.

/// A new private key.
///
/// With `kSecAttrIsPermanent` it is stored in the keychain of the current home, and so is its public half where the
/// parameters or `kSecPublicKeyAttrs` say so; then this function also has the errors of SecItemAdd, and nothing
/// is stored if there is one.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` (RSA or `kSecAttrKeyTypeECSECPrimeRandom`) and `kSecAttrKeySizeInBits` (1024 to
///     8192 in steps of 8, under 2048 with a warning in the log; 256, 384, 521); attributes of a key item, for one half in `kSecPrivateKeyAttrs` and
///     `kSecPublicKeyAttrs`.
///   - error: errSecUnimplemented for another type. With `kSecAttrTokenID`, which is `kSecAttrTokenIDSecureEnclave`, the chip (TPM 2.0) makes a key of
///     P-256, and only there it is used: errSecUnimplemented where there is no chip, and for another token; errSecNotAvailable where a chip that is named can't be
///     reached, or refuses. It is never made in software instead. errSecKeySizeNotAllowed, errSecParam.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe CurrentEngine.value(error)?.randomKey(parameters, error)
}

/// The key in these bytes: PKCS#1 for RSA, X9.63 for elliptic curves (04 || X || Y, followed by K for private keys).
///
/// - Parameters:
///   - keyData: The key as `SecKeyCopyExternalRepresentation` gives it.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. The size is that of the bytes.
///   - error: errSecParam when they are not such a key; errSecUnimplemented for other types, symmetric keys and tokens.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe CurrentEngine.value(error)?.key(keyData, attributes: attributes, error: error)
}

/// The key as bytes: PKCS#1 for RSA, X9.63 for elliptic curves. They are the caller's, in ordinary memory. A private key in a chip stays there:
/// errSecUnimplemented.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard let bytes = key.content.externalRepresentation else {
        unsafe error.fail(errSecUnimplemented, "the private key is in a chip, and nothing takes it out")
        return nil
    }
    return NSData(data: bytes)
}

/// The public half of a key; for a public key, the key itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.content.publicKey }

/// What kind of key it is: type, class, size, application label (SHA-1 of the public half), what it may be used for.
/// Never the key itself.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    key.content.attributeDictionary
}

/// The key's block in bytes: the modulus of RSA, a coordinate of an elliptic curve.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.content.blockSize }

/// Whether the key can do this. Private keys sign, decrypt and agree, public keys verify and encrypt. SHA-224, RSA without padding or without
/// naming a digest, and OAEP with other digests than SHA-1 and SHA-256 need the system's libcrypto of OpenSSL 3, and are not supported where
/// there is none.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    key.content.supports(operation, algorithm)
}

/// A signature of a digest or message, as the algorithm says.
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: One for signatures.
///   - dataToSign: The message, or its digest, as the algorithm says.
///   - error: errSecParam for an algorithm of another kind of key and a digest of another size;
///     errSecUnimplemented for an algorithm that is not supported.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.signature(algorithm, data: dataToSign, error: error)
}

/// Whether the signature was made over this data with this key's private half.
///
/// - Parameters:
///   - key: The public key.
///   - algorithm: The algorithm of the signature.
///   - signedData: The message, or its digest.
///   - signature: The signature to verify.
///   - error: errSecVerifyFailed when it was not; otherwise as SecKeyCreateSignature.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    unsafe key.content.isValid(signature, of: signedData, algorithm: algorithm, error: error)
}

/// The plaintext, encrypted to a public key.
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: One for encryption.
///   - plaintext: The bytes to encrypt.
///   - error: errSecParam for a text too long for the key; otherwise as SecKeyCreateSignature.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.encrypted(algorithm, plaintext: plaintext, error: error)
}

/// The ciphertext, decrypted with a private key.
///
/// - Parameters:
///   - key: The private key.
///   - algorithm: The algorithm of the encryption.
///   - ciphertext: The bytes to decrypt.
///   - error: errSecParam for a ciphertext that was not made for this key, whatever is wrong with it; otherwise as
///     SecKeyCreateSignature.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe key.content.decrypted(algorithm, ciphertext: ciphertext, error: error)
}

/// The secret that a private and another's public key share.
///
/// - Parameters:
///   - privateKey: The caller's key.
///   - algorithm: One for key exchange.
///   - publicKey: The key of the other side, on the same curve.
///   - parameters: For algorithms that derive: `SecKeyKeyExchangeParameter.requestedSize` (1 to 65,536 bytes) and, where
///     both sides have it, `sharedInfo`.
///   - error: errSecParam for keys of two curves and a size that is missing or wrong; otherwise as SecKeyCreateSignature.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe privateKey.content.exchange(algorithm, with: publicKey, parameters: parameters, error: error)
}
#endif
