// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

extension TemporaryHome {
    func directory() throws -> UserDirectory { try UserDirectory(root: try open()) }
}

extension CurrentHomeTests {
    /// `Home.current` belongs to the process.
    @Suite("Users")
    struct UserDirectoryTests {
        let place = TemporaryHome()
        let directory: UserDirectory

        init() throws {
            directory = try place.directory()
            Home.setCurrent(directory.root)
        }

        @Test func `users are listed as they were added, by another open directory too`() throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Боб")
            #expect(try place.directory().users() == [anna, bob])
            #expect(try place.directory().user(named: "Боб") == bob)
            #expect(try place.directory().user(named: anna.id.description) == anna)
        }

        @Test(arguments: ["", "a\u{7}b", String(repeating: "ä", count: 129)])
        func `a name that is empty, too long or has control characters is refused`(name: String) throws {
            #expect(throws: AppUsersError(.invalidArgument, "")) { try directory.add(name) }
            #expect(try directory.users().isEmpty)
        }

        // Rule: a removal that meets a process at work leaves no folder | removed once | "Directory not empty", and
        //   half a folder in no list
        @Test func `a user is removed while another process puts files into the home`() throws {
            let anna = try directory.add("Anna")
            let folder = "\(place.path)/users/\(anna.id)"
            try #require(FileManager.default.fileExists(atPath: folder))
            let writer = Thread {
                for number in 0..<2000 {
                    guard FileManager.default.createFile(atPath: "\(folder)/late-\(number)", contents: nil) else {
                        return
                    }
                }
            }
            writer.start()
            try directory.remove(anna)
            #expect(!FileManager.default.fileExists(atPath: folder))
            #expect(try directory.users().isEmpty)
            #expect(try directory.unfinishedRemovals().isEmpty)
        }

