// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import SecretMemory
import TestSupport
import UserPreferences

extension UserWorker {
    /// Commands of one line each, words divided by tabs.
    struct Obedience {
        let folder: String

        func run() async {
            while let words = Conversation.words(separator: "\t", keepingEmpty: true) {
                Conversation.say(await answer(words))
            }
        }

        private func answer(_ words: [String]) async -> String {
            do {
                return try await obey(words[0], Array(words.dropFirst()))
            } catch let error as PreferencesError {
                return Self.names.first { $0.code == error.code }?.name ?? "error \(error)"
            } catch {
                return "error \(error)"
            }
        }

        private static let names: [(code: PreferencesError.Code, name: String)] = [
            (.diskFull, "diskFull"), (.readOnly, "readOnly"), (.notReady, "notReady"), (.io, "io"),
            (.damaged, "damaged"),
        ]

        private func obey(_ verb: String, _ rest: [String]) async throws -> String {
            switch verb {
            case "switch":
                let directory = try UserDirectory(root: try home(.process))
                Home.setCurrent(try directory.recorded().map { try directory.home(of: $0) } ?? directory.root)
                try await directory.switch(to: try directory.user(named: rest[0]))
            case "relax":
                let directory = try UserDirectory(root: try home(.process))
                Home.setCurrent(try directory.recorded().map { try directory.home(of: $0) } ?? directory.root)
                try Preferences(durability: .relaxed).set(Int(rest[1]) ?? 0, forKey: rest[0])
                try await directory.switch(to: try directory.user(named: rest[2]))
            case "remove":
                let directory = try UserDirectory(root: try home(.process))
                try directory.remove(try directory.user(named: rest[0]))
            case "users", "add", "rename", "adopt", "backup", "restore":
                return try await change(try UserDirectory(root: try home(.process)), verb, rest)
            case "set": try preferences().set(Int(rest[1]) ?? 0, forKey: rest[0])
            case "get": return "\(try preferences().integer(forKey: rest[0]))"
            case "batch":
                try preferences().update { batch in
                    for key in rest.dropFirst() { batch.set(.integer(Int64(rest[0]) ?? 0), forKey: key) }
                }
            case "count":
                for number in 0..<(Int(rest[1]) ?? 0) { try preferences().set(number, forKey: "\(rest[0])\(number)") }
            case "keep": try await keep(rest[0], seconds: Int(rest[1]) ?? 0)
            default: return "error: no such command"
            }
            return "ok"
        }

        /// Changes users.
        private func change(_ directory: UserDirectory, _ verb: String, _ rest: [String]) async throws -> String {
            func passphrase() throws -> Secret { try Secret("a long passphrase") }
            switch verb {
            case "add": try directory.add(rest[0])
            case "rename": try directory.rename(try directory.user(named: rest[0]), to: rest[1])
            case "adopt":
                for user in try directory.unlisted() {
                    guard let unique = UniqueIdentifier(text: user.description) else { continue }
                    let home = try directory.root.home(ofUser: unique, making: false)
                    if try Preferences(home: home).string(forKey: "name") == rest[0] {
                        try directory.adopt(user, as: rest[0])
                    }
                }
            case "backup":
                let user = try directory.user(named: rest[0])
                _ = try await directory.backUp(user, to: rest[1], passphrase: try passphrase())
            case "restore": _ = try await directory.restore(from: rest[0], passphrase: try passphrase(), name: rest[1])
            default: return try directory.users().map(\.name).joined(separator: " ")
            }
            return "ok"
        }

        /// Unlocks a user in the kernel's keyring, switches there and away again, leaving the user open for a time.
        private func keep(_ name: String, seconds: Int) async throws {
            let directory = try UserDirectory(root: try home(.kernelKeyring))
            Home.setCurrent(directory.root)
            let user = try directory.user(named: name)
            try directory.home(of: user).keybag.unlock(passcode: try SecretBytes(text: "passcode"))
            try await directory.switch(to: user)
            try await directory.switch(to: nil, leaving: .keepUnlocked(for: .seconds(seconds)))
        }

        private func preferences() throws -> Preferences {
            try Preferences(
                home: try Self.opened.withLock { home in
                    if let home { return home }
                    let root = try self.home(.process)
                    let directory = try UserDirectory(root: root)
                    let made = try directory.recorded().map { try directory.home(of: $0) } ?? root
                    home = made
                    return made
                })
        }

        private static let opened = Locked<Home?>(nil)

        private func home(_ holder: HolderChoice) throws -> Home {
            var configuration = TemporaryHome.configuration(of: folder)
            configuration.holder = holder
            return try Home(configuration)
        }
    }
}
