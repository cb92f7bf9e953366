// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Chapter 5: no file of the home holds anything that was stored, in any usual encoding.
enum AtRest {
    static let markers = [
        Storing.service, Storing.account, Storing.value, Storing.newValue, "tim@example.com", "shared password",
        "correct horse",
    ]

    static func play(on stage: TourStage) throws {
        try stage.page.chapter(5, "No plaintext at rest")
        let planted = stage.homeFolder.appending(path: "planted")
        try stage.page.text("First the search has to find what is there: one marker is planted in a file of the home.")
        try Data("..\(Storing.value)..".utf8).write(to: planted)
        let found = search(stage)
        try FileManager.default.removeItem(at: planted)
        try stage.page.columns([#"grep "\#(Storing.value)" in the home"#], beside: [])
        try stage.page.answer("found in \(found.joined(separator: ", "))", found == ["planted"] ? .good : .bad)
        try stage.count(found == ["planted"], "expected the planted file and nothing else")

        let disk = TourDisk(stage.homeFolder)
        try stage.page.text(
            """
            The planted file is gone. Every service, account, value and passcode of this tour, as UTF-8, UTF-16, hexadecimal \
            and Base64, in every file of the home:
            """
        )
        try stage.page.columns(lines(disk.files.keys.sorted()), beside: [])
        let left = search(stage)
        let answer = left.isEmpty ? "found nowhere" : "found in \(left.joined(separator: ", "))"
        try stage.page.answer(answer, left.isEmpty ? .good : .bad)
        try stage.count(left.isEmpty, "expected no file to hold plaintext")
    }

    /// Five names a line.
    private static func lines(_ names: [String]) -> [String] {
        stride(from: 0, to: names.count, by: 5).map { names[$0..<min($0 + 5, names.count)].joined(separator: "  ") }
    }

    private static func search(_ stage: TourStage) -> [String] {
        let disk = TourDisk(stage.homeFolder)
        return Set(markers.flatMap(encodings).flatMap(disk.files(holding:))).sorted()
    }

    /// A text as it would lie in a file in the clear.
    static func encodings(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        // Base64 has three forms, by the offset of the data in what is encoded. The ends depend on the neighbouring
        // bytes and are cut off.
        let base64 = (0..<3).map { shift in
            let whole = Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString()
            return Array(whole.utf8.dropFirst(shift == 0 ? 0 : 4).dropLast(4))
        }
        return [bytes, little, big, Array(hexadecimal.utf8), Array(hexadecimal.uppercased().utf8)]
            + base64
    }
}
