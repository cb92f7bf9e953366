// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import GuardChannels
public import KeychainEngine
import Logging

@_exported public import class DataProtection.AuthenticationContext
@_exported public import struct KeychainEngine.AccessConstraints
@_exported public import enum KeychainEngine.Accessibility
@_exported public import enum KeychainEngine.ItemClass
@_exported public import struct KeychainEngine.KeychainError
@_exported public import struct KeychainEngine.KeychainFinding
@_exported public import struct KeychainEngine.KeychainRepair
@_exported public import struct KeychainEngine.KeychainTransfer
@_exported public import struct KeychainEngine.PersistentReference

/// The items of one service or server, or all that the program has access to.
///
///     let keychain = Keychain(service: "com.example.notes")
///     try keychain.setPassword("correct horse", for: "anna")
///     let password = try keychain.password(for: "anna")
///
/// Every call is one transaction, which is durable when it returns. Calls may be made from any thread, and any number
/// of processes may use the same items. A call waits for the disk and for other writers. It waits for the user only if
/// an item's ``KeychainItem/accessControl`` requires it.
///
/// Errors are of type `KeychainError`. Four errors are always distinct: `.locked` (unlock first, nothing is lost),
/// `.itemNotFound`, `.damaged`, `.keyDestroyed`.
public final class Keychain: Sendable {
    /// The attributes that every item of this keychain has, and that every search requires.
    struct Scope: Sendable {
        var service: String?
        var server: String?
        var accessGroup: String?
    }

    let scope: Scope
    /// The accessibility of new items that don't set their own.
    private let accessibility: Accessibility?
    private let isSynchronizable: Bool?
    private let givenHome: Home?

    /// The generic passwords of a service.
    ///
    /// - Parameters:
    ///   - service: Usually the app's bundle identifier. If it is nil or empty, the program's application
    ///     identifier is used instead, and a warning is logged. `Bundle.main.bundleIdentifier` is nil for a plain
    ///     executable on Linux.
    ///   - accessGroup: Nil: all groups of the program; new items go to the first one.
    ///   - accessibility: The accessibility of new items. Nil: readable while unlocked.
    ///   - isSynchronizable: Nil: new items are local, and searches find only local ones.
    ///   - home: Nil: `Home.current` at each call.
    public init(
        service: String?, accessGroup: String? = nil, accessibility: Accessibility? = nil,
        isSynchronizable: Bool? = nil, home: Home? = nil
    ) {
        let named = service.flatMap { $0.isEmpty ? nil : $0 } ?? Self.serviceInPlaceOfNone(home)
        scope = Scope(service: named, accessGroup: accessGroup)
        self.accessibility = accessibility
        self.isSynchronizable = isSynchronizable
        givenHome = home
    }

    /// The internet passwords of a server. Parameters: as in `init(service:)`.
    public init(
        server: String, accessGroup: String? = nil, accessibility: Accessibility? = nil,
        isSynchronizable: Bool? = nil, home: Home? = nil
    ) {
        scope = Scope(server: server, accessGroup: accessGroup)
        self.accessibility = accessibility
        self.isSynchronizable = isSynchronizable
        givenHome = home
    }

    /// All items that the program has access to, of every service and server.
    public init(home: Home? = nil) {
        scope = Scope()
        accessibility = nil
        isSynchronizable = nil
        givenHome = home
    }

    /// The home that the next call uses. Errors: `.notAvailable` and others, if it can't be opened.
    public var home: Home {
        get throws(KeychainError) {
            if let givenHome { return givenHome }
            do {
                return try Home.current
            } catch {
                throw KeychainError(error)
            }
        }
    }

    /// The whole store of the home, for what only a home has.
    var store: ItemStore { get throws(KeychainError) { try ItemStore.of(try home) } }

    /// The items: those of the given home, otherwise those of the program (`CurrentItems`).
    var access: any ItemAccess {
        get throws(KeychainError) {
            if let givenHome { return try ItemStore.of(givenHome) }
            let current: CurrentItems
            do { current = try CurrentItems.current } catch { throw KeychainError(error) }
            return try current.access
        }
    }

    private static func serviceInPlaceOfNone(_ home: Home?) -> String {
        let identifier = (try? home ?? Home.current)?.identity.applicationIdentifier ?? "unknown-service"
        Logger(label: "zamok.keychains").warning(
            """
            Keychain(service:) was given no service (Bundle.main.bundleIdentifier is nil for a plain executable on Linux). \
            The application identifier takes its place. Name the service to be independent of it.
            """,
            metadata: ["service": "\(identifier)"]
        )
        return identifier
    }

    // MARK: Scope

    func completed<Item: KeychainItem>(_ item: Item) -> ItemRecord {
        var new = ItemRecord(Item.itemClass)
        (new.attributes, new.secret) = (item.content.attributes, item.content.secret)
        for (name, value) in scope.attributes(of: Item.itemClass) where new.attributes[name] == nil {
            new.attributes[name] = value
        }
        if let accessibility, new.attributes[.accessible] == nil {
            new.attributes[.accessible] = .text(accessibility.rawValue)
        }
        if let isSynchronizable, new.attributes[.synchronizable] == nil {
            new.attributes[.synchronizable] = .number(isSynchronizable ? 1 : 0)
        }
        return new
    }

    func completed<Item: KeychainItem>(_ query: KeychainQuery<Item>) -> ItemQuery {
        var result = ItemQuery(Item.itemClass)
        result.attributes = query.conditions.content.attributes
        for (name, value) in scope.attributes(of: Item.itemClass) where result.attributes[name] == nil {
            result.attributes[name] = value
        }
        result.persistentReference = query.reference
        result.limit = query.limit
        result.hostOrSubdomain = query.hostOrSubdomain
        if result.attributes[.synchronizable] == nil {
            result.synchronizable =
                query.includesSynchronizable ? .any : .exactly(isSynchronizable ?? false)
        } else {
            result.synchronizable = .any
        }
        return result
    }
}

extension Keychain.Scope {
    /// The service scopes generic passwords, the server internet passwords, and the group both.
    func attributes(of itemClass: ItemClass) -> Attributes {
        var attributes: Attributes = [:]
        if let accessGroup { attributes[.accessGroup] = .text(accessGroup) }
        if itemClass == .genericPassword, let service { attributes[.service] = .text(service) }
        if itemClass == .internetPassword, let server { attributes[.server] = .text(server) }
        return attributes
    }
}
