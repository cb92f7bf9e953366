// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SecretMemory

/// Copies what another provider has into the keychain. Each item is durable when it is counted; what is there already is left as it is, so that a copy that was cut short is
/// gone on with by a second one.
package final class SecretsMove {
    /// What became of the items.
    package struct Counts: Equatable {
        package var added = 0
        /// With the same attributes and the same secret.
        package var there = 0
        /// With the same attributes and another secret, which was left: labels.
        package var different: [String] = []
        /// Beyond the limits of the keychain, or gone meanwhile: labels or paths.
        package var left: [String] = []
    }

    private let items: SecretItems
    private let other: OtherProvider
    package private(set) var counts = Counts()
    /// What this copy added: another item of the same attributes doesn't stand for it.
    private var added: Set<String> = []

    package init(_ other: OtherProvider, _ home: Home, group: String) {
        self.other = other
        items = SecretItems(home, group: group)
    }

    /// Errors: a `BusFailure`: locked, or what the other said.
    package func copy(_ contents: OtherProvider.Contents, progress: (Int) throws -> Void) throws {
        var done = 0
        for (collection, paths) in contents.paths {
            let name = SecretPlace.isWord(collection) ? collection : SecretItems.login
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

    /// gnome-keyring says of an item without a schema, once it was read from its file, that it has the general one.
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
            // Two of theirs that are alike stand for two of ours.
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
