// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Readers

/// What configurations of git name in the folders of a guest, and git obeys outside: folders of hooks
/// (`core.hooksPath`), and more configuration (`include.path`, `includeIf.path`).
struct GitPlaces {
    /// Real paths, and those of what isn't there yet.
    private(set) var paths: Set<String> = []
    private static let mostFiles = 64
    private static let mostBytes = 1 << 20

    /// `folders`: those to write. `homes`: as in `GuardedFolders`.
    init(_ folders: [String], homes: [String]) {
        let shared = homes.flatMap { ["\($0)/.gitconfig", "\($0)/.config/git/config"] } + ["/etc/gitconfig"]
        var seen: Set<String> = []
        for folder in folders {
            let git = Self.gitFolders(of: folder)
            var waiting = git.flatMap { ["\($0)/config", "\($0)/config.worktree"] } + shared
            while let file = waiting.popLast(), seen.count < Self.mostFiles {
                guard seen.insert(file).inserted, let bytes = Self.content(file) else { continue }
                for setting in GitSetting.all(in: bytes) {
                    let isInclude = setting.name == "path"
                    // Hooks run in the folder; a configuration names others from its own place.
                    let base = isInclude ? PathText(file).deletingLastPathComponent : folder
                    for place in Self.paths(setting.value, base, homes) {
                        if isInclude { waiting.append(place) }
                        if folders.contains(where: { GuardedFolders.isSame(place, orBelow: $0) }) {
                            paths.insert(place)
                        }
                    }
                }
            }
            // The configuration that is common to folders has another meaning in the next one.
            seen.subtract(shared)
        }
    }

    /// What of it lies in a folder, below it.
    func names(in folder: String) -> [String] {
        paths.filter { $0 != folder && GuardedFolders.isSame($0, orBelow: folder) }
            .map { String($0.dropFirst(folder.count + 1)) }.sorted()
    }

    /// What of it is there. Errors: a symbolic link, which can't be kept.
    func protections(in folder: Place) throws -> [Place] {
        try names(in: folder.path).compactMap { name in
            if let place = try GuardedFolders.place(name, in: folder) { return place }
            guard RealPath.of("\(folder.path)/\(name)") == nil else {
                throw CommandFailure.usage(
                    "a folder of \("\(folder.path)/\(name)".printable), which git obeys, is a symbolic link, which can't be kept read-only for programs outside; replace it, or start the guard in another folder"
                )
            }
            return nil
        }
    }

    /// The folders with configurations of a folder: `.git`, what the file `.git` names, and what that one shares.
    private static func gitFolders(of folder: String) -> [String] {
        let isBare = content("\(folder)/HEAD") != nil && RealPath.of("\(folder)/objects") != nil
        var found = ["\(folder)/.git"] + (isBare ? [folder] : [])
        if let text = content("\(folder)/.git").map({ String(decoding: $0, as: UTF8.self) }), text.hasPrefix("gitdir:")
        {
            let named = whole(text.dropFirst(7).trimmingCharacters(in: .whitespacesAndNewlines), folder)
            found.append(named)
            if let common = content("\(named)/commondir") {
                let text = String(decoding: common, as: UTF8.self)
                found.append(whole(text.trimmingCharacters(in: .whitespacesAndNewlines), named))
            }
        }
        return found
    }

    /// Nil: there is no such file, or it is larger than any configuration.
    private static func content(_ path: String) -> [UInt8]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
            return nil
        }
        return FileManager.default.contents(atPath: path).map(Array.init)
    }

    private static func whole(_ path: String, _ base: String) -> String {
        let whole = path.hasPrefix("/") ? path : "\(base)/\(path)"
        return RealPath.of(whole) ?? plain(whole)
    }

    /// Without `.`, `..` and empty parts.
    private static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func paths(_ value: String, _ base: String, _ homes: [String]) -> [String] {
        guard !value.isEmpty else { return [] }
        guard value.hasPrefix("~/") else {
            // By its name, too: a symbolic link there is refused.
            return Array(Set([plain(value.hasPrefix("/") ? value : "\(base)/\(value)"), whole(value, base)]))
        }
        return homes.map { whole(String(value.dropFirst(2)), $0) }
    }
}

/// A setting of git's that names a path.
struct GitSetting: Equatable {
    /// `hookspath` or `path`.
    let name: String
    let value: String

    /// Each `core.hooksPath`, `include.path` and `includeIf.*.path` of a configuration. What git would refuse is passed
    /// over.
    static func all(in bytes: [UInt8]) -> [GitSetting] {
        var found: [GitSetting] = []
        var section = ""
        // A backslash before the end of a line goes on in the next one.
        let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: "\\\n", with: "")
        for line in text.split(separator: "\n") {
            var rest = line.drop { $0 == " " || $0 == "\t" }
            if rest.first == "[", let end = sectionEnd(rest) {
                section = rest[rest.index(after: rest.startIndex)..<end].prefix { $0 != " " && $0 != "\t" && $0 != "." }
                    .lowercased()
                // A setting may follow on the same line.
                rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            }
            guard let equals = rest.firstIndex(of: "=") else { continue }
            let name = rest[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let isWanted =
                section == "core" && name == "hookspath"
                || (section == "include" || section == "includeif") && name == "path"
            guard isWanted else { continue }
            found.append(GitSetting(name: name, value: value(rest[rest.index(after: equals)...])))
        }
        return found
    }

    /// The `]` that ends a section's name, which may have one in quotes.
    private static func sectionEnd(_ line: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        return line.indices.first { place in
            let sign = line[place]
            defer { isEscaped = sign == "\\" && !isEscaped }
            if sign == "\"", !isEscaped { isQuoted.toggle() }
            return sign == "]" && !isQuoted
        }
    }

    /// Without quotes, escapes and comments.
    private static func value(_ text: Substring) -> String {
        var value = ""
        var isQuoted = false
        var signs = text.makeIterator()
        while let sign = signs.next() {
            switch sign {
            case "\"": isQuoted.toggle()
            case "\\":
                guard let next = signs.next() else { break }
                value.append(next == "t" ? "\t" : next == "n" ? "\n" : next)
            case "#" where !isQuoted, ";" where !isQuoted: return value.trimmingCharacters(in: .whitespaces)
            default: value.append(sign)
            }
        }
        return value.trimmingCharacters(in: .whitespaces)
    }
}
