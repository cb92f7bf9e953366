// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine
public import SecretMemory

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key: one half of a pair (RSA, P-256, P-384, P-521), or the bytes of a symmetric one. Identity: class, type, size, application
/// label and tag, access group, synchronizable flag.
///
/// To sign with it use the functions of `Security` (`SecItemCopyMatching` with `kSecReturnRef`), or give its bytes to swift-crypto.
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
    }

    /// The key in a file's bytes, PEM or DER: PKCS#8 (under AES too), SEC 1 or PKCS#1, SubjectPublicKeyInfo.
    ///
    /// Errors: `.damaged` when the bytes contain none; `.passphraseRequired`, `.pkcs12VerifyFailure` (wrong passphrase) and
    /// `.unsupportedFormat` (older encryption; the message says how to convert it) for an encrypted one; `.dataTooLarge`.
    ///
    /// - Parameters:
    ///   - file: PEM or DER.
    ///   - passphrase: The passphrase of an encrypted key.
    public init(_ file: Data, passphrase: String? = nil) throws(KeychainError) {
        do {
            content = ItemContent(try NewItem(try KeyFile.key(file, passphrase: passphrase)))
        } catch { throw KeychainError(error) }
    }

    /// A new private key. Errors: `.keySizeNotAllowed` (RSA 2048 to 8192 bits in steps of 8; curves 256, 384, 521).
    public init(generating type: KeyType, sizeInBits: Int) throws(KeychainError) {
        do {
            let key = try KeyMaterial.generate(type == .rsa ? .rsa : .ec, sizeInBits: sizeInBits)
            content = ItemContent(try NewItem(key))
        } catch let error as KeychainError { throw error } catch {
            throw KeychainError(.keySizeNotAllowed, "there are no keys of this type and size")
        }
    }

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
    /// Errors: `.damaged` when the bytes are not a key of this type; `.notAvailable` after fork.
    public func pem() throws(KeychainError) -> String? {
        guard let bytes = try content.secretData() else { return nil }
        do { return try KeyMaterial(content.attributes, bytes)?.pem } catch {
            throw KeychainError(.damaged, "the item does not hold a key of the type that its attributes name")
        }
    }
}
