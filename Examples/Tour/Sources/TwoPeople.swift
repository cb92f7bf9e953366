// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import UserPreferences

/// Chapter 8: two people share the app, and find each their own.
enum TwoPeople {
    private static let names = ["Anna Karenina", "Konstantin Levin"]
    private static let values = ["the midnight theme", "the meadow theme"]

    static func play(on stage: TourStage) async throws {
        try stage.page.chapter(8, "Two people, one app")
        let chapter = try Chapter(stage)
        try chapter.add()
        try await chapter.letThemSet()
        try await chapter.goBack()
        try chapter.search()
        try chapter.remove()
    }

    private struct Chapter {
        let stage: TourStage
        let folder: URL
        let directory: UserDirectory

        init(_ stage: TourStage) throws {
            self.stage = stage
            folder = stage.folder.appending(path: "shared")
            var configuration = Home.Configuration()
            configuration.folder = folder.path
            configuration.identity = ApplicationIdentity(
                applicationIdentifier: "com.example.shop", accessGroups: ["com.example.shop"])
            directory = try UserDirectory(root: try Home(configuration))
        }

        func add() throws {
            try step(
                "Each has a home within the app's, with a keychain, preferences, files and a passcode of their own. The folder's name is random, the person's is sealed.",
                ["try directory.add(\"\(names[0])\")", "try directory.add(\"\(names[1])\")"], answers: "2 users"
            ) {
                for name in names { try directory.add(name) }
                return "\(try directory.users().count) users"
            } showing: { _, now in
                let folders = Set(
                    now.files.keys.compactMap { $0.split(separator: "/").count > 2 ? $0.split(separator: "/")[1] : nil }
                )
                let shown = folders.sorted().map { "users/\($0.prefix(8))" }
                let list = now.bytes(of: "directory", 28..<60)
                return [
                    TourEvidence(shown.joined(separator: " "), [], isAsSaid: folders.count == 2),
                    TourEvidence("directory: the names, sealed", list, at: 28, isAsSaid: list.count == 32),
                ]
            }
        }

        func letThemSet() async throws {
            for (name, value) in zip(names, values) {
                try await directory.switch(to: try directory.user(named: name))
                try step(
                    "\(name) is switched to, and sees nothing of anybody else.",
                    [
                        "try await directory.switch(to: user)", "try Preferences().set(",
                        "  \"\(value)\", forKey: \"theme\")",
                    ],
                    answers: "before: nothing"
                ) {
                    let preferences = try Preferences(home: try home(name))
                    let before = try preferences.string(forKey: "theme") ?? "nothing"
                    try preferences.set(value, forKey: "theme")
                    return "before: \(before)"
                }
            }
        }

        func goBack() async throws {
            let before = TourDisk(folder)
            try await directory.switch(to: try directory.user(named: names[0]))
            let found = try Preferences(home: try home(names[0])).string(forKey: "theme") ?? "nothing"
            try step(
                "Back to the first one: one durable write of 64 bytes, however many preferences there are.",
                ["try await directory.switch(to: anna)", "try Preferences().string(forKey: \"theme\")"],
                answers: "\"\(values[0])\""
            ) {
                "\"\(found)\""
            } showing: { _, now in
                let size = now.files["current"]?.count ?? 0
                return [
                    TourEvidence("current, \(size) bytes: who it is", of: "current", 16..<32, before, now) {
                        size == 64 && $0 != $1
                    }
                ]
            }
        }

        func search() throws {
            let disk = TourDisk(folder)
            try step(
                "Names of people, keys and values, in every usual encoding, in every file of the folder and in the names of the files:",
                [], answers: "found nowhere"
            ) {
                let texts = names + values + ["theme"]
                let found = texts.flatMap(AtRest.encodings).flatMap(disk.files(holding:))
                let named = disk.files.keys.filter { path in texts.contains { path.contains($0) } }
                return found.isEmpty && named.isEmpty ? "found nowhere" : "found"
            }
        }

        func remove() throws {
            let user = try directory.user(named: names[0])
            let left = try home(names[0])
            // A second name of the same file shows what becomes of it.
            let name = "epochs/\(user.id)"
            let (epoch, kept) = (folder.appending(path: name), stage.folder.appending(path: "her-epoch"))
            try FileManager.default.linkItem(at: epoch, to: kept)
            let secrets = [4096..<4128, 8192..<8224]
            try step(
                "She leaves for good. Her epoch is zeroed: what anybody copied of her folder without it is noise.",
                ["try directory.remove(anna)"], answers: "1 user, her folder is gone"
            ) {
                try directory.remove(user)
                let isThere = FileManager.default.fileExists(atPath: left.folder)
                return "\(try directory.users().count) user, her folder is \(isThere ? "there" : "gone")"
            } showing: { before, _ in
                let now = Array((try? Data(contentsOf: kept)) ?? Data())
                let used = secrets.first { before.bytes(of: name, $0).contains { $0 != 0 } } ?? secrets[0]
                let hers = before.bytes(of: name, used)
                let isZero = secrets.allSatisfy { now.count == 12288 && now[$0].allSatisfy { $0 == 0 } }
                return [
                    TourEvidence(
                        "her epoch before", Array(hers.prefix(16)), at: used.lowerBound,
                        isAsSaid: hers.contains { $0 != 0 }),
                    TourEvidence(
                        "her epoch, read as it went", Array(now.dropFirst(used.lowerBound).prefix(16)),
                        at: used.lowerBound, isAsSaid: isZero),
                ]
            }
        }

        private func home(_ name: String) throws -> Home { try directory.home(of: try directory.user(named: name)) }

        private func step(
            _ text: String, _ code: [String], answers expected: String, _ body: () throws -> String,
            showing evidence: (_ before: TourDisk, _ now: TourDisk) -> [TourEvidence] = { _, _ in [] }
        ) throws {
            try stage.step(text, code, in: folder, answers: expected, body, showing: evidence)
        }
    }
}
