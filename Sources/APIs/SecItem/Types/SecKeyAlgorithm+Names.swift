// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
extension SecKeyAlgorithm {
    // MARK: RSA signatures

    /// RSA without padding, of a block that the caller padded.
    public static let rsaSignatureRaw = Self("sign:RSA:raw")

    /// PKCS#1 v1.5 without naming a digest.
    public static let rsaSignatureDigestPKCS1v15Raw = Self("sign:RSA:digest-PKCS1v15")

    /// PKCS#1 v1.5 of a SHA-1 digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = Self("sign:RSA:digest-PKCS1v15:SHA1")

    /// PKCS#1 v1.5 of a SHA-224 digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = Self("sign:RSA:digest-PKCS1v15:SHA224")

    /// PKCS#1 v1.5 of a SHA-256 digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = Self("sign:RSA:digest-PKCS1v15:SHA256")

    /// PKCS#1 v1.5 of a SHA-384 digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = Self("sign:RSA:digest-PKCS1v15:SHA384")

    /// PKCS#1 v1.5 of a SHA-512 digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = Self("sign:RSA:digest-PKCS1v15:SHA512")

    /// PKCS#1 v1.5 of a message, digested with SHA-1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = Self("sign:RSA:message-PKCS1v15:SHA1")

    /// PKCS#1 v1.5 of a message, digested with SHA-224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = Self("sign:RSA:message-PKCS1v15:SHA224")

    /// PKCS#1 v1.5 of a message, digested with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self("sign:RSA:message-PKCS1v15:SHA256")

    /// PKCS#1 v1.5 of a message, digested with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self("sign:RSA:message-PKCS1v15:SHA384")

    /// PKCS#1 v1.5 of a message, digested with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self("sign:RSA:message-PKCS1v15:SHA512")

    /// PSS of a SHA-1 digest, with a salt of 20 bytes.
    public static let rsaSignatureDigestPSSSHA1 = Self("sign:RSA:digest-PSS:SHA1:SHA1:20")

    /// PSS of a SHA-224 digest, with a salt of 24 bytes.
    public static let rsaSignatureDigestPSSSHA224 = Self("sign:RSA:digest-PSS:SHA224:SHA224:24")

    /// PSS of a SHA-256 digest, with a salt of 32 bytes.
    public static let rsaSignatureDigestPSSSHA256 = Self("sign:RSA:digest-PSS:SHA256:SHA256:32")

    /// PSS of a SHA-384 digest, with a salt of 48 bytes.
    public static let rsaSignatureDigestPSSSHA384 = Self("sign:RSA:digest-PSS:SHA384:SHA384:48")

    /// PSS of a SHA-512 digest, with a salt of 64 bytes.
    public static let rsaSignatureDigestPSSSHA512 = Self("sign:RSA:digest-PSS:SHA512:SHA512:64")

    /// PSS of a message, digested with SHA-1, with a salt of 20 bytes.
    public static let rsaSignatureMessagePSSSHA1 = Self("sign:RSA:message-PSS:SHA1:SHA1:20")

    /// PSS of a message, digested with SHA-224, with a salt of 24 bytes.
    public static let rsaSignatureMessagePSSSHA224 = Self("sign:RSA:message-PSS:SHA224:SHA224:24")

    /// PSS of a message, digested with SHA-256, with a salt of 32 bytes.
    public static let rsaSignatureMessagePSSSHA256 = Self("sign:RSA:message-PSS:SHA256:SHA256:32")

    /// PSS of a message, digested with SHA-384, with a salt of 48 bytes.
    public static let rsaSignatureMessagePSSSHA384 = Self("sign:RSA:message-PSS:SHA384:SHA384:48")

    /// PSS of a message, digested with SHA-512, with a salt of 64 bytes.
    public static let rsaSignatureMessagePSSSHA512 = Self("sign:RSA:message-PSS:SHA512:SHA512:64")

    // MARK: Elliptic-curve signatures

    /// ECDSA of a digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962 = Self("sign:ECDSA:digest-X962")

    /// ECDSA of a SHA-1 digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA1 = Self("sign:ECDSA:digest-X962:SHA1")

    /// ECDSA of a SHA-224 digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA224 = Self("sign:ECDSA:digest-X962:SHA224")

