// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine
@testable import Keychains

@Suite struct KeychainDoctorTests {
    let temporary = TemporaryHome()

    private func filled() throws -> Home {
        let home = try temporary.open()
        let keychain = Keychain(service: "service", home: home)
        for account in ["anna", "berta"] { try keychain.setPassword("secret of \(account)", for: account) }
        return home
    }

    private func change(_ home: Home, _ statement: String) throws {
        try ItemStore.of(home).database.write { _ = try $0.execute(statement) }
    }

    @Test func `Nothing is found where nothing is wrong, and nothing is done`() throws {
        let doctor = KeychainDoctor(home: try filled())
        #expect(try doctor.examine() == [])
        #expect(try doctor.removeDamaged() == KeychainRepair(count: 0, copy: nil))
        #expect(try doctor.rebuildIndex() == KeychainRepair(count: 0, copy: nil))
        #expect(try doctor.purge())
    }

    @Test func `A damaged item is named, and removed after the keychain was copied`() throws {
        let home = try filled()
        try change(home, "UPDATE item SET secret = zeroblob(length(secret)) WHERE id = 1")
        let doctor = KeychainDoctor(home: home)
        let finding = try #require(try doctor.examine().first)
        #expect(finding.kind == .damagedItem && finding.severity == .damage && finding.reference != nil)
        let repair = try doctor.removeDamaged()
        #expect(repair.count == 1)
        #expect(FileManager.default.fileExists(atPath: try #require(repair.copy)))
        #expect(try doctor.examine() == [])
        let keychain = Keychain(service: "service", home: home)
        #expect(try keychain.password(for: "anna") == nil)
        #expect(try keychain.password(for: "berta") == "secret of berta")
    }

    @Test func `An item under a destroyed key is kept unless it is asked for`() throws {
        let home = try filled()
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        let keychain = Keychain(service: "service", accessibility: .whenPasscodeSetThisDeviceOnly, home: home)
        try keychain.setPassword("lost", for: "carla")
        try home.keybag.removePasscode(try SecretBytes(text: "1234"))
        let doctor = KeychainDoctor(home: home)
        #expect(try doctor.examine().map(\.kind) == [.keyDestroyed])
        #expect(try doctor.removeDamaged().count == 0)
        #expect(try doctor.removeDamaged(includingDestroyedKeys: true).count == 1)
        #expect(try doctor.examine() == [])
    }

    @Test func `An item under wrong index entries is found again after the index was rebuilt`() throws {
        let home = try filled()
        try change(home, "UPDATE item SET pair = randomblob(16), identity = randomblob(16) WHERE id = 1")
        let doctor = KeychainDoctor(home: home)
        #expect(try doctor.examine().map(\.kind) == [.wrongIndex])
        #expect(try Keychain(service: "service", home: home).password(for: "anna") == nil)
        #expect(try doctor.rebuildIndex().count == 1)
        #expect(try Keychain(service: "service", home: home).password(for: "anna") == "secret of anna")
    }

    @Test func `While locked what can't be examined is counted, and before the first unlock nothing is repaired`()
        throws
    {
        let home = try filled()
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        try home.keybag.lock()
        let doctor = KeychainDoctor(home: home)
        #expect(try doctor.examine().first { $0.kind == .notExamined }?.count == 2)
        try home.keybag.lockCompletely()
        #expect(failure(KeychainError.self) { try doctor.removeDamaged() }?.code == .locked)
        #expect(failure(KeychainError.self) { try doctor.rebuildIndex() }?.code == .locked)
    }

    @Test func `A keybag that was put back is refused until it is accepted, and then everything is readable`() throws {
        try putBackOlderKeybag()
        let home = try temporary.open()
        let refused = failure(KeychainError.self) { try KeychainDoctor(home: home).examine() }
        #expect(refused?.code == .notAvailable && refused?.message.contains("--accept-restored") == true)
        #expect(
            failure(KeychainError.self) { try Keychain(service: "service", home: home).password(for: "anna") }?.code
                == .notAvailable)
        try KeychainDoctor(home: home).acceptRestoredCopy()
        #expect(try KeychainDoctor(home: home).examine() == [])
        #expect(try Keychain(service: "service", home: home).password(for: "anna") == "secret of anna")
        #expect(try Keychain(service: "service", home: try temporary.open()).password(for: "anna") != nil)
    }

    /// A database that has seen a newer keybag than the one that lies there; no process has the home open.
    private func putBackOlderKeybag() throws {
        let keybag = URL(fileURLWithPath: "\(temporary.path)/keybag")
        let old: Data = try {
            let home = try filled()
            try home.keybag.setPasscode(try SecretBytes(text: "1234"))
            try home.keybag.removeRetiredKeys()
            try home.keybag.removePasscode(try SecretBytes(text: "1234"))
            let old = try Data(contentsOf: keybag)
            // A change without a new epoch.
            try home.keybag.acceptRestoredCopy(above: home.keybag.generation)
            try Keychain(service: "service", home: home).setPassword("new", for: "carla")
            return old
        }()
        try old.write(to: keybag)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keybag.path)
        try FileManager.default.removeItem(atPath: "\(temporary.path)/generation")
    }
}
