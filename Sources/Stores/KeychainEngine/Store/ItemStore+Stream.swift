// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Dispatch
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// Passes the results of `make` for all matching items to `body`, in batches and in the order of row ids. If no
    /// item matches, `body` is not called.
    ///
    /// Each page of rows is read in its own snapshot, so that a slow `body` doesn't block truncating the log.
    /// An item that exists all the time comes once, in the state when it was read. `make` is called on several threads;
    /// the user is prompted on this one.
    /// Identities, and the item of a reference, are looked up at once. Items that require the user come without their
    /// secret if the query skips them.
    ///
    /// Errors: those of `items(matching:withSecret:)`, also after `body` received items; errors of `make` and `body`.
    package func stream<Made: Sendable>(
        matching query: ItemQuery, withSecret: Bool, _ make: @Sendable (ItemRecord) throws -> Made,
        _ body: ([Made]) throws -> Void
    ) throws {
        guard query.itemClass != .identity, query.persistentReference == nil else {
            return try streamAtOnce(query, withSecret: withSecret, make, body)
        }
        let search = try Search(query, self)
        let rowKeys = rowKeys(PersonPrompt())
        var failure: KeychainError?
        var isEmpty = true
        var page = try KeychainError.mapping { try search.page(after: 0, self, withSecrets: withSecret) }
        if page == nil {
            try KeychainError.mapping { try refuseBeforeFirstUnlock(search, try database.metadataKeys()) }
        }
        while let rows = page {
            let (parts, next) = try open(rows, search: search, withSecret: withSecret, make)
            for part in parts {
                var found = part.found
                let made = try part.rows.compactMap { row -> Made? in
                    switch row {
                    case .made(let made): made
                    case .guarded(let row, let candidate):
                        try asking(row, candidate: candidate, rowKeys: rowKeys, query: query, found: &found).map(make)
                    }
                }
                observers.tell(found.damaged.map { .damaged($0) })
                failure = failure ?? found.failure
                guard !made.isEmpty else { continue }
                isEmpty = false
                try body(made)
            }
            page = next
        }
        if isEmpty, let failure { throw failure }
        rewrapGuarded(rowKeys)
    }

    /// Passes each matching item, without its secret, to `body`, in the order of row ids, on this thread and in one
    /// snapshot. Damaged items are left out.
    /// For a process that sleeps for long afterwards: once libdispatch has used several threads, it wakes each second.
    ///
    /// Errors: `.locked` before the first unlock, `.missingEntitlement`.
    package func each(matching query: ItemQuery, _ body: (ItemRecord) -> Void) throws(KeychainError) {
        try KeychainError.mapping {
            let search = try Search(query, self)
            let keys = try database.metadataKeys()
            try refuseBeforeFirstUnlock(search, keys)
            var found = Findings(limit: nil)
            try database.readOnce { access in
                try find(search, keys: keys, access: access, withSecret: false, found: &found) { row, _, _ in
                    body(ItemRecord(row, nil))
                }
            }
            observers.tell(found.damaged.map { .damaged($0) })
        }
    }

    private func streamAtOnce<Made>(
        _ query: ItemQuery, withSecret: Bool, _ make: (ItemRecord) throws -> Made, _ body: ([Made]) throws -> Void
    ) throws {
        let found: [ItemRecord]
        do throws(KeychainError) { found = try items(matching: query, withSecret: withSecret) } catch {
            guard error.code == .itemNotFound else { throw error }
            return
        }
        for item in found { try body([try make(item)]) }
    }

    /// Some rows of a page.
    private struct Part<Made: Sendable>: Sendable {
        enum Row: Sendable {
            case made(Made)
            /// The user may have to be prompted before its secret opens.
            case guarded(OpenRow, Search.Candidate)
        }

        var rows: [Row] = []
        var found = Findings(limit: nil)
    }

    private static var rowsInPart: Int { 64 }

    /// The metadata keys of one page, for all threads.
    private final class PageKeys: Sendable {
        let keys: MetadataKeys

        init(_ keys: consuming MetadataKeys) { self.keys = keys }
    }

    /// Opens all parts of a page concurrently, and reads the next page meanwhile.
    private func open<Made: Sendable>(
        _ page: [Search.Candidate], search: Search, withSecret: Bool, _ make: @Sendable (ItemRecord) throws -> Made
    ) throws -> (parts: [Part<Made>], next: [Search.Candidate]?) {
        let size = Self.rowsInPart
        let count = (page.count + size - 1) / size
        let last = page[page.count - 1].row.id
        let keys = PageKeys(try KeychainError.mapping { try database.metadataKeys() })
        try KeychainError.mapping { try refuseBeforeFirstUnlock(search, keys.keys) }
        let next = Locked<Result<[Search.Candidate]?, any Error>>(.success(nil))
        let parts = Locked<[Int: Result<Part<Made>, any Error>]>([:])
        // The compiler writes the length of this file's path here: a name of its own is the same in every folder.
        #sourceLocation(file:"OpenedParts.swift",line:123)
        withoutActuallyEscaping(make) { make in
            DispatchQueue.concurrentPerform(iterations: count + 1) { number in
                if number == 0 {
                    let page = Result { try search.page(after: last, self, withSecrets: withSecret) }
                    next.withLock { $0 = page }
                } else {
                    let rows = page[(number - 1) * size..<min(number * size, page.count)]
                    let part = Result { try open(rows, search: search, keys: keys.keys, withSecret: withSecret, make) }
                    parts.withLock { $0[number] = part }
                }
            }
        }
        #sourceLocation()
        let opened = try parts.withLock { parts in try (1...count).compactMap { try parts[$0]?.get() } }
        return (opened, try KeychainError.mapping { try next.withLock { try $0.get() } })
    }

    /// Opens the matching rows, with their secrets where no prompt is needed.
    private func open<Made>(
        _ candidates: ArraySlice<Search.Candidate>, search: Search, keys: borrowing MetadataKeys,
        withSecret: Bool, _ make: (ItemRecord) throws -> Made
    ) throws -> Part<Made> {
        var part = Part<Made>()
        var items: [ItemRecord?] = []
        try KeychainError.mapping {
            try ClearedScope.run {
                for candidate in candidates {
                    do {
                        guard let row = try search.open(candidate.row, keys) else { continue }
                        let asks = withSecret && row.isGuarded && !search.query.skipsGuarded
                        let secret =
                            withSecret && !row.isGuarded
                            ? try keybag.withoutAsking { try row.openSecret(candidate.sealedSecret, $0) } : nil
                        items.append(asks ? nil : ItemRecord(row, secret))
                        if asks { part.rows.append(.guarded(row, candidate)) }
                    } catch {
                        try part.found.skip(candidate.row, error)
                    }
                }
            }
        }
        if withSecret { try note(items.compactMap { $0 }, source: search.query.source) }
        // The caller's work on them is outside the scope of keys.
        var guarded = part.rows.makeIterator()
        part.rows = try items.compactMap { item in try item.map { .made(try make($0)) } ?? guarded.next() }
        return part
    }

    /// Opens the secret of a row, once the user has answered for it. Nil if it is damaged. No metadata key is
    /// kept meanwhile.
    private func asking(
        _ row: OpenRow, candidate: Search.Candidate, rowKeys: RowKeys, query: ItemQuery, found: inout Findings
    ) throws(KeychainError) -> ItemRecord? {
        do {
            let item = ItemRecord(
                row,
                try rowKeys.asking { try ClearedScope.run { try row.openSecret(candidate.sealedSecret, rowKeys) } })
            try note([item], source: query.source)
            return item
        } catch {
            do { try found.skip(candidate.row, error) } catch { throw KeychainError(error) }
            return nil
        }
    }
}
