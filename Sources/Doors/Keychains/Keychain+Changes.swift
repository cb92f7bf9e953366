// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine

/// A change of the stored items.
public struct KeychainChange: Sendable, Equatable {
    /// What happened; more may be added.
    public struct Kind: Hashable, Sendable {
        private let word: String

        /// This process added an item.
        public static let added = Kind(word: "added")
        /// This process changed an item.
        public static let updated = Kind(word: "updated")
        /// This process deleted an item.
        public static let deleted = Kind(word: "deleted")
        /// A search passed over this item: it is damaged, or its key was destroyed.
        public static let damaged = Kind(word: "damaged")
        /// Another process wrote; it isn't known what.
        public static let elsewhere = Kind(word: "elsewhere")
    }

    /// What happened.
    public let kind: Kind
    /// The item that changed; nil for `elsewhere`. A deleted item can't be found by it any more.
    public let reference: PersistentReference?

    init(_ change: ItemChange) {
        switch change {
        case .added(let reference): (kind, self.reference) = (.added, reference)
        case .updated(let reference): (kind, self.reference) = (.updated, reference)
        case .deleted(let reference): (kind, self.reference) = (.deleted, reference)
        case .damaged(let reference): (kind, self.reference) = (.damaged, reference)
        case .elsewhere: (kind, reference) = (.elsewhere, nil)
        }
    }
}

extension Keychain {
    /// Changes from now on, of the whole home: those of this process one by one, those of others within a few tenths of
    /// a second as ``KeychainChange/Kind/elsewhere``. A reader that falls far behind loses the oldest: take them as a
    /// hint to look again. The stream ends when the home is erased or its user removed, by this or another process.
    ///
    /// Errors: those of opening the home and its keychain.
    public func changes() throws(KeychainError) -> AsyncStream<KeychainChange> {
        let changes = try store.changes()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            let pump = Task {
                for await change in changes { continuation.yield(KeychainChange(change)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in pump.cancel() }
        }
    }
}
