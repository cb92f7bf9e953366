// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Sweeps
@testable import ZamokCommand

@Suite struct SweepPageTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../Documentation/Sweep.md")

    private static var table: String {
        let rows = Catalogue.places.map { place -> String in
            let files = place.files.map { "`~/\($0)`" } + place.names.map { "`\($0)`" }
            let variables = place.variables.map { "`$\($0.name)`" }
            return
                "| `\(place.word)` | \(place.program) | \((files + variables).joined(separator: ", ")) | \(place.move.word) |"
        }
        return "| place | program | files; names in any folder | move |\n|---|---|---|---|\n"
            + rows.joined(separator: "\n") + "\n"
    }

    /// `ZAMOK_WRITE_PAGES=1` writes it.
    @Test func `the table of places is the catalogue`() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let (begin, end) = ("<!-- places -->\n", "<!-- end of places -->")
        let from = try #require(text.range(of: begin)?.upperBound)
        let to = try #require(text.range(of: end)?.lowerBound)
        if ProcessInfo.processInfo.environment["ZAMOK_WRITE_PAGES"] == "1" {
            text.replaceSubrange(from..<to, with: Self.table)
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[from..<to] == Self.table)
    }
}
