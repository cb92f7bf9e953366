// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

@Suite struct EraseTests {
    @Test func `After an erase nothing opens with the old files and the old passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        let old = try temporary.content()
        try temporary.open().erase()
        #expect(temporary.names == ["device-secret", "keybag.lock"])
        #expect(kept.codes(keybag) == [.erased, .erased, .erased, .erased])
        #expect(try temporary.bytes("device-secret") == old["device-secret"])
        // Everything put back but the epoch, which was destroyed.
        let fresh = try temporary.open().keybag
        for name in ["keybag", "attempts"] { try temporary.put(try #require(old[name]), name) }
        #expect(failure { try temporary.open() }?.code == .restoredCopy)
        #expect(kept.codes(fresh) == [.keyDestroyed, .keyDestroyed, .keyDestroyed, .keyDestroyed])
    }

    // Rule: removing or changing the passcode destroys the epoch's old secret | the slot not zeroed | also "A passcode
    //   change zeroes the old slot, whichever it is"
    @Test func `After removing the passcode an old keybag and the old passcode open nothing`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let old = try temporary.bytes("keybag")
        try keybag.removePasscode(secret("1234"))
        try temporary.put(old, "keybag")
        #expect(failure { try temporary.open() }?.code == .restoredCopy)
        // Not even with the files read past all checks: the keybag's epoch is gone.
        let file = try KeybagFile(parsing: old, allowingInsecureKDF: true)
        #expect(try keybag.place.epoch.isEmpty(file.epochSlot))
    }

    @Test func `A passcode change zeroes the old slot, whichever it is`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1"))
        var slot = try keybag.view().file.epochSlot
        for number in 1...4 {
            try keybag.changePasscode(from: secret("\(number)"), to: secret("\(number + 1)"))
            let next = try keybag.view().file.epochSlot
            #expect(next == slot.other)
            let block = try temporary.bytes("epoch")[(4096 * (1 + Int(slot.rawValue)))...].prefix(4096)
            #expect(block.allSatisfy { $0 == 0 })
            slot = next
        }
    }

    // Rule: what Zamok makes in a home is erased, and reported | `stores` and `temporaries` not in the table | also
    //   `HomePlacingTests`: "Where a home was, none is made in silence" (stores)
    // Rule: an erase leaves no list of paths | `stores` and `temporaries` stay
    @Test func `Erasing removes what Zamok made and nothing else`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        for name in ["keychain.db", "keychain.db-wal", "preferences.db", "notes.txt"] { try temporary.make(name) }
        for database in Home.databaseNames {
            let copy = Home.copyName(of: database, at: 0)
            for name in [copy, copy + "-wal"] { try temporary.make(name) }
        }
        try FileManager.default.createDirectory(
            atPath: "\(temporary.path)/files/inner", withIntermediateDirectories: true)
        try temporary.make("files/inner/one")
        // Both name folders of a person.
        for name in ["stores", "temporaries"] {
            try FileManager.default.createDirectory(
                atPath: "\(temporary.path)/\(name)", withIntermediateDirectories: true)
            try temporary.make("\(name)/files")
        }
        let outside = TemporaryHome()
        defer { outside.remove() }
        try FileManager.default.createDirectory(atPath: outside.path, withIntermediateDirectories: false)
        try outside.make("kept")
        try FileManager.default.createSymbolicLink(
            atPath: "\(temporary.path)/files/link", withDestinationPath: outside.path
        )
        try Home.erase(temporary.configuration)
        #expect(temporary.names == ["device-secret", "keybag.lock", "notes.txt"])
        #expect(outside.names == ["kept"])
    }

    @Test func `A home that can't be opened can be erased, and is a new one afterwards`() throws {
        for name in ["device-secret", "keybag", "epoch"] {
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            try temporary.open().keybag.setPasscode(secret("1234"))
            try temporary.edit(name) { $0[12] ^= 0xFF }
            #expect(failure { try temporary.open() } != nil)
            if name == "device-secret" {
                try temporary.delete(name)
                #expect(failure { try temporary.open() }?.code == .missingDeviceSecret)
            }
            try Home.erase(temporary.configuration)
            #expect(try temporary.open().keybag.lockState == .unlocked)
        }
    }

    @Test func `Other files beside users and their secrets, and one bad secret, keep no secret from erasure`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let users = (0..<3).map { _ in UniqueIdentifier.random() }
        for user in users { _ = try home.home(ofUser: user, making: true) }
        let files = FileManager.default
        for name in ["users/.DS_Store", "epochs/0file"] { try temporary.make(name) }
        for name in ["users/link", "epochs/0link"] {
            try files.createSymbolicLink(atPath: "\(temporary.path)/\(name)", withDestinationPath: "/etc")
        }
        try files.createDirectory(atPath: "\(temporary.path)/epochs/00lost+found", withIntermediateDirectories: false)
        let opened = try #require(users.map(\.text).sorted().first)
        try files.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: "\(temporary.path)/epochs/\(opened)")
        // Each secret is overwritten before anything is removed, and each user's page says that it is over.
        let steps = Locked<[String]>([])
        var configuration = temporary.configuration
        configuration.fileSystem = FileHooks { step in
            if step.operation == .write || step.operation == .remove {
                steps.withLock { $0.append("\(step.operation) \(step.name)") }
            }
            return 0
        }
        try Home.erase(configuration)
        let before = steps.withLock { $0.prefix { !$0.hasPrefix("remove") } }
        for user in users { #expect(before.contains("write \(user.text)")) }
        #expect(before.contains("write epoch"))
        #expect(temporary.names == ["device-secret", "keybag.lock"])
    }

    @Test func `Where nothing more fits on the disk, the secret is zeroed all the same`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open().keybag.setPasscode(secret("1234"))
        // A copy with holes: the slot without a secret has no place on the disk.
        var configuration = temporary.configuration
        let epoch = try temporary.bytes("epoch")
        let secretIsInSecond = epoch[8192..<12288].contains { $0 != 0 }
        #expect(secretIsInSecond)
        let writes = Locked(0)
        let isZero = Locked(false)
        configuration.fileSystem = FileHooks { step in
            guard step.name == "epoch" else { return 0 }
            if step.operation == .remove {
                let bytes = (try? temporary.bytes("epoch")) ?? [1]
                isZero.withLock { $0 = bytes.dropFirst(4096).allSatisfy { $0 == 0 } }
            }
            guard step.operation == .write else { return 0 }
            // The first slot is written to first.
            return writes.withLock {
                $0 += 1
                return $0 == 1 ? ENOSPC : 0
            }
        }
        try Home.erase(configuration)
        #expect(isZero.withLock { $0 } && writes.withLock { $0 } == 2)
        #expect(temporary.names == ["device-secret", "keybag.lock"])
    }

    @Test func `A user's secret is destroyed while another process holds the lock of the home`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let user = UniqueIdentifier.random()
        _ = try home.home(ofUser: user, making: true)
        let epoch = "epochs/\(user.text)"
        let isZero: @Sendable () throws -> Bool = { try temporary.bytes(epoch)[4096...].allSatisfy { $0 == 0 } }
        let isThere = try !isZero()
        #expect(isThere)
        try HomeFolder(at: temporary.path, in: FileHooks()).withLock(KeybagFile.lockName) {
            #expect(failure { try home.removeHome(ofUser: user) }?.code == .io)
            let isDestroyed = try isZero()
            #expect(isDestroyed)
        }
        try home.removeHome(ofUser: user)
        #expect(!temporary.names.contains(epoch))
    }

    @Test func `Erasing costs the same however much there is`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        try FileManager.default.createDirectory(atPath: "\(temporary.path)/files", withIntermediateDirectories: true)
        for number in 0..<200 { try temporary.make("files/\(number)") }
        // Counted until nothing opens any more: the two slots, each written and synced.
        let steps = Locked<[String]>([])
        var configuration = temporary.configuration
        configuration.fileSystem = FileHooks { step in
            if step.operation == .write || step.operation == .sync || step.operation == .remove {
                steps.withLock { $0.append("\(step.operation) \(step.name)") }
            }
            return 0
        }
        try Home.erase(configuration)
        let before = steps.withLock { $0.prefix { !$0.hasPrefix("remove") } }
        #expect(Array(before) == ["write epoch", "sync epoch", "write epoch", "sync epoch"])
    }

    @Test func `An erase by another process ends every use, and the current home is opened anew`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let kept = try Kept(home.keybag, PasscodeTests.everyClass.dropLast())
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("erase") == "done")
        #expect(kept.codes(home.keybag) == [.erased, .erased, .erased])
        #expect(!home.keybag.isUsable)
        #expect(try worker.ask("open process") == "done")
        // The new keybag reaches the generation of the old one; it is not taken for it.
        #expect(kept.codes(home.keybag) == [.erased, .erased, .erased])
        #expect(try worker.ask("keep 1 4") == "done")
        #expect(try worker.ask("check 1 4") == "ok ok")
    }
}

extension TemporaryHome {
    /// An empty file as a store would make it.
    func make(_ name: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: "\(path)/\(name)", contents: Data(), attributes: [.posixPermissions: 0o600]
        )
        try #require(isMade)
    }
}
