// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// A change to another program's configuration that makes it use the keychain.
/// Added lines are enclosed in two marker lines, by which they are found again.
/// A JSON object, which allows no comments, gets one member.
package enum ConfigurationChange: Sendable {
    /// Lines in a section of their own, or at the top of the existing section.
    /// `owned`: names that must not be set elsewhere in it.
    case lines(tool: String, section: String, [String], owned: [String], sectionMayRepeat: Bool)
    /// Lines before all others, for programs that use the first match.
    /// `owned`: words, in lower case, that no other line may begin with.
    case top(tool: String, [String], owned: [String])
    /// A member of the JSON object, and its value.
    case member(String, String)

    /// The reason why a text can't be changed.
    package struct Refusal: Error {
        package let reason: String
    }

    /// The text with the change. A text that already has the change is returned unchanged.
    package func applied(to text: String) throws -> String {
        switch self {
        case .member(let name, let value):
            var object = try Self.object(text)
            guard object[name]?.text != value else { return text }
            if let other = object[name] {
                throw Refusal(reason: "\"\(name)\" is set already, to \(other); remove it first")
            }
            object[name] = .text(value)
            return try JSONMembers(text)?.adding(name, value) ?? Self.text(object)
        case .top(let tool, let lines, let owned):
            let (all, lineEnd) = Self.lines(of: text)
            let (begin, end) = Self.marks(tool)
            if let first = all.firstIndex(of: begin) {
                guard let last = all[first...].firstIndex(of: end) else { throw Self.unended(end) }
                guard Array(all[first...last]) != [begin] + lines + [end] else { return text }
                return try applied(to: try removed(from: text, before: nil))
            }
            if let other = all.first(where: { owned.contains(Self.word($0)) }) {
                throw Refusal(reason: "there is already a line for it: \(other)")
            }
            return ([begin] + lines + [end] + all).joined(separator: lineEnd)
        case .lines(let tool, let section, let lines, let owned, let mayRepeat):
            var (all, lineEnd) = Self.lines(of: text)
            let (begin, end) = Self.marks(tool)
            if all.last == "" { all.removeLast() }
            if let first = all.firstIndex(of: begin) {
                guard let last = all[first...].firstIndex(of: end) else { throw Self.unended(end) }
                let there = Set(all[first...last])
                guard !there.isSuperset(of: lines) else { return text }
                return try applied(to: try removed(from: text, before: nil))
            }
            let place = all.firstIndex { Self.header($0) == section }
            if let place, !mayRepeat {
                let body = all[(place + 1)...].prefix { Self.header($0) == nil }
                if let other = body.first(where: { owned.contains(Self.name($0)) }) {
                    throw Refusal(reason: "[\(section)] has a line of its own: \(other)")
                }
                all.insert(contentsOf: [begin] + lines + [end], at: place + 1)
            } else {
                if let dotted = all.first(where: { line in owned.contains { Self.name(line) == "\(section).\($0)" } }) {
                    throw Refusal(reason: "there is already a line for it: \(dotted)")
                }
                // A table that is already written in another form can't be defined again.
                if !mayRepeat, let other = all.first(where: { Self.isOtherForm($0, of: section) }) {
                    throw Refusal(reason: "\(section) is written in another way already: \(other)")
                }
                all += [begin, "[\(section)]"] + lines + [end]
            }
            return all.joined(separator: lineEnd) + lineEnd
        }
    }

    /// The lines without their line ends, and the line end. It is CR LF only if every line has it.
    /// Otherwise a line that ends in CR LF keeps its carriage return.
    private static func lines(of text: String) -> (lines: [String], end: String) {
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
        let isReturned = lines.count > 1 && lines.dropLast().allSatisfy { $0.last == 13 }
        return (
            lines.map { String(decoding: isReturned && $0.last == 13 ? $0.dropLast() : $0[...], as: UTF8.self) },
            isReturned ? "\r\n" : "\n"
        )
    }

    /// The text without the change. A text that doesn't have the change is returned unchanged.
    /// `before`: the file's content before the change; nil if there was no file.
    package func removed(from text: String, before: String?) throws -> String {
        switch self {
        case .member(let name, let value):
            var object = try Self.object(text)
            guard object[name]?.text == value else { return text }
            object[name] = nil
            if let before, try Self.isEqual(try Self.object(before), object) { return before }
            guard !object.isEmpty || before != nil else { return "" }
            return try JSONMembers(text)?.removing(name) ?? Self.text(object)
        case .top(let tool, _, _):
            var (all, lineEnd) = Self.lines(of: text)
            let (begin, end) = Self.marks(tool)
            guard let first = all.firstIndex(of: begin) else { return text }
            guard let last = all[first...].firstIndex(of: end) else { throw Self.unended(end) }
            all.removeSubrange(first...last)
            return all.joined(separator: lineEnd)
        case .lines(let tool, let section, let lines, _, _):
            let (begin, end) = Self.marks(tool)
            var (all, lineEnd) = Self.lines(of: text)
            guard let first = all.firstIndex(of: begin) else { return text }
            guard let last = all[first...].firstIndex(of: end) else { throw Self.unended(end) }
            let names = Set(lines.map(Self.name))
            // Lines that others wrote between the markers stay, and then so does their section header.
            let others = all[first...last].dropFirst().dropLast().filter {
                Self.header($0) != section && !names.contains(Self.name($0))
            }
            let headers = all[first...last].filter { Self.header($0) == section }
            all.replaceSubrange(first...last, with: others.isEmpty ? [] : headers + others)
            let left = all.joined(separator: lineEnd)
            // Adding the lines also added a missing line end.
            return before.map { $0 + lineEnd == left } == true ? before ?? "" : left
        }
    }

    private static func unended(_ end: String) -> Refusal {
        Refusal(reason: "the line that ends what was added is missing: \(end)")
    }

    /// The added lines, for display. Shows nothing else of the file, which may contain secrets.
    package var shown: [String] {
        switch self {
        case .lines(_, let section, let lines, _, _):
            ["[\(section)]"] + lines.map { $0.replacingOccurrences(of: "\t", with: "    ") }
        case .top(_, let lines, _): lines
        case .member(let name, let value): ["\"\(name)\": \"\(value)\""]
        }
    }

    private static let beginning = "# begin: zamok setup "

    private static func marks(_ tool: String) -> (begin: String, end: String) {
        ("\(beginning)\(tool)", "# end: zamok setup \(tool)")
    }

    /// The tools whose added lines a text contains.
    package static func tools(in text: String) -> [String] {
        lines(of: text).lines.filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    }

    /// The section that a line begins. Nil: the line is no header.
    private static func header(_ line: String) -> String? {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        return line[line.index(after: line.startIndex)..<end].trimmingCharacters(in: .whitespaces)
    }

    /// Whether a line is `section = {...}`, `section.name = ...` or a header in quotes.
    private static func isOtherForm(_ line: String, of section: String) -> Bool {
        func bare(_ text: String) -> String { text.filter { !"\"' ".contains($0) } }
        let set = bare(name(line))
        return set == section || set.hasPrefix("\(section).") || header(line).map(bare) == bare(section)
    }

    /// The name that a line sets. Empty: it sets none.
    private static func name(_ line: String) -> String {
        guard let equals = line.firstIndex(of: "=") else { return "" }
        return line[..<equals].filter { !"\"'".contains($0) }.trimmingCharacters(in: .whitespaces)
    }

    /// The first word of a line, in lower case.
    private static func word(_ line: String) -> String {
        line.drop { $0 == " " || $0 == "\t" }.prefix { !" \t=\"".contains($0) }.lowercased()
    }

    private static func object(_ text: String) throws -> [String: JSONValue] {
        guard !text.allSatisfy(\.isWhitespace) else { return [:] }
        guard let object = try? JSONDecoder().decode([String: JSONValue].self, from: Data(JSONMarks.escaped(text)))
        else {
            throw Refusal(reason: "it is not a JSON object")
        }
        return object
    }

    private static func text(_ object: [String: JSONValue]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self) + "\n"
    }

    private static func isEqual(_ left: [String: JSONValue], _ right: [String: JSONValue]) throws -> Bool {
        try text(left) == text(right)
    }
}
