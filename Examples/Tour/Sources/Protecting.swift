// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import ProtectedFiles
import SecretMemory

/// Chapter 7: files with a class that means what it says.
enum Protecting {
    static let text = "Dear diary, today we sailed to the lighthouse."

    static func play(on stage: TourStage) throws {
        try stage.page.chapter(7, "Protect files")
        let folder = stage.folder.appending(path: "files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let chapter = Chapter(
            stage: stage, store: ProtectedFileStore(home: stage.home), diary: folder.appending(path: "diary.txt"),
            letter: folder.appending(path: "letter.txt")
        )
        try chapter.write()
        try chapter.lock()
        try chapter.attack()
    }

    private struct Chapter {
        let stage: TourStage
        let store: ProtectedFileStore
        let diary: URL
        let letter: URL

        func write() throws {
            try step(
                "Foundation's words once more, and now they hold. The file can be read while the home is unlocked.",
                ["try store.write(diary, to: file,", "    options: .completeFileProtection)"], answers: "sealed"
            ) {
                try store.write(Data(text.utf8), to: diary, options: .completeFileProtection)
                let bytes = try Data(contentsOf: diary)
                return bytes.range(of: Data(text.utf8)) == nil ? "sealed" : "in the clear"
            } showing: {
                content(of: diary, $1)
            }
            try step(
                "An index of its folder remembers, sealed, which state of which file belongs there.",
                ["try store.setIndexed(true, folder: folder)"], answers: "done"
            ) {
                try store.setIndexed(true, folder: try FileLocation(diary).folder)
                return "done"
            } showing: {
                content(of: diary.deletingLastPathComponent().appending(path: ".zamok-folder"), $1)
            }
        }

        func lock() throws {
            try step(
                "Locked, the file is refused as locked: it is not missing, and not empty.",
                ["try home.keybag.lock()", "try store.read(from: file)"], answers: "locked"
            ) {
                try stage.home.keybag.lock()
                return try read(diary)
            }
            try step(
                "A letter comes meanwhile. completeUnlessOpen seals it to a public key: written now, readable later.",
                ["try store.write(letter, to: file2, options:", "    .completeFileProtectionUnlessOpen)"],
                answers: "written, and locked"
            ) {
                try store.write(Data(text.utf8), to: letter, options: .completeFileProtectionUnlessOpen)
                return "written, and \(try read(letter))"
            } showing: {
                content(of: letter, $1)
            }
            try step(
                "After the unlock both are there.",
                [
                    "try home.keybag.unlock(passcode: passcode)", "try store.read(from: file)",
                    "try store.read(from: file2)",
                ], answers: text
            ) {
                try stage.home.keybag.unlock(passcode: try SecretBytes(copying: Array(Locking.passcode.utf8)))
                let (first, second) = (try read(diary), try read(letter))
                return first == second ? first : "\(first), \(second)"
            }
        }

        func attack() throws {
            let old = try Data(contentsOf: diary)
            let end = old.count - 8..<old.count
            try step(
                "One bit of the file changes on the disk, the last one: not a byte is handed out.",
                ["try store.read(from: file)"], answers: "damaged"
            ) {
                var changed = old
                changed[changed.count - 1] ^= 1
                try changed.write(to: diary)
                return try read(diary)
            } showing: { before, now in
                [
                    TourEvidence("diary.txt, its end before", Array(old.suffix(8)), at: end.lowerBound, isAsSaid: true),
                    TourEvidence("diary.txt, its end now", of: diary.lastPathComponent, end, before, now) {
                        zip($0, $1).map { ($0 ^ $1).nonzeroBitCount }.reduce(0, +) == 1
                    },
                ]
            }
            try step(
                "A new text, and then another program puts the old file back, every bit of it as it was.",
                ["try store.write(new, to: file)", "try FileManager.default.copyItem(backup, file)"],
                answers: "replaced"
            ) {
                try old.write(to: diary)
                try store.write(Data("A new day.".utf8), to: diary)
                try old.write(to: diary)
                return try read(diary)
            } showing: { before, now in
                [
                    TourEvidence("diary.txt, its end as before", of: diary.lastPathComponent, end, before, now) {
                        $1 == Array(old[end])
                    }
                ]
            }
        }

        /// The content, or why there is none.
        private func read(_ file: URL) throws -> String {
            do { return String(decoding: try store.read(from: file), as: UTF8.self) } catch { return "\(error.code)" }
        }

        private func step(
            _ text: String, _ code: [String], answers expected: String, _ body: () throws -> String,
            showing evidence: (_ before: TourDisk, _ now: TourDisk) -> [TourEvidence] = { _, _ in [] }
        ) throws {
            let isRefusal = ["locked", "damaged", "replaced"].contains(expected)
            try stage.step(
                text, code, in: diary.deletingLastPathComponent(), answers: expected, refuses: isRefusal, body,
                showing: evidence)
        }

        /// Name, mode and the beginning of the sealed content.
        private func content(of file: URL, _ disk: TourDisk) -> [TourEvidence] {
            let mode =
                (try? FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int) ?? 0
            let name = file.lastPathComponent
            let bytes = disk.bytes(of: name, 4096..<4120)
            let isSealed =
                mode == 0o600 && !bytes.isEmpty && !(disk.files[name] ?? []).contains(Array(text.utf8.prefix(10)))
            return [TourEvidence("\(name), mode 0\(String(mode, radix: 8))", bytes, at: 4096, isAsSaid: isSealed)]
        }
    }
}
