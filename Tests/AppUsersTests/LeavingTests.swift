// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

extension CurrentHomeTests {
    /// Leaving a user locks that user, in spite of any error.
    @Suite("Leaving")
    struct LeavingTests {
        let place = TemporaryHome()
        let directory: UserDirectory
        let anna: AppUser
        let bob: AppUser
        let home: Home

        init() throws {
            directory = try place.directory()
            Home.setCurrent(directory.root)
            anna = try directory.add("Anna")
            bob = try directory.add("Bob")
            home = try directory.home(of: anna)
            try home.keybag.setPasscode(try SecretBytes(text: "anna's"))
        }

        private func damage(_ path: String) throws -> () throws -> Void {
            let url = URL(fileURLWithPath: "\(place.path)/\(path)")
            let good = try Data(contentsOf: url)
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("nonsense".utf8))
            try file.close()
            return { try good.write(to: url) }
        }

        @Test(arguments: ["directory", "keybag"])
        func `The user to leave is locked though the switch fails`(name: String) async throws {
            try await directory.switch(to: anna)
            #expect(home.keybag.lockState == .unlocked)
            let repair = try damage(name == "keybag" ? "users/\(anna.id.description)/keybag" : name)
            // By a process that has just started, and so has to open everything.
            let fresh = try UserDirectory(root: try place.open())
            await #expect(throws: AppUsersError.self) { try await fresh.switch(to: bob) }
            try repair()
            #expect(home.keybag.lockState == .beforeFirstUnlock)
        }

        @Test func `What could not be saved keeps no user unlocked`() async throws {
            try await directory.switch(to: anna)
            let preferences = try Preferences()
            try preferences.set(1, forKey: "n")
            let url = URL(fileURLWithPath: "\(place.path)/users/\(anna.id.description)")
            try FileManager.default.moveItem(
                at: url.appendingPathComponent("preferences.db"), to: url.appendingPathComponent("moved"))
            try FileManager.default.createDirectory(
                at: url.appendingPathComponent("preferences.db"), withIntermediateDirectories: false)
            // The user is locked, whether or not the store notices.
            try? await directory.switch(to: bob)
            #expect(home.keybag.lockState == .beforeFirstUnlock)
        }

        @Test func `A mistake or an interruption locks no user`() async throws {
            try await directory.switch(to: anna)
            let removed = try directory.add("Removed")
            try directory.remove(removed)
            await #expect(throws: AppUsersError.self) { try await directory.switch(to: removed) }
            #expect(home.keybag.lockState == .unlocked)
        }
    }
}
