// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestHomes
import Testing

@testable import DataProtection

/// What the keybag asks of stores when class keys are retired, and copies that were put back.
@Suite struct RewrapperTests {
    /// A store with one wrapped key.
    private final class Store: KeyRewrapper {
        struct Unwilling: Error {}

        let name: String
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
        #expect(try keybag.hasRetiredKeys)
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
        #expect(keybag.rewrapRegistered() == ["unwilling"])
        let refused = failure { try keybag.removeRetiredKeys() }
        #expect(refused?.code == .notAvailable && refused?.message.contains("unwilling") == true)
        #expect(try keybag.hasRetiredKeys)
        _ = try keybag.unwrap(before)
        // A store that is gone is not asked.
        unwilling = nil
        try keybag.removeRetiredKeys()
        #expect(try !keybag.hasRetiredKeys)
        #expect(failure { try keybag.unwrap(before) }?.code == .keyDestroyed)
        _ = try keybag.unwrap(willing.wrapped.withLock { $0 })
    }

    @Test func `Without any store retired keys can be removed at once`() throws {
        defer { temporary.remove() }
        try keybag.setPasscode(secret("1234"))
        try keybag.removeRetiredKeys()
        #expect(try !keybag.hasRetiredKeys && keybag.lockState == .unlocked)
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
