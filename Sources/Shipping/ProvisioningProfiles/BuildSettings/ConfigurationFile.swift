// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads .xcconfig files: assignments, `#include` and `#include?`, and comments from `//` to the end of the line.
struct ConfigurationFile {
    private static let maximumFiles = 64
    private static let maximumSize = 1 << 20

    private var read: Set<String> = []
    private var level = SettingsLevel()

    /// - Throws: ``ProfileError`` with code `buildSettings`, `tooLarge` or `io`.
    static func level(at path: String) throws(ProfileError) -> SettingsLevel {
        var file = ConfigurationFile()
        try file.add((path as NSString).standardizingPath)
        return file.level
    }

    private mutating func add(_ path: String) throws(ProfileError) {
        // A file that includes itself, over others or not, adds nothing new the second time.
        guard read.insert(path).inserted else { return }
        guard read.count <= Self.maximumFiles else {
            throw ProfileError(.tooLarge, "more than \(Self.maximumFiles) .xcconfig files include each other")
        }
        let bytes = try FileBytes(path).readAll(limit: Self.maximumSize, "an .xcconfig file")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProfileError(.buildSettings, "\(path) is not UTF-8")
        }
        for line in text.split(whereSeparator: \.isNewline) { try add(line: line, of: path) }
    }

    private mutating func add(line: Substring, of path: String) throws(ProfileError) {
        let code = (line.range(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(in: .whitespaces)
        if code.hasPrefix("#include") {
            let quoted = code.split(separator: "\"", omittingEmptySubsequences: false)
            guard quoted.count == 3 else {
                throw ProfileError(.buildSettings, "\(path) has an #include without a file")
            }
            let folder = (path as NSString).deletingLastPathComponent
            let included = String(quoted[1])
            let target = included.hasPrefix("/") ? included : "\(folder.isEmpty ? "." : folder)/\(included)"
            let isOptional = code.hasPrefix("#include?")
            if isOptional, isFolder(target) == nil { return }
            try add((target as NSString).standardizingPath)
        } else if let equals = Self.assignment(in: code) {
            level.settings.append(
                .init(
                    key: code[..<equals].trimmingCharacters(in: .whitespaces),
                    value: code[code.index(after: equals)...].trimmingCharacters(in: .whitespaces)))
        } else if !code.isEmpty {
            throw ProfileError(.buildSettings, "\(path) has a line that is no setting")
        }
    }

    /// The `=` that assigns, which is not inside a condition's brackets.
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
}
