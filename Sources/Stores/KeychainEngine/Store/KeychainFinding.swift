// SPDX-License-Identifier: Apache-2.0

import SealedDatabases

/// A finding of an examination of the stored items.
public struct KeychainFinding: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable, CaseIterable {
        /// Nothing is wrong; something is still to be done.
        case note
        /// Something is lost or at risk; the rest works.
        case warning
        /// Stored bytes are not those that were written.
        case damage
    }

    /// What was found; more may be added.
    public struct Kind: Hashable, Sendable {
        /// The word for it in reports, "damaged-item" for example.
        public let word: String

        /// The structure of the file is damaged. Fix: put the file back from a backup.
        public static let damagedFile = Kind(word: "damaged-file")
        /// An item does not open. Fix: remove it.
        public static let damagedItem = Kind(word: "damaged-item")
        /// The former secrets of an item don't open, but its secret does. Fix: remove them.
        public static let damagedPast = Kind(word: "damaged-history")
        /// An item's secret is under a key that no longer exists. Fix: remove it.
        public static let keyDestroyed = Kind(word: "key-destroyed")
        /// An item has index entries that are not its own, so that searches miss it. Fix: rebuild the index.
        public static let wrongIndex = Kind(word: "wrong-index")
        /// An item was removed from the file without the keys. Fix: put the file back from a backup, or accept
        /// the loss.
        public static let missingItem = Kind(word: "missing-item")
        /// An item was put back to an older state, or was deleted and put back. Fix: put the file back from a backup,
        /// or accept it.
        public static let olderItem = Kind(word: "older-item")
        /// Several items are missing, older or too many. Fix: put the file back from a backup, or accept the
        /// present state.
        public static let itemsDiffer = Kind(word: "items-differ")
        /// Items are under retired class keys. Fix: unlock and open the keychain.
        public static let retiredKey = Kind(word: "retired-key")
        /// Readers kept deleted rows in the log. Fix: purge.
        public static let purgeDue = Kind(word: "purge-due")
        /// Items could not be examined because they are locked. Fix: unlock and examine again.
        public static let notExamined = Kind(word: "not-examined")
        /// Items whose secrets were not opened, because each requires the user.
        public static let asksForPerson = Kind(word: "asks-for-person")
    }

    /// What was found.
    public let kind: Kind
    /// How bad it is.
    public let severity: Severity
    /// The item that the finding is about; nil: the file, or several items.
    public let reference: PersistentReference?
    /// How many items the finding is about.
    public let count: Int
    /// What happened and what to do next.
    public let message: String

    init(_ kind: Kind, severity: Severity, message: String, reference: PersistentReference? = nil, count: Int = 1) {
        self.kind = kind
        self.severity = severity
        self.message = message
        self.reference = reference
        self.count = count
    }
}

extension KeychainFinding {
    /// `kind`: of the database with the finding.
    init(_ finding: RowsFinding, _ kind: DatabaseKind) {
        let remedy = "put \(kind.shown) back from a backup, or accept what is there: \(kind.acceptCommand)"
        func reference(_ place: RowVersion) -> PersistentReference? {
            ItemClass(kind: Int64(place.kind)).map { PersistentReference($0, uuid: place.uuid) }
        }
        switch finding {
        case .missing(let place):
            self.init(
                .missingItem, severity: .damage,
                message: "an item was removed from the file by a program without the keys; \(remedy)",
                reference: reference(place))
        case .older(let place):
            self.init(
                .olderItem, severity: .damage,
                message: "an older state of an item was put back into the file; \(remedy)",
                reference: reference(place))
        case .resurrected(let place):
            self.init(
                .olderItem, severity: .damage, message: "a deleted item was put back into the file; \(remedy)",
                reference: reference(place))
        case .several(let present, let expected):
            self.init(
                .itemsDiffer, severity: .damage,
                message:
                    "there are \(present) items where there should be \(expected), or some are older states of themselves; \(remedy)",
                count: Int(clamping: max(present, expected)))
        }
    }
}
