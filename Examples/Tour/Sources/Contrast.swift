// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Chapter 6: what the same app gets from Foundation on Linux.
enum Contrast {
    static func play(on stage: TourStage) throws {
        try stage.page.chapter(6, "And without Zamok")
        try stage.page.text(
            "Foundation's protection class compiles on Linux and does nothing: no error, and a file that anybody can read."
        )
        let file = stage.folder.appending(path: "secret.txt")
        try Data(Storing.value.utf8).write(to: file, options: .completeFileProtection)
        let bytes = Array(try Data(contentsOf: file))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let mode = (attributes[.posixPermissions] as? Int).map { String($0, radix: 8) } ?? "?"
        try stage.page.columns(
            ["try Data(\"\(Storing.value)\".utf8)", "  .write(to: file, options: .completeFileProtection)"],
            beside: ["secret.txt, mode 0\(mode)"] + TourDisk.dump(bytes, at: 0)
        )
        let isPlain = bytes == Array(Storing.value.utf8)
        try stage.page.answer(isPlain ? "no error, and in the clear" : "no error", isPlain ? .refused : .bad)
        try stage.count(isPlain, "expected the file to be readable")
    }
}
