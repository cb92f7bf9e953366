// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import Security
import UserPreferences

/// The Swift of README.md and Documentation/Use.md, to be run: ReadmeTests compares the two. As whole programs, with
/// their imports, Scripts/snippets compiles them.
enum ReadmeSnippets {
    static func before() throws {
        let file = URL(fileURLWithPath: "diary.txt")
        try Data("Dear diary".utf8).write(to: file, options: .completeFileProtection)
        // diary.txt has mode 0644 and holds the text in clear
    }

    static func after() throws {
        let file = URL(fileURLWithPath: "diary.txt")
        let store = ProtectedFileStore(home: try Home.current)
        try store.write(Data("Dear diary".utf8), to: file, options: .completeFileProtection)
        // diary.txt has mode 0600 and holds AES-256-GCM
    }

    static func keychain() {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecValueData: Data("s3cret".utf8),
        ]
        SecItemAdd(item as CFDictionary, nil)
        // keychain.db has mode 0600 and holds AES-256-GCM
    }

    static func typed() throws -> String? {
        let keychain = Keychain(service: "com.example.notes")
        try keychain.setPassword("correct horse", for: "anna")
        let password = try keychain.password(for: "anna")
        return password
    }

    static func file() throws -> Data {
        let file = URL(fileURLWithPath: "diary.txt")
        let store = ProtectedFileStore(home: try Home.current)
        let diary = try store.read(from: file)
        return diary
    }

    static func users() async throws {
        let directory = try UserDirectory()
        let anna = try directory.add("Anna")
        try await directory.switch(to: anna)
        try Preferences().set("dark", forKey: "theme")
    }
}
