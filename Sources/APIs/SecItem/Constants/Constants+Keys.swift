// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A key's label for programs: by default the digest of its public key.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"

/// A key's tag, chosen by the app.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"

/// Whether the key may decrypt.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"

/// Whether other keys may be derived from the key.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"

/// Whether the key may encrypt.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"

/// Whether the key may sign.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"

/// Whether the key may unwrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"

/// Whether the key may verify signatures.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"

/// Whether the key may wrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"

/// A certificate's encoding. A number.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"

/// A certificate's type. A number; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"

/// The effective bits of a key.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"

/// Whether the key's bytes may leave the keychain.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"

/// Whether a created key is stored.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"

/// Whether the key may leave wrapped only.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"

/// A certificate's issuer, normalized; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"

/// Public, private or symmetric.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"

/// The bits of a key.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"

/// The algorithm of a key.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"

/// The pseudo-random function of a key derivation.
@safe nonisolated(unsafe) public let kSecAttrPRF: CFString = "prf"

/// The digest of a certificate's public key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"

/// The rounds of a key derivation.
@safe nonisolated(unsafe) public let kSecAttrRounds: CFString = "rounds"

/// The salt of a key derivation.
@safe nonisolated(unsafe) public let kSecAttrSalt: CFString = "salt"

/// A certificate's serial number; part of the identity.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"

/// A certificate's subject, normalized.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"

/// A certificate's subject key identifier.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"

/// Attributes of the private half of a new key pair. A dictionary.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"

/// Attributes of the public half of a new key pair. A dictionary.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"

/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"

/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"

/// A symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"

/// Triple DES.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"

/// AES.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"

/// CAST.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"

/// DES.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"

/// DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"

/// Elliptic curve; the older name of `kSecAttrKeyTypeECSECPrimeRandom`.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"

/// Elliptic curve, as macOS names it.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"

/// Elliptic curve over a random prime field: P-256, P-384, P-521.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

/// RC2.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"

/// RC4.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"

/// RSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"

/// HMAC with SHA-1.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"

/// HMAC with SHA-224.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"

/// HMAC with SHA-256.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"

/// HMAC with SHA-384.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"

/// HMAC with SHA-512.
@safe nonisolated(unsafe) public let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
#endif
