// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine
public import SecretMemory

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key: one half of a pair (RSA, P-256, P-384, P-521, Ed25519, X25519), or the bytes of a symmetric key. Identity:
/// class, type, size, application label and tag, access group, synchronizable flag.
///
/// It signs with ``signature(for:_:)``. For other operations use the functions of `Security` (`SecItemCopyMatching`
/// with `kSecReturnRef`), or pass its bytes to swift-crypto.
public struct KeyItem: KeychainItem {
    /// The item class.
    public static var itemClass: ItemClass { .key }

    /// The content that the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// The half of a pair, or neither.
    public enum KeyClass: Int64, Sendable, CaseIterable {
        /// Verifies and encrypts.
        case `public` = 0
        /// Signs and decrypts.
        case `private` = 1
        /// Shared by both sides.
        case symmetric = 2
    }

    /// The type of a pair.
    public enum KeyType: Int64, Sendable, CaseIterable {
        /// RSA.
        case rsa = 42
        /// A NIST elliptic curve.
        case ellipticCurve = 73
        /// Ed25519, for signatures. The number is this project's own: Apple's constants have none.
        case ed25519 = 0x6564_3235
        /// X25519, for key exchange. The number is this project's own.
        case x25519 = 0x7832_3535
    }

    /// The key in a file's bytes, in PEM or DER: PKCS#8 (also encrypted with AES), SEC 1, PKCS#1, OpenSSH's format or
    /// SubjectPublicKeyInfo; or a JWK (RFC 7517).
    ///
    /// Errors: `.damaged` if the bytes contain none; `.dataTooLarge`; for an encrypted key `.passphraseRequired`,
    /// `.pkcs12VerifyFailure` (wrong passphrase) and `.unsupportedFormat` (older encryption, or OpenSSH's; the message
    /// says how to convert it).
    ///
    /// - Parameters:
    ///   - file: The file's bytes.
    ///   - passphrase: The passphrase of an encrypted key.
    public init(_ file: Data, passphrase: String? = nil) throws(KeychainError) {
        do {
            content = ItemContent(
                try ClearedScope.runWidely { try ItemRecord(try KeyFile.key(file, passphrase: passphrase)) })
        } catch { throw KeychainError(error) }
    }

    /// Generates a private key.
    ///
    /// Errors: `.keySizeNotAllowed`. The sizes in bits are 2048 to 8192 in steps of 8 for RSA, 256, 384 or 521 for
    /// curves, and 256 for Ed25519 and X25519.
    public init(generating type: KeyType, sizeInBits: Int) throws(KeychainError) {
        do {
            guard let family = KeyMaterial.Family(rawValue: type.rawValue) else {
                throw KeyMaterialError.sizeNotAllowed
            }
            content = ItemContent(try ItemRecord(try KeyMaterial.generate(family, sizeInBits: sizeInBits)))
        } catch let error as KeychainError { throw error } catch {
            throw KeychainError(.keySizeNotAllowed, "there are no keys of this type and size")
        }
    }

    /// Generates a P-256 key in the TPM (TPM 2.0) of a home. The key never leaves the TPM, so its item is usable only
    /// on this machine, and is left out of exports.
    ///
    /// The TPM is the one that has the home's device secret; else the one that `ZAMOK_TPM` names; else `/dev/tpmrm0`.
    /// Nothing is stored in the TPM. The item's secret contains what the TPM needs to use the key. This may be called
    /// in any lock state. To add the item, its class must be unlocked.
    ///
    /// Errors: `.unimplemented` if there is no TPM; `.notAvailable` if the TPM can't be reached, doesn't answer,
    /// refuses, or isn't the home's. The error's `cause` distinguishes them.
    ///
    /// - Parameter home: The home whose TPM is used.
    public init(inTPMOf home: Home) throws(KeychainError) {
        guard let key = try TPMKey.make(in: home) else { throw KeychainError.noTPM }
        content = ItemContent(try ItemRecord(KeyMaterial.tpm(key)))
    }

    /// Whether it is a private key that stays in a TPM, so that its bytes can't be read.
    public var isInTPM: Bool { content.attributes.isInTPM }

    /// A symmetric key. `tag` distinguishes it from others.
    public init(symmetric bytes: Secret, tag: String) {
        content = ItemContent()
        content.set(.keyClass, KeyClass.symmetric.rawValue)
        content.set(.keySize, Int64(bytes.count * 8))
        content.secret = bytes
        applicationTag = Array(tag.utf8)
    }

    /// The half of the pair, or symmetric.
    public var keyClass: KeyClass? {
        get { content.number(.keyClass).flatMap(KeyClass.init) }
        set { content.set(.keyClass, newValue?.rawValue) }
    }

