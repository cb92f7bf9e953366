// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TPMs
import TestSupport
import Testing

@testable import SealedDatabases

extension SealedDatabase {
    /// A write with a number of its own.
    fileprivate func put(_ bytes: [UInt8]) throws {
        try write { access in
            _ = try access.nextRevision()
            _ = try access.execute("INSERT INTO thing (bytes) VALUES (?)", [.blob(bytes)])
        }
    }
}

/// Databases of a home that has a counter in a TPM (Documentation/Formats/TPMObjects.md, "Freshness").
@Suite(.serialized, .enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct CountedHomeTests {
    private let tpm: SoftwareTPM
    private let temporary = TemporaryHome()

    init() throws { tpm = try SoftwareTPM() }

    private func open(_ home: TemporaryHome? = nil) throws -> Home {
        let way = "swtpm:\(tpm.socket)"
        return try (home ?? temporary).open { $0.environment = { $0 == "ZAMOK_TPM" ? way : nil } }
    }

    private func counted() throws -> Home {
        let home = try open()
        try home.confirmRecoveryCode(try home.makeRecoveryCode())
        try home.moveDeviceSecret(to: .tpm(.none), passcode: nil)
        return home
    }

    private func files(_ home: TemporaryHome, _ prefix: String) throws -> [String: Data] {
        try home.names.filter { $0.hasPrefix(prefix) }.reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: URL(fileURLWithPath: "\(home.path)/\($1)"))
        }
    }

    private func put(_ files: [String: Data], instead prefix: String) throws {
        for name in temporary.names where name.hasPrefix(prefix) {
            try FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
        }
        for (name, data) in files {
            let path = "\(temporary.path)/\(name)"
            try data.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    // Rule: what a database contained is bound each time the counter grows | its entry not checked when it is opened |
    //   opens
    @Test func `a database of before, put back with what the home remembers of it, is refused`() throws {
        let home = try counted()
        try TestDatabase.open(home).put([1])
        let (database, seen) = (try files(temporary, TestDatabase.kind.fileName), try files(temporary, "stores-seen"))
        let store = try TestDatabase.open(home)
        try store.put([2])
        // A change of the keybag is counted, and with it what is stored.
        let passcode = try SecretBytes(copying: Array("1234".utf8))
        try home.keybag.setPasscode(passcode)
        try home.keybag.removePasscode(passcode)
        try put(database, instead: TestDatabase.kind.fileName)
        try put(seen, instead: "stores-seen")
        let error = failure(DataProtectionError.self) { try TestDatabase.open(try open()) }
        #expect(error?.code == .damaged && error?.message.contains("--accept-restored") == true)
        #expect(try SealedDatabase(TestDatabase.kind, of: try open(), acceptingRestoredCopy: true).count == 1)
        #expect(try TestDatabase.open(try open()).count == 1)
    }

    // Rule: as many writes with other content are no present state | the digest not compared | opens
    @Test func `a database of before that went on by itself is refused as rolled back`() throws {
        let home = try counted()
        let store = try TestDatabase.open(home)
        try store.put([1])
        let fresh = try #require(store.freshState())
        let other = FreshState(name: fresh.name, number: fresh.number, digest: [UInt8](repeating: 7, count: 16))
        try store.refuseIfOther(than: fresh)
        #expect(failure(DataProtectionError.self) { try store.refuseIfOther(than: other) }?.code == .rolledBack)
        try store.put([2])
        #expect(try #require(store.freshState()).number > fresh.number)
        try store.refuseIfOther(than: other)
    }
}
