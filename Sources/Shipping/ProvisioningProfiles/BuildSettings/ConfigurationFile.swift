// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// Reads .xcconfig files: assignments, `#include` and `#include?`, and comments from `//` to the end of the line.
///
/// A line that Xcode would reject becomes a finding. The rest of the file still counts.
struct ConfigurationFile {
    private static let maximumInclusions = 256
    private static let maximumSize = 1 << 20
    /// For all included files; a file counts as often as it is included.
    private static let maximumTotal = 4 << 20

    private(set) var level = SettingsLevel()
    private(set) var findings: [Finding] = []
    /// The file and each path at which an include was looked for, also of optional and missing ones. A path may occur
    /// several times.
    private(set) var files: [String] = []
    /// The required files that are missing: what they would set is unknown.
    private(set) var missingFiles: [String] = []
    /// Lines that assign nothing.
    private var oddLines = 0
    private static let shownOddLines = 100
    private var inclusions = 0
    private var total = 0
    /// The files being read, each included by the one before.
    private var open: [String] = []
    /// Paths that were looked for in vain: each lookup may list a folder.
    private var absent: Set<String> = []

    /// - Throws: ``ProfileError`` with code `buildSettings`, `tooLarge` or `io`.
    init(contentsOf path: String, _ budget: inout DerivationBudget) throws(ProfileError) {
        try add(PathText(path).standardizingPath, &budget)
        guard oddLines > Self.shownOddLines else { return }
        let more = oddLines - Self.shownOddLines
        findings.append(Finding(.settingsLine, Finding.Location(path), "\(more) more lines assign nothing"))
    }

    private mutating func add(_ path: String, _ budget: inout DerivationBudget) throws(ProfileError) {
        inclusions += 1
        files.append(path)
        guard inclusions <= Self.maximumInclusions else {
            throw ProfileError(.tooLarge, "more than \(Self.maximumInclusions) .xcconfig files include each other")
        }
        let bytes = try FileBytes(path).readAll(limit: Self.maximumSize, "an .xcconfig file")
        total += bytes.count
        guard total <= Self.maximumTotal else {
            throw ProfileError(.tooLarge, "the .xcconfig files that include each other have more than 4 MiB")
        }
        guard let text = String(validUTF8: bytes) else {
            throw ProfileError(.buildSettings, "\(path) is not UTF-8")
        }
        open.append(path)
        var lines = Lines(text)
        while let line = lines.next() {
            try budget.takeOfProject(steps: 1 + line.utf8.count / 64)
            let code = Self.code(line)
            if code.hasPrefix("#") {
                // Two slashes in the quoted path don't begin a comment.
                try include(line.trimmingCharacters(in: .whitespaces), &budget)
            } else if !code.isEmpty {
                assign(code, &lines)
            }
        }
        open.removeLast()
    }

    /// The lines of a text one by one, without a byte order mark.
    private struct Lines {
        private var rest: Substring?

        init(_ text: String) {
            rest = text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
        }

        mutating func next() -> Substring? {
            guard let text = rest else { return nil }
            let end = text.firstIndex { ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"].contains($0) }
            rest = end.map { text[text.index(after: $0)...] }
            return end.map { text[..<$0] } ?? text
        }
    }

