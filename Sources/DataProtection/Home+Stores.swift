// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What belongs to one `Home` object: its stores, one of each kind. They must not hold the home itself, which holds
/// them.
final class HomeStores: Sendable {
    private let stores = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func store<S: AnyObject & Sendable>(_ type: S.Type, _ make: () throws -> S) throws -> S {
        let key = ObjectIdentifier(type)
        if let known = stores.withLock({ $0[key] }) as? S { return known }
        // Made outside the lock: it opens files. If two threads come at once, the later one gives its own up.
        let made = try make()
        let kept: any AnyObject & Sendable = stores.withLock { stores in
            if let known = stores[key] { return known }
            stores[key] = made
            return made
        }
        return kept as? S ?? made
    }
}

extension Home {
    /// The store of this type that belongs to the home; made by `make` when first asked for, and the same one from then
    /// on.
    package func store<S: AnyObject & Sendable>(_ type: S.Type, _ make: () throws -> S) throws -> S {
        try stores.store(type, make)
    }

    /// Where a file of a store lies.
    package func path(of name: String) -> String { "\(folder)/\(name)" }

    /// Makes an empty file of mode 0600 where there is none, and refuses one that is not ours alone: symbolic links,
    /// other owners, files that others can use. `companions` are checked likewise where they exist. Errors:
    /// `.unsafeHome`, `.diskFull`, `.readOnly`, `.io`.
    ///
    /// The file is never opened here: closing it would drop the locks that SQLite holds on it elsewhere in this process
    /// (fcntl(2)).
    package func prepareFile(_ name: String, companions: [String] = []) throws(DataProtectionError) {
        do {
            for companion in companions { _ = try openFolder.isPresent(companion) }
            if try openFolder.isPresent(name) { return }
            try openFolder.withLock(KeybagFile.lockName) {
                if try openFolder.isPresent(name) { return }
                try openFolder.prepare(name) { _ in }
                try openFolder.commit(name, replacing: false)
            }
        } catch {
            throw .wrapping(error, folder)
        }
    }

    /// Puts an empty write-ahead log beside a database that has a first page and no log, so that GRDB does not write to the
    /// database only to have one: what is damaged is to stay as it is, and who only reads is not to write.
    ///
    /// SQLite takes a log of at most 32 bytes, the length of its header, for an empty one. It comes into being whole, or another
    /// process could have begun to write to it. Where it can't be made, whoever opens the database is told why.
    package func prepareLog(of name: String) {
        let log = name + "-wal"
        func isMissing() throws -> Bool { try openFolder.isPresent(name, atLeast: 1) && !openFolder.isPresent(log) }
        guard (try? isMissing()) == true else { return }
        try? openFolder.withLock(KeybagFile.lockName) {
            guard try isMissing() else { return }
            try openFolder.make(log, with: [UInt8](repeating: 0, count: 32))
        }
    }
}

extension HomeFolder {
    /// Whether there is a file of this name; refuses one that is not ours alone.
    fileprivate func isPresent(_ name: String, atLeast size: Int = 0) throws -> Bool {
        guard let status = try status(of: name), status.size >= size else { return false }
        guard status.kind == .file, status.owner == ThisProcess.user else {
            throw DataProtectionError(.unsafeHome, "\(path)/\(name) is not a regular file of this process's user")
        }
        guard status.permissions & 0o077 == 0 else {
            throw DataProtectionError(
                .unsafeHome,
                "\(path)/\(name) can be used by others; if nobody else had it, run: chmod 600 \(path)/\(name)"
            )
        }
        return true
    }
}
