// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

extension CurrentHomeTests {
    /// `Home.current` belongs to the process; these tests name homes instead where they can.
    @Suite("Two users")
    struct TwoUsersTests {
        let place = TemporaryHome()
        let directory: UserDirectory

        init() throws {
            directory = try place.directory()
            Home.setCurrent(directory.root)
        }

        @Test func `with 10,000 preferences each, neither ever sees one of the other`() async throws {
            let count = 10_000
            var users: [AppUser] = []
            for name in ["Anna", "Bob"] {
                let user = try directory.add(name)
                users.append(user)
                try Preferences(home: try directory.home(of: user)).update { batch in
                    for number in 0..<count { batch.set(.string("\(name) \(number)"), forKey: "key\(number)") }
                    batch.set(.boolean(true), forKey: "only \(name)")
                }
            }
            for round in 0..<6 {
                let user = users[round & 1]
                try await directory.switch(to: user)
                let preferences = try Preferences()
                for number in stride(from: round, to: count, by: 997) {
                    #expect(try preferences.string(forKey: "key\(number)") == "\(user.name) \(number)")
                }
                #expect(try preferences.object(forKey: "only \(users[1 - round & 1].name)") == nil)
                guard round >= 4 else { continue }
                let all = try preferences.dictionaryRepresentation()
                #expect(all.count == count + 1)
                #expect(
                    all.values.allSatisfy { if case .string(let text) = $0 { text.hasPrefix(user.name) } else { true } }
                )
            }
        }

