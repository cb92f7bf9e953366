// SPDX-License-Identifier: Apache-2.0

/// Some lines of a file round a place.
package struct Excerpt: Hashable, Sendable, Codable {
    /// The number of the first line.
    package var first: Int
    package var lines: [String]

    package static let empty = Excerpt(first: 1, lines: [])
    /// Longer lines are cut.
    private static let longest = 200

    /// The line of a place, if it is here.
    package func line(_ number: Int) -> String? {
        lines.indices.contains(number - first) ? lines[number - first] : nil
    }
}

/// The lines of files, each file split once.
package struct SourceLines {
    private let text: (String) -> String?
    private var files: [String: [Substring]] = [:]
    /// By file and line: its text without blanks.
    private var plain: [String: String] = [:]
    /// How many files are kept; those of a finding stand together, so few are enough.
    private static let most = 64

    package init(_ text: @escaping (String) -> String?) { self.text = text }

    package mutating func lines(of file: String) -> [Substring] {
        if let known = files[file] { return known }
        if files.count >= Self.most {
            files.removeAll()
            plain.removeAll()
        }
        let lines = (text(file) ?? "").split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n" || $0 == "\r"
        }
        files[file] = lines
        return lines
    }

    package mutating func line(_ place: Place) -> Substring {
        let lines = lines(of: place.file)
        return lines.indices.contains(place.line - 1) ? lines[place.line - 1] : ""
    }

    /// The line of a place without its blanks.
    package mutating func plain(_ place: Place) -> String {
        let key = "\(place.file):\(place.line)"
        if let known = plain[key] { return known }
        let text = String(line(place).filter { !$0.isWhitespace })
        plain[key] = text
        return text
    }

    /// The lines from `around` before the place to as many after it. `hidingTexts`: without what stands between quotation marks,
    /// for findings about a secret in the source, so that a report doesn't carry it on.
    package mutating func excerpt(_ place: Place, around: Int, hidingTexts: Bool = false) -> Excerpt {
        let lines = lines(of: place.file)
        guard lines.indices.contains(place.line - 1) else { return .empty }
        let first = max(1, place.line - around)
        // What follows the last end of a line is no line.
        let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        let last = max(place.line, min(count, place.line + around))
        return Excerpt(
            first: first,
            lines: lines[(first - 1)..<last].map { Excerpt.shown($0, hidingTexts: hidingTexts) })
    }
}

extension Excerpt {
    static func shown(_ line: Substring, hidingTexts: Bool) -> String {
        let text = String(line.prefix(longest + 1)).cut(longest)
        return hidingTexts ? withoutTexts(text) : text
    }

    /// `let key = "s3cr3t"` as `let key = "s•••••"`; texts in XML elements likewise.
    private static func withoutTexts(_ line: String) -> String {
        var result = ""
        var quote: Character?
        var inside = 0
        var last: Character = " "
        for character in line {
            if let open = quote {
                if character == open, last != "\\" { quote = nil }
                result.append(quote == nil || inside == 0 ? character : "•")
                inside += 1
            } else {
                if character == "\"" || (character == ">" && line.contains("</")) {
                    quote = character == "\"" ? "\"" : "<"
                    inside = 0
                }
                result.append(character)
            }
            last = character
        }
        return result
    }
}
