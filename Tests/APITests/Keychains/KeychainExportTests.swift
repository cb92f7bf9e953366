// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import SecretMemory
import TestSupport
import Testing

@Suite struct KeychainExportTests {
    let source = TemporaryHome()
    let target = TemporaryHome()
    let passphrase = "a long passphrase"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path() -> String { folder.path(UUID().uuidString) }

    private func fill(_ home: Home, _ count: Int, secret: (Int) -> [UInt8] = { Array("secret \($0)".utf8) }) throws {
        let items = try (0..<count).map {
            GenericPassword(service: "s\($0 % 7)", account: "a\($0)", secret: try Secret(copying: secret($0)))
        }
        #expect(try Keychain(home: home).add(contentsOf: items).count == count)
    }

    @Test(arguments: [0, 1, 1000]) func `What is exported is imported, with its dates`(count: Int) throws {
        let (home, other, path) = (try source.open(), try target.open(), path())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try fill(home, count)
        let exported = try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        #expect(exported.count == count && exported.leftOut.isEmpty)
        var steps: [Int] = []
        let imported = try KeychainExport.read(from: path, into: other, passphrase: try SecretBytes(text: passphrase)) {
            done, total in
            #expect(total == count)
            steps.append(done)
        }
        #expect(imported.count == count && imported.leftOut.isEmpty)
        #expect(steps == Array(0..<count).map { $0 + 1 })
        let before: [GenericPassword] = try Keychain(home: home).items(includingSecrets: true)
        let after: [GenericPassword] = try Keychain(home: other).items(includingSecrets: true)
        #expect(before.map(\.account) == after.map(\.account))
        #expect(before.map { $0.secret?.exposedBytes } == after.map { $0.secret?.exposedBytes })
        #expect(before.map(\.modificationDate) == after.map(\.modificationDate))
    }

    @Test func `A second import leaves every item out as a duplicate`() throws {
        let (home, path) = (try source.open(), path())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try fill(home, 3)
        _ = try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        let imported = try KeychainExport.read(from: path, into: home, passphrase: try SecretBytes(text: passphrase))
        #expect(imported.count == 0 && imported.leftOut == [.duplicate: 3])
    }

    @Test func `Items that may not leave stay, and are counted by reason`() throws {
        let (home, path) = (try source.open(), path())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Keychain(service: "s", accessibility: .whenUnlockedThisDeviceOnly, home: home).setPassword(
            "x", for: "device")
        try Keychain(service: "s", home: home).setPassword("x", for: "locked")
        try Keychain(service: "s", accessibility: .afterFirstUnlock, home: home).setPassword("x", for: "open")
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        try home.keybag.lock()
        let exported = try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        #expect(exported.count == 1 && exported.leftOut == [.thisDeviceOnly: 1, .locked: 1])
    }

    @Test func `A wrong passphrase, a short one and a file that exists are refused`() throws {
        let (home, path) = (try source.open(), path())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try fill(home, 1)
        let short = failure(KeychainError.self) {
            try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: "sevench"))
        }
        #expect(short?.code == .parameter && !FileManager.default.fileExists(atPath: path))
        _ = try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        let again = failure(KeychainError.self) {
            try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        }
        #expect(again?.code == .duplicateItem)
        let wrong = failure(KeychainError.self) {
            try KeychainExport.read(from: path, into: home, passphrase: try SecretBytes(text: "another passphrase"))
        }
        #expect(wrong?.code == .authenticationFailed)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func `A secret of any size crosses the borders of chunks`(size: Int) throws {
        let (home, other, path) = (try source.open(), try target.open(), path())
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try fill(home, 2) { _ in bytes }
        _ = try KeychainExport.write(home, to: path, passphrase: try SecretBytes(text: passphrase))
        _ = try KeychainExport.read(from: path, into: other, passphrase: try SecretBytes(text: passphrase))
        let after: [GenericPassword] = try Keychain(home: other).items(includingSecrets: true)
        #expect(after.map { $0.secret?.exposedBytes } == [bytes, bytes])
    }
}
