// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tour on 80 columns: calls on the left, what is on the disk on the right. Colours only at a terminal that wants
/// them.
struct TourPage {
    private static let leftWidth = 47
    private static let indent = "  "

    let hasColours: Bool

    enum Tone: String {
        case strong = "1"
        case faint = "2"
        case good = "32"
        case refused = "33"
        case bad = "31"
    }

    /// Throws when the reader of the pipe has ended.
    func say(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    func toned(_ text: String, _ tone: Tone) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The title of a chapter, with its number.
    func chapter(_ number: Int, _ title: String) throws {
        let rule = String(repeating: "-", count: max(0, 80 - title.count - 5))
        try say("")
        try say(toned("\(number)  \(title) \(rule)", .strong))
    }

    /// A sentence of our own, wrapped.
    func text(_ text: String) throws {
        try say("")
        var line = ""
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 76 {
                try say(Self.indent + line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        try say(Self.indent + line)
    }

    /// Code beside evidence, each line of the evidence at the first line of code that leaves room for it.
    func columns(_ code: [String], beside evidence: [String]) throws {
        var evidence = evidence[...]
        for line in code {
            let hasRoom = Self.indent.count + line.count <= Self.leftWidth
            try row(line, hasRoom ? evidence.popFirst() ?? "" : "")
        }
        for line in evidence { try row("", line) }
    }

    private func row(_ code: String, _ evidence: String) throws {
        let left = code.isEmpty ? "" : Self.indent + code
        guard !evidence.isEmpty else { return try say(left) }
        let gap = String(repeating: " ", count: Self.leftWidth + 1 - left.count)
        try say(left + gap + toned(evidence, .faint))
    }

    /// What a call answered.
    func answer(_ text: String, _ tone: Tone) throws {
        try say(Self.indent + toned("= " + text, tone))
    }
}
