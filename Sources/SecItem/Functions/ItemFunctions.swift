// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainStore
import Logging
import SecretMemory

/// The four item functions, from dictionary to engine. The order of the checks decides which of several defects is
/// told, so it is Apple's.
struct ItemFunctions {
    private let home: Home

    init(_ home: Home) { self.home = home }

    func add(_ attributes: NSDictionary) throws(KeychainError) -> CFTypeRef? {
        let query = try read(attributes, for: .add)
        if query.persistentReference?.isOlderForm == true {
            throw KeychainError(.parameter, "an item can't be added under a persistent reference")
        }
        try refuseMatches(in: query)
        guard query.itemClass.isPassword else {
            throw KeychainError(.unimplemented, "certificates, keys and identities are not built yet")
        }
        warnOfEmptyService(query)
        var item = NewItem(query.itemClass)
        item.attributes = query.attributes
        if query.synchronizable?.isTrue == true { item.attributes["sync"] = .number(1) }
        if let data = query.secret { item.secret = try Secret(of: data) }
        return try store.add(item).added(query.requested, secret: query.secret)
    }

    func copyMatching(_ dictionary: NSDictionary) throws(KeychainError) -> CFTypeRef? {
        let query = try read(dictionary, for: .copyMatching)
        try home.identity.checkGroup(query.accessGroup)
        try query.checkMatchesFitClass()
        if query.persistentReference?.isOlderForm == false, query.namesAttributes {
            throw KeychainError(.parameter, "a persistent reference goes with no attributes")
        }
        var engineQuery = query.engineQuery
        engineQuery.limit = query.limit.map(\.count) ?? 1
        try refuseIdentities(query)
        let items = try store.items(matching: engineQuery, withSecret: query.requested.contains(.data))
        if engineQuery.limit == 1 { return try items.first?.found(query.requested) }
        if query.requested.isEmpty { return nil }
        var results: [CFTypeRef] = []
        for item in items { if let one = try item.found(query.requested) { results.append(one) } }
        return results as NSArray
    }

    func update(_ dictionary: NSDictionary, _ attributesToUpdate: NSDictionary) throws(KeychainError) {
        let changeEntries = try Entries(attributesToUpdate)
        let query = try read(dictionary, for: .update)
        try home.identity.checkGroup(query.accessGroup)
        guard query.requested.isEmpty else { throw KeychainError(.parameter, "an update returns nothing") }
        if let group = changeEntries.accessGroup { _ = try home.identity.groupForWriting(group) }
        try query.checkMatchesFitClass()
        try refuseMatches(in: query)
        try refuseRowBesideAttributes(in: query)
        let changes = try ChangesReader.read(changeEntries, of: query.itemClass)
        try refuseIdentities(query)
        try store.update(query.unlimitedEngineQuery, with: changes)
    }

    func delete(_ dictionary: NSDictionary) throws(KeychainError) {
        let query = try read(dictionary, for: .delete)
        try home.identity.checkGroup(query.accessGroup)
        try refuseMatches(in: query)
        try refuseRowBesideAttributes(in: query)
        try refuseIdentities(query)
        try store.delete(query.unlimitedEngineQuery)
    }
}

extension ItemFunctions {
    private var store: ItemStore {
        get throws(KeychainError) { try ItemStore.of(home) }
    }

    private func read(_ dictionary: NSDictionary, for call: ItemCall) throws(KeychainError) -> Query {
        var entries = try Entries(dictionary)
        if home.flavour == .macOS { entries.prune(for: call) }
        try home.identity.checkGroup(nil)
        return try QueryReader.read(entries, for: call)
    }

    /// In the macOS flavour most match keys are gone by now; what is left is refused, as iOS refuses all.
    private func refuseMatches(in query: Query) throws(KeychainError) {
        guard query.matchCount > 0 else { return }
        throw KeychainError(.parameter, "kSecMatch keys are for SecItemCopyMatching alone")
    }

    /// There can be none yet, and whoever empties a keychain asks for them.
    private func refuseIdentities(_ query: Query) throws(KeychainError) {
        guard query.itemClass == .identity else { return }
        throw KeychainError(.itemNotFound, "there is no such item")
    }

    private func refuseRowBesideAttributes(in query: Query) throws(KeychainError) {
        guard query.persistentReference?.isOlderForm == true, query.namesAttributes else { return }
        throw KeychainError(.parameter, "a persistent reference goes with no attributes")
    }

    /// Code from Apple's systems likes to take the bundle identifier for the service, and there is none here unless the
    /// program has an Info.plist: its items would all land under one empty name.
    private func warnOfEmptyService(_ query: Query) {
        guard query.itemClass == .genericPassword, case .text("") = query.attributes["svce"] else { return }
        guard Bundle.main.bundleIdentifier == nil else { return }
        Self.emptyServiceWarning
    }

    private static let emptyServiceWarning: Void = Answer.logger.warning(
        """
        an item was added under an empty service; Bundle.main.bundleIdentifier is nil here: \
        give the keychain a service, or the program an Info.plist (X.app/Info.plist)
        """)
}

extension ItemClass {
    fileprivate var isPassword: Bool { self == .genericPassword || self == .internetPassword }
}

extension Query.Limit {
    /// nil: no limit.
    fileprivate var count: Int? {
        switch self {
        case .all: nil
        case .atMost(let count): count
        }
    }
}

extension Entries {
    /// The group that items would move to.
    fileprivate var accessGroup: String? {
        if case .text(let group) = self[Key.accessGroup] { group } else { nil }
    }
}

extension Query {
    fileprivate var accessGroup: String? {
        if case .text(let group) = attributes[AttributeName(Key.accessGroup)] { group } else { nil }
    }

    /// Errors: errSecUnimplemented for conditions that the class can't meet.
    fileprivate func checkMatchesFitClass() throws(KeychainError) {
        if hasCertificateMatch, itemClass != .certificate, itemClass != .identity {
            throw KeychainError(.unimplemented, "only certificates and identities have an issuer or fit a policy")
        }
        if hostOrSubdomain != nil, itemClass != .internetPassword {
            throw KeychainError(.unimplemented, "only internet passwords have a host")
        }
    }

    fileprivate var engineQuery: ItemQuery {
        var result = ItemQuery(itemClass)
        result.attributes = attributes
        result.synchronizable = synchronizable ?? .exactly(false)
        // Beside a reference it is one more condition, and no filter.
        if persistentReference != nil, case .exactly(let isWanted) = synchronizable {
            result.attributes[AttributeName(Key.synchronizable)] = .number(isWanted ? 1 : 0)
        }
        result.persistentReference = persistentReference
        result.hostOrSubdomain = hostOrSubdomain
        result.includesTombstones = includesTombstones
        return result
    }

    fileprivate var unlimitedEngineQuery: ItemQuery {
        var result = engineQuery
        result.limit = nil
        return result
    }
}
#endif
