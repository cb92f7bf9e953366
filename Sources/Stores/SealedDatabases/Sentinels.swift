// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

/// Marks of the keys that a database was written with (Keychain.md, "Sentinels"). Nothing is sealed under other keys.
/// So an attacker with a forged keybag and forged groups can't make an update destroy a secret, or seal new secrets
/// under their own keys.
enum Sentinels {
    static let schema =
        "CREATE TABLE sentinel (key INTEGER PRIMARY KEY, role INTEGER NOT NULL, mark BLOB NOT NULL) STRICT"

    /// The keys that the database knows, few and each once. Not a dictionary, because the first one of its key type in
    /// a process costs more than the search.
    struct Known {
        private(set) var marks: [(id: ClassKeyID, role: UInt8, value: [UInt8])] = []

        init(_ access: ReadAccess) throws {
            try access.rows("SELECT key, role, mark FROM sentinel LIMIT 4096") { row in
                let id = ClassKeyID(UInt64(bitPattern: row.integer(0)))
                marks.append((id, UInt8(truncatingIfNeeded: row.integer(1)), try row.bytes(2) ?? []))
                return true
            }
        }

        func has(_ mark: KeyMark) -> Bool { marks.contains { $0.id == mark.id } }

        /// Whether this database accepts the keybag's keys of a role. A known key must confirm each new one; without it
        /// no group is complete. The first keys are accepted.
        func accept(_ present: [KeyMark], _ role: KeyMark.Role) -> Bool {
            let present = present.filter { $0.role == role }
            let known = present.compactMap { mark in
                marks.first { $0.id == mark.id }.map { $0.role == role.rawValue && $0.value == mark.value }
            }
            guard !known.contains(false) else { return false }
            return !known.isEmpty || !marks.contains { $0.role == role.rawValue }
        }
    }
}

extension SealedDatabase {
    /// Refuses keys that the database does not know. Done once for each set of keys; free afterwards.
    func refuseForeignKeys() throws {
        guard !kind.roles.isEmpty else { return }
        let name = try keybag.keysName
        if name != nil, acceptedKeys.withLock({ $0 == name }) { return }
        let present = try keybag.marks()
        let known = try readOnce { try Sentinels.Known($0) }
        guard kind.roles.allSatisfy({ known.accept(present, $0) }) else { throw foreignKeys }
        let current = present.filter { !$0.isRetired && kind.roles.contains($0.role) }
        if current.allSatisfy(known.has) { acceptedKeys.withLock { $0 = name } }
    }

    /// Like `refuseForeignKeys`, but inside a write transaction, which records the new keys.
    func checkKeys(_ access: WriteAccess) throws {
        guard !kind.roles.isEmpty else { return }
        let name = try keybag.keysName
        if name != nil, acceptedKeys.withLock({ $0 == name }) { return }
        let present = try keybag.marks()
        let known = try Sentinels.Known(access.reading)
        guard kind.roles.allSatisfy({ known.accept(present, $0) }) else { throw foreignKeys }
        access.keysAreKnown = true
        for role in kind.roles {
            let current = present.filter { $0.role == role && !$0.isRetired }
            // Only a loaded group has been compared with the keybag.
            guard try current.allSatisfy(known.has) || keybag.isOpen(role) else {
                access.keysAreKnown = false
                continue
            }
            for mark in current where !known.has(mark) {
                try access.execute(
                    "INSERT INTO sentinel (key, role, mark) VALUES (?, ?, ?)",
                    [.bits(mark.id.value), .integer(Int64(role.rawValue)), .blob(mark.value)], expecting: 1)
            }
            for old in known.marks where old.role == role.rawValue && !present.contains(where: { $0.id == old.id }) {
                try access.execute("DELETE FROM sentinel WHERE key = ?", [.bits(old.id.value)], expecting: 1)
            }
        }
    }

    /// Whether a transaction no longer needs a retired key to confirm the present ones.
    func knows(_ access: WriteAccess) -> Bool {
        kind.roles.isEmpty || access.keysAreKnown || acceptedKeys.withLock { $0 != nil && $0 == (try? keybag.keysName) }
    }

    private var foreignKeys: DataProtectionError {
        DataProtectionError(
            .damaged,
            "the keys that are loaded are not those that \(kind.shown) was written with: keybag or keys were exchanged; nothing was changed. Put the home's files back together, or, if you restored them, run: \(kind.acceptCommand)"
        )
    }
}
