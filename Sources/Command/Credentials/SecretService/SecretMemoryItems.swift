// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

/// The collection `session`: items only in memory, until a lock or the end of this process.
struct SecretMemoryItems {
    static let collection = "session"

    private var items: [String: (item: SecretItem, secret: Secret)] = [:]

    static func holds(_ account: String) -> Bool { account.hasPrefix("\(collection)/") }

    subscript(account: String) -> (item: SecretItem, secret: Secret)? { items[account] }

    mutating func set(_ item: SecretItem, _ secret: Secret) { items[item.account] = (item, secret) }
    mutating func remove(_ account: String) { items[account] = nil }

    var count: Int { items.count }
    /// The total length of all secrets in bytes.
    var size: Int { items.values.reduce(0) { $0 + $1.secret.count } }
    /// All accounts, sorted by length and then by text.
    var accounts: [String] { items.values.map(\.item.account).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }

    func accounts(_ wanted: [String: String]) -> [String] {
        accounts.filter { account in
            guard let attributes = items[account]?.item.attributes else { return false }
            return wanted.allSatisfy { name, value in Self.has(attributes, name, value) }
        }
    }

    func account(exactly attributes: [String: String]) -> String? {
        accounts.first { account in
            guard let own = items[account]?.item.attributes, own.count == attributes.count else { return false }
            return attributes.allSatisfy { name, value in Self.has(own, name, value) }
        }
    }

    /// Compares by bytes, as for the items of the keychain.
    private static func has(_ attributes: [String: String], _ name: String, _ value: String) -> Bool {
        guard let index = attributes.index(forKey: name) else { return false }
        return attributes[index].key.hasBytes(of: name) && attributes[index].value.hasBytes(of: value)
    }
}
