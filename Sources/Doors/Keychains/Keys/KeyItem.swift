// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine
public import SecretMemory

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key: one half of a pair (RSA, P-256, P-384, P-521, Ed25519, X25519), or the bytes of a symmetric one. Identity: class, type, size, application
/// label and tag, access group, synchronizable flag.
///
/// It signs by ``signature(for:_:)``; for all else use the functions of `Security` (`SecItemCopyMatching` with `kSecReturnRef`), or give its bytes to swift-crypto.
public struct KeyItem: KeychainItem {
    /// The item class.
    public static var itemClass: ItemClass { .key }

    /// What the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// Which half of a pair, or neither.
    public enum KeyClass: Int64, Sendable, CaseIterable {
        /// Verifies and encrypts.
        case `public` = 0
        /// Signs and decrypts.
        case `private` = 1
        /// Both sides have the same key.
        case symmetric = 2
    }

    /// The type of a pair.
    public enum KeyType: Int64, Sendable, CaseIterable {
        /// RSA.
        case rsa = 42
        /// An elliptic curve of NIST.
        case ellipticCurve = 73
        /// Ed25519, for signatures. The number is this project's own: Apple's constants have none.
        case ed25519 = 0x6564_3235
        /// X25519, for key exchange. The number is this project's own.
        case x25519 = 0x7832_3535
    }

    /// The key in a file's bytes, PEM or DER: PKCS#8 (under AES too), SEC 1 or PKCS#1, OpenSSH's format, SubjectPublicKeyInfo; or JWK (RFC 7517).
    ///
    /// Errors: `.damaged` when the bytes contain none; `.passphraseRequired`, `.pkcs12VerifyFailure` (wrong passphrase) and
    /// `.unsupportedFormat` (older encryption, or OpenSSH's; the message says how to convert it) for an encrypted one; `.dataTooLarge`.
    ///
    /// - Parameters:
    ///   - file: PEM or DER.
    ///   - passphrase: The passphrase of an encrypted key.
    public init(_ file: Data, passphrase: String? = nil) throws(KeychainError) {
        do {
            content = ItemContent(
                try ClearedScope.runWidely { try NewItem(try KeyFile.key(file, passphrase: passphrase)) })
        } catch { throw KeychainError(error) }
    }

    /// A new private key. Errors: `.keySizeNotAllowed` (RSA 2048 to 8192 bits in steps of 8; curves 256, 384, 521; Ed25519 and X25519 256).
    public init(generating type: KeyType, sizeInBits: Int) throws(KeychainError) {
        do {
            guard let family = KeyMaterial.Family(rawValue: type.rawValue) else {
                throw KeyMaterialError.sizeNotAllowed
            }
            content = ItemContent(try NewItem(try KeyMaterial.generate(family, sizeInBits: sizeInBits)))
        } catch let error as KeychainError { throw error } catch {
            throw KeychainError(.keySizeNotAllowed, "there are no keys of this type and size")
        }
    }

    /// A new P-256 key that the chip (TPM 2.0) of a home makes, and which never leaves it: an item of it is of use on this machine alone, and is left out of exports.
    ///
    /// The chip is the one that has the home's device secret; else the one that `ZAMOK_TPM` names; else `/dev/tpmrm0`. Nothing is kept in the chip: what it needs to use the key is the item's
    /// secret. May be called in each lock state; to add the item its class has to be unlocked.
    ///
    /// Errors: `.unimplemented`: there is no chip. `.notAvailable`: the chip can't be reached, is silent, refuses, or is another than that of the home; the error's `cause` tells them apart.
    ///
    /// - Parameter home: The home whose chip is meant.
    public init(inChipOf home: Home) throws(KeychainError) {
        guard let key = try ChipKey.make(in: home) else { throw KeychainError.noChip }
        content = ItemContent(try NewItem(KeyMaterial.chip(key)))
    }

    /// Whether it is a private key that stays in a chip, so that nothing gives its bytes.
    public var isInChip: Bool { content.attributes.isInChip }

    /// A symmetric key. `tag` distinguishes it from others.
    public init(symmetric bytes: Secret, tag: String) {
        content = ItemContent()
        content.set(.keyClass, KeyClass.symmetric.rawValue)
        content.set(.keySize, Int64(bytes.count * 8))
        content.secret = bytes
        applicationTag = Array(tag.utf8)
    }

