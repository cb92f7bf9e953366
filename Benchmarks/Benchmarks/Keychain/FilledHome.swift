// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Zamok

/// A folder with a home, filled with generic passwords in one transaction.
final class FilledHome {
    let folder: URL
    let keychain: Keychain
    private var known: [Int: GenericPassword] = [:]

    init(count: Int, hasPasscode: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-bench-\(UUID().uuidString)")
        var configuration = Home.Configuration()
        configuration.folder = folder.appendingPathComponent("home").path
        configuration.identity = ApplicationIdentity(applicationIdentifier: "bench", accessGroups: ["bench"])
        let home = try Home(configuration)
        if hasPasscode { try home.keybag.setPasscode(try SecretBytes(copying: Array("benchmark".utf8))) }
        keychain = Keychain(home: home)
        _ = try keychain.add(contentsOf: try (0..<count).map { try Self.item($0) })
        Home.setCurrent(home)
    }

    static func item(_ number: Int) throws -> GenericPassword {
        GenericPassword(
            service: Sample.service(number), account: Sample.account(number), secret: try Secret(copying: Sample.secret)
        )
    }

    func lookup(_ number: Int) throws -> GenericPassword {
        try keychain.item(
            matching: KeychainQuery<GenericPassword>.account(Sample.account(number))
                .with(\.service, Sample.service(number)))
    }

    /// The same by Apple's function.
    func copyMatching(_ number: Int) throws -> CFTypeRef? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: Sample.service(number),
            kSecAttrAccount as String: Sample.account(number), kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            throw CocoaError(.fileReadUnknown)
        }
        return result
    }

    /// An item that was found before, as an app that changes it holds one.
    func found(_ number: Int) throws -> GenericPassword {
        if let item = known[number] { return item }
        let item = try lookup(number)
        known[number] = item
        return item
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
