// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProtectedFiles
import Security
import UserPreferences
import Zamok

/// One call as programs make it, everything warm.
struct HotCall {
    let name: String
    /// How often it may ask the allocator for memory; the clearing of what keys left behind, which asks 63 times, is among them.
    let limit: Double
    /// Gets a number of its own each time.
    let body: (Int) throws -> Void

    init(_ name: String, atMost limit: Double, _ body: @escaping (Int) throws -> Void) {
        self.name = name
        self.limit = limit
        self.body = body
    }

    /// A profiler begins and ends to collect with this function.
    @inline(never)
    static func repeated(_ call: HotCall, _ count: Int) throws {
        for round in 0..<count { try call.body(1_000 + round) }
    }

    /// Of homes in a folder of their own.
    static func all(_ folder: String) throws -> [HotCall] {
        let open = try Place(folder + "/open", hasPasscode: false)
        let guarded = try Place(folder + "/guarded", hasPasscode: true)
        Home.setCurrent(open.home)
        return try keychain(open, guarded) + files(guarded, folder) + preferences(open)
    }

    private static func keychain(_ open: Place, _ guarded: Place) throws -> [HotCall] {
        let message = Data(repeating: 0x5A, count: 1_000)
        let key = try signingKey()
        var updated = try open.lookup(0)
        return [
            HotCall("lookup", atMost: 155) { keep(try open.lookup($0 % 100)) },
            HotCall("lookup-passcode", atMost: 160) { keep(try guarded.lookup($0 % 100)) },
            HotCall("copy-matching", atMost: 185) { keep(try open.copyMatching($0 % 100)) },
            HotCall("add", atMost: 350) { keep(try open.keychain.add(try Place.item(10_000 + $0))) },
            HotCall("update", atMost: 500) { round in
                updated.secret = try Secret(copying: Data(repeating: UInt8(round % 256), count: 32))
                try open.keychain.update(updated)
            },
            HotCall("sign", atMost: 32) { _ in
                keep(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil))
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

    private static func files(_ place: Place, _ folder: String) throws -> [HotCall] {
        let store = ProtectedFileStore(home: place.home)
        let file = FileLocation(folder + "/small")
        let content = [UInt8](repeating: 7, count: 1_024)
        try store.write(content, to: file, protection: .complete)
        // What changed a moment ago is looked through at each opening.
        usleep(300_000)
        return [
            HotCall("read-file", atMost: 140) { _ in keep(try store.read(from: file)) },
            HotCall("write-file", atMost: 780) {
                try store.write(content, to: FileLocation(folder + "/new-\($0 % 8)"), protection: .complete)
            },
        ]
    }

    private static func preferences(_ place: Place) throws -> [HotCall] {
        let preferences = try Preferences(home: place.home, durability: .relaxed)
        let key = PreferenceKey("fontSize", default: 0)
        try preferences.set(12, for: key)
        return [
            HotCall("get-preference", atMost: 0) { _ in keep(try preferences.value(for: key)) },
            HotCall("set-preference", atMost: 230) { try preferences.set($0, for: key) },
        ]
    }
}

/// A home with a hundred passwords.
struct Place {
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
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            throw CocoaError(.fileReadUnknown)
        }
        return result
    }
}
