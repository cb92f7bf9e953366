// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import GuardChannels
import KeychainEngine
import Logging
import SecItem
import SecretMemory

/// The four item functions, from dictionary to engine. The order of the checks decides which of several faults is
/// reported, so it is Apple's order.
struct ItemFunctions {
    private let items: CurrentItems

    init(_ items: CurrentItems) { self.items = items }

    func add(_ attributes: NSDictionary) throws(KeychainError) -> CFTypeRef? {
        let query = try read(attributes, for: .add)
        if query.persistentReference?.isOlderForm == true {
            throw KeychainError(.parameter, "an item can't be added under a persistent reference")
        }
        try refuseMatches(in: query)
        if case .identity(let identity) = query.object { return try add(identity, query) }
        warnOfEmptyService(query)
        let item = try query.newItem()
        if item.attributes.isKeptFromSync { Self.keptFromSyncWarning }
        return try store.add(item, query.prompt).added(query.requested, secret: query.secret, object: query.object)
    }

    /// Adds items made from parameters, all or none.
    @discardableResult
    func add(together entries: [Entries]) throws(KeychainError) -> [ItemRecord] {
        try self.items.checkGroup(nil)
        var items: [ItemRecord] = []
        var prompt = PersonPrompt()
        for one in entries {
            let query = try QueryReader.read(one, for: .add)
            items.append(try query.newItem())
            if query.context != nil { prompt = query.prompt }
        }
        return try store.add(together: items, prompt)
    }

    /// Adds the certificate and key of an identity. The given attributes apply to both, and one of them may
    /// already exist.
    private func add(_ identity: SecIdentity, _ query: Query) throws(KeychainError) -> CFTypeRef? {
        let certificate = try query.part(.certificate(identity.certificate)).newItem()
        let key = try query.part(.key(identity.key)).newItem()
        let added = try store.addIdentity(certificate: certificate, key: key, query.prompt)
        return query.answersIdentity ? added.added(query.requested, secret: nil) : nil
    }

    func copyMatching(_ dictionary: NSDictionary) throws(KeychainError) -> CFTypeRef? {
        let query = try read(dictionary, for: .copyMatching)
        try self.items.checkGroup(query.accessGroup)
        try query.checkMatchesFitClass()
        if query.persistentReference?.isOlderForm == false, query.namesAttributes {
            throw KeychainError(.parameter, "a persistent reference goes with no attributes")
        }
        let limit = query.limit.map(\.count) ?? 1
        let items = try find(query, limit)
        if case .identity = query.object, limit != 1 || !query.answersIdentity { return nil }
        if limit == 1 { return try items.first?.found(query.requested) }
        if query.requested.isEmpty { return nil }
        return try objects(of: items, query.requested) as NSArray
    }

    /// The results for each item. An item whose bytes contradict its attributes is skipped, like a damaged one.
    private func objects(of items: [ItemRecord], _ requested: ResultRequest) throws(KeychainError) -> [CFTypeRef] {
        var results: [CFTypeRef] = []
        for item in items {
            do {
                if let one = try item.found(requested) { results.append(one) }
            } catch  where error.code == .damaged { continue }
        }
        return results
    }

    private func find(_ query: Query, _ limit: Int?) throws(KeychainError) -> [ItemRecord] {
        var engineQuery = query.engineQuery
        let needsObject = query.requested.contains(.reference) && !query.itemClass.isPassword
        let withSecret = query.requested.contains(.data) || needsObject
        guard query.certificateMatch.isActive, !query.itemClass.isPassword else {
            engineQuery.limit = limit
            return try store.items(matching: engineQuery, withSecret: withSecret, query.prompt)
        }
        engineQuery.limit = nil
        let candidates = try store.items(matching: engineQuery, withSecret: true, query.prompt)
        let found = try query.certificateMatch.filter(candidates, store).prefix(limit ?? .max)
        guard !found.isEmpty else { throw KeychainError(.itemNotFound, "there is no such item") }
        return Array(found)
    }

    func update(_ dictionary: NSDictionary, _ attributesToUpdate: NSDictionary) throws(KeychainError) {
        var changeEntries = try Entries(attributesToUpdate)
        let query = try read(dictionary, for: .update)
        changeEntries.readTextSecret(.update, query.takesText)
        try self.items.checkGroup(query.accessGroup)
        guard query.requested.isEmpty else { throw KeychainError(.parameter, "an update returns nothing") }
        if let group = changeEntries.accessGroup { try self.items.checkTarget(group) }
        try query.checkMatchesFitClass()
        try refuseMatches(in: query)
        try refuseRowBesideAttributes(in: query)
        let changes = try ChangesReader.read(changeEntries, of: query.itemClass)
        try store.update(query.engineQuery, with: changes, query.prompt)
    }

    func delete(_ dictionary: NSDictionary) throws(KeychainError) {
        let query = try read(dictionary, for: .delete)
        try self.items.checkGroup(query.accessGroup)
        try refuseMatches(in: query)
        try refuseRowBesideAttributes(in: query)
        try store.delete(query.engineQuery)
    }
}

