// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory
import Statuses

/// The stores of one `Home` object, one of each kind. They must not hold the home itself, because the home
/// holds them.
final class HomeStores: Sendable {
    private let stores = Locked<[(type: ObjectIdentifier, store: any AnyObject & Sendable)]>([])

    func store<S: AnyObject & Sendable>(_ type: S.Type, _ make: () throws -> S) throws -> S {
        let key = ObjectIdentifier(type)
        if let known = stores.withLock({ $0.first { $0.type == key }?.store }) as? S { return known }
        // Made outside the lock, because it opens files. If two threads race, the later one discards its own.
        let made = try make()
        let kept: any AnyObject & Sendable = stores.withLock { stores in
            if let known = stores.first(where: { $0.type == key })?.store { return known }
            stores.append((key, made))
            return made
        }
        return kept as? S ?? made
    }
}

extension Home {
    /// The store of this type that belongs to the home. `make` makes it at the first request. Later requests return the
    /// same object.
    package func store<S: AnyObject & Sendable>(_ type: S.Type, _ make: () throws -> S) throws -> S {
        try stores.store(type, make)
    }

    /// The longest path of a database, in bytes: SQLite's limit, less what the name of a file beside it adds.
    package static let longestDatabasePath = 500

    /// The path of a store's file.
    package func path(of name: String) -> String { "\(folder)/\(name)" }

    /// Makes an empty file of mode 0600 if there is none. Refuses a file that is not exclusively this user's: symbolic
    /// links, other owners, files that others can use. Errors: `.unsafeHome`, `.diskFull`, `.readOnly`, `.io`.
    ///
    /// An existing file is never opened here: closing it would drop the locks that SQLite holds on it elsewhere in this
    /// process (fcntl(2)).
    package func prepareFile(_ name: String) throws(DataProtectionError) {
        do {
            if try openFolder.isPresent(name) { return }
            try openFolder.withLock(KeybagFile.lockName) {
                if try openFolder.isPresent(name) { return }
                try openFolder.prepare(name) { _ in }
                try openFolder.commit(name, replacing: false)
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }
}

extension Home {
    /// Copies files of the home to new names, durably. Returns the path of the first copy; nil if no file exists.
    package func copyFiles(_ names: [(from: String, to: String)]) throws(DataProtectionError) -> String? {
        try DataProtectionError.mapping(about: folder) {
            var first: String?
            for (name, copy) in names {
                guard let file = try openFolder.openFile(name, .read) else { continue }
                try openFolder.prepare(copy) { new in
                    var offset = 0
                    while case let bytes = try file.read(count: 1 << 20, at: offset), !bytes.isEmpty {
                        try new.write(bytes, at: offset)
                        offset += bytes.count
                    }
                }
                try openFolder.commit(copy, replacing: false)
                first = first ?? path(of: copy)
            }
            return first
        }
    }

    /// Removes a file of the home if it exists.
    package func removeFile(_ name: String) throws(DataProtectionError) {
        try DataProtectionError.mapping(about: folder) { _ = try openFolder.remove(name) }
    }

    /// The files beside the database `name`.
    package func filesBeside(_ name: String) -> FilesBeside { FilesBeside(folder: openFolder, name: name) }
}

/// The files beside a database that SQLite opens by itself. SQLite blocks forever if one is a FIFO, and replays a
/// journal of any origin.
package struct FilesBeside: Sendable {
    fileprivate let folder: HomeFolder
    fileprivate let name: String

    /// Refuses files that are not exclusively this user's, and a rollback journal of any kind, because Zamok writes
    /// none. Call it before each connection. Errors: `.unsafeHome`, `.damaged`, `.io`.
    package func check() throws(DataProtectionError) {
        do {
            let journal = "\(name)-journal"
            guard try folder.status(of: journal) == nil else {
                throw DataProtectionError(
                    .damaged,
                    "\(folder.path)/\(journal) is not Zamok's, which writes no such file: another program left it, or an attacker wants to bring back an older state; "
                        + "nothing was read of it; move it away")
            }
            for log in ["-wal", "-shm"] { _ = try folder.isPresent(name + log) }
        } catch {
            throw DataProtectionError(error, about: folder.path)
        }
    }
}

extension HomeFolder {
    /// Whether there is a file of this name. Refuses one that is not exclusively this user's.
    fileprivate func isPresent(_ name: String) throws -> Bool {
        guard let status = try status(of: name) else { return false }
        try refuseForeign(status, name)
        return true
    }
}

/// Small files for the modules above.
extension Home {
    /// The content of a small file of the home; nil if there is none. Of a file longer than `limit`, its first
    /// `limit` + 1 bytes.
    package func readFile(_ name: String, limit: Int) throws(DataProtectionError) -> [UInt8]? {
        try DataProtectionError.mapping(about: folder) { try openFolder.read(name, limit: limit) }
    }

    /// Replaces a small file of the home atomically and durably.
    package func replaceFile(_ name: String, with bytes: [UInt8]) throws(DataProtectionError) {
        try DataProtectionError.mapping(about: folder) { try openFolder.replace(name, with: bytes) }
    }

    /// Runs `body` while this thread is the only one, in any process, that holds the lock file `name`.
    package func withFileLock<R>(_ name: String, _ body: () throws -> R) throws -> R {
        try openFolder.withLock(name, body)
    }
}