    /// ECDSA of a SHA-256 digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA256 = Self("sign:ECDSA:digest-X962:SHA256")

    /// ECDSA of a SHA-384 digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA384 = Self("sign:ECDSA:digest-X962:SHA384")

    /// ECDSA of a SHA-512 digest; the signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA512 = Self("sign:ECDSA:digest-X962:SHA512")

    /// ECDSA of a message, digested with SHA-1; the signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA1 = Self("sign:ECDSA:message-X962:SHA1")

    /// ECDSA of a message, digested with SHA-224; the signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA224 = Self("sign:ECDSA:message-X962:SHA224")

    /// ECDSA of a message, digested with SHA-256; the signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA256 = Self("sign:ECDSA:message-X962:SHA256")

    /// ECDSA of a message, digested with SHA-384; the signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA384 = Self("sign:ECDSA:message-X962:SHA384")

    /// ECDSA of a message, digested with SHA-512; the signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA512 = Self("sign:ECDSA:message-X962:SHA512")

    // MARK: Elliptic-curve signatures as r and s

    /// ECDSA of a digest; the signature as r and s (RFC 4754). The older name.
    public static let ecdsaSignatureRFC4754 = Self("sign:ECDSA:RFC4754")

    /// ECDSA of a digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754 = Self("sign:ECDSA:digest-RFC4754")

    /// ECDSA of a SHA-1 digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA1 = Self("sign:ECDSA:digest-RFC4754:SHA1")

    /// ECDSA of a SHA-224 digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA224 = Self("sign:ECDSA:digest-RFC4754:SHA224")

    /// ECDSA of a SHA-256 digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA256 = Self("sign:ECDSA:digest-RFC4754:SHA256")

    /// ECDSA of a SHA-384 digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA384 = Self("sign:ECDSA:digest-RFC4754:SHA384")

    /// ECDSA of a SHA-512 digest; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA512 = Self("sign:ECDSA:digest-RFC4754:SHA512")

    /// ECDSA of a message, digested with SHA-1; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA1 = Self("sign:ECDSA:message-RFC4754:SHA1")

    /// ECDSA of a message, digested with SHA-224; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA224 = Self("sign:ECDSA:message-RFC4754:SHA224")

    /// ECDSA of a message, digested with SHA-256; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self("sign:ECDSA:message-RFC4754:SHA256")

    /// ECDSA of a message, digested with SHA-384; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self("sign:ECDSA:message-RFC4754:SHA384")

    /// ECDSA of a message, digested with SHA-512; the signature as r and s (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self("sign:ECDSA:message-RFC4754:SHA512")

    // MARK: RSA encryption

    /// RSA without padding.
    public static let rsaEncryptionRaw = Self("encrypt:RSA:raw")

    /// PKCS#1 v1.5.
    public static let rsaEncryptionPKCS1 = Self("encrypt:RSA:PKCS1")

    /// OAEP with SHA-1.
    public static let rsaEncryptionOAEPSHA1 = Self("encrypt:RSA:OAEP:SHA1")

    /// OAEP with SHA-224.
    public static let rsaEncryptionOAEPSHA224 = Self("encrypt:RSA:OAEP:SHA224")

    /// OAEP with SHA-256.
    public static let rsaEncryptionOAEPSHA256 = Self("encrypt:RSA:OAEP:SHA256")

    /// OAEP with SHA-384.
    public static let rsaEncryptionOAEPSHA384 = Self("encrypt:RSA:OAEP:SHA384")

    /// OAEP with SHA-512.
    public static let rsaEncryptionOAEPSHA512 = Self("encrypt:RSA:OAEP:SHA512")

    // MARK: Encryption in two steps

    /// RSA with OAEP and SHA-1 for an AES key, then AES-GCM.
    public static let rsaEncryptionOAEPSHA1AESGCM = Self("encrypt:RSA:OAEP:SHA1:AESGCM")

    /// RSA with OAEP and SHA-224 for an AES key, then AES-GCM. Needs the system's OpenSSL 3.
    public static let rsaEncryptionOAEPSHA224AESGCM = Self("encrypt:RSA:OAEP:SHA224:AESGCM")