        @Test func `a name is taken once`() throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Bob")
            #expect(throws: AppUsersError(.nameTaken, "")) { try directory.add("Anna") }
            #expect(throws: AppUsersError(.nameTaken, "")) { try directory.rename(bob, to: "Anna") }
            #expect(try directory.rename(anna, to: "Anna").name == "Anna")
        }

        @Test func `switching shows each user their own preferences`() async throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Bob")
            for round in 0..<3 {
                for user in [anna, bob] {
                    try await directory.switch(to: user)
                    #expect(try directory.current() == user && directory.recorded() == user)
                    let preferences = try Preferences()
                    if round == 0 { #expect(try preferences.dictionaryRepresentation().isEmpty) }
                    try preferences.set("\(user.name) \(round)", forKey: "mine")
                    #expect(try preferences.dictionaryRepresentation() == ["mine": .string("\(user.name) \(round)")])
                }
            }
        }

        @Test func `the user that is left is locked, and what was read is forgotten`() async throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Bob")
            let home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(copying: Array("anna's".utf8)))
            try await directory.switch(to: anna)
            let preferences = try Preferences()
            try preferences.set(1, forKey: "n")
            try await directory.switch(to: bob)
            #expect(home.keybag.lockState == .beforeFirstUnlock)
            #expect(throws: PreferencesError.self) { try preferences.integer(forKey: "n") }
            do { _ = try preferences.integer(forKey: "n") } catch { #expect(error.code == .notReady) }
            try home.keybag.unlock(passcode: try SecretBytes(copying: Array("anna's".utf8)))
            #expect(try preferences.integer(forKey: "n") == 1)
        }

        @Test func `a user that stays open for a time is locked after it`() async throws {
            let anna = try directory.add("Anna")
            let bob = try directory.add("Bob")
            let home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(copying: Array("anna's".utf8)))
            try await directory.switch(to: anna)
            let began = ContinuousClock.now
            try await directory.switch(to: bob, leaving: .keepUnlocked(for: .seconds(2)))
            let state = home.keybag.lockState
            // Where others had the processor all the time, it is over before it could be looked at.
            #expect(state == .unlocked || ContinuousClock.now - began > .seconds(2))
            for _ in 0..<2000 where home.keybag.lockState == .unlocked { try await Task.sleep(for: .milliseconds(20)) }
            #expect(home.keybag.lockState == .beforeFirstUnlock)
        }

        @Test func `removing destroys at once, even for a home that is open elsewhere`() throws {
            let anna = try directory.add("Anna")
            let elsewhere = try place.directory().home(of: anna)
            let preferences = try Preferences(home: elsewhere)
            try preferences.set("x", forKey: "k")
            try directory.remove(anna)
            #expect(try directory.users().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: elsewhere.folder))
            #expect(throws: PreferencesError.self) { try preferences.set("y", forKey: "k") }
            #expect(throws: AppUsersError(.noSuchUser, "")) { try directory.home(of: anna) }
        }

        @Test func `a guest is erased on leaving`() async throws {
            let guest = try directory.add("Guest", isGuest: true)
            try await directory.switch(to: guest)
            try await directory.switch(to: nil)
            #expect(try directory.users().isEmpty && directory.recorded() == nil)
        }

        // Rule: a session ends with the switch | every session taken for the present one | also "a session ends
        //   whichever directory object switches"
        @Test func `a session ends with the switch`() async throws {
            let anna = try directory.add("Anna")
            let before = directory.session
            #expect(directory.isCurrent(before))
            try await directory.switch(to: anna)
            #expect(!directory.isCurrent(before) && directory.isCurrent(directory.session))
        }

        @Test func `a session ends whichever directory object switches`() async throws {
            let anna = try directory.add("Anna")
            let other = try UserDirectory(root: directory.root)
            let before = other.session
            try await directory.switch(to: anna)
            try await directory.switch(to: nil)
            #expect(!other.isCurrent(before) && other.isCurrent(directory.session))
        }

        @Test func `a switch to the current user locks no user, and processes start with it again`() async throws {
            let anna = try directory.add("Anna")
            try directory.home(of: anna).keybag.setPasscode(try SecretBytes(copying: Array("anna's".utf8)))
            try await directory.switch(to: anna)
            // As another process that switched.
            try directory.root.recordUser(nil)
            let session = directory.session
            try await directory.switch(to: anna)
            #expect(try directory.recorded() == anna && directory.home(of: anna).keybag.lockState == .unlocked)
            #expect(directory.isCurrent(session))
        }

        @Test func `observers finish first, and a slow one does not hold the switch`() async throws {
            final class Slow: UserObserver {
                func willLeave(_ user: AppUser?) async {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { continuation.resume() }
                    }
                }
                func didSwitch(to user: AppUser?, session: UserSession) async {}
            }
            let anna = try directory.add("Anna")
            _ = directory.addObserver(Slow())
            let began = ContinuousClock.now
            try await directory.switch(to: anna, deadline: .milliseconds(50))
            #expect(ContinuousClock.now - began < .seconds(30))
            #expect(try directory.current() == anna)
        }

        // Rule: folders that no listed user has are remains, and are removed | left
        @Test func `the rest of an interrupted addition goes with the next change`() throws {
            let begun = UserIdentifier(.random())
            try directory.marks.write(.adding, of: begun)
            _ = try directory.root.home(ofUser: begun.unique, making: true)
            let anna = try directory.add("Anna")
            #expect(try directory.users() == [anna])
            let manager = FileManager.default
            #expect(try manager.contentsOfDirectory(atPath: place.path + "/users") == [anna.id.description])
            #expect(try manager.contentsOfDirectory(atPath: place.path + "/epochs") == [anna.id.description])
        }

        @Test func `an interrupted removal is finished by the next change`() throws {
            let anna = try directory.add("Anna")
            try directory.marks.write(.removing, of: anna.id)
            let epoch = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(place.path)/epochs/\(anna.id)"))
            try epoch.seek(toOffset: 4096)
            try epoch.write(contentsOf: Data(count: 8192))
            try directory.add("Bob")
            #expect(try directory.users().map(\.name) == ["Bob"])
            #expect(try directory.marks.all().isEmpty && directory.unlisted().isEmpty)
        }

        @Test func `a damaged directory is told, and nothing is overwritten`() throws {
            let anna = try directory.add("Anna")
            try directory.root.recordUser(anna.id.unique)
            for name in ["directory"] {
                let path = "\(place.path)/\(name)"
                let good = try Data(contentsOf: URL(fileURLWithPath: path))
                for index in [0, 8, 20, good.count - 1] {
                    var bad = good
                    bad[index] ^= 0x40
                    try bad.write(to: URL(fileURLWithPath: path))
                    #expect(throws: AppUsersError.self) {
                        let opened = try place.directory()
                        _ = try opened.recorded()
                    }
                    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bad)
                }
                try good.write(to: URL(fileURLWithPath: path))
            }
            #expect(try place.directory().recorded() == anna)
        }

        @Test(arguments: [nil, "", "changed"])
        func `where the recorded user can't be read no user is current, and a switch is the remedy`(
            content: String?
        ) async throws {
            let anna = try directory.add("Anna")
            try directory.root.recordUser(anna.id.unique)
            let path = "\(place.path)/current"
            if let content {
                try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            let opened = try place.directory()
            let error = #expect(throws: AppUsersError.self) { try opened.recorded() }
            #expect(error?.message.contains("zamok users switch") == true)
            #expect(try opened.users() == [anna])
            _ = try opened.add("Bob")
            try await opened.switch(to: anna)
            #expect(try place.directory().recorded() == anna)
            try await opened.switch(to: nil)
            #expect(try place.directory().recorded() == nil)
        }

        @Test func `no name is on the disk in clear, in a path or a file`() throws {
            try directory.add("markerperson")
            let paths = FileManager.default.enumerator(atPath: place.path)?.allObjects as? [String] ?? []
            #expect(paths.count > 5)
            for path in paths {
                #expect(!path.contains("markerperson"))
                let bytes = FileManager.default.contents(atPath: "\(place.path)/\(path)") ?? Data()
                #expect(bytes.range(of: Data("markerperson".utf8)) == nil, "\(path)")
            }
        }
    }
}
