// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory
import TestHomes
import Testing

@testable import DataProtection

@Suite struct HandOverTests {
    @Test func `Programs that inherit the keys are unlocked, and so are those that they start`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("set 1234") == "done")
        #expect(try worker.ask("start state") == "beforeFirstUnlock")
        let number = try worker.ask("hand-over")
        #expect(Int(number).map { $0 > 2 } == true)
        #expect(try worker.ask("start state") == "unlocked")
        #expect(try worker.ask("start start state") == "unlocked")
        #expect(try worker.ask("lock") == "done")
        #expect(try worker.ask("start state") == "locked")
        #expect(try worker.ask("leave") == "done")
        #expect(try worker.ask("start state") == "beforeFirstUnlock")
    }

    @Test func `A home without a passcode has nothing to hand over, a locked one neither`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        #expect(try keybag.handOver() == nil)
        try keybag.setPasscode(secret("1234"))
        try keybag.lock()
        #expect(failure { try keybag.handOver() }?.code == .locked)
    }

    @Test func `The memory file is sealed, holds the keys, and is wiped by a lock within a second`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let handOver = try #require(try keybag.handOver())
        let key = try #require(try keybag.classKey(.complete))
        let copy = InheritedDescriptor(handOver.descriptor)
        #expect(handOver.environment.value == "\(handOver.descriptor)")
        #expect(zamok_is_sealed_for_owner(handOver.descriptor) == 0)
        let byte: [UInt8] = [1]
        #expect(unsafe zamok_write_at(handOver.descriptor, byte, 1, 0) == Int64(-EPERM))
        #expect(zamok_truncate(handOver.descriptor, 0) == -EPERM)
        #expect(try copy.bytes().contains(key))
        try keybag.lock()
        let end = ContinuousClock.now + .seconds(1)
        while try copy.bytes().contains(key), ContinuousClock.now < end {}
        #expect(try !copy.bytes().contains(key))
        let other = try #require(try keybag.classKey(.completeUntilFirstUserAuthentication))
        #expect(try copy.bytes().contains(other))
    }

    @Test func `A descriptor that is no sealed memory file of ours is ignored`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        let payload = try SecretBytes.random(count: 100)
        let unsealed = try FileSystem().memoryFile(payload)
        let file = try FileSystem().open("\(temporary.path)/keybag", .read)
        for number in [unsealed.number, file.number, 9999, -1] {
            let read = try InheritedDescriptor(number).read(limit: 1 << 16)
            let isNothing = read == nil
            #expect(isNothing, "\(number)")
        }
        try FileSystem().sealForOwner(unsealed)
        let isSame = try InheritedDescriptor(unsealed.number).read(limit: 100)?.isEqual(to: payload) == true
        #expect(isSame)
        let tooLong = try InheritedDescriptor(unsealed.number).read(limit: 99) == nil
        #expect(tooLong)
    }

    @Test func `The keys of one home do not open another`() throws {
        let temporary = TemporaryHome()
        let stranger = TemporaryHome()
        defer {
            temporary.remove()
            stranger.remove()
        }
        try stranger.open().keybag.setPasscode(secret("1234"))
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("set 1234") == "done")
        _ = try worker.ask("hand-over")
        #expect(try worker.ask("start-in \(stranger.path) state") == "beforeFirstUnlock")
        #expect(try worker.ask("start-in \(temporary.path) state") == "unlocked")
    }
}

extension InheritedDescriptor {
    fileprivate func bytes() throws -> [UInt8] {
        guard let secret = try read(limit: 1 << 16) else { return [] }
        return try secret.exposingBytes(0..<secret.count) ?? []
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { starts(with: part, at: $0) }
    }

    private func starts(with part: [UInt8], at index: Int) -> Bool { self[index...].starts(with: part) }
}