    /// RSA with OAEP and SHA-256 for an AES key, then AES-GCM.
    public static let rsaEncryptionOAEPSHA256AESGCM = Self("encrypt:RSA:OAEP:SHA256:AESGCM")

    /// RSA with OAEP and SHA-384 for an AES key, then AES-GCM. Needs the system's OpenSSL 3.
    public static let rsaEncryptionOAEPSHA384AESGCM = Self("encrypt:RSA:OAEP:SHA384:AESGCM")

    /// RSA with OAEP and SHA-512 for an AES key, then AES-GCM. Needs the system's OpenSSL 3.
    public static let rsaEncryptionOAEPSHA512AESGCM = Self("encrypt:RSA:OAEP:SHA512:AESGCM")

    /// ECIES with ECDH, the X9.63 derivation with SHA-1, AES-GCM.
    public static let eciesEncryptionStandardX963SHA1AESGCM = Self("encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")

    /// ECIES with ECDH, the X9.63 derivation with SHA-224, AES-GCM. Needs the system's OpenSSL 3.
    public static let eciesEncryptionStandardX963SHA224AESGCM = Self("encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")

    /// ECIES with ECDH, the X9.63 derivation with SHA-256, AES-GCM.
    public static let eciesEncryptionStandardX963SHA256AESGCM = Self("encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")

    /// ECIES with ECDH, the X9.63 derivation with SHA-384, AES-GCM.
    public static let eciesEncryptionStandardX963SHA384AESGCM = Self("encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")

    /// ECIES with ECDH, the X9.63 derivation with SHA-512, AES-GCM.
    public static let eciesEncryptionStandardX963SHA512AESGCM = Self("encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")

    /// The same with a derived IV, SHA-224. Needs the system's OpenSSL 3.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
        "encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-256.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
        "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-384.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
        "encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-512.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
        "encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")

    /// ECIES with ECDHC, the X9.63 derivation with SHA-1, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = Self("encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")

    /// ECIES with ECDHC, the X9.63 derivation with SHA-224, AES-GCM. Needs the system's OpenSSL 3.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = Self("encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")

    /// ECIES with ECDHC, the X9.63 derivation with SHA-256, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = Self("encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")

    /// ECIES with ECDHC, the X9.63 derivation with SHA-384, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = Self("encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")

    /// ECIES with ECDHC, the X9.63 derivation with SHA-512, AES-GCM.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = Self("encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")

    /// The same with a derived IV, SHA-224. Needs the system's OpenSSL 3.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
        "encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-256.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
        "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-384.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
        "encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")

    /// The same with a derived IV, SHA-512.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
        "encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")

    // MARK: Key exchange

    /// ECDH, the shared secret as it is.
    public static let ecdhKeyExchangeStandard = Self("keyexchange:ECDH")

    /// ECDH, then the X9.63 derivation with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = Self("keyexchange:ECDH:KDFX963:SHA1")

    /// ECDH, then the X9.63 derivation with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = Self("keyexchange:ECDH:KDFX963:SHA224")

    /// ECDH, then the X9.63 derivation with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = Self("keyexchange:ECDH:KDFX963:SHA256")

    /// ECDH, then the X9.63 derivation with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = Self("keyexchange:ECDH:KDFX963:SHA384")

    /// ECDH, then the X9.63 derivation with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = Self("keyexchange:ECDH:KDFX963:SHA512")

    /// ECDH with the cofactor, the shared secret as it is.
    public static let ecdhKeyExchangeCofactor = Self("keyexchange:ECDHC")

    /// ECDH with the cofactor, then the X9.63 derivation with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = Self("keyexchange:ECDHC:KDFX963:SHA1")

    /// ECDH with the cofactor, then the X9.63 derivation with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = Self("keyexchange:ECDHC:KDFX963:SHA224")

    /// ECDH with the cofactor, then the X9.63 derivation with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = Self("keyexchange:ECDHC:KDFX963:SHA256")

    /// ECDH with the cofactor, then the X9.63 derivation with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = Self("keyexchange:ECDHC:KDFX963:SHA384")

    /// ECDH with the cofactor, then the X9.63 derivation with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = Self("keyexchange:ECDHC:KDFX963:SHA512")
}
#endif