    /// The type of a pair; nil for symmetric keys.
    public var keyType: KeyType? {
        get { content.number(.type).flatMap(KeyType.init) }
        set { content.set(.type, newValue?.rawValue) }
    }

    /// The size in bits; 0: not set.
    public var sizeInBits: Int {
        get { content.number(.keySize).flatMap { Int(exactly: $0) } ?? 0 }
        set { content.set(.keySize, Int64(newValue)) }
    }

    /// The app's name for the key. Part of the identity.
    public var applicationTag: [UInt8]? {
        get { content.bytes(.applicationTag) }
        set { content.attributes[.applicationTag] = newValue.map { .data($0) } }
    }

    /// For a pair, the SHA-1 of the public half, which links a private key with its certificates. Part of the identity.
    public var applicationLabel: [UInt8]? {
        get { content.bytes(.applicationLabel) }
        set { content.attributes[.applicationLabel] = newValue.map { .data($0) } }
    }

    /// The key in PEM, with a newline at the end: PKCS#8 for a private key, SubjectPublicKeyInfo for a public one. Nil
    /// for symmetric keys, and if the secret was not requested. The text is in ordinary memory.
    ///
    /// Errors: `.damaged` if the bytes are not a key of this type; `.unimplemented` for a private key in a TPM;
    /// `.notAvailable` after fork.
    public func pem() throws(KeychainError) -> String? {
        try leaving { $0.pem }
    }

    /// The public half of a pair, as an item that is not stored yet. It is always readable and has this item's label.
    /// Nil for symmetric keys, and if the secret was not requested.
    ///
    /// Errors: `.damaged` if the bytes are not a key of this type; `.notAvailable` after fork.
    public func publicKey() throws(KeychainError) -> KeyItem? {
        guard let key = try material()?.publicKey else { return nil }
        var item = KeyItem(content: ItemContent(try ItemRecord(key)))
        item.label = label
        item.accessibility = .always
        return item
    }

    /// The key itself, parsed from the secret. Nil for symmetric keys, and if the secret was not requested.
    /// It is in ordinary memory.
    ///
    /// Errors: those of ``publicKey()``.
    package func material() throws(KeychainError) -> KeyMaterial? {
        guard let secret = content.secret else { return nil }
        do { return try KeyMaterial(content.attributes, secret: secret, content.tpms) } catch let error
            as DataProtectionError
        {
            throw KeychainError(error)
        } catch {
            throw KeychainError(.damaged, "the item does not hold a key of the type that its attributes name")
        }
    }

    /// The key in an exported form. Errors: those of ``pem()``.
    private func leaving(_ form: (KeyMaterial) throws -> String?) throws(KeychainError) -> String? {
        guard !isInTPM else { throw .staysInTPM }
        do { return try ClearedScope.runWidely { try material().flatMap(form) } } catch { throw KeychainError(error) }
    }

    /// A private key in OpenSSH's PEM format, without a passphrase. Nil for types that SSH doesn't support, and if the
    /// secret was not requested. The text is in ordinary memory.
    ///
    /// Errors: those of ``pem()``.
    package func openSSHPEM(comment: String) throws(KeychainError) -> String? {
        try leaving { OpenSSHKey.pem(of: $0, comment: comment) }
    }

    /// A JWK in one line, with a newline at the end. Nil for symmetric keys, and if the secret was not requested.
    /// The text is in ordinary memory.
    ///
    /// Errors: those of ``pem()``.
    package func jwk() throws(KeychainError) -> String? {
        try leaving { $0.jwk.map { $0 + "\n" } }
    }

    /// A private key in PEM: PKCS#8 under a passphrase (AES-256, PBKDF2). Nil for other keys, and if the secret
    /// was not requested.
    ///
    /// Errors: those of ``pem()``.
    package func encryptedPEM(passphrase: String) throws(KeychainError) -> String? {
        try leaving { try $0.encryptedPEM(passphrase: passphrase) }
    }

    /// The comment of an OpenSSH key in a file. Nil: it is empty, or there is no such key.
    package static func comment(_ file: Data) -> String? { KeyFile.comment(file) }

    /// Whether a file's first private key is under a passphrase that ssh-keygen can remove.
    /// That is OpenSSH's own format, or PEM with headers, as older versions wrote it.
    package static func isUnderSSHPassphrase(_ file: Data) -> Bool { KeyFile.isUnderSSHPassphrase(file) }

    /// The number of private keys in a file, of which only the first is read.
    package static func countOfPrivateKeys(_ file: Data) -> Int { KeyFile.countOfPrivateKeys(file) }
}
