// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
package import KeychainEngine
package import Keychains
import Readers

/// A private key of the keychain and its public half.
/// The public half is a separate item, which is always readable. Its tag says whether the agent offers the key.
package struct KeyPair: Sendable {
    /// The item of the private key, without its secret.
    package let privateItem: KeyItem
    /// The item of the public half, with its bytes. Nil: it isn't stored, so only opening the private key reveals it.
    package let publicItem: KeyItem?
    package let publicKey: KeyMaterial?

    /// The tag of public halves whose keys are offered to ssh.
    package static let tag = Array("ssh".utf8)

    init(_ privateItem: KeyItem, _ publicItem: KeyItem?) {
        self.privateItem = privateItem
        let key = publicItem.flatMap { (try? $0.material()) ?? nil }
        publicKey = key
        self.publicItem = key == nil ? nil : publicItem
    }

    /// The name that the user gave it.
    package var name: String { privateItem.label ?? "" }

    /// Whether the agent offers it.
    package var isOffered: Bool { publicItem?.applicationTag == Self.tag && publicKey?.sshName != nil }

    /// Whether the private key is in the TPM.
    package var isInTPM: Bool { privateItem.isInTPM }

    /// The access control that applies to each use of the key. Empty: none.
    package var asks: String { privateItem.accessControl.name }

    /// The name of the type, as `zamok keys generate --type` takes it.
    package var type: String {
        switch privateItem.keyType {
        case .rsa: "rsa"
        case .ellipticCurve: "p\(privateItem.sizeInBits)"
        case .ed25519: "ed25519"
        case .x25519: "x25519"
        case nil: "unknown"
        }
    }

    /// The fingerprint in ssh's form. Nil: SSH has no keys of this type, or the public half isn't stored.
    package var fingerprint: String? { publicKey?.sshPublicKey.map { Self.fingerprint(of: $0) } }

    static func fingerprint(of publicKey: [UInt8]) -> String {
        let digest = Data(SHA256.hash(data: publicKey)).base64EncodedString()
        return "SHA256:" + digest.prefix { $0 != "=" }
    }

    /// The public half as a line of `authorized_keys`, without a line end.
    /// Nil: SSH has no keys of this type, or the public half isn't stored.
    package var publicLine: String? { publicKey.flatMap { Self.line($0, comment: name) } }

    fileprivate static func line(_ key: KeyMaterial, comment: String) -> String? {
        guard let name = key.sshName, let bytes = key.sshPublicKey else { return nil }
        // Unprintable characters become spaces, since the line goes to terminals and into key files.
        let comment = comment.unicodeScalars.map { $0.isPrintable ? String($0) : " " }.joined()
        return "\(name) \(Data(bytes).base64EncodedString())" + (comment.isEmpty ? "" : " \(comment)")
    }
}

/// The number of a keychain's private keys in the TPM and in software.
package struct KeyStorage: Equatable, Sendable {
    package fileprivate(set) var inTPM = 0
    package fileprivate(set) var inSoftware = 0
    /// The software keys on P-256, which could have been generated in a TPM.
    package fileprivate(set) var ofTPMKind = 0

    package init() {}
}

