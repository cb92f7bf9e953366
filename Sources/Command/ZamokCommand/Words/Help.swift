// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// Handles `zamok help` where the parser would show another page than the requested one.
enum Help {
    /// The topics of `zamok help` besides the subcommands.
    static let topics: [(name: String, abstract: String)] = [
        ("statuses", "every exit status and what it means"),
        ("pages", "writes manual pages into a folder: zamok help pages DIR"),
    ]

    /// Whether the words after `help` were handled here. Throws for words that name nothing.
    static func answers(_ words: ArraySlice<String>) throws -> Bool {
        if words.count == 1, words.first == "statuses" {
            try Channel.output.lines(statuses)
            return true
        }
        if words.count == 1, words.first == "pages" {
            throw CommandFailure.usage("name the folder: zamok help pages DIR")
        }
        if (2...3).contains(words.count), words.first == "pages" {
            let files = Array(words.dropFirst())
            try ManualPage.write(into: files[0], of: files.count == 2 ? files[1] : nil)
            return true
        }
        guard let miss = NearMisses.unknown(Array(words)) else { return false }
        throw CommandFailure.usage(NearMisses.text(miss))
    }

    /// The table of the page Documentation/Statuses.md, for a terminal.
    private static var statuses: [String] {
        let rows = ExitStatus.table.map { row in
            // Without the code marks of the page.
            [row.status, row.name, row.meaning.replacingOccurrences(of: "`", with: "")]
        }
        let isTerminal = Channel.output.isTerminal
        return Table(head: isTerminal ? ["STATUS", "OSSTATUS", "MEANING"] : [], rows: rows).lines(aligned: isTerminal)
    }

    /// A number of columns at which the parser wraps nothing.
    static let unbroken = 100_000

    /// A help page, wrapped for the terminal. Examples stay unwrapped, so that they can be copied. Completion scripts
    /// are not wrapped.
    static func page(_ text: String) -> String {
        guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") else { return Completions.completed(text) }
        let width = min(Channel.output.width ?? 80, 100)
        var isExample = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if !line.hasPrefix(" ") { isExample = line == "EXAMPLES:" }
            guard !isExample, line.count > width else { return String(line) }
            let isRow =
                line.hasPrefix("  ")
                && (line.dropFirst(2).first.map { "-<".contains($0) } ?? false || line.dropFirst(4).contains("  "))
            return isRow ? row(line, width) : String(line).wrapped(to: width, indent: line.hasPrefix("USAGE: ") ? 7 : 0)
        }.joined(separator: "\n")
    }

    /// A row with a name and its description, in two columns.
    private static func row(_ line: Substring, _ width: Int) -> String {
        let column = 26
        let name = line.prefix(while: { $0 == " " }) + line.drop { $0 == " " }
        guard let gap = name.dropFirst(2).firstRange(of: "  ") else {
            return String(line).wrapped(to: width, indent: column)
        }
        let text = name[gap.upperBound...].drop { $0 == " " }
        let start = name[..<gap.lowerBound]
        let margin = String(repeating: " ", count: column)
        let body = (margin + text).wrapped(to: width, indent: column)
        guard start.count < column - 1 else { return start + "\n" + body }
        return start + String(repeating: " ", count: column - start.count) + body.dropFirst(column)
    }
}
