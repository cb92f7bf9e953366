// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SecretMemory

/// Copies the items of another provider into the keychain.
/// Each item is durable when it is counted. Items that exist already stay unchanged.
/// After an interruption, a second copy therefore completes the first.
package final class SecretsMove {
    /// The outcome for the items.
    package struct Counts: Equatable {
        package var added = 0
        /// Items that exist with the same attributes and the same secret.
        package var there = 0
        /// Labels of items that exist with the same attributes and another secret, which was kept.
        package var different: [String] = []
        /// Labels or paths of items that exceed the keychain's limits, or were deleted meanwhile.
        package var left: [String] = []
    }

    private let items: SecretItems
    private let other: OtherProvider
    package private(set) var counts = Counts()
    /// The accounts that are already matched with an item of the other provider. Each matches only one.
    private var added: Set<String> = []

    package init(_ other: OtherProvider, _ home: Home, group: String) {
        self.other = other
        items = SecretItems(home, group: group)
    }

    /// Copies all items. Errors: a `BusFailure`, for a locked keychain or from the other provider.
    package func copy(_ contents: OtherProvider.Contents, progress: (Int) throws -> Void) throws {
        var done = 0
        for (collection, paths) in contents.paths {
            let name = SecretObject.isWord(collection) ? collection : SecretItems.login
            try items.refresh()
            if name != SecretItems.login, items.collections[name] == nil {
                try items.record(SecretCollection(name: name, label: contents.labels[collection] ?? name))
            }
            for path in paths {
                try copy(path, to: name)
                done += 1
                try progress(done)
            }
        }
    }

    /// The equivalent forms of attributes.
    /// After reading an item without a schema from its file, gnome-keyring reports the general schema.
    private static func forms(_ attributes: [String: String]) -> [[String: String]] {
        let (name, general) = ("xdg:schema", "org.freedesktop.Secret.Generic")
        var other = attributes
        switch attributes[name] {
        case nil: other[name] = general
        case general: other[name] = nil
        default: return [attributes]
        }
        return [attributes, other]
    }

    private func copy(_ path: String, to collection: String) throws {
        guard let (found, secret) = try other.item(path) else { return counts.left.append(path) }
        try items.alone { try copy(found, secret, path, to: collection) }
    }

    private func copy(_ found: SecretItem, _ secret: Secret, _ path: String, to collection: String) throws {
        let name = found.label.isEmpty ? path : found.label
        var item = found
        let twins = try? Self.forms(item.attributes).flatMap { try items.accounts(exactly: $0, in: collection) }
            .filter { !added.contains($0) }
        guard let twins, secret.count <= 16 << 20, item.label.utf8.count <= 4096 else {
            return counts.left.append(name)
        }
        for twin in twins where try items.secret(twin).secret.isEqual(to: secret) {
            // Two equal items of the other provider match two of the keychain.
            added.insert(twin)
            counts.there += 1
            return
        }
        guard twins.isEmpty else { return counts.different.append(name) }
        item.account = try SecretItems.newAccount(collection)
        try items.add(item, secret)
        added.insert(item.account)
        counts.added += 1
    }
}
