// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainStore
import Keychains
import Mutations
import ProtectedFiles
import SecretMemory
import TestHomes
import TestTools
import Testing
import UserPreferences

@testable import AppUsers

@Suite("Backups of users")
struct BackupTests {
    let place = TemporaryHome()
    let outside: TemporaryFolder
    let directory: UserDirectory
    let anna: AppUser
    let passphrase: Secret
    var file: String { outside.path("anna.zamok") }

    init() throws {
        outside = try TemporaryFolder()
        directory = try place.directory()
        anna = try directory.add("Anna")
        passphrase = try Secret("a long passphrase")
        let home = try directory.home(of: anna)
        try Keychain(service: "s", home: home).setPassword("correct horse", for: "anna")
        try Keychain(service: "s", accessibility: .whenUnlockedThisDeviceOnly, home: home).setPassword("x", for: "here")
        try Preferences(home: home).update { batch in
            batch.set(.string("dark"), forKey: "theme")
            batch.set(.dictionary(["list": .array([.integer(1), .date(2.5), .data([0, 255])])]), forKey: "nested")
        }
        let folder = try directory.filesFolder(of: anna)
        try FileManager.default.createDirectory(atPath: "\(folder)/letters", withIntermediateDirectories: true)
        let store = ProtectedFileStore(home: home)
        try store.write(Self.long, to: FileLocation("\(folder)/letters/long"), protection: .complete)
        try store.write([], to: FileLocation("\(folder)/empty"), protection: ProtectionClass.none)
        try Data("clear".utf8).write(to: URL(fileURLWithPath: "\(folder)/clear"))
    }

    static let long = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    @Test func `everything but what is bound to the device comes back, as a new user`() async throws {
        let written = try await directory.backUp(anna, to: file, passphrase: passphrase)
        #expect(written.items.count == 1 && written.items.leftOut == [.thisDeviceOnly: 1])
        #expect(written.preferences == 2 && written.files == 2 && written.leftOut == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        for text in ["Anna", "dark", "theme", "letters", "correct horse"] {
            #expect(PlaintextSearch(text).findings(in: try Data(contentsOf: URL(fileURLWithPath: file))) == [])
        }
        let elsewhere = TemporaryHome()
        let other = try elsewhere.directory()
        let restored = try await other.restore(from: file, passphrase: passphrase)
        #expect(restored.user.name == "Anna" && restored.user.id != anna.id)
        #expect(restored.backup.items.count == 1 && restored.backup.preferences == 2 && restored.backup.files == 2)
        let home = try other.home(of: restored.user)
        #expect(try Keychain(service: "s", home: home).password(for: "anna") == "correct horse")
        let values = try Preferences(home: home).dictionaryRepresentation()
        #expect(try values == Preferences(home: directory.home(of: anna)).dictionaryRepresentation())
        let folder = try other.filesFolder(of: restored.user)
        let store = ProtectedFileStore(home: home)
        #expect(try store.read(from: FileLocation("\(folder)/letters/long")) == Self.long)
        #expect(try store.protection(of: FileLocation("\(folder)/letters/long")) == .complete)
        #expect(try store.read(from: FileLocation("\(folder)/empty")).isEmpty)
        #expect(try elsewhere.directory().users() == [restored.user])
    }

    @Test func `a backup is also an export of the keychain`() async throws {
        _ = try await directory.backUp(anna, to: file, passphrase: passphrase)
        let elsewhere = TemporaryHome()
        let home = try elsewhere.open()
        let added = try passphrase.withSecretBytes { try KeychainExport.read(from: file, into: home, passphrase: $0) }
        #expect(added.count == 1 && added.leftOut[.notAnItem] ?? 0 > 3 && added.leftOut[.refused] == nil)
    }

    @Test func `a file that exists is never written over, and a name is taken once`() async throws {
        _ = try await directory.backUp(anna, to: file, passphrase: passphrase, includingFiles: false)
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        await #expect(throws: AppUsersError(.store, "")) {
            try await directory.backUp(anna, to: file, passphrase: passphrase)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        await #expect(throws: AppUsersError(.nameTaken, "")) {
            try await directory.restore(from: file, passphrase: passphrase)
        }
        let second = try await directory.restore(from: file, passphrase: passphrase, name: "Anna 2")
        #expect(second.backup.files == 0)
        #expect(try directory.users().map(\.name) == ["Anna", "Anna 2"])
    }

    @Test func `what is wrong, cut or changed adds nobody and leaves nothing`() async throws {
        _ = try await directory.backUp(anna, to: file, passphrase: passphrase)
        let good = try Data(contentsOf: URL(fileURLWithPath: file))
        let bad = outside.path("bad")
        var faults = [Data(), good.prefix(31), good.prefix(32), good.prefix(good.count - 1), good.prefix(65_592 + 32)]
        for index in [0, 8, 9, 20, 40, 70_000, good.count - 1] {
            var changed = good
            changed[index] ^= 1
            faults.append(changed)
        }
        for fault in faults {
            try fault.write(to: URL(fileURLWithPath: bad))
            await #expect(throws: AppUsersError(.store, "")) {
                try await directory.restore(from: bad, passphrase: passphrase, name: "Bad")
            }
        }
        let wrong = try Secret("another passphrase")
        do {
            _ = try await directory.restore(from: file, passphrase: wrong, name: "Bad")
            Issue.record("a wrong passphrase was taken")
        } catch {
            #expect((error.cause as? KeychainError)?.code == .authenticationFailed)
        }
        #expect(try directory.users() == [anna])
        let folders = try FileManager.default.contentsOfDirectory(atPath: place.path + "/users")
        #expect(folders == [anna.id.description])
    }

    @Test(arguments: ["../out", "/out", "a//b", "a/./b", "a/../../out", ".zamok-folder", "a\u{0}b"])
    func `a path that leads out of the folder of files is refused`(path: String) async throws {
        var bytes: [UInt8] = []
        let home = try directory.home(of: anna)
        _ = try passphrase.withSecretBytes { passphrase in
            try ItemStore.of(home).export(
                home, passphrase: passphrase, progress: { _, _ in },
                more: { append in
                    try append(BackupRecord(.user, body: try SecretBytes(text: "Eve")))
                    try append(BackupRecord(.folder, body: try SecretBytes(copying: Array(path.utf8))))
                }, to: { bytes += $0 })
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        await #expect(throws: AppUsersError(.store, "")) {
            try await directory.restore(from: file, passphrase: passphrase)
        }
        #expect(try directory.users() == [anna])
    }

    @Test func `a backup that is cancelled leaves no file, a restoration that is cancelled no user`() async throws {
        let cancelled = Task { [directory, anna, file, passphrase] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await directory.backUp(anna, to: file, passphrase: passphrase)
        }
        await #expect(throws: AppUsersError(.cancelled, "")) { try await cancelled.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
        _ = try await directory.backUp(anna, to: file, passphrase: passphrase)
        let restoring = Task { [directory, file, passphrase] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await directory.restore(from: file, passphrase: passphrase, name: "B").user
        }
        await #expect(throws: AppUsersError(.cancelled, "")) { try await restoring.value }
        #expect(try directory.users() == [anna])
    }

    @Test func `a user who was not unlocked since the start can't be backed up`() async throws {
        let home = try directory.home(of: anna)
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        try home.keybag.lockCompletely()
        do {
            _ = try await directory.backUp(anna, to: file, passphrase: passphrase)
            Issue.record("a locked user was backed up")
        } catch {
            #expect((error.cause as? PreferencesError)?.code == .notReady)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
    }
}
