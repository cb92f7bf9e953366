// SPDX-License-Identifier: Apache-2.0

/// Changes that remove findings, put together file by file.
package struct Fixes: Sendable {
    /// What each file becomes.
    package private(set) var texts: [String: [UInt8]] = [:]
    package private(set) var before: [String: [UInt8]] = [:]
    /// The findings whose changes are in it, as indices of what was given.
    package private(set) var taken: [Int] = []

    /// Takes the fixes in order; one that overlaps one taken before, or that doesn't fit the file, is left out whole.
    package init(_ findings: [Finding], bytes: (String) -> [UInt8]?) {
        var edits: [String: [Edit]] = [:]
        for (index, finding) in findings.enumerated() where !finding.fix.isEmpty {
            for edit in finding.fix where before[edit.file] == nil { before[edit.file] = bytes(edit.file) }
            let fits = finding.fix.allSatisfy { edit in
                guard let text = before[edit.file], edit.range.upperBound <= text.count else { return false }
                return !(edits[edit.file] ?? []).contains { $0.overlaps(edit) }
            }
            guard fits else { continue }
            // Two findings can ask for the same line, an import for example.
            for edit in finding.fix where edits[edit.file]?.contains(edit) != true {
                edits[edit.file, default: []].append(edit)
            }
            taken.append(index)
        }
        for (file, edits) in edits {
            guard var text = before[file] else { continue }
            let inOrder = edits.enumerated().sorted {
                ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
            }
            for (_, edit) in inOrder { text.replaceSubrange(edit.range, with: edit.text.utf8) }
            texts[file] = text
        }
        before = before.filter { texts[$0.key] != nil }
    }

    /// Unified, file by file.
    package var diff: String {
        texts.sorted { $0.key < $1.key }.map { file, text in
            UnifiedDiff.text(file, before[file] ?? [], text)
        }.joined()
    }
}

extension Finding {
    /// The finding with changes that are exact; without any where one doesn't fit the content of the file.
    package func settled(_ bytes: (String) -> [UInt8]?) -> Finding {
        guard fix.contains(where: { $0.reach != .exact }) else { return self }
        var settled = self
        settled.fix = fix.compactMap { edit in bytes(edit.file).flatMap { edit.settled(in: $0) } }
        if settled.fix.count < fix.count { settled.fix = [] }
        return settled
    }
}

extension Edit {
    fileprivate func settled(in text: [UInt8]) -> Edit? {
        guard range.lowerBound >= 0, range.upperBound <= text.count else { return nil }
        var (start, end) = (range.lowerBound, range.upperBound)
        func skip(_ bytes: String) { while end < text.count, bytes.utf8.contains(text[end]) { end += 1 } }
        func back(_ bytes: String) { while start > 0, bytes.utf8.contains(text[start - 1]) { start -= 1 } }
        func take(_ byte: Unicode.Scalar) -> Bool {
            guard start > 0, text[start - 1] == UInt8(ascii: byte) else { return false }
            start -= 1
            return true
        }
        if reach != .exact { skip("!?") }
        let whole = start..<end
        skip(" \t")
        back(" \t")
        // What an operand stands between: brackets, commas, `+`, the ends of lines.
        let (before, behind) = (start > 0 ? text[start - 1] : 0x0A, end < text.count ? text[end] : 0x0A)
        let fits = "(,+:\n".utf8.contains(before) && "),+\n\r".utf8.contains(behind)
        switch reach {
        case .exact: return self
        case .operand: return fits ? Edit(file: file, range: whole, text: self.text) : nil
        case .behind: return fits ? Edit(file: file, range: whole.upperBound..<whole.upperBound, text: self.text) : nil
        case .interpolation:
            guard behind == UInt8(ascii: ")"), take("(") else { return nil }
            back("#")
            return take("\\") ? Edit(file: file, range: start..<end + 1, text: self.text) : nil
        }
    }

    fileprivate func overlaps(_ other: Edit) -> Bool {
        if self == other { return false }
        if range.isEmpty || other.range.isEmpty {
            // Two texts put in at one place follow each other; one inside a replaced range does not.
            let (point, area) = range.isEmpty ? (range.lowerBound, other.range) : (other.range.lowerBound, range)
            return area.lowerBound < point && point < area.upperBound
        }
        return range.overlaps(other.range)
    }
}

/// The difference of two texts as `diff -u` writes it.
enum UnifiedDiff {
    private static let context = 3

    static func text(_ file: String, _ before: [UInt8], _ after: [UInt8]) -> String {
        let old = lines(before)
        let new = lines(after)
        let difference = new.difference(from: old)
        guard !difference.isEmpty else { return "" }
        var removed = Set<Int>()
        var added = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        let rows = rows(old, new, removed, added)
        var result = "--- a/\(file.printable)\n+++ b/\(file.printable)\n"
        var start = 0
        while let changed = rows[start...].firstIndex(where: { $0.mark != " " }) {
            let begin = max(start, changed - context)
            var end = changed
            // Changes with at most twice the context between them share a hunk.
            while let next = rows[(end + 1)...].firstIndex(where: { $0.mark != " " }), next - end <= 2 * context {
                end = next
            }
            let stop = min(rows.count, end + 1 + context)
            result += hunk(rows[begin..<stop])
            start = stop
        }
        return result
    }

    private struct Row {
        var mark: Character
        var text: String
        var old: Int
        var new: Int
    }

    private static func rows(_ old: [String], _ new: [String], _ removed: Set<Int>, _ added: Set<Int>) -> [Row] {
        var rows: [Row] = []
        var i = 0
        var j = 0
        while i < old.count || j < new.count {
            if i < old.count, removed.contains(i) {
                rows.append(Row(mark: "-", text: old[i], old: i, new: j))
                i += 1
            } else if j < new.count, added.contains(j) {
                rows.append(Row(mark: "+", text: new[j], old: i, new: j))
                j += 1
            } else {
                if i < old.count { rows.append(Row(mark: " ", text: old[i], old: i, new: j)) }
                i += 1
                j += 1
            }
        }
        return rows
    }

    private static func hunk(_ rows: ArraySlice<Row>) -> String {
        guard let first = rows.first else { return "" }
        let old = rows.count { $0.mark != "+" }
        let new = rows.count { $0.mark != "-" }
        let begin = { (line: Int, count: Int) in count == 0 ? line : line + 1 }
        return "@@ -\(begin(first.old, old)),\(old) +\(begin(first.new, new)),\(new) @@\n"
            + rows.map { "\($0.mark)\($0.text)\n" }.joined()
    }

    private static func lines(_ text: [UInt8]) -> [String] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
