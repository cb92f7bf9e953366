// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

extension CurrentHomeTests {
    /// Passcodes are set, removed and rotated in any number. Retired keys are removed by themselves, except those of
    /// files, and no data is lost with them.
    @Suite("Retired keys, with everything that needs them")
    struct RotationTests {
        /// Items, preferences and files of every class in one home.
        private struct Content {
            static let accessibilities: [Accessibility] = [
                .whenUnlocked, .whenUnlockedThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always,
                .alwaysThisDeviceOnly,
            ]
            static let classes: [ProtectionClass] = [
                .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none,
            ]
            let home: Home
            let store: ProtectedFileStore
            let folder: String

            init(_ home: Home, _ folder: String) throws {
                self.home = home
                self.folder = folder
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                store = ProtectedFileStore(home: home)
                for (number, accessibility) in Self.accessibilities.enumerated() {
                    try Keychain(service: "s", accessibility: accessibility, home: home).setPassword(
                        "\(number)", for: "\(number)")
                }
                try Preferences(home: home).set("kept", forKey: "key")
                try store.setDefaultProtection(.complete, forFolder: FileLocation(folder))
                for protection in Self.classes {
                    try store.write([protection.rawValue], to: path(protection), protection: protection)
                }
            }

            private func path(_ protection: ProtectionClass) -> FileLocation { FileLocation("\(folder)/\(protection)") }

            /// Files under the keys of this moment, as people make them.
            func addFiles() throws {
                for protection in Self.classes {
                    try store.write([1], to: FileLocation("\(folder)/new \(protection)"), protection: protection)
                }
            }

            /// Where the change is refused because of keys that are kept for files, does what the refusal says, and
            /// tries again. Answers whether that was so.
            func change(_ body: () throws -> Void) throws -> Bool {
                do {
                    try body()
                    return false
                } catch let error as DataProtectionError where error.code == .notAvailable {
                    #expect(error.message.contains("zamok files rewrap --user - DIRS..."))
                    #expect(error.message.contains("--remove-retired-keys"))
                    if try home.keybag.hasPasscode {
                        try home.keybag.unlock(passcode: try secret("1234"))
                    }
                    #expect(try home.keybag.removeRetiredKeys().left == 0)
                    try body()
                    return true
                }
            }

            func check(_ when: String) throws {
                for number in Self.accessibilities.indices {
                    #expect(try Keychain(service: "s", home: home).password(for: "\(number)") == "\(number)", "\(when)")
                }
                #expect(try Preferences(home: home).string(forKey: "key") == "kept", "\(when)")
                for protection in Self.classes {
                    #expect(try store.read(from: path(protection)) == [protection.rawValue], "\(when)")
                }
                #expect(try store.defaultProtection(forFolder: FileLocation(folder)) == .complete, "\(when)")
            }
        }

        let place = TemporaryHome()
        let directory: UserDirectory

        init() throws {
            directory = try place.directory()
            Home.setCurrent(directory.root)
        }

        @Test func `after 50 times setting and removing a passcode, and 50 rotations, everything is readable`() throws {
            let outside = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            defer { try? FileManager.default.removeItem(atPath: outside) }
            let anna = try directory.add("Anna")
            var contents: [Content] = []
            for (number, home) in [directory.root, try directory.home(of: anna)].enumerated() {
                contents.append(try Content(home, "\(outside)/\(number)"))
            }
            // Of a user that is not open meanwhile.
            let bob = try directory.add("Bob")
            let absent = try Content(try directory.home(of: bob), "\(outside)/absent")
            try absent.home.keybag.setPasscode(try secret("bob's"))
            try absent.home.keybag.lockCompletely()
            try Preferences(home: directory.root, domain: .device).set("device", forKey: "key")
            var refusals = 0
            for round in 0..<50 {
                // The user's less often: each of their own keys, too.
                for content in contents where content.home === directory.root || round % 5 == 0 {
                    let keybag = content.home.keybag
                    if try content.change({ try keybag.setPasscode(try secret("1234")) }) { refusals += 1 }
                    try content.addFiles()
                    try content.check("set \(round)")
                    if try content.change({ try keybag.removePasscode(try secret("1234")) }) { refusals += 1 }
                    try content.check("removed \(round)")
                }
            }
            for content in contents {
                _ = try content.change { try content.home.keybag.setPasscode(try secret("1234")) }
            }
            for round in 0..<50 {
                // The user's less often: each of their own keys, too.
                for content in contents where content.home === directory.root || round % 5 == 0 {
                    let keybag = content.home.keybag
                    // Locked rotations too: what can't be wrapped anew then is, the next time.
                    if round % 3 == 0 { try keybag.lock() }
                    let isRefused = try content.change {
                        try keybag.changePasscode(
                            from: try secret("1234"), to: try secret("1234"), rotatingKeys: true)
                    }
                    if isRefused { refusals += 1 }
                    if round % 3 == 0 { try keybag.unlock(passcode: try secret("1234")) }
                    try content.addFiles()
                    try content.check("rotated \(round)")
                }
            }
            #expect(refusals > 0)
            #expect(try Preferences(home: directory.root, domain: .device).string(forKey: "key") == "device")
            for content in contents {
                // Nothing but what files may need, and what a store names that was locked at the last rotation.
                let kept = try content.home.keybag.retiredKeys()
                #expect(kept.ofFiles > 0 && (kept.left == kept.ofFiles || !kept.needs.isEmpty), "\(kept)")
                #expect(try content.home.keybag.removeRetiredKeys().left == 0)
                try content.check("without retired keys")
            }
            try absent.home.keybag.unlock(passcode: try secret("bob's"))
            try absent.check("somebody who was not there")
        }

        @Test func `keys that no single process has all stores for go with the first that has all of them open`()
            throws
        {
            let place = TemporaryHome()
            let passcode = try SecretBytes(text: "passcode")
            do {
                let home = try place.open()
                try Keychain(service: "s", home: home).setPassword("1", for: "a")
                try Preferences(home: home).set(1, forKey: "n")
                try home.keybag.setPasscode(passcode)
                // In the middle of it, so that no store can be asked.
                try home.keybag.lockCompletely()
                try home.keybag.changePasscode(from: passcode, to: passcode, rotatingKeys: true)
                #expect(try home.keybag.hasRetiredKeys)
            }
            func opened() throws -> Home {
                let home = try place.open()
                try home.keybag.unlock(passcode: passcode)
                return home
            }
            do { #expect(try Keychain(service: "s", home: opened()).password(for: "a") == "1") }
            do { #expect(try Preferences(home: opened()).integer(forKey: "n") == 1) }
            let home = try opened()
            _ = try Preferences(home: home)
            #expect(try home.keybag.hasRetiredKeys)
            #expect(try Keychain(service: "s", home: home).password(for: "a") == "1")
            #expect(try !home.keybag.hasRetiredKeys)
        }
    }
}
