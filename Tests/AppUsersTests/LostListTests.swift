// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

extension CurrentHomeTests {
    /// A user that is missing from the list of users is not destroyed.
    @Suite("Users whose list is missing, older or damaged")
    struct LostListTests {
        let place = TemporaryHome()
        let directory: UserDirectory
        let anna: AppUser
        let bob: AppUser

        init() throws {
            directory = try place.directory()
            anna = try directory.add("Anna")
            try FileManager.default.copyItem(atPath: "\(place.path)/directory", toPath: "\(place.path)/older")
            bob = try directory.add("Bob")
            for user in [anna, bob] {
                try Preferences(home: try directory.home(of: user)).set(user.name, forKey: "name")
            }
        }

        private func move(_ name: String, _ other: String) throws {
            let (from, to) = ("\(place.path)/\(name)", "\(place.path)/\(other)")
            if FileManager.default.fileExists(atPath: to) { try FileManager.default.removeItem(atPath: to) }
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }

        private func expectAllData() throws {
            let root = try place.open()
            for user in [anna, bob] {
                let home = try root.home(ofUser: user.id.unique, making: false)
                #expect(try Preferences(home: home).string(forKey: "name") == user.name)
            }
        }

        @Test func `without a list nothing is changed, and each user can be taken into a new one`() throws {
            try move("directory", "kept")
            for _ in 0..<2 {
                let opened = try place.directory()
                let error = #expect(throws: AppUsersError.self) { try opened.add("Carl") }
                #expect(error?.code == .damaged && error?.message.contains("zamok users adopt") == true)
                #expect(throws: AppUsersError(.damaged, "")) { try opened.users() }
            }
            try expectAllData()
            let opened = try place.directory()
            #expect(Set(try opened.unlisted()) == [anna.id, bob.id])
            try opened.adopt(bob.id, as: "Robert")
            #expect(throws: AppUsersError(.nameTaken, "")) { try opened.adopt(anna.id, as: "Robert") }
            try opened.adopt(anna.id, as: "Anna")
            #expect(throws: AppUsersError(.noSuchUser, "")) { try opened.adopt(anna.id, as: "Anna again") }
            #expect(try opened.users().map(\.name) == ["Robert", "Anna"] && opened.unlisted().isEmpty)
            try expectAllData()
        }

        // Rule: no user is destroyed without a mark | each change of the list destroys the users that are in no list |
        //   also `DamagedHomeTests` (both holders), "without a list nothing is changed, ...", "a recorded user that is
        //   in no list ..."
        @Test func `a user missing from an older list is kept and reported`() throws {
            try move("older", "directory")
            let opened = try place.directory()
            try opened.add("Carl")
            try opened.rename(anna, to: "Anna K.")
            #expect(try opened.unlisted() == [bob.id])
            try expectAllData()
            #expect(try opened.adopt(bob.id, as: "Bob").id == bob.id)
            #expect(try opened.users().map(\.name) == ["Anna K.", "Carl", "Bob"])
        }

        @Test(arguments: ["epochs", "users"])
        func `a part of users that is missing until it is put back loses no user's data`(part: String) throws {
            try move(part, "kept")
            let opened = try place.directory()
            try opened.rename(anna, to: "Anna K.")
            #expect(throws: AppUsersError(.home, "")) { try opened.home(of: bob) }
            try move("kept", part)
            try expectAllData()
            #expect(try opened.users().map(\.name) == ["Anna K.", "Bob"])
        }

        @Test func `a recorded user that is in no list prevents no listing, adding or switching`() async throws {
            try directory.root.recordUser(bob.id.unique)
            try move("older", "directory")
            let opened = try place.directory()
            let error = #expect(throws: AppUsersError.self) { try opened.recorded() }
            #expect(error?.code == .noSuchUser && error?.message.contains("is not in the list of users") == true)
            #expect(try opened.users() == [anna])
            try opened.add("Carl")
            try await Home.withCurrent(opened.root) { try await opened.switch(to: anna) }
            #expect(try opened.recorded() == anna)
            try expectAllData()
        }

        // Rule: a user with a missing part is named | no part looked for
        @Test func `the doctor names every user with a missing part, and every home that no list names`() throws {
            func found() throws -> [UsersFinding] { UsersDoctor(home: try place.open()).examine() }
            #expect(try found() == [])
            for path in ["users/\(anna.id)", "users/\(anna.id)/keybag", "epochs/\(anna.id)"] {
                try move(path, "kept")
                let finding = try #require(try found().first)
                #expect(try found().count == 1 && finding.word == "missing-user")
                #expect(finding.message.contains("/\(path) is missing") && finding.message.contains("Anna"))
                try move("kept", path)
            }
            let store = "users/\(bob.id)/preferences.db"
            try move(store, "kept")
            #expect(try found().map(\.word) == ["missing-store"])
            #expect(try found().first?.message.contains("Bob \(place.path)/\(store) is missing") == true)
            try move("kept", store)
            try move("users", "kept")
            #expect(try found().map(\.word) == ["missing-user", "missing-user"])
            try move("kept", "users")
            try move("directory", "newer")
            #expect(try found().map(\.word) == ["damaged-users", "unlisted-user", "unlisted-user"])
            try move("older", "directory")
            #expect(try found().map(\.word) == ["unlisted-user"])
            #expect(try found().first?.message.contains("adopt \(bob.id)") == true)
            try move("newer", "directory")
            #expect(try found() == [])
        }

