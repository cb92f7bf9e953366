// SPDX-License-Identifier: Apache-2.0

import SealedDatabases
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// A thief who has everything that is there while unlocked: all keys of the holder, the files, and our own code.
@Suite struct StolenClassKeyTests {
    let temporary = TemporaryHome()

    private static var holders: [HolderChoice] {
        KernelKeyringHolder.refusal() == nil ? [.process, .kernelKeyring] : [.process]
    }

    /// A home with one open and two guarded items.
    private func filled(_ holder: HolderChoice) throws -> Home {
        let prompter = ScriptedPrompter(.text("own"))
        let home = try temporary.open {
            $0.holder = holder
            $0.prompter = prompter
        }
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        try home.keybag.unlock(passcode: try SecretBytes(text: "1234"))
        let store = try ItemStore.of(home)
        for (account, constraints) in [
            ("open", []), ("person", .userPresence), ("password", .applicationPassword),
        ] as [(String, AccessConstraints)] {
            var item = try ItemRecord.password("service", account, "secret of \(account)")
            item.attributes.constraints = constraints
            _ = try store.add(item)
        }
        return home
    }

    /// Every key that a holder keeps, and those that come from the device secret.
    private func stolenKeys(_ keybag: Keybag) throws -> [Secret] {
        let view = try keybag.view()
        var keys: [Secret] = []
        for role in KeyGroup.Role.allCases {
            let group = try #require(try role == .device ? view.device : keybag.holder.group(role, view.file))
            for kind in KeybagSlot.Kind.allCases {
                for slot in view.file.slots {
                    guard let key = try group.key(kind, slot.id) else { continue }
                    keys.append(Secret(key))
                }
            }
        }
        #expect(keys.count >= 10)
        return keys
    }

    /// Unwraps `bytes` with every key, and what comes out again, and so on: everything that may be a row key.
    private func everythingInside(_ bytes: [UInt8], _ keys: [Secret]) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        var left = [bytes]
        while let next = left.popLast() {
            found.append(next)
            for key in keys {
                for part in [next, Array(next.dropFirst(32))] where part.count >= 24 && part.count % 8 == 0 {
                    let opened = try? key.withSecretBytes { key in
                        let opened = try KeyWrap.unwrap(part, under: key)
                        return try opened.exposingBytes(0..<opened.count) ?? []
                    }
                    if let opened { left.append(opened) }
                }
            }
        }
        return found
    }

    /// What a thief makes of one item; nil: nothing.
    private func steal(_ account: String, _ home: Home) throws -> String? {
        let store = try ItemStore.of(home)
        let keys = try stolenKeys(home.keybag)
        let columns = try store.columns(of: .password("service", account))
        let stored = try store.database.readOnce { try $0.stored(columns.id) }
        let row = try OpenRow(try #require(stored), try store.database.metadataKeys())
        var candidates: [[UInt8]] = keys.map { $0.exposedBytes }
        for bytes in try everythingInside(columns.wrapped, keys) where bytes.count >= 32 {
            candidates += (0...(bytes.count - 32)).map { Array(bytes[$0..<$0 + 32]) }
        }
        for candidate in candidates where candidate.contains(where: { $0 != 0 }) {
            let key = try SecretBytes(copying: candidate)
            let bound = SecretBinding.bytes(of: row.attributes)
            let secret = try? Secret(SealedRow.openSecret(columns.secret, row.binding, bound: bound, under: key))
            guard let opened = secret else { continue }
            return String(decoding: opened.exposedBytes, as: UTF8.self)
        }
        return nil
    }

    // Rule: what asks for a person opens with more than the class key | the row key wrapped under the class key alone, and the person asked all the
    //   same | both cases; also "Rotation keeps it readable, and the next answer moves it to the new key"
    @Test(arguments: holders)
    func `With all keys of the holder an open item opens, one that asks for a person does not`(
        holder: HolderChoice
    ) throws {
        let home = try filled(holder)
        defer { try? home.keybag.lockCompletely() }
        // The thief is no fool: what the class key alone protects, it gets.
        #expect(try steal("open", home) == "secret of open")
        #expect(try steal("person", home) == nil)
        #expect(try steal("password", home) == nil)
    }

    @Test func `Clearing the mark in the row gives nothing either`() throws {
        let home = try filled(.process)
        let store = try ItemStore.of(home)
        for account in ["person", "password"] {
            let columns = try store.columns(of: .password("service", account))
            _ = try store.database.write { access in
                try access.execute(
                    "UPDATE item SET layers = 0, access_key = NULL WHERE id = ?", [.integer(columns.id)])
            }
            let answer = failure(KeychainError.self) {
                try store.items(matching: .password("service", account), withSecret: true)
            }
            #expect(answer?.code == .damaged)
        }
    }

    @Test func `Who can seal attributes anew and clears the mark there too gets nothing`() throws {
        let home = try filled(.process)
        let store = try ItemStore.of(home)
        let columns = try store.columns(of: .password("service", "person"))
        let keys = try store.database.metadataKeys()
        let stored = try #require(try store.database.readOnce { try $0.stored(columns.id) })
        let row = try OpenRow(stored, keys)
        var binding = row.binding
        binding.layers = 0
        var wrapping = try #require(stored.wrapping)
        wrapping.accessKeyID = nil
        let attributes = row.attributes.filter { $0.key != "accc" }
        _ = try store.database.write { access in
            let forged = SealedItem(row, attributes: attributes, binding: binding, wrapping: wrapping)
            let place = try access.rewrap(stored, by: forged, keys)
            try access.replaceAttributes(stored, by: forged, keys, from: place)
        }
        let query = ItemQuery.password("service", "person")
        #expect(try store.items(matching: query, withSecret: false).first?.attributes["accc"] == nil)
        #expect(failure(KeychainError.self) { try store.items(matching: query, withSecret: true) }?.code == .damaged)
    }
}

extension ReadAccess {
    fileprivate func stored(_ id: Int64) throws -> StoredRow? {
        var found: StoredRow?
        try rows("SELECT \(StoredRow.columns) FROM item WHERE id = ?", arguments: [.integer(id)]) { row in
            found = try StoredRow(row)
            return false
        }
        return found
    }
}
