// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Readers

/// Suggestions for a word that is not a subcommand.
enum NearMisses {
    /// The first word that names no subcommand, with similar ones; nil: all words do, or no subcommand is
    /// expected there.
    static func unknown(_ words: [String]) -> (path: String, word: String, near: [String])? {
        var command: any ParsableCommand.Type = RootCommand.self
        var path = "zamok"
        var rest = words[...]
        while !command.configuration.subcommands.isEmpty, let word = rest.popFirst() {
            if ["--user", "--passcode-file"].contains(word) {
                _ = rest.popFirst()
                continue
            }
            // The word after this option names a shell.
            guard word != "--generate-completion-script" else { return nil }
            // The word after an unknown option may be its value, and a secret.
            guard !word.hasPrefix("-") else { return nil }
            let subcommands = command.configuration.subcommands
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                return (path, word, near(word, subcommands.map { $0._commandName }))
            }
            command = next
            path += " \(word)"
        }
        return nil
    }

    /// One line for a word that is not a subcommand.
    static func text(_ miss: (path: String, word: String, near: [String])) -> String {
        guard miss.path != "zamok" || miss.word != "tour" else {
            return "the tour is no part of this program; it is played where the sources are, by: ./zamok tour"
        }
        let meant =
            miss.near.isEmpty ? "" : "; did you mean: \(miss.near.map { "\(miss.path) \($0)" }.joined(separator: ", "))"
        return
            "there is no \(miss.path) \(miss.word.printable)\(meant) (See '\(miss.path) --help' for more information.)"
    }

    /// The parser's message about an unknown option, without a suggestion that is not similar.
    static func plausible(_ message: String) -> String {
        guard !message.hasPrefix("Unknown option '--nobody'") else {
            return "Unknown option '--nobody'; the root home, which belongs to no user, is --user -"
        }
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[2].hasSuffix("Did you mean ") else { return message }
        let (word, meant) = (parts[1].drop { $0 == "-" }, parts[3].drop { $0 == "-" })
        guard distance(Array(word), Array(meant)) > max(1, min(word.count, meant.count) / 3) else { return message }
        return "\(parts[0])'\(parts[1])'."
    }

    /// The parser's message without words that may be secrets: a superfluous argument often is one, and so may be an
    /// unknown option.
    static func unechoed(_ message: String, _ words: [String]) -> String {
        if let option = message.firstMatch(of: /is invalid for '(?:--?[a-z], )?(--[a-z-]+)/)?.1,
            let form = ["--for": "45s, 15m, 12h or 7d", "--expires": "2027-01-31, 2027-01-31T12:00:00Z, 90d or never"][
                option]
        {
            return "\(message.hasSuffix(".") ? String(message.dropLast()) : message); it is written as \(form)"
        }
        let hint = "; a secret is never an argument: it comes from standard input or from a prompt"
        if message.contains(/^[0-9]+ unexpected arguments: '/) {
            return "\(message.prefix { $0 != " " }) arguments are too many" + hint
        }
        let begins = ["Unexpected argument '", "Unknown option '"]
        guard let begin = begins.first(where: message.hasPrefix) else { return message }
        let rest = message.dropFirst(begin.count)
        guard let end = begin == begins[0] ? rest.lastIndex(of: "'") : rest.firstIndex(of: "'") else { return message }
        let word = rest[..<end]
        let isOption = word.wholeMatch(of: /--[a-z][a-z-]{1,30}|-[a-zA-Z]/) != nil
        guard begin == begins[0] || !isOption else { return message }
        let place = words.firstIndex { $0 == word || $0.hasPrefix("\(word)=") }.map { " \($0 + 1)" } ?? ""
        return begin == begins[0]
            ? "argument\(place) is one too many" + hint : "argument\(place) is no option that there is" + hint
    }

    /// Words of the list that are similar to `word`, or synonyms.
    private static func near(_ word: String, _ words: [String]) -> [String] {
        let same = synonyms.first { $0.contains(word) }.map { $0.filter(words.contains) } ?? []
        guard same.isEmpty else { return same }
        return words.filter {
            !destroying.contains($0) && distance(Array(word), Array($0)) <= max(1, min(word.count, $0.count) / 3)
        }
    }

    /// Destructive commands, which are suggested only for a synonym of another tool. `erase` and `clear` are
    /// never suggested.
    private static let destroying: Set = ["erase", "remove", "rm", "delete", "clear"]

    /// The names that other tools use.
    private static let synonyms = [
        ["find", "get", "show", "search", "read", "lookup", "cat"],
        ["add", "set", "put", "store", "create", "new", "insert"],
        ["delete", "remove", "rm", "del"], ["list", "ls", "all"], ["update", "edit", "replace"],
        ["open", "unprotect", "decrypt", "unseal"], ["protect", "encrypt", "seal"], ["verify", "check", "validate"],
        ["import", "load", "restore"], ["export", "dump", "save", "backup"], ["status", "info", "state"],
        ["rename", "mv", "move"], ["reclassify", "chclass"], ["switch", "use", "select", "login"],
    ]

    /// The number of changed, added, omitted or transposed letters.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var line = [i + 1]
            for j in right.indices {
                var best = min(line[j] + 1, last[j + 1] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, before[j - 1] + 1)
                }
                line.append(best)
            }
            (before, last) = (last, line)
        }
        return last[right.count]
    }
}