extension ItemFunctions {
    private var store: any ItemAccess {
        get throws(KeychainError) { try items.access }
    }

    private func read(_ dictionary: NSDictionary, for call: ItemCall) throws(KeychainError) -> Query {
        var entries = try Entries(dictionary)
        // macOS' file keychain accepts text as a secret; its data-protection keychain and iOS don't.
        let takesText = self.items.flavour == .macOS && entries[Key.dataProtectionFlag]?.isTrue != true
        if call == .add { entries.readTextSecret(.add, takesText) }
        if self.items.flavour == .macOS { entries.prune(for: call) }
        try self.items.checkGroup(nil)
        var query = try QueryReader.read(entries, for: call)
        query.takesText = takesText
        return query
    }

    /// In the macOS flavour most match keys are removed before this. The others are refused, as iOS refuses all.
    private func refuseMatches(in query: Query) throws(KeychainError) {
        guard query.matchCount > 0 else { return }
        throw KeychainError(.parameter, "kSecMatch keys are for SecItemCopyMatching alone")
    }

    private func refuseRowBesideAttributes(in query: Query) throws(KeychainError) {
        guard query.persistentReference?.isOlderForm == true, query.namesAttributes else { return }
        throw KeychainError(.parameter, "a persistent reference goes with no attributes")
    }

    /// Code from Apple's systems often uses the bundle identifier as the service. Here a program has one only with an
    /// Info.plist; otherwise all its items get the same empty name.
    private func warnOfEmptyService(_ query: Query) {
        guard query.itemClass == .genericPassword, case .text("") = query.attributes[.service] else { return }
        guard Bundle.main.bundleIdentifier == nil else { return }
        Self.emptyServiceWarning
    }

    private static let keptFromSyncWarning: Void = Answer.logger.warning(
        """
        an item was added that is synchronizable and bound to this device (kSecAttrAccessible...ThisDeviceOnly): it stays on this \
        device; leave out one of the two
        """)

    private static let emptyServiceWarning: Void = Answer.logger.warning(
        """
        an item was added under an empty service; Bundle.main.bundleIdentifier is nil here: \
        give the keychain a service, or the program an Info.plist (X.app/Info.plist)
        """)
}

extension ItemClass {
    var isPassword: Bool { self == .genericPassword || self == .internetPassword }
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
    /// The group to which the items would move.
    fileprivate var accessGroup: String? {
        if case .text(let group) = self[Key.accessGroup] { group } else { nil }
    }
}

extension Entries {
    /// Converts text in `kSecValueData` to its UTF-8 if that is accepted. Otherwise the reader refuses it, and the log
    /// says what to write, once for each function.
    fileprivate mutating func readTextSecret(_ call: ItemCall, _ takesText: Bool) {
        guard case .text(let text) = self[Key.valueData] else { return }
        if takesText { return set(Key.valueData, .data(NSData(data: Data(text.utf8)))) }
        _ = call == .add ? Self.textAdded : Self.textInChanges
    }

    private static let textAdded: Void = sayText("SecItemAdd")
    private static let textInChanges: Void = sayText("SecItemUpdate")

    private static func sayText(_ function: String) {
        Answer.logger.warning("\(function): kSecValueData is a String and was refused; write Data(text.utf8)")
    }
}

extension Query {
    /// For an identity given as an object, Apple's functions return only the persistent reference, and only if nothing
    /// else is requested.
    fileprivate var answersIdentity: Bool { requested == .persistentReference }

    fileprivate var accessGroup: String? {
        if case .text(let group) = attributes[AttributeName(Key.accessGroup)] { group } else { nil }
    }

    /// Errors: errSecUnimplemented for conditions that the class doesn't support.
    fileprivate func checkMatchesFitClass() throws(KeychainError) {
        let isOfCertificates = itemClass == .certificate || itemClass == .identity
        if !isOfCertificates, certificateMatch.namesIssuers || certificateMatch.hasPolicy {
            throw KeychainError(.unimplemented, "only certificates and identities have an issuer or fit a policy")
        }
        if isOfCertificates, certificateMatch.trustedOnly || certificateMatch.hasPolicy {
            throw KeychainError(.unimplemented, "a search judges no certificate; leave trust and policy to SecTrust")
        }
        if hostOrSubdomain != nil, itemClass != .internetPassword {
            throw KeychainError(.unimplemented, "only internet passwords have a host")
        }
    }

    fileprivate var engineQuery: ItemQuery {
        var result = ItemQuery(itemClass)
        result.attributes = attributes
        result.synchronizable = synchronizable ?? .exactly(false)
        // With a persistent reference it is an additional condition, not a filter.
        if persistentReference != nil, case .exactly(let isWanted) = synchronizable {
            result.attributes[AttributeName(Key.synchronizable)] = .number(isWanted ? 1 : 0)
        }
        result.persistentReference = persistentReference
        result.hostOrSubdomain = hostOrSubdomain
        result.includesTombstones = includesTombstones
        result.skipsGuarded = skipsGuarded
        result.guardsAttributes = true
        result.source = .secItem
        result.tpmPrompt = laterPrompt
        return result
    }
}
#endif