    /// Which half.
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

    /// What the app calls the key. Part of the identity.
    public var applicationTag: [UInt8]? {
        get { content.bytes(.applicationTag) }
        set { content.attributes[.applicationTag] = newValue.map { .data($0) } }
    }

    /// For a pair, SHA-1 of the public half, by which a private key is joined with its certificates. Part of the identity.
    public var applicationLabel: [UInt8]? {
        get { content.bytes(.applicationLabel) }
        set { content.attributes[.applicationLabel] = newValue.map { .data($0) } }
    }

    /// PEM, with a newline at the end: PKCS#8 of a private key, SubjectPublicKeyInfo of a public one. nil for symmetric keys, and
    /// if the secret was not asked for. The text is in ordinary memory.
    ///
    /// Errors: `.damaged` when the bytes are not a key of this type; `.unimplemented` for a private key in a chip; `.notAvailable` after fork.
    public func pem() throws(KeychainError) -> String? {
        try leaving { $0.pem }
    }

    /// The public half of a pair, as an item that is not stored yet, always readable and with this item's label. nil for symmetric keys, and if the secret was not
    /// asked for.
    ///
    /// Errors: `.damaged` when the bytes are not a key of this type; `.notAvailable` after fork.
    public func publicKey() throws(KeychainError) -> KeyItem? {
        guard let key = try material()?.publicKey else { return nil }
        var item = KeyItem(content: ItemContent(try NewItem(key)))
        item.label = label
        item.accessibility = .always
        return item
    }

    /// The key itself, out of the secret; nil for symmetric keys, and if the secret was not asked for. It is in ordinary memory.
    ///
    /// Errors: those of ``publicKey()``.
    package func material() throws(KeychainError) -> KeyMaterial? {
        guard let secret = content.secret else { return nil }
        do { return try KeyMaterial(content.attributes, secret: secret, content.chips) } catch let error
            as DataProtectionError
        {
            throw KeychainError(error)
        } catch {
            throw KeychainError(.damaged, "the item does not hold a key of the type that its attributes name")
        }
    }

    /// What is given away of the key. Errors: those of ``pem()``.
    private func leaving(_ form: (KeyMaterial) throws -> String?) throws(KeychainError) -> String? {
        guard !isInChip else { throw .staysInChip }
        do { return try ClearedScope.runWidely { try material().flatMap(form) } } catch { throw KeychainError(error) }
    }

    /// PEM of a private key as OpenSSH writes it, without a passphrase; nil for keys that SSH doesn't have, and if the secret was not asked for. The text is in ordinary memory.
    ///
    /// Errors: those of ``pem()``.
    package func openSSHPEM(comment: String) throws(KeychainError) -> String? {
        try leaving { OpenSSHKey.pem(of: $0, comment: comment) }
    }

    /// A JWK in one line, with a newline at the end; nil for symmetric keys, and if the secret was not asked for. The text is in ordinary memory.
    ///
    /// Errors: those of ``pem()``.
    package func jwk() throws(KeychainError) -> String? {
        try leaving { $0.jwk.map { $0 + "\n" } }
    }

    /// PEM of a private key, PKCS#8 under a passphrase (AES-256, PBKDF2); nil for others, and if the secret was not asked for.
    ///
    /// Errors: those of ``pem()``.
    package func encryptedPEM(passphrase: String) throws(KeychainError) -> String? {
        try leaving { try $0.encryptedPEM(passphrase: passphrase) }
    }

    /// What an OpenSSH key in a file says of itself; nil: nothing, or there is none.
    package static func comment(_ file: Data) -> String? { KeyFile.comment(file) }

    /// Whether its first private key is under a passphrase that ssh-keygen takes off: OpenSSH's own format, or PEM with headers, as older ones wrote it.
    package static func isUnderSSHPassphrase(_ file: Data) -> Bool { KeyFile.isUnderSSHPassphrase(file) }

    /// How many private keys a file has, of which the first is taken.
    package static func countOfPrivateKeys(_ file: Data) -> Int { KeyFile.countOfPrivateKeys(file) }
}
