// SPDX-License-Identifier: Apache-2.0

/// A comment `zamok:allow(rule) reason`: on the line of a finding, on the lines right above it, or, as `zamok:allow-file(rule) reason`, anywhere in
/// the file.
package struct Allowance: Hashable, Sendable {
    package var rules: [String]
    package var reason: String
    package var line: Int
    package var isForFile: Bool
    /// Nothing but the comment is in the line, so it speaks of the next one.
    package var standsAlone: Bool
}

package enum Allowances {
    package static let word = "zamok:allow"
    private static let comments = ["//", "/*", "<!--", "#", "*"]

    /// Those in a file, in order.
    package static func read(_ lines: [Substring]) -> [Allowance] {
        lines.enumerated().compactMap { index, line in
            line.utf8.count > word.utf8.count ? read(line, number: index + 1) : nil
        }
    }

    private static func read(_ line: Substring, number: Int) -> Allowance? {
        guard let range = line.firstRange(of: word) else { return nil }
        let before = line[..<range.lowerBound]
        // In a text it is no comment.
        guard let comment = comments.compactMap({ before.firstRange(of: $0)?.lowerBound }).min() else { return nil }
        var rest = line[range.upperBound...]
        let isForFile = rest.hasPrefix("-file")
        if isForFile { rest = rest.dropFirst(5) }
        guard rest.first == "(", let end = rest.firstIndex(of: ")") else { return nil }
        let rules = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",").map { $0.trimmed }
        var reason = rest[rest.index(after: end)...].trimmed
        for mark in ["-->", "*/"] where reason.hasSuffix(mark) { reason = reason.dropLast(mark.count).trimmed }
        for mark in [":", "-", "–", "—"] where reason.hasPrefix(mark) { reason = reason.dropFirst(mark.count).trimmed }
        // What shows nothing gives no reason.
        if !reason.contains(where: { $0.isLetter || $0.isNumber }) { reason = "" }
        return Allowance(
            rules: rules, reason: reason, line: number, isForFile: isForFile,
            standsAlone: before[..<comment].allSatisfy(\.isWhitespace))
    }

    /// Marks what is allowed; returns what is to be said of allowances that do nothing.
    /// - Parameter texts: the lines of a file on which the word stands in a text, where it is no comment.
    package static func mark(
        _ findings: inout [ToldFinding], files: [String], texts: (String) -> Set<Int>, category: (String) -> String,
        _ sources: inout SourceLines
    ) -> [String] {
        var byFile: [String: [Int]] = [:]
        for index in findings.indices { byFile[findings[index].finding.place.file, default: []].append(index) }
        var remarks: [String] = []
        for file in files {
            let lines = sources.lines(of: file)
            let texts = texts(file)
            let allowances = read(lines).filter { !texts.contains($0.line) }
            guard !allowances.isEmpty else { continue }
            let byLine = Dictionary(grouping: byFile[file] ?? []) { findings[$0].finding.place.line }
            let targets = Self.targets(of: allowances, lines)
            // Whether a comment for the whole file has met something, by its rules: a second one does no more.
            var done: [[String]: Bool] = [:]
            for (allowance, target) in zip(allowances, targets) {
                let where_ = "\(file):\(allowance.line)"
                guard !allowance.reason.isEmpty else {
                    remarks.append(
                        "\(where_): zamok:allow without a reason allows nothing; write why behind the bracket")
                    continue
                }
                let known = allowance.isForFile ? done[allowance.rules] : nil
                let near = known != nil ? [] : allowance.isForFile ? byFile[file] : byLine[target]
                let met = (near ?? []).filter { index in
                    let rule = findings[index].finding.rule
                    return allowance.rules.contains { $0 == rule || $0 == category(rule) }
                }
                for index in met where findings[index].standing == .open {
                    findings[index].standing = .allowed
                    findings[index].reason = allowance.reason
                }
                let isMet = known ?? !met.isEmpty
                if allowance.isForFile { done[allowance.rules] = isMet }
                if !isMet {
                    remarks.append("\(where_): zamok:allow(\(allowance.rules.joined(separator: ", "))) allows nothing")
                }
            }
        }
        return remarks
    }

    /// The lines that allowances, given in order, speak of: each its own, or the next that is no comment.
    private static func targets(of allowances: [Allowance], _ lines: [Substring]) -> [Int] {
        var last: (line: Int, target: Int)?
        return allowances.reversed().map { allowance in
            guard allowance.standsAlone else { return allowance.line }
            var number = allowance.line + 1
            while number <= lines.count, isComment(lines[number - 1]) {
                // Of a row of them, all speak of what the last does.
                if let last, last.line == number {
                    number = last.target
                    break
                }
                number += 1
            }
            last = (allowance.line, number)
            return number
        }.reversed()
    }

    private static func isComment(_ line: Substring) -> Bool {
        let line = line.trimmed
        return line.isEmpty || line.hasPrefix("//") || (line.hasPrefix("<!--") && line.hasSuffix("-->"))
    }
}

extension Substring {
    var trimmed: String {
        var rest = self
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}

extension String {
    var trimmed: String { self[...].trimmed }
}
