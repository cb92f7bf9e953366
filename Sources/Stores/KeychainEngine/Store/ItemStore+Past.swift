// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// The former secrets of the one item that a query finds, the newest first, without expired ones. Needs the same
    /// access as reading its secret.
    /// Errors: those of `items(matching:)`.
    package func past(
        of query: ItemQuery, _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> [PastSecrets.Entry] {
        try KeychainError.mapping {
            var query = query
            query.limit = 1
            let search = try Search(query, self)
            let rowKeys = rowKeys(prompt)
            return try rowKeys.asking {
                let keys = try database.metadataKeys()
                try refuseBeforeFirstUnlock(search, keys)
                var found: PastSecrets?
                var findings = Findings(limit: 1)
                try database.readOnce { access in
                    var rows: [OpenRow] = []
                    try find(search, keys: keys, access: access, withSecret: false, found: &findings) { row, _, found in
                        rows.append(row)
                        found.items.append(ItemRecord(row, nil))
                    }
                    found = try rows.first.map { row in
                        try ClearedScope.run { try row.openPast(rowKeys, access) }
                    }
                }
                guard let found else { throw try nothingFound(search, keys: keys, found: findings) }
                try accesses.note(
                    findings.items.compactMap { item in
                        item.persistentReference.flatMap {
                            AccessUse(item.itemClass, item.attributes, $0, query.source, .history)
                        }
                    })
                let now = now()
                return found.entries.filter { $0.isKept(at: now) }
            }
        }
    }

    /// Removes the former secrets of all matching items, durably and from every file. Returns how many items had some.
    /// Only the attributes must be unlocked. Codes: `.locked` (before the first unlock), `.missingEntitlement`,
    /// `.damaged`, `.diskFull`.
    package func removePast(matching query: ItemQuery) throws(KeychainError) -> Int {
        try KeychainError.mapping {
            let search = try Search(query.withoutLimit, self)
            let keys = try database.metadataKeys()
            try refuseBeforeFirstUnlock(search, keys)
            let references = try write { access in
                var rows: [OpenRow] = []
                var passedOver = Findings(limit: nil)
                try find(search, keys: keys, access: access.reading, withSecret: false, found: &passedOver) {
                    row, _, _ in
                    if row.hasPast { rows.append(row) }
                }
                for row in rows { try ClearedScope.run { try access.removePast(row, keys) } }
                if !rows.isEmpty { access.purgeAfterCommit() }
                return rows.map(\.reference)
            }
            observers.tell(references.map { .updated($0) })
            return references.count
        }
    }
}

extension WriteAccess {
    fileprivate func removePast(_ row: OpenRow, _ keys: borrowing MetadataKeys) throws {
        try replaceAttributes(row.stored, by: SealedItem(row, secret: .keptAlone), keys)
        try execute("UPDATE item SET past = NULL WHERE id = ?", [.integer(row.stored.id)], expecting: 1)
    }
}
