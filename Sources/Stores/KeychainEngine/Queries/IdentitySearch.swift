// SPDX-License-Identifier: Apache-2.0

/// A query for identities, split into one for certificates and one for private keys.
struct IdentitySearch: Sendable {
    let certificate: Search
    let limit: Int?
    private let query: ItemQuery
    private let key: Search

    /// Errors: `.missingEntitlement`, `.parameter`.
    init(_ query: ItemQuery, _ store: ItemStore) throws(KeychainError) {
        var certificates = ItemQuery(.certificate)
        var keys = ItemQuery(.key)
        for (name, value) in query.attributes {
            if name == .accessGroup || name.isOfCertificate { certificates.attributes[name] = value }
            if !name.isOfCertificate { keys.attributes[name] = value }
        }
        keys.attributes["priv"] = .number(1)
        certificates.synchronizable = .any
        keys.synchronizable = query.persistentReference == nil ? query.synchronizable : .any
        (certificates.limit, keys.limit) = (query.limit, query.limit)
        (certificates.skipsGuarded, keys.skipsGuarded) = (query.skipsGuarded, query.skipsGuarded)
        certificates.persistentReference = try query.persistentReference.map { reference throws(KeychainError) in
            guard reference.itemClass == .identity else {
                throw KeychainError(.parameter, "the persistent reference is not one of this item class")
            }
            return reference.ofClass(.certificate)
        }
        certificate = try Search(certificates, store)
        key = try Search(keys, store)
        self.query = keys
        limit = query.limit
    }

    /// Whether certificates are searched first: only if an index or a reference leads to them.
    var beginsWithCertificates: Bool { certificate.usesIndex || (!key.usesIndex && certificate.isByReference) }

    /// The requested private keys.
    var keys: Search { key }

    /// The private keys of a certificate; nil if the certificate has no hash to find them by.
    func keys(of certificate: OpenRow, _ store: ItemStore) throws(KeychainError) -> Search? {
        guard let hash = certificate.attributes[.publicKeyHash] else { return nil }
        var query = query
        if let asked = query.attributes[.applicationLabel], asked != hash { return nil }
        query.attributes[.applicationLabel] = hash
        return try Search(query, store)
    }

    /// The certificates of a private key; nil if the key has no hash to find them by.
    func certificates(of key: OpenRow, _ store: ItemStore) throws(KeychainError) -> Search? {
        guard let hash = key.attributes[.applicationLabel], hash != .data([]) else { return nil }
        var query = certificate.query
        if let asked = query.attributes[.publicKeyHash], asked != hash { return nil }
        query.attributes[.publicKeyHash] = hash
        return try Search(query, store)
    }
}

extension AttributeName {
    /// Whether an identity takes this attribute from its certificate rather than from its key.
    fileprivate var isOfCertificate: Bool { Self.ofCertificate.contains(self) }

    fileprivate static let ofCertificate: Set<AttributeName> = {
        let keys = AttributeTable.of(.key)
        // Both have these; the certificate's are used.
        let shared: Set<AttributeName> = [.label, .tokenID, .alias]
        return shared.union(AttributeTable.of(.certificate).all.map(\.name).filter { keys[$0] == nil })
    }()
}

extension Attributes {
    /// The attributes of an identity.
    package init(certificate: Attributes, key: Attributes) {
        self = key
        for name in AttributeName.ofCertificate { self[name] = certificate[name] }
    }
}

extension PersistentReference {
    /// The same row under another class. An identity is identified by its certificate.
    package func ofClass(_ itemClass: ItemClass) -> PersistentReference {
        PersistentReference(unchecked: Array(itemClass.rawValue.utf8) + bytes.dropFirst(4))
    }
}
