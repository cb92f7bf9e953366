// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import SecretMemory
import TestSupport
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

    @Test func `The memory file is sealed, holds no key in clear, and is wiped by a lock within a second`() throws {
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
        let other = try #require(try keybag.classKey(.completeUntilFirstUserAuthentication))
        let file = try copy.bytes()
        for key in [key, other] {
            #expect((0..<4).allSatisfy { !file.contains(Array(key[8 * $0..<8 * $0 + 8])) })
        }
        #expect(keybag.handedOver(file).map(\.validity.role) == [.firstUnlock, .complete])
        try keybag.lock()
        // Worthless at once, wiped or not.
        #expect(keybag.handedOver(file).map(\.validity.role) == [.firstUnlock])
        let header = try #require(HandOverHeader(parsing: file))
        let size = header.parts[1].size
        let end = ContinuousClock.now + .seconds(1)
        while try copy.bytes().suffix(size).contains(where: { $0 != 0 }), ContinuousClock.now < end {}
        #expect(try copy.bytes().suffix(size).allSatisfy { $0 == 0 })
        #expect(try copy.bytes().dropLast(size) == file.dropLast(size))
        try keybag.lockCompletely()
        #expect(keybag.handedOver(file).isEmpty)
    }

    // Rule: a lock invalidates what was handed over | wrapped under a key that no lock replaces | also "A part of the
    //   half lies in the runtime folder, where there is one"
    @Test func `After a lock nothing opens what was handed over, not even with the count put back`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let handOver = try #require(try keybag.handOver())
        let file = try InheritedDescriptor(handOver.descriptor).bytes()
        let page = try temporary.bytes("generation")
        try keybag.lock()
        // The count that the groups carry, and all of the half but its last eight bytes.
        var changed = try temporary.bytes("generation")
        changed.replaceSubrange(128..<152, with: page[128..<152])
        try temporary.put(changed, "generation")
        #expect(keybag.handedOver(file).map(\.validity.role) == [.firstUnlock])
    }

    @Test(arguments: [true, false])
    func `A part of the half lies in the runtime folder, where there is one`(hasRuntime: Bool) throws {
        let temporary = TemporaryHome()
        let folder = try TemporaryFolder()
        defer { temporary.remove() }
        let path = hasRuntime ? folder.path : nil
        let keybag = try temporary.open { $0.environment = { $0 == "XDG_RUNTIME_DIR" ? path : nil } }.keybag
        try keybag.setPasscode(secret("1234"))
        let handOver = try #require(try keybag.handOver())
        let file = try InheritedDescriptor(handOver.descriptor).bytes()
        #expect(try #require(HandOverHeader(parsing: file)).runtimePath == path)
        let other = HomeLocation(environment: { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }, files: FileHooks())
        try RuntimeLocks(location: other).void([.complete, .firstUnlock])
        #expect(keybag.handedOver(file).isEmpty == hasRuntime)
    }

    @Test func `Bytes that are no memory file of ours open nothing`() throws {
        let header = { (part: Int) in
            var header = HandOverHeader(half: [UInt8](repeating: 1, count: 32), runtimePath: "/run")
            header.parts = [HandOverPart(.complete, part), HandOverPart(.firstUnlock, 40)]
            return header
        }
        let good = header(80).bytes + [UInt8](repeating: 2, count: 120)
        #expect(HandOverHeader(parsing: good)?.parts.map(\.size) == [80, 40])
        for count in 0..<good.count { #expect(HandOverHeader(parsing: Array(good.prefix(count))) == nil) }
        #expect(HandOverHeader(parsing: good + [0]) == nil)
        for part in [Int(UInt32.max), 81, 79] {
            #expect(HandOverHeader(parsing: header(part).bytes + [UInt8](repeating: 2, count: 120)) == nil)
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<3 { bytes[Int.random(in: 0..<56, using: &generator)] = .random(in: 0...255) }
            if let header = HandOverHeader(parsing: bytes) {
                #expect(header.bytes.count + header.parts.reduce(0) { $0 + $1.size } == bytes.count)
            }
        }
    }

    @Test func `A descriptor that is no sealed memory file of ours is ignored`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        let payload = (0..<100).map { _ in UInt8.random(in: 0...255) }
        let unsealed = try FileHooks().memoryFile(payload)
        let file = try OpenFile.open(FileLocation("\(temporary.path)/keybag"), mode: .read, hooks: FileHooks())
        for number in [unsealed.number, file.number, 9999, -1] {
            let read = try InheritedDescriptor(number).read(limit: 1 << 16)
            let isNothing = read == nil
            #expect(isNothing, "\(number)")
        }
        try FileHooks().sealForOwner(unsealed)
        let isSame = try InheritedDescriptor(unsealed.number).read(limit: 100) == payload
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
        try read(limit: 1 << 16) ?? []
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { starts(with: part, at: $0) }
    }

    private func starts(with part: [UInt8], at index: Int) -> Bool { self[index...].starts(with: part) }
}
