// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// The functions from before SecKeyAlgorithm, which code still calls. Each calls its successor with an algorithm.

/// The padding of a block, and its digest algorithm.
public struct SecPadding: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// A set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS#1 v1.5.
    public static let PKCS1 = Self(rawValue: 1)
    /// OAEP with SHA-1.
    public static let OAEP = Self(rawValue: 2)
    /// ECDSA: r and s concatenated.
    public static let sigRaw = Self(rawValue: 0x4000)
    /// PKCS#1 v1.5 of a digest of MD2: not supported.
    public static let PKCS1MD2 = Self(rawValue: 0x8000)
    /// PKCS#1 v1.5 of a digest of MD5: not supported.
    public static let PKCS1MD5 = Self(rawValue: 0x8001)
    /// PKCS#1 v1.5 of a digest of SHA-1.
    public static let PKCS1SHA1 = Self(rawValue: 0x8002)
    /// PKCS#1 v1.5 of a digest of SHA-224.
    public static let PKCS1SHA224 = Self(rawValue: 0x8003)
    /// PKCS#1 v1.5 of a digest of SHA-256.
    public static let PKCS1SHA256 = Self(rawValue: 0x8004)
    /// PKCS#1 v1.5 of a digest of SHA-384.
    public static let PKCS1SHA384 = Self(rawValue: 0x8005)
    /// PKCS#1 v1.5 of a digest of SHA-512.
    public static let PKCS1SHA512 = Self(rawValue: 0x8006)

    /// The signature algorithm; nil if not supported. Elliptic-curve keys have two signature formats, regardless of
    /// the digest.
    fileprivate func signature(_ key: SecKey) -> SecKeyAlgorithm? {
        guard key.content.isRSA else {
            return self == .sigRaw ? .ecdsaSignatureDigestRFC4754 : .ecdsaSignatureDigestX962
        }
        return switch self {
        case []: .rsaSignatureRaw
        case .PKCS1: .rsaSignatureDigestPKCS1v15Raw
        case .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1
        case .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224
        case .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256
        case .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384
        case .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512
        default: nil
        }
    }

    fileprivate var encryption: SecKeyAlgorithm? {
        switch self {
        case []: .rsaEncryptionRaw
        case .PKCS1: .rsaEncryptionPKCS1
        case .OAEP: .rsaEncryptionOAEPSHA1
        default: nil
        }
    }
}

/// Makes a new key pair: SecKeyCreateRandomKey, with both keys.
///
/// - Returns: errSecSuccess; the codes of SecKeyCreateRandomKey's errors.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    var error: Unmanaged<CFError>?
    guard let key = unsafe SecKeyCreateRandomKey(parameters, &error) else { return unsafe takenStatus(error) }
    unsafe publicKey?.pointee = SecKeyCopyPublicKey(key)
    unsafe privateKey?.pointee = key
    return errSecSuccess
}

/// Signs a digest, or without padding a block.
///
/// - Parameters:
///   - key: A private key.
///   - padding: How a block is made from the digest.
///   - dataToSign: The digest.
///   - dataToSignLen: Its size in bytes.
///   - sig: The buffer for the signature.
///   - sigLen: The size of the buffer in bytes, set to the number of bytes written.
/// - Returns: errSecSuccess; errSecParam for a buffer that is too small, and for a digest of another size;
///   errSecUnimplemented for a padding that is not supported.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    guard let algorithm = padding.signature(key) else { return errSecUnimplemented }
    return unsafe written(dataToSign, dataToSignLen, sig, sigLen) { data, error in
        unsafe SecKeyCreateSignature(key, algorithm, data, &error)
    }
}

/// Verifies a signature of SecKeyRawSign.
///
/// - Returns: errSecSuccess; errSSLCrypto (-9809) for a signature that doesn't verify, even an empty one, where
///   SecKeyVerifySignature has errSecVerifyFailed; errSecParam, errSecUnimplemented.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    guard let algorithm = padding.signature(key) else { return errSecUnimplemented }
    guard signedDataLen >= 0, sigLen >= 0 else { return errSecParam }
    let data = unsafe NSData(bytes: signedData, length: signedDataLen)
    let signature = unsafe NSData(bytes: sig, length: sigLen)
    var error: Unmanaged<CFError>?
    let isValid = unsafe SecKeyVerifySignature(key, algorithm, data, signature, &error)
    guard !isValid else { return errSecSuccess }
    let status = unsafe takenStatus(error)
    // The older functions keep the code from before SecKeyAlgorithm.
    return status == errSecVerifyFailed ? errSSLCrypto : status
}

/// Encrypts a short message to a public RSA key.
///
/// - Parameters:
///   - key: A public key.
///   - padding: How a block is made from the message.
///   - plainText: The message.
///   - plainTextLen: Its size in bytes.
///   - cipherText: The buffer for the result.
///   - cipherTextLen: The size of the buffer in bytes, set to the number of bytes written.
/// - Returns: errSecSuccess; errSecParam for a message that is too long, a buffer that is too small, and another kind
///   of key; errSecUnimplemented for a padding that is not supported.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    guard let algorithm = padding.encryption else { return errSecUnimplemented }
    return unsafe written(plainText, plainTextLen, cipherText, cipherTextLen) { data, error in
        unsafe SecKeyCreateEncryptedData(key, algorithm, data, &error)
    }
}

/// Decrypts the output of SecKeyEncrypt, with the same parameters and codes.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    guard let algorithm = padding.encryption else { return errSecUnimplemented }
    return unsafe written(cipherText, cipherTextLen, plainText, plainTextLen) { data, error in
        unsafe SecKeyCreateDecryptedData(key, algorithm, data, &error)
    }
}

/// Copies a result to the caller's buffer.
private func written(
    _ input: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>,
    _ room: UnsafeMutablePointer<Int>, _ body: (CFData, inout Unmanaged<CFError>?) -> CFData?
) -> OSStatus {
    guard count >= 0 else { return errSecParam }
    var error: Unmanaged<CFError>?
    guard let result = unsafe body(NSData(bytes: input, length: count), &error) else {
        return unsafe takenStatus(error)
    }
    guard unsafe result.length <= room.pointee else { return errSecParam }
    unsafe result.getBytes(output, length: result.length)
    unsafe room.pointee = result.length
    return errSecSuccess
}

/// The code of an error, which this function releases.
private func takenStatus(_ error: Unmanaged<CFError>?) -> OSStatus {
    guard let error = unsafe error?.takeRetainedValue() else { return errSecInternal }
    return OSStatus(truncatingIfNeeded: error.code)
}
#endif
