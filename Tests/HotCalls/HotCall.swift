// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProtectedFiles
import Security
import TestSupport
import UserPreferences
import Zamok

/// One call as programs make it, everything warm.
struct HotCall {
    let name: String
    /// How often it may ask the allocator for memory; the clearing of what keys left behind, which asks 63 times, is
    /// among them. Nil: it is there to be compared with.
    let limit: Double?
    /// Prepares the call: that gets a number of its own each time.
    let prepare: (Homes) throws -> (Int) throws -> Void

    init(_ name: String, atMost limit: Double?, _ prepare: @escaping (Homes) throws -> (Int) throws -> Void) {
        self.name = name
        self.limit = limit
        self.prepare = prepare
    }

    /// A profiler begins and ends to collect with this function.
    @inline(never)
    static func repeated(_ call: (Int) throws -> Void, _ count: Int) throws {
        for round in 0..<count { try call(1_000 + round) }
    }

    static var all: [HotCall] { [plain] + keychain + files + preferences }

    /// A lookup by SQLite alone, in a table with an index and no protection.
    private static var plain: HotCall {
        HotCall("plain", atMost: nil) { homes in
            let table = try PlainTable(homes.folder + "/plain.db")
            return { keep(try table.lookup($0 % 100)) }
        }
    }

    private static var keychain: [HotCall] {
        [
            HotCall("lookup", atMost: 155) { homes in
                let open = try homes.open
                return { keep(try open.lookup($0 % 100)) }
            },
            HotCall("lookup-passcode", atMost: 160) { homes in
                let guarded = try homes.guarded
                return { keep(try guarded.lookup($0 % 100)) }
            },
            HotCall("copy-matching", atMost: 185) { homes in
                let open = try homes.open
                Home.setCurrent(open.home)
                return { keep(try open.copyMatching($0 % 100)) }
            },
            HotCall("add", atMost: 350) { homes in
                let open = try homes.open
                return { keep(try open.keychain.add(try FilledHome.item(10_000 + $0))) }
            },
            HotCall("update", atMost: 500) { homes in
                let open = try homes.open
                var updated = try open.lookup(0)
                return { round in
                    updated.secret = try Secret(copying: Data(repeating: UInt8(round % 256), count: 32))
                    try open.keychain.update(updated)
                }
            },
            HotCall("sign", atMost: 32) { homes in
                Home.setCurrent(try homes.open.home)
                let key = try signingKey()
                let message = Data(repeating: 0x5A, count: 1_000) as CFData
                return { _ in keep(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil)) }
            },
        ]
    }

    private static func signingKey() throws -> SecKey {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
        ]
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else {
            throw CocoaError(.coderInvalidValue)
        }
        return key
    }

    private static var files: [HotCall] {
        [
            HotCall("read-file", atMost: 140) { homes in
                let store = ProtectedFileStore(home: try homes.guarded.home)
                let file = FileLocation(homes.folder + "/small")
                try store.write(content, to: file, protection: .complete)
                // What changed a moment ago is looked through at each opening.
                usleep(300_000)
                return { _ in keep(try store.read(from: file)) }
            },
            HotCall("write-file", atMost: 780) { homes in
                let store = ProtectedFileStore(home: try homes.guarded.home)
                return {
                    try store.write(content, to: FileLocation(homes.folder + "/new-\($0 % 8)"), protection: .complete)
                }
            },
        ]
    }

    private static var preferences: [HotCall] {
        let key = PreferenceKey("fontSize", default: 0)
        return [
            HotCall("get-preference", atMost: 0) { homes in
                let preferences = try Preferences(home: try homes.open.home, durability: .relaxed)
                try preferences.set(12, for: key)
                return { _ in keep(try preferences.value(for: key)) }
            },
            HotCall("set-preference", atMost: 230) { homes in
                let preferences = try Preferences(home: try homes.open.home, durability: .relaxed)
                return { try preferences.set($0, for: key) }
            },
        ]
    }

    private static let content = [UInt8](repeating: 7, count: 1_024)
}

/// The homes of the calls, in one folder, made when they are asked for.
final class Homes {
    let folder: String
    private var made: [String: FilledHome] = [:]

    init(_ folder: String) { self.folder = folder }

    var open: FilledHome { get throws { try home("open", hasPasscode: false) } }
    var guarded: FilledHome { get throws { try home("guarded", hasPasscode: true) } }

    private func home(_ name: String, hasPasscode: Bool) throws -> FilledHome {
        if let home = made[name] { return home }
        let home = try FilledHome("\(folder)/\(name)", hasPasscode: hasPasscode)
        made[name] = home
        return home
    }
}

/// What a lookup costs without Zamok: the same key and secret, one statement of SQLite.
struct PlainTable {
    private let file: SQLiteFile

    init(_ path: String) throws {
        file = try SQLiteFile(path)
        try file.execute("CREATE TABLE item(id INTEGER PRIMARY KEY, svce TEXT, acct TEXT, secret BLOB)")
        try file.execute("CREATE UNIQUE INDEX item_key ON item(svce, acct)")
        for number in 0..<100 {
            try file.execute(
                "INSERT INTO item(svce, acct, secret) VALUES (?, ?, ?)",
                [.text("service \(number)"), .text("account \(number)"), .blob(Array("correct horse".utf8))])
        }
    }

    func lookup(_ number: Int) throws -> [[SQLiteFile.Value]] {
        try file.rows(
            "SELECT secret FROM item WHERE svce = ? AND acct = ?",
            [.text("service \(number)"), .text("account \(number)")])
    }
}

/// A home with a hundred passwords.
struct FilledHome {
    let home: Home
    let keychain: Keychain

    init(_ folder: String, hasPasscode: Bool) throws {
        var configuration = Home.Configuration()
        configuration.folder = folder
        configuration.identity = ApplicationIdentity(applicationIdentifier: "bench", accessGroups: ["bench"])
        home = try Home(configuration)
        if hasPasscode { try home.keybag.setPasscode(try SecretBytes(copying: Array("benchmark".utf8))) }
        keychain = Keychain(home: home)
        _ = try keychain.add(contentsOf: try (0..<100).map { try Self.item($0) })
    }

    static func item(_ number: Int) throws -> GenericPassword {
        GenericPassword(
            service: "service \(number)", account: "account \(number)",
            secret: try Secret(copying: Array("correct horse battery staple".utf8)))
    }

    func lookup(_ number: Int) throws -> GenericPassword {
        try keychain.item(
            matching: KeychainQuery<GenericPassword>.account("account \(number)").with(\.service, "service \(number)"))
    }

    func copyMatching(_ number: Int) throws -> CFTypeRef? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service \(number)",
            kSecAttrAccount as String: "account \(number)", kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        guard unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            throw CocoaError(.fileReadUnknown)
        }
        return result
    }
}