        @Test func `a user that stays open is locked when the time is over, though the process has ended`() throws {
            let anna = try directory.add("Anna")
            let home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
            try Preferences(home: home).set(1, forKey: "n")
            try home.keybag.lockCompletely()
            let process = try UserProcess(place.path)
            let answer = try process.ask("keep", "Anna", "3")
            #expect(try process.child.finish() == 0)
            guard answer == "ok" else {
                print("skipped, there is no kernel keyring: \(answer)")
                return
            }
            // As another program of the same person finds it.
            let other = try UserDirectory(root: try place.open { $0.holder = .kernelKeyring })
            let keybag = try other.home(of: anna).keybag
            let preferences = try Preferences(home: try other.home(of: anna))
            let began = ContinuousClock.now
            if keybag.lockState == .unlocked { #expect((try? preferences.integer(forKey: "n")) ?? 1 == 1) }
            while keybag.lockState != .beforeFirstUnlock, ContinuousClock.now - began < .seconds(60) { usleep(50_000) }
            #expect(keybag.lockState == .beforeFirstUnlock)
            #expect(throws: PreferencesError(.notReady, "")) { try preferences.integer(forKey: "n") }
        }

        @Test func `a user that is switched back to in time stays open when it is over`() async throws {
            let anna = try directory.add("Anna")
            let home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
            try await directory.switch(to: anna)
            try await directory.switch(to: nil, leaving: .keepUnlocked(for: .seconds(3600)))
            #expect(try home.keybag.firstUnlockDeadline() != nil)
            #expect(home.keybag.lockState == .unlocked)
            try await directory.switch(to: anna)
            #expect(try home.keybag.firstUnlockDeadline() == nil)
            #expect(home.keybag.lockState == .unlocked)
        }

        @Test func `the root home stays open for a time, too, and so does a user after a switch back`() async throws {
            let anna = try directory.add("Anna")
            let keybag = directory.root.keybag
            try keybag.setPasscode(try SecretBytes(text: "passcode"))
            try await directory.switch(to: anna, leaving: .keepUnlocked(for: .seconds(3600)))
            #expect(keybag.lockState == .unlocked)
            #expect(try keybag.firstUnlockDeadline() != nil)
            try await directory.switch(to: nil)
            #expect(keybag.lockState == .unlocked)
            #expect(try keybag.firstUnlockDeadline() == nil)
            try await directory.switch(to: anna, leaving: .keepUnlocked(for: .milliseconds(1)))
            let began = ContinuousClock.now
            while keybag.lockState != .beforeFirstUnlock, ContinuousClock.now - began < .seconds(60) { usleep(5_000) }
            #expect(keybag.lockState == .beforeFirstUnlock)
        }

        @Test func `a switch to a user removed meanwhile fails, and processes keep the previous one`() async throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Bob")
            try await directory.switch(to: bob)
            // Opened before, so that nothing but the switch itself looks for the home.
            _ = try directory.home(of: anna)
            let remover = Remover(place, anna)
            let number = directory.addObserver(remover)
            do {
                try await directory.switch(to: anna)
                Issue.record("switched to nobody")
            } catch { #expect(error.code == .noSuchUser) }
            #expect(remover.isDone)
            directory.removeObserver(number)
            #expect(try place.directory().recorded() == bob)
            #expect(try directory.current() == bob)
        }

        /// Removes a user, as another process would, while this one switches to it.
        private final class Remover: UserObserver {
            private let place: TemporaryHome
            private let user: AppUser
            private let done = Locked(false)
            var isDone: Bool { done.withLock { $0 } }

            init(_ place: TemporaryHome, _ user: AppUser) {
                self.place = place
                self.user = user
            }

            func willLeave(_: AppUser?) async {
                guard let directory = try? place.directory(), (try? directory.remove(user)) != nil else { return }
                done.withLock { $0 = true }
            }

            func didSwitch(to _: AppUser?, session _: UserSession) async {}
        }

        // Rule: what was read is not answered when the time of a user is over | the deadline not looked at | also "a
        //   user that stays open is locked when the time is over, though the process has ended"
        @Test func `what was read while a user stays open is not answered when the time is over`() async throws {
            let anna = try directory.add("Anna")
            let home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
            try await directory.switch(to: anna)
            let preferences = try Preferences()
            try preferences.set(1, forKey: "n")
            try await directory.switch(to: nil, leaving: .keepUnlocked(for: .seconds(2)))
            // Kept in memory under the deadline, if there is still time.
            _ = try? preferences.integer(forKey: "n")
            let began = ContinuousClock.now
            while home.keybag.lockState != .beforeFirstUnlock, ContinuousClock.now - began < .seconds(60) {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(throws: PreferencesError(.notReady, "")) { try preferences.integer(forKey: "n") }
        }

        // Rule: a removal zeroes the epoch first | only files removed | also "removing destroys at once, even for a
        //   home that is open elsewhere"
        @Test func `what is left of a removed user opens nothing, the device secret at hand`() throws {
            let anna = try directory.add("Anna")
            let home = try directory.home(of: anna)
            try Preferences(home: home).set("markervalue", forKey: "markername")
            let left = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: home.folder, toPath: left.path("folder"))
            // The epoch's blocks, as they lie on the disk when the name is gone.
            try FileManager.default.linkItem(atPath: "\(place.path)/epochs/\(anna.id)", toPath: left.path("epoch"))
            let slots = 4_096..<12_288
            #expect(try Data(contentsOf: left.url.appending(path: "epoch"))[slots].contains { $0 != 0 })
            try directory.remove(anna)
            #expect(try Data(contentsOf: left.url.appending(path: "epoch"))[slots].allSatisfy { $0 == 0 })
            // The folder comes back, as from a disk's free blocks; its epoch does not.
            try FileManager.default.copyItem(atPath: left.path("folder"), toPath: home.folder)
            let error = #expect(throws: DataProtectionError.self) {
                try directory.root.home(ofUser: anna.id.unique, making: false)
            }
            #expect(error?.code == .erased || error?.code == .damaged)
            for text in ["markervalue", "markername", "Anna"] {
                #expect(try PlaintextSearch(text).findings(in: place.path) == [])
            }
            // It carries no mark, so that no process removes it.
            try directory.add("Bob")
            #expect(FileManager.default.fileExists(atPath: home.folder))
            #expect(try directory.unlisted() == [anna.id])
        }

        @Test func `settings of the app are shared, and readable while every user is locked`() async throws {
            let device = try Preferences(home: directory.root, domain: .device)
            try device.set("https://example.com", forKey: "server")
            let anna = try directory.add("Anna")
            try await directory.switch(to: anna)
            #expect(try Preferences(domain: .device).string(forKey: "server") == "https://example.com")
            #expect(try Preferences().object(forKey: "server") == nil)
            try directory.root.keybag.setPasscode(try SecretBytes(text: "passcode"))
            try directory.root.keybag.lockCompletely()
            let other = try Preferences(home: try place.open(), domain: .device)
            #expect(other.isReady)
            #expect(try other.string(forKey: "server") == "https://example.com")
            try other.set(2, forKey: "launches")
            #expect(try device.integer(forKey: "launches") == 2)
            #expect(throws: PreferencesError(.notReady, "")) {
                try Preferences(home: try place.open()).object(forKey: "server")
            }
            #expect(try PlaintextSearch("example.com").findings(in: place.path) == [])
        }
    }
}