        @Test(arguments: [Double.nan, .infinity, 1e300, -1e300])
        func `a user added at a time that no calendar has makes a damaged list, and no trap`(
            time: Double
        ) throws {
            var list = try #require(try directory.file.read())
            list.users[0] = AppUser(id: anna.id, name: anna.name, isGuest: false, created: time)
            try directory.file.write(list)
            #expect(throws: AppUsersError(.damaged, "")) { try directory.users() }
        }

        // Rule: an added user is a user, in every state of the list | the mark not asked | 8 cases; also
        //   `KilledChangeTests`: the same (3)
        /// As a process leaves it that is killed before it removes the mark, or before it writes the list.
        @Test(arguments: ["there", "missing", "older", "damaged"])
        func `an added user is a user, in every state of the list`(list: String) throws {
            try directory.marks.write(.added(bob), of: bob.id)
            switch list {
            case "missing":
                // Together with the other user's folder. With that there, only a person could make a new list.
                try move("directory", "kept")
                try move("users/\(anna.id)", "anna")
                try move("epochs/\(anna.id)", "anna's epoch")
            case "older": try move("older", "directory")
            case "damaged": try Data("zamokusr".utf8).write(to: URL(fileURLWithPath: "\(place.path)/directory"))
            default: break
            }
            let opened = try place.directory()
            if list == "damaged" {
                #expect(try opened.unlisted() == [anna.id])
                #expect(throws: AppUsersError(.damaged, "")) { try opened.add("Carl") }
                try opened.adopt(anna.id, as: "Anna")
            } else {
                #expect(try opened.unlisted() == [] && opened.users().last == bob)
                #expect(try opened.home(of: bob).folder.hasSuffix("\(bob.id)"))
                try opened.add("Carl")
            }
            #expect(try opened.marks.all().isEmpty && opened.unlisted().isEmpty)
            #expect(try opened.file.read()?.names(bob.id) == true)
            #expect(throws: AppUsersError(.nameTaken, "")) { try opened.add("Bob") }
            if list == "missing" {
                try move("anna", "users/\(anna.id)")
                try move("anna's epoch", "epochs/\(anna.id)")
                #expect(try opened.unlisted() == [anna.id])
            }
            try expectAllData()
        }

        @Test func `an added user whose name another one has in the list by now is kept and reported`() throws {
            try directory.changing { $0.remove(bob.id) }
            let other = try directory.add("Bob")
            try directory.marks.write(.added(bob), of: bob.id)
            #expect(try directory.users() == [anna, other] && directory.unlisted() == [bob.id])
            #expect(try directory.adopt(bob.id, as: "Robert").id == bob.id)
            #expect(try directory.marks.all().isEmpty)
            try directory.marks.write(.added(bob), of: bob.id)
            try directory.changing { $0.remove(bob.id) }
            try directory.rename(anna, to: "Anna K.")
            #expect(
                try directory.users().count == 2 && directory.unlisted() == [bob.id] && directory.marks.all().isEmpty)
            try expectAllData()
        }

        @Test func `a user added by a killed process, and then half removed, stays removed`() throws {
            try directory.marks.write(.added(bob), of: bob.id)
            try move("older", "directory")
            let name = bob.id.description
            let writes = Locked(0)
            var configuration = place.configuration
            configuration.fileSystem = FileHooks { step in
                guard step.operation == .write, step.name == name else { return 0 }
                // The mark, then the zeros in the epoch.
                return writes.withLock {
                    $0 += 1
                    return $0 == 1 ? 0 : EIO
                }
            }
            let opened = try UserDirectory(root: try Home(configuration))
            #expect(throws: AppUsersError(.home, "")) { try opened.remove(bob) }
            #expect(writes.withLock { $0 } > 1)
            #expect(try opened.users() == [anna] && opened.unfinishedRemovals() == [bob.id])
            let other = try place.directory()
            #expect(try other.users() == [anna] && other.marks.all().isEmpty && other.unlisted().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: "\(place.path)/users/\(bob.id)"))
        }

