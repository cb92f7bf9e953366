// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Keychains
import ProtectedFiles
import SecretMemory
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers
@testable import DataProtection

extension CurrentHomeTests {
    /// A model of one rule: in any state of the home's files before a command, no data is destroyed unless a mark names
    /// it. Files go missing, or are put back older, emptied, or exchanged with another user's or another home's. The
    /// command runs. Then the files are put back, in one step or in two with a command between.
    @Suite("Users, with every file of the home in another state", .serialized)
    struct DamagedHomeTests {
        enum Damage: String, CaseIterable { case missing, older, emptied, exchanged, foreign }
        enum Command: String, CaseIterable { case add, rename, remove, switching, list, backup, restore, adopt }

        /// One state: which file is damaged how, and which commands run before it is put back. The second one runs
        /// where the file is half put back.
        struct State {
            let path: String
            let damage: Damage
            let first: Command
            let second: (path: String, command: Command)?
        }

        private let folder: TemporaryFolder
        private let prepared: String
        private let older: String
        private let foreign: String
        private let backup: String
        private let users: [UserIdentifier]
        private let passphrase: Secret

        init() throws {
            folder = try TemporaryFolder()
            (prepared, older, foreign) = (folder.path("prepared"), folder.path("older"), folder.path("foreign"))
            backup = folder.path("backup")
            passphrase = try Secret("a long passphrase")
            let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: prepared)))
            let anna = try Self.filled("Anna", directory)
            try FileManager.default.copyItem(atPath: prepared, toPath: older)
            let bob = try Self.filled("Bob", directory)
            let guest = try Self.filled("Guest", directory, isGuest: true)
            // A user that is in no list, and one whose addition was begun.
            let lost = try Self.filled("Lost", directory)
            try directory.changing { $0.remove(lost.id) }
            let begun = UserIdentifier(.random())
            try directory.marks.write(.adding, of: begun)
            _ = try directory.root.home(ofUser: begun.unique, making: true)
            // A user that was added and used, though the process that added it was killed before it removed the mark.
            let whole = try Self.filled("Whole", directory)
            try directory.marks.write(.added(whole), of: whole.id)
            try directory.root.recordUser(anna.id.unique)
            users = [anna.id, bob.id, guest.id, lost.id, whole.id]
            let other = try UserDirectory(root: try Home(TemporaryHome.configuration(of: foreign)))
            _ = try Self.filled("Eve", other)
        }

        private static func filled(_ name: String, _ directory: UserDirectory, isGuest: Bool = false) throws -> AppUser
        {
            let user = try directory.add(name, isGuest: isGuest)
            let home = try directory.home(of: user)
            try Preferences(home: home).set(name, forKey: "name")
            try Keychain(service: "s", home: home).setPassword(name, for: "name")
            let folder = try directory.filesFolder(of: user)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try ProtectedFileStore(home: home).write(Array(name.utf8), to: FileLocation("\(folder)/name"))
            return user
        }

        private var paths: [String] {
            get throws {
                try FileManager.default.subpathsOfDirectory(atPath: prepared).filter { !$0.hasSuffix("-shm") }.sorted()
            }
        }

        /// Every file in every state before every command, and pairs of files for what is put back in two steps.
        private var states: [State] {
            get throws {
                let paths = try paths
                var all: [State] = []
                for path in paths {
                    for damage in Damage.allCases {
                        for command in Command.allCases {
                            all.append(State(path: path, damage: damage, first: command, second: nil))
                        }
                    }
                }
                let whose = paths.filter { !$0.contains("/") || $0.hasPrefix("epochs") || $0.hasPrefix("marks") }
                for path in whose {
                    for other in whose where other > path {
                        for (first, second) in [(Command.add, Command.rename), (.list, .add), (.restore, .switching)] {
                            all.append(State(path: path, damage: .missing, first: first, second: (other, second)))
                        }
                    }
                }
                return all
            }
        }

        @Test func `nothing that held data is destroyed without its mark`() async throws {
            try await runStates(of: .process)
        }

        /// Every fourth state: what is published there outlives the process that opened the home.
        @Test(.enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
        func `nor with the keys in the kernel's keyring`() async throws {
            try await runStates(of: .kernelKeyring)
        }

        private func runStates(of holder: HolderChoice) async throws {
            let root = try UserDirectory(root: try Home(TemporaryHome.configuration(of: prepared)))
            _ = try await root.backUp(try root.user(named: "Anna"), to: backup, passphrase: passphrase)
            let environment = ProcessInfo.processInfo.environment
            let all = try states
            let usual = environment["ZAMOK_LONG"] == nil ? 200 : all.count
            let wanted = environment["ZAMOK_MODEL_STATES"].flatMap { Int($0) } ?? usual
            var generator = SeededGenerator(seed: FuzzBudget.seed(environment: environment))
            let chosen = wanted < all.count ? Array(all.shuffled(using: &generator).prefix(wanted)) : all
            #expect(chosen.count == min(wanted, all.count))
            let mine = chosen.enumerated().filter { ($0.offset % 4 == 3) == (holder == .kernelKeyring) }.map(\.element)
            var done = 0
            for state in mine {
                if try await run(state, holder) { done += 1 }
            }
            print(
                "states of a home with users, keys in \(holder): \(mine.count) tried, of \(all.count); in \(done) every command was done"
            )
        }

        /// Whether all commands were done, and not refused.
        private func run(_ state: State, _ holder: HolderChoice) async throws -> Bool {
            let path = folder.path("home")
            var configuration = TemporaryHome.configuration(of: path)
            configuration.holder = holder
            defer {
                // What the kernel holds for this copy is no business of the next one.
                if holder == .kernelKeyring { try? Home.erase(configuration) }
                try? FileManager.default.removeItem(atPath: path)
            }
            try FileManager.default.copyItem(atPath: prepared, toPath: path)
            try damage(state.path, state.damage, in: path)
            if let second = state.second { try damage(second.path, .missing, in: path) }
            var removed: Set<UserIdentifier> = []
            var isDone = await perform(state.first, configuration, &removed)
            if let second = state.second {
                try putBack(state.path, path)
                isDone = await perform(second.command, configuration, &removed) && isDone
                try putBack(second.path, path)
            } else {
                try putBack(state.path, path)
            }
            let comment = Comment(rawValue: "\(state), \(isDone ? "done" : "refused")")
            let root = try Home(configuration)
            for (index, user) in users.enumerated() where !removed.contains(user) {
                do {
                    let home = try root.home(ofUser: user.unique, making: false)
                    let name = ["Anna", "Bob", "Guest", "Lost", "Whole"][index]
                    #expect(try Preferences(home: home).string(forKey: "name") == name, comment)
                    #expect(try Keychain(service: "s", home: home).password(for: "name") == name, comment)
                    let file = FileLocation("\(home.folder)/files/name")
                    #expect(try ProtectedFileStore(home: home).read(from: file) == Array(name.utf8), comment)
                } catch {
                    Issue.record("\(comment): \(user): \(error)")
                }
            }
            return isDone
        }

        /// False: it was refused. The user that the command removes may be destroyed.
        private func perform(
            _ command: Command, _ configuration: Home.Configuration, _ removed: inout Set<UserIdentifier>
        ) async -> Bool {
            do {
                let root = try Home(configuration)
                let directory = try UserDirectory(root: root)
                switch command {
                case .add: try directory.add("Carl")
                case .rename: try directory.rename(try directory.user(named: "Anna"), to: "Anna K.")
                case .remove:
                    removed.insert(users[1])
                    try directory.remove(try directory.user(named: "Bob"))
                case .switching:
                    let user = try directory.user(named: "Anna")
                    try await Home.withCurrent(root) { try await directory.switch(to: user) }
                case .list: _ = try (directory.users(), directory.unlisted())
                case .backup:
                    let file = "\(root.folder)-backup"
                    defer { try? FileManager.default.removeItem(atPath: file) }
                    _ = try await directory.backUp(try directory.user(named: "Anna"), to: file, passphrase: passphrase)
                case .restore: _ = try await directory.restore(from: backup, passphrase: passphrase, name: "Restored")
                case .adopt: try directory.adopt(users[3], as: "Found")
                }
                return true
            } catch {
                return false
            }
        }

        // MARK: Files

        private func damage(_ name: String, _ damage: Damage, in path: String) throws {
            let manager = FileManager.default
            let file = "\(path)/\(name)"
            guard manager.fileExists(atPath: file) else { return }
            let isFolder = try isFolder(file)
            try manager.removeItem(atPath: file)
            switch damage {
            case .missing: return
            case .emptied:
                if isFolder {
                    try manager.createDirectory(
                        atPath: file, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                } else {
                    _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
                }
            case .older: try copy("\(older)/\(name)", to: file)
            case .exchanged: try copy("\(prepared)/\(exchanged(name))", to: file)
            case .foreign: try copy("\(foreign)/\(name)", to: file)
            }
        }

        private func isFolder(_ path: String) throws -> Bool {
            try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeDirectory
        }

        private func copy(_ from: String, to file: String) throws {
            guard FileManager.default.fileExists(atPath: from) else { return }
            try FileManager.default.copyItem(atPath: from, toPath: file)
        }

        /// The same file of the next user.
        private func exchanged(_ name: String) -> String {
            for (index, user) in users.enumerated() where name.contains(user.description) {
                return name.replacingOccurrences(
                    of: user.description, with: users[(index + 1) % users.count].description)
            }
            return name
        }

        /// As it was before. What a command made in a folder that was missing stays beside what is put back.
        private func putBack(_ name: String, _ path: String) throws {
            let (from, to) = ("\(prepared)/\(name)", "\(path)/\(name)")
            let parent = String(to[..<(to.lastIndex(of: "/") ?? to.endIndex)])
            // The folder of a removed user is gone.
            guard FileManager.default.fileExists(atPath: from), FileManager.default.fileExists(atPath: parent) else {
                return
            }
            guard try isFolder(from) else {
                try? FileManager.default.removeItem(atPath: to)
                // A database comes back with its log, or without one if it had none.
                if name.hasSuffix(".db") {
                    for companion in ["-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: to + companion)
                        try copy(from + companion, to: to + companion)
                    }
                }
                return try FileManager.default.copyItem(atPath: from, toPath: to)
            }
            if !FileManager.default.fileExists(atPath: to) {
                return try FileManager.default.copyItem(atPath: from, toPath: to)
            }
            for inner in try FileManager.default.contentsOfDirectory(atPath: from) {
                try putBack("\(name)/\(inner)", path)
            }
        }
    }
}