/// The key pairs of a keychain.
package struct KeyPairs: Sendable {
    package let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    /// The properties of a new pair.
    package struct Wish {
        package var name = ""
        package var isOffered = false
        package var asksForPasscode = false
        package var accessibility: Accessibility?

        package init() {}
    }

    /// All pairs, in the order in which they were added. Opens no private key.
    /// Errors: `.locked` (before the first unlock), `.missingEntitlement`, `.damaged`.
    package func all() throws(KeychainError) -> [KeyPair] {
        let halves = try publicItems(KeychainQuery<KeyItem>())
        let byHash = Dictionary(halves.map { ($0.applicationLabel ?? [], $0) }) { first, second in
            first.applicationTag == KeyPair.tag ? first : second
        }
        return try keychain.items(matching: Self.privateKeys).map {
            KeyPair($0, byHash[$0.applicationLabel ?? []])
        }
    }

    /// Counts the private keys by location. Errors: those of ``all()``.
    package func places() throws(KeychainError) -> KeyStorage {
        var places = KeyStorage()
        let items: [KeyItem]
        do { items = try keychain.items(matching: Self.privateKeys) } catch {
            guard error.code == .itemNotFound else { throw error }
            return places
        }
        for item in items {
            if item.isInTPM { places.inTPM += 1 } else { places.inSoftware += 1 }
            if !item.isInTPM, item.keyType == .ellipticCurve, item.sizeInBits == 256 { places.ofTPMKind += 1 }
        }
        return places
    }

    /// The pair that is offered to ssh and has this public key. Errors: those of ``all()``, `.itemNotFound`.
    package func offered(_ publicKey: KeyMaterial) throws(KeychainError) -> KeyPair {
        let hash = publicKey.publicKeyHash
        let query = KeychainQuery<KeyItem>().with(\.applicationLabel, hash).with(\.applicationTag, KeyPair.tag)
        let wanted = publicKey.sshPublicKey
        for half in try publicItems(query) {
            for item in try keychain.items(matching: Self.privateKeys.with(\.applicationLabel, hash)) {
                let pair = KeyPair(item, half)
                if pair.isOffered, pair.publicKey?.sshPublicKey == wanted { return pair }
            }
        }
        throw KeychainError(.itemNotFound, "no such key is offered to ssh")
    }

    /// The pair of this name or fingerprint. Errors: those of ``all()``, `.itemNotFound`, `.parameter` (several).
    package func named(_ name: String) throws(KeychainError) -> KeyPair {
        let found = try all().filter { $0.name == name || $0.fingerprint == name }
        guard let pair = found.first else {
            throw KeychainError(.itemNotFound, "there is no private key called \(name); see: zamok keys list")
        }
        guard found.count == 1 else {
            throw KeychainError(
                .parameter, "several keys are called \(name); name one by its fingerprint (zamok keys list)")
        }
        return pair
    }

    /// Stores both halves of a key.
    /// Errors: `.duplicateItem` (the name, or the key itself), `.locked` and others of `Keychain.add`.
    package func add(_ key: KeyItem, _ wish: Wish) throws(KeychainError) -> KeyPair {
        guard try !all().contains(where: { $0.name == wish.name }) else {
            throw KeychainError(.duplicateItem, "there is a key called \(wish.name) already; take another name")
        }
        var item = key
        item.label = wish.name
        if let accessibility = wish.accessibility { item.accessibility = accessibility }
        if wish.asksForPasscode { item.accessControl = .devicePasscode }
        let secret = item.secret
        do { item = try keychain.add(item) } catch {
            guard error.code == .duplicateItem else { throw error }
            throw KeychainError(.duplicateItem, "this key is in the keychain already; see: zamok keys list")
        }
        var opened = item
        opened.secret = secret
        return KeyPair(item, try addPublicHalf(of: opened, isOffered: wish.isOffered))
    }

    /// Makes the agent offer a key, or stop offering it.
    /// If the public half isn't stored, this opens the private key, and the user is prompted if the key requires it.
    package func offer(_ pair: KeyPair, _ isOffered: Bool) throws(KeychainError) {
        guard pair.privateItem.keyType != .x25519 else {
            throw KeychainError(.parameter, "SSH has no X25519 keys for logging in; generate one with --type ed25519")
        }
        if var item = pair.publicItem {
            item.applicationTag = isOffered ? KeyPair.tag : []
            try keychain.update(item)
        } else if isOffered {
            _ = try addPublicHalf(of: try open(pair), isOffered: true)
        }
    }

    /// The private key, with its secret. The user is prompted if the key requires it. Errors: those of `Keychain.item`.
    package func open(
        _ pair: KeyPair, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> KeyItem {
        guard let reference = pair.privateItem.persistentReference else {
            throw KeychainError(.itemNotFound, "there is no such key")
        }
        return try keychain.item(
            matching: KeychainQuery<KeyItem>(reference).includingSynchronizable, authentication: authentication)
    }

    /// The public half as PEM, or as a line of `authorized_keys` with its line end. Nil: SSH has no keys of this type.
    /// Opens the private key only if the public half isn't stored.
    package func publicText(of pair: KeyPair, forSSH: Bool) throws(KeychainError) -> String? {
        guard let key = try publicKey(of: pair) else { return nil }
        return forSSH ? KeyPair.line(key, comment: pair.name).map { $0 + "\n" } : key.pem
    }

    /// The public half as a JWK and a newline. Opens the private key only if the public half isn't stored.
    package func publicJWK(of pair: KeyPair) throws(KeychainError) -> String? {
        try publicKey(of: pair)?.jwk.map { $0 + "\n" }
    }

    private func publicKey(of pair: KeyPair) throws(KeychainError) -> KeyMaterial? {
        if let key = pair.publicKey { return key }
        return try open(pair).material()?.publicKey
    }

    /// A certificate request (PKCS#10) in PEM. Errors: `.parameter`, those of `Keychain.item`.
    /// The user is prompted if the key requires it, after the request is checked.
    package func certificateRequest(
        _ pair: KeyPair, subject: String, hosts: [String]
    ) throws(KeychainError) -> String {
        let request = try CertificateRequest(subject: subject, hosts: hosts)
        guard let key = try open(pair).material() else {
            throw KeychainError(.damaged, "the item does not hold a private key")
        }
        do { return try request.pem(signedBy: key) } catch { throw KeychainError(error) }
    }

    /// A self-signed certificate, valid for `days` days from `now`.
    /// Errors: as ``certificateRequest(_:subject:hosts:)``.
    package func certificate(
        _ pair: KeyPair, subject: String, hosts: [String], days: Int, now: Date = Date()
    ) throws(KeychainError) -> CertificateItem {
        let request = try CertificateRequest(subject: subject, hosts: hosts)
        guard let key = try open(pair).material() else {
            throw KeychainError(.damaged, "the item does not hold a private key")
        }
        let first = now.timeIntervalSinceReferenceDate
        let der: [UInt8]
        do {
            der = try request.certificate(signedBy: key, seconds: first...first + Double(days) * 86_400)
        } catch { throw KeychainError(error) }
        return try CertificateItem(Data(der))
    }

    /// Deletes both halves.
    package func remove(_ pair: KeyPair) throws(KeychainError) {
        try keychain.delete(pair.privateItem)
        guard let half = pair.publicItem else { return }
        do { try keychain.delete(half) } catch { guard error.code == .itemNotFound else { throw error } }
    }

    private func addPublicHalf(of item: KeyItem, isOffered: Bool) throws(KeychainError) -> KeyItem? {
        guard var half = try item.publicKey() else { return nil }
        if isOffered { half.applicationTag = KeyPair.tag }
        let secret = half.secret
        do {
            half = try keychain.add(half)
        } catch { guard error.code == .duplicateItem else { throw error } }
        half.secret = secret
        return half
    }

    private static let privateKeys = KeychainQuery<KeyItem>().with(\.keyClass, .private).includingSynchronizable

    /// The public halves, with their bytes. Leaves out those that can't be read without a prompt.
    private func publicItems(_ query: KeychainQuery<KeyItem>) throws(KeychainError) -> [KeyItem] {
        let found = try keychain.items(matching: query.with(\.keyClass, .public).includingSynchronizable)
        return found.compactMap { item in
            guard item.accessControl.name.isEmpty, let reference = item.persistentReference else { return nil }
            return try? keychain.item(matching: KeychainQuery<KeyItem>(reference).includingSynchronizable)
        }
    }
}