        // Rule: where the list can't be written no user was added | not taken back
        @Test func `where the list can't be written no user was added, and nothing is left`() throws {
            let isFull = Locked(false)
            var configuration = place.configuration
            configuration.fileSystem = FileHooks { step in
                step.operation == .make && step.name == "directory.new" && isFull.withLock { $0 } ? ENOSPC : 0
            }
            let opened = try UserDirectory(root: try Home(configuration))
            isFull.withLock { $0 = true }
            #expect(throws: AppUsersError(.home, "")) { try opened.add("Carl") }
            #expect(throws: AppUsersError(.home, "")) { try opened.rename(anna, to: "Anna K.") }
            isFull.withLock { $0 = false }
            #expect(try opened.users() == [anna, bob] && opened.marks.all().isEmpty && opened.unlisted().isEmpty)
            for part in ["users", "epochs"] {
                let names = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/\(part)")
                #expect(Set(names) == [anna.id.description, bob.id.description])
            }
            try expectAllData()
        }

        @Test func `a mark that is damaged, or another user's, removes no user`() throws {
            try directory.marks.write(.removing, of: bob.id)
            let marks = "\(place.path)/marks"
            try FileManager.default.moveItem(atPath: "\(marks)/\(bob.id)", toPath: "\(marks)/\(anna.id)")
            let good = try Data(contentsOf: URL(fileURLWithPath: "\(marks)/\(anna.id)"))
            for bad in [good, Data(), good.dropLast(), Data(good.reversed()), good + [0]] {
                try Data(bad).write(to: URL(fileURLWithPath: "\(marks)/\(anna.id)"))
                let opened = try place.directory()
                #expect(try opened.users() == [anna, bob])
                try opened.rename(bob, to: "Bob")
                try expectAllData()
            }
        }

        // Rule: one removal that can't be finished blocks nothing else | a change is refused while there is one
        @Test func `a removal that can't be finished blocks nothing, and is finished later`() throws {
            let folder = try directory.filesFolder(of: bob)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A folder that is a mount point, or that is immutable, can't be removed even by root. Here the folder of
            // users refuses.
            let marks = MarkFiles(root: directory.root)
            try marks.write(.removing, of: bob.id)
            let stand = "\(place.path)/users/\(bob.id)"
            try FileManager.default.moveItem(atPath: stand, toPath: "\(place.path)/kept")
            // No home's folder: a link is refused.
            try FileManager.default.createSymbolicLink(atPath: stand, withDestinationPath: place.path + "/kept")
            let opened = try place.directory()
            #expect(try opened.users() == [anna] && opened.unfinishedRemovals() == [bob.id])
            try opened.add("Carl")
            try opened.rename(anna, to: "Anna K.")
            #expect(try opened.users().map(\.name) == ["Anna K.", "Carl"])
            try FileManager.default.removeItem(atPath: stand)
            try FileManager.default.moveItem(atPath: "\(place.path)/kept", toPath: stand)
            try opened.rename(anna, to: "Anna")
            #expect(try opened.unfinishedRemovals().isEmpty && opened.unlisted().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: stand))
        }

        // Rule: a folder is removed however deep it is | what lies in an inner folder is not moved up
        @Test func `nested folders, and names that are no text, prevent no removal`() throws {
            let folder = try directory.filesFolder(of: bob)
            var path = folder
            for _ in 0..<70 { path += "/d" }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let script = """
                cd "$1" && touch "$(printf 'name-\\377')" && mkdir "$(printf 'folder-\\376')" && mkdir locked && touch locked/x && chmod 500 locked
                """
            #expect(try Child("/bin/sh", ["-c", script, "sh", folder]).finish() == 0)
            // Deeper than any path: made from inside.
            var inner = unsafe open(folder, O_RDONLY | O_DIRECTORY)
            for _ in 0..<3_000 {
                #expect(unsafe mkdirat(inner, "nested", 0o700) == 0)
                let next = unsafe openat(inner, "nested", O_RDONLY | O_DIRECTORY)
                close(inner)
                inner = next
            }
            close(inner)
            try directory.remove(bob)
            try directory.add("Carl")
            #expect(try directory.users().map(\.name) == ["Anna", "Carl"])
            #expect(!FileManager.default.fileExists(atPath: "\(place.path)/users/\(bob.id)"))
        }

        @Test func `hostile variants of the list never trap, and are refused`() throws {
            let good = Array(try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/directory")))
            let older = Array(try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/older")))
            let file = directory.file
            let run = FuzzRun.tried("directory", corpus: [good, older], bounded: 400) { bytes in
                try bytes.write(to: URL(fileURLWithPath: "\(place.path)/directory"))
                guard bytes != Data(good), bytes != Data(older) else { throw CancellationError() }
                return try file.read() != nil
            }
            #expect(run.isBounded && run.refused == run.inputs)
        }
    }
}
