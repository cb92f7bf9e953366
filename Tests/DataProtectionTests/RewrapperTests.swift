// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// What the keybag asks of stores when class keys are retired, and copies that were put back.
@Suite struct RewrapperTests {
    /// A store with one wrapped key.
    private final class Store: KeyRewrapper {
        struct Unwilling: Error {}

        let name: String
        var fileInHome: String { name }
        let isWilling: Bool
        let wrapped: Locked<WrappedKey>
        let calls = Locked(0)

        init(_ name: String, _ keybag: Keybag, isWilling: Bool = true) throws {
            self.name = name
            self.isWilling = isWilling
            wrapped = Locked(
                try keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.completeUntilFirstUserAuthentication))
            )
        }

        func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
            calls.withLock { $0 += 1 }
            guard isWilling else { throw Unwilling() }
            let old = wrapped.withLock { $0 }
            let new = try keybag.wrap(try keybag.unwrap(old), for: old.keyClass)
            wrapped.withLock { $0 = new }
            return false
        }

        func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
            guard isWilling else { throw Unwilling() }
            return [wrapped.withLock { $0.classKeyID }]
        }
    }

    private let temporary: TemporaryHome
    private let keybag: Keybag

    init() throws {
        temporary = TemporaryHome()
        keybag = try temporary.open().keybag
    }

    @Test func `Stores are asked when class keys were drawn anew, and only then`() throws {
        defer { temporary.remove() }
        let store = try Store("one", keybag)
        keybag.register(store)
        try keybag.setPasscode(secret("1234"))
        #expect(store.calls.withLock { $0 } == 1)
        try keybag.changePasscode(from: secret("1234"), to: secret("5678"))
        #expect(store.calls.withLock { $0 } == 1)
        try keybag.changePasscode(from: secret("5678"), to: secret("1234"), rotatingKeys: true)
        #expect(store.calls.withLock { $0 } == 2)
        try keybag.removePasscode(secret("1234"))
        #expect(store.calls.withLock { $0 } == 3)
        // What it was asked for is what they waited for.
        #expect(try !keybag.hasRetiredKeys)
        #expect(!keybag.isRetired(store.wrapped.withLock { $0.classKeyID }))
    }

    @Test func `Retired keys go when no store needs them, and not before`() throws {
        defer { temporary.remove() }
        let willing = try Store("willing", keybag)
        keybag.register(willing)
        let before = willing.wrapped.withLock { $0 }
        var unwilling: Store? = try Store("unwilling", keybag, isWilling: false)
        unwilling.map(keybag.register)
        try keybag.setPasscode(secret("1234"))
        keybag.rewrapRegistered()
        let answer = try keybag.removeRetiredKeys()
        #expect(answer.removed == 0 && answer.left > 0)
        #expect(answer.needs.map(\.store) == ["unwilling"] && answer.needs.first?.keys == nil)
        _ = try keybag.unwrap(before)
        // A store that is gone, and has nothing in the home, is not asked.
        unwilling = nil
        #expect(try keybag.removeRetiredKeys().left == 0)
        #expect(try !keybag.hasRetiredKeys)
        #expect(failure { try keybag.unwrap(before) }?.code == .keyDestroyed)
        _ = try keybag.unwrap(willing.wrapped.withLock { $0 })
    }

    @Test func `Without any store nothing is kept, and a store that is there and not open keeps everything`() throws {
        defer { temporary.remove() }
        try keybag.setPasscode(secret("1234"))
        #expect(try keybag.removeRetiredKeys().needs.isEmpty)
        #expect(try !keybag.hasRetiredKeys && keybag.lockState == .unlocked)
        for (name, place) in [
            ("keychain.db", "keychain.db"), ("other.db", "other.db"), ("elsewhere", "stores/elsewhere"),
        ] {
            try FileManager.default.createDirectory(
                atPath: temporary.path + "/stores", withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: "\(temporary.path)/\(place)", contents: nil))
            try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
            let answer = try keybag.removeRetiredKeys()
            #expect(answer.removed == 0 && answer.left > 0 && answer.needs.map(\.store) == [place], "\(name)")
            try temporary.delete(place)
            #expect(try keybag.removeRetiredKeys().left == 0)
        }
    }

    // Rule: a file that was changed within the last tick is compared again | FileMark.isExact without the tick | the
    //   mark of a file that was just changed is exact
    @Test func `the mark of a file is exact once a later change must have another time`() throws {
        let path = temporary.path + "/changed"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { temporary.remove() }
        let status = try #require(try OpenFile.status(of: FileLocation(path), FileHooks()))
        func mark(after milliseconds: Int64) -> StoreRecord.FileMark {
            StoreRecord.FileMark(status, now: status.changed + milliseconds * 1_000_000)
        }
        #expect([-3_600_000, -21, 21, 3_600_000].allSatisfy { mark(after: $0).isExact })
        #expect([-20, -1, 0, 1, 20].allSatisfy { !mark(after: $0).isExact })
        #expect(mark(after: 1) != mark(after: 21) && mark(after: 21) == mark(after: 22))
    }

    // Rule: a record of stores that isn't whole keeps retired keys | `doubt` isn't asked | in this test, no needs
    // Rule: a store that is missing keeps retired keys, and is named | what is remembered is not checked | also
    //   `LostListTests`: "the doctor names every user ..."
    @Test func `A store that the home remembers and that is away keeps everything, and is named`() throws {
        defer { temporary.remove() }
        let record = try temporary.open().record(of: .keychain, 7, "keychain.db")
        record.remember(3)
        #expect(try record.known()?.revision == 3)
        for (id, name) in [(7 as UInt32, "other.db"), (8, "keychain.db")] {
            #expect(try temporary.open().record(of: .keychain, id, name).known()?.revision == nil)
        }
        try keybag.setPasscode(secret("1234"))
        for isThere in [false, true] {
            // Emptied is as good as gone.
            if isThere {
                #expect(FileManager.default.createFile(atPath: "\(temporary.path)/keychain.db", contents: nil))
            }
            let answer = try keybag.removeRetiredKeys()
            #expect(answer.removed == 0 && answer.left > 0 && answer.needs.map(\.store) == ["keychain.db"])
            #expect(answer.needs.first?.reason?.contains("--accept-restored") == true)
            #expect(try temporary.open().status().warnings.contains { $0.contains("keychain.db is missing or empty") })
        }
        try temporary.delete("keychain.db")
        // A record that isn't whole may have named any store.
        let whole = try temporary.bytes("stores-seen")
        func needs(_ damage: (inout [UInt8]) -> Void) throws -> [String] {
            var bytes = whole
            damage(&bytes)
            try temporary.put(bytes, "stores-seen")
            return try keybag.removeRetiredKeys().needs.map(\.store)
        }
        for place in [0, 7, 63, 64 + 20, 64 + 159] {
            #expect(try needs { $0[place] ^= 1 }.contains(place < 64 + 80 ? "stores-seen" : "keychain.db"))
        }
        #expect(try needs { ($0[64], $0[64 + 80]) = ($0[64] ^ 1, $0[64 + 80] ^ 1) } == ["stores-seen"])
        #expect(try needs { $0 = [UInt8](repeating: 0, count: $0.count) } == ["stores-seen"])
        #expect(try needs { $0.removeLast() } == ["stores-seen"])
        try temporary.delete("stores-seen")
        #expect(try keybag.removeRetiredKeys().needs.map(\.store) == ["stores-seen"])
        #expect(try temporary.open().status().warnings.contains { $0.contains("stores-seen is missing") })
        // Another store that writes begins it anew, which ends no doubt; only the user's word does.
        record.remember(4)
        try temporary.open().record(of: .preferences, 9, "preferences.db").remember(1)
        #expect(try keybag.removeRetiredKeys().needs.first?.store == "stores-seen")
        #expect(try temporary.open().doubtAboutStores()?.contains("begun anew") == true)
        try temporary.open().acceptStores()
        #expect(try temporary.open().doubtAboutStores() == nil)
        #expect(try keybag.removeRetiredKeys().needs.map(\.store) == ["preferences.db"])
        try temporary.delete("stores-seen")
        try temporary.open().acceptStores()
        #expect(try keybag.removeRetiredKeys().left == 0)
    }

    // Rule: what a process remembers makes no file in a home that was erased | begun without a look at the keybag |
    //   "was a home (stores-seen is there)" at the next start
    @Test func `A store that is written beside an erase leaves nothing of the home`() throws {
        defer { temporary.remove() }
        let home = try temporary.open()
        let record = home.record(of: .keychain, 7, "keychain.db")
        let note = record.note(3, mark: [UInt8](repeating: 0, count: StoreRecord.markSize))
        #expect(note != nil)
        try home.erase()
        record.remember(note)
        #expect(!temporary.names.contains("stores-seen"))
        #expect(try temporary.open().doubtAboutStores() == nil)
    }

    // Rule: a retired key stays while a store needs it | removal asks no store
    @Test func `Keys go one by one: what one store needs keeps nothing else`() throws {
        defer { temporary.remove() }
        // As what is locked, or waits for a person.
        final class Holding: KeyRewrapper {
            let name = "holding"
            var fileInHome: String { name }
            let needed = Locked<[WrappedKey]>([])
            func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool { true }
            func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
                Set(needed.withLock { $0 }.map(\.classKeyID))
            }
        }
        let holding = Holding()
        keybag.register(holding)
        let kept = try Kept(keybag, [.complete])
        holding.needed.withLock { $0 = kept.wrapped }
        for _ in 0..<50 {
            try keybag.setPasscode(secret("1234"))
            try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
            try keybag.removePasscode(secret("1234"))
            try kept.check(keybag)
            #expect(try keybag.retiredKeys().left == 1)
        }
    }

    @Test func `A full table says what to do, and what can be wrapped anew makes room first`() throws {
        defer { temporary.remove() }
        final class Hungry: KeyRewrapper {
            let name = "hungry"
            var fileInHome: String { name }
            let isHungry = Locked(true)
            func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool { isHungry.withLock { $0 } }
            func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
                isHungry.withLock { $0 } ? Set(try keybag.view().file.slots.map(\.id)) : []
            }
        }
        let hungry = Hungry()
        keybag.register(hungry)
        var refusal: DataProtectionError?
        for round in 0..<40 where refusal == nil {
            refusal = failure {
                round % 2 == 0 ? try keybag.setPasscode(secret("1234")) : try keybag.removePasscode(secret("1234"))
            }
        }
        #expect(refusal?.code == .notAvailable && refusal?.message.contains("doctor --remove-retired-keys") == true)
        hungry.isHungry.withLock { $0 = false }
        if try keybag.hasPasscode {
            try keybag.removePasscode(secret("1234"))
        } else {
            try keybag.setPasscode(secret("1234"))
        }
        #expect(try !keybag.hasRetiredKeys)
    }

    // Rule: retired keys of files are removed by request only | marked keys are removed by themselves | also
    //   `RewrapTests`: "a change of the passcode loses no file that was moved, copied, ..." (4 classes); transcript
    //   retired-keys
    @Test func `A key that a file was wrapped under goes only by request, for any answer of the stores`() throws {
        defer { temporary.remove() }
        let store = try Store("one", keybag)
        keybag.register(store)
        let generation = keybag.generation
        let used = try keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.complete))
        let name = [UInt8](repeating: 7, count: 16)
        let sealed = try keybag.sealForCompleteUnlessOpen(try SecretBytes.random(count: 32), fileIdentifier: name)
        // Of before the marks, as another process that does not look again.
        let other = try temporary.open().keybag
        for id in [used.classKeyID, sealed.classKeyID, used.classKeyID] { try keybag.rememberFile(under: id) }
        #expect(try keybag.generation == generation && temporary.open().keybag.hasFileKeys)
        for round in 0..<5 {
            let keybag = round % 2 == 0 ? other : keybag
            try keybag.setPasscode(secret("1234"))
            try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
            try keybag.removePasscode(secret("1234"))
            self.keybag.settleRetiredKeys()
            _ = try self.keybag.unwrap(used)
            _ = try self.keybag.openCompleteUnlessOpen(sealed, fileIdentifier: name)
            let kept = try self.keybag.retiredKeys()
            // The key, the pair, and the authenticity key of the pair.
            #expect(kept.ofFiles == 3 && kept.left == 3 && kept.needs.isEmpty, "\(kept)")
        }
        let answer = try keybag.removeRetiredKeys()
        #expect(answer.removed == 3 && answer.left == 0 && answer.ofFiles == 0)
        #expect(failure { try keybag.unwrap(used) }?.code == .keyDestroyed)
        #expect(failure { try keybag.rememberFile(under: ClassKeyID(1)) }?.code == .keyDestroyed)
    }

    @Test func `A table that is full of keys of files goes on being changed until it is, and then says what to do`()
        throws
    {
        defer { temporary.remove() }
        let store = try Store("one", keybag)
        keybag.register(store)
        var refusal: DataProtectionError?
        var changes = 0
        while refusal == nil, changes < 300 {
            let used = try keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.complete))
            try keybag.rememberFile(under: used.classKeyID)
            refusal = failure {
                changes % 2 == 0
                    ? try keybag.setPasscode(secret("1234")) : try keybag.removePasscode(secret("1234"))
            }
            changes += refusal == nil ? 1 : 0
        }
        #expect(changes > 200 && refusal?.code == .notAvailable)
        for part in ["zamok files rewrap DIRS...", "zamok doctor --remove-retired-keys", "\(changes) keys"] {
            #expect(refusal?.message.contains(part) == true, "\(part)")
        }
        #expect(
            try keybag.retiredKeys().ofFiles == changes && !keybag.isRetired(store.wrapped.withLock { $0.classKeyID }))
        try keybag.removeRetiredKeys()
        if try keybag.hasPasscode {
            try keybag.removePasscode(secret("1234"))
        } else {
            try keybag.setPasscode(secret("1234"))
        }
    }

    @Test func `No key goes while a process writes what is not visible yet`() throws {
        defer { temporary.remove() }
        let use = Locked<KeyUse?>(try keybag.keyUse())
        let second = try keybag.keyUse()
        try keybag.setPasscode(secret("1234"))
        #expect(try keybag.removeRetiredKeys().removed == 0)
        use.withLock { $0 = nil }
        #expect(try keybag.removeRetiredKeys().removed == 0)
        withExtendedLifetime(second) {}
    }

    @Test func `Accepting a restored copy puts the generation above what was seen, keeps keys and lock state`() throws {
        defer { temporary.remove() }
        let store = try Store("one", keybag)
        try keybag.setPasscode(secret("1234"))
        let generation = keybag.generation
        try keybag.acceptRestoredCopy(above: generation + 40)
        #expect(try keybag.settledGeneration() == generation + 41)
        #expect(keybag.lockState == .unlocked)
        _ = try keybag.unwrap(store.wrapped.withLock { $0 })
        // One that is above already only moves on.
        try keybag.acceptRestoredCopy(above: 3)
        #expect(try keybag.settledGeneration() > generation + 41)
        #expect(try temporary.open().keybag.settledGeneration() == keybag.settledGeneration())
        for seen: UInt64 in [.max, .max - 1] {
            #expect(failure { try keybag.acceptRestoredCopy(above: seen) }?.code == .damaged)
        }
    }
}
