// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine

/// A change of the stored items.
public struct KeychainChange: Sendable, Equatable {
    /// The kind of a change. More kinds may be added.
    public struct Kind: Hashable, Sendable {
        private let word: String

        /// This process added an item.
        public static let added = Kind(word: "added")
        /// This process changed an item.
        public static let updated = Kind(word: "updated")
        /// This process deleted an item.
        public static let deleted = Kind(word: "deleted")
        /// A search skipped this item: it is damaged, or its key was destroyed.
        public static let damaged = Kind(word: "damaged")
        /// Another process changed unknown items.
        public static let elsewhere = Kind(word: "elsewhere")
    }

    /// The kind of the change.
    public let kind: Kind
    /// The item that changed; nil for `elsewhere`. A deleted item can no longer be found by it.
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
    /// Changes of the whole home from now on.
    ///
    /// Changes by this process are reported one by one. Those by other processes are reported within a few tenths of a
    /// second as ``KeychainChange/Kind/elsewhere``. A reader that falls far behind loses the oldest, so treat a change
    /// as a hint to read again. The stream ends when this or another process erases the home or removes its user.
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