    /// A line without its comment and the surrounding spaces.
    private static func code(_ line: Substring) -> String {
        (line.range(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(in: .whitespaces)
    }

    // MARK: Assignments

    private mutating func assign(_ code: String, _ lines: inout Lines) {
        guard let equals = Self.assignment(in: code) else { return addLine(code) }
        let key = code[..<equals].trimmingCharacters(in: .whitespaces)
        var pieces: [String] = []
        var piece = Self.withoutSemicolon(code[code.index(after: equals)...].trimmingCharacters(in: .whitespaces))
        // A backslash at the end continues the line.
        while piece.hasSuffix("\\") {
            pieces.append(piece.dropLast().trimmingCharacters(in: .whitespaces))
            piece = lines.next().map { Self.withoutSemicolon(Self.code($0)) } ?? ""
        }
        pieces.append(piece)
        let value = pieces.filter { !$0.isEmpty }.joined(separator: " ")
        guard let setting = SettingsLevel.Setting(key: key, value: value) else { return addLine(code) }
        level.settings.append(setting)
    }

    private static func withoutSemicolon(_ value: String) -> String {
        value.hasSuffix(";") ? value.dropLast().trimmingCharacters(in: .whitespaces) : value
    }

    /// The `=` that assigns, outside a condition's brackets.
    private static func assignment(in code: String) -> String.Index? {
        var depth = 0
        for index in code.indices {
            switch code[index] {
            case "[": depth += 1
            case "]": depth -= 1
            case "=" where depth == 0: return index
            default: break
            }
        }
        return nil
    }

    private mutating func addLine(_ code: String) {
        oddLines += 1
        guard oddLines <= Self.shownOddLines else { return }
        // Cut by code points: a single character can have any number of combining marks.
        let shown = code.utf8.count > 60 ? String(code.unicodeScalars.prefix(60)) + "..." : code
        findings.append(Finding(.settingsLine, Finding.Location(open.last ?? ""), "\"\(shown)\" assigns nothing"))
    }

    // MARK: Including

    private mutating func include(_ code: String, _ budget: inout DerivationBudget) throws(ProfileError) {
        let quoted = code.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        let word = quoted[0].dropFirst().drop(while: \.isWhitespace)
        let isOptional = word.hasPrefix("include?")
        guard quoted.count == 3, ["include", "include?"].contains(word.trimmingCharacters(in: .whitespaces)),
            word.last?.isWhitespace == true, Self.code(quoted[2]).isEmpty
        else { return addLine(Self.code(code[...])) }
        let name = String(quoted[1])
        // One of Xcode's own files, which is on every Mac and sets nothing about signing.
        guard !name.hasPrefix("<DEVELOPER_DIR>/") else { return }
        // Looking for a file takes some thousand times as long as reading a line.
        try budget.takeOfProject(
            steps: 2000 * open.count, bytes: 2 * open.reduce(0) { $0 + $1.utf8.count + name.utf8.count + 16 })
        let places = places(of: name)
        files += places
        var place: FileLookup?
        for path in places where place == nil && !absent.contains(path) {
            place = FileLookup(path)
            if place == nil { absent.insert(path) }
        }
        guard let found = place else {
            guard !isOptional else { return }
            missingFiles.append(name)
            findings.append(
                Finding(
                    .settingsFileMissing, Finding.Location(open.last ?? ""), "it includes \(name), which is not there")
            )
            return
        }
        if found.isOtherwiseSpelled {
            findings.append(
                Finding(
                    .settingsFileCase, Finding.Location(open.last ?? ""), "it includes \(name), which is \(found.path)")
            )
        }
        // Xcode skips an include that would form a cycle.
        if !open.contains(found.path) { try add(found.path, &budget) }
    }

    /// The candidate paths: beside each of the files that led here, innermost first. A name without an extension is
    /// also tried with one.
    private func places(of name: String) -> [String] {
        let names = PathText(name).pathExtension.isEmpty ? [name, "\(name).xcconfig"] : [name]
        if name.hasPrefix("/") { return names }
        return open.reversed().flatMap { file in
            let folder = PathText(file).deletingLastPathComponent
            return names.map { "\(folder.isEmpty ? "." : folder)/\($0)" }
        }
    }
}

/// The location of a file. Most Macs ignore case in file names, so a project made on one may mix cases.
struct FileLookup {
    let path: String
    /// Whether a name in the path is spelled differently from the requested one.
    let isOtherwiseSpelled: Bool

    /// Nil if nothing is there in any spelling.
    init?(_ path: String) {
        // Longer paths name no file, and each of their parts would be looked up.
        guard path.utf8.count < 4096 else { return nil }
        let path = PathText(path).standardizingPath
        if isFolder(path) != nil {
            self.path = path
            isOtherwiseSpelled = false
            return
        }
        var found = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            let next = found + component
            if component == ".." || isFolder(next) != nil {
                found = "\(next)/"
                continue
            }
            let names = ProfileFolders.names(in: found.isEmpty ? "." : found) ?? []
            guard let name = names.first(where: { $0.lowercased() == component.lowercased() }) else { return nil }
            found += "\(name)/"
        }
        self.path = String(found.dropLast())
        isOtherwiseSpelled = true
    }
}
