// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine

/// A query for items: every property that is set must be equal.
///
///     let query = KeychainQuery<GenericPassword>().with(\.account, "anna")
public struct KeychainQuery<Item: KeychainItem>: Sendable {
    var conditions = Item(content: ItemContent())
    var reference: PersistentReference?
    var limit: Int?
    var hostOrSubdomain: String?
    var includesSynchronizable = false

    /// All items of the class that the keychain has access to.
    public init() {}

    /// The item that a persistent reference identifies.
    public init(_ reference: PersistentReference) { self.reference = reference }

    /// The same query with one more condition.
    public consuming func with<Value>(_ property: WritableKeyPath<Item, Value>, _ value: Value) -> Self {
        conditions[keyPath: property] = value
        return self
    }

    /// At most this many items.
    public func limited(to count: Int) -> Self { changed { $0.limit = max(0, count) } }

    /// Includes synchronizable items. Without it a query finds only local ones, unless a
    /// condition sets `isSynchronizable`.
    public var includingSynchronizable: Self { changed { $0.includesSynchronizable = true } }

    private func changed(_ body: (inout Self) -> Void) -> Self {
        var copy = self
        body(&copy)
        return copy
    }
}

extension KeychainQuery where Item: PasswordItem {
    /// The items of an account.
    public static func account(_ account: String) -> Self {
        var query = Self()
        // Not by a key path, which generic code would build at each use.
        query.conditions.account = account
        return query
    }
}

extension KeychainQuery where Item == InternetPassword {
    /// Items whose server is `host` or a subdomain of it: `example.com` finds `login.example.com`.
    public func onHostOrSubdomain(of host: String) -> Self {
        var copy = self
        copy.hostOrSubdomain = host
        return copy
    }
}
