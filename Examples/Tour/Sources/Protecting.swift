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
                ["try store.write(diary, to: file,", "    options: .completeFileProtection)"], of: diary,
                answers: "sealed"
            ) {
                try store.write(Data(text.utf8), to: diary, options: .completeFileProtection)
                let bytes = try Data(contentsOf: diary)
                return bytes.range(of: Data(text.utf8)) == nil ? "sealed" : "in the clear"
            }
            try step(
                "An index of its folder remembers which state of which file belongs there.",
                ["try store.setIndexed(true, folder: folder)"], answers: "done"
            ) {
                try store.setIndexed(true, folder: try FileLocation(diary).folder)
                return "done"
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
                ["try store.write(letter, to: file2, options:", "    .completeFileProtectionUnlessOpen)"], of: letter,
                answers: "written, and locked"
            ) {
                try store.write(Data(text.utf8), to: letter, options: .completeFileProtectionUnlessOpen)
                return "written, and \(try read(letter))"
            }
            try step(
                "After the unlock both are there.",
                ["try home.keybag.unlock(passcode: passcode)", "try store.read(from: file2)"], answers: text
            ) {
                try stage.home.keybag.unlock(passcode: try SecretBytes(copying: Array(Locking.passcode.utf8)))
                return try read(letter)
            }
        }

        func attack() throws {
            let old = try Data(contentsOf: diary)
            try step(
                "One bit of the file changes on the disk: not a byte is handed out.", ["try store.read(from: file)"],
                answers: "damaged"
            ) {
                var changed = old
                changed[changed.count - 1] ^= 1
                try changed.write(to: diary)
                return try read(diary)
            }
            try step(
                "A new text, and then somebody puts the old file back, every bit of it as it was.",
                ["try store.write(new, to: file)", "try FileManager.default.copyItem(backup, file)"],
                answers: "replaced"
            ) {
                try old.write(to: diary)
                try store.write(Data("A new day.".utf8), to: diary)
                try old.write(to: diary)
                return try read(diary)
            }
        }

        /// The content, or why there is none.
        private func read(_ file: URL) throws -> String {
            do { return String(decoding: try store.read(from: file), as: UTF8.self) } catch { return "\(error.code)" }
        }

        private func step(
            _ text: String, _ code: [String], of file: URL? = nil, answers expected: String, _ body: () throws -> String
        ) throws {
            try stage.page.text(text)
            let answer = try body()
            try stage.page.columns(code, beside: try file.map(Self.evidence) ?? [])
            let isExpected = answer == expected
            let isRefusal = ["locked", "damaged", "replaced"].contains(answer)
            try stage.page.answer(answer, !isExpected ? .bad : isRefusal ? .refused : .good)
            try stage.count(isExpected, "expected \(expected)")
        }

        /// Name, mode and the beginning of the content.
        private static func evidence(_ file: URL) throws -> [String] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let mode = (attributes[.posixPermissions] as? Int).map { String($0, radix: 8) } ?? "?"
            let bytes = Array(try Data(contentsOf: file).dropFirst(4096).prefix(24))
            return ["\(file.lastPathComponent), mode 0\(mode)"] + TourDisk.dump(bytes, at: 4096)
        }
    }
}
