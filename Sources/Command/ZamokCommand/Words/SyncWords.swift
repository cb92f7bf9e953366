// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The words of `zamok sync` for shell completion, which doesn't start the program that knows them. Scripts/try-sync
/// compares them with its help.
enum SyncWords {
    /// Each word with the words that may follow it.
    private static let words: [String: [String]] = [
        "create": ["--name"], "join": ["--name", "--wait", "--ticket"], "approve": ["--wait"],
        "now": ["--if-changed"], "auto": ["on", "off", "status", "--print"], "watch": [], "status": [],
        "devices": [], "remove": ["--rotate", "--keep-codes"], "ticket": ["--machines"], "tickets": ["--end"],
        "preferences": ["add", "remove", "list", "--all"], "recovery-code": ["--end", "--shares", "--needs"],
        "recover": ["--name"],
        "restart": ["--lost"], "conflicts": ["--secret"],
        "history": ["--secret"],
        "head": [], "leave": ["--here"], "share": [],
    ]
    private static let share: [String: [String]] = [
        "create": ["--engine", "--as"], "invite": ["--as", "--role", "--wait"],
        "accept": ["--from", "--engine", "--wait"],
        "move": [], "copy": [], "sync": [], "list": [], "members": [], "status": [], "role": [], "remove": [],
        "leave": ["--here"],
    ]
    private static let common = ["--user", "--passcode-file", "--json"]

    /// The arguments of `zamok`, with options before sync's own subcommand moved after it, where that program accepts
    /// them. The option for the user must not get lost.
    static func ordered(_ words: [String]) -> [String] {
        var rest = words[...]
        var options = takeOptions(&rest)
        guard let command = rest.first, command == "sync" || command == "share" else { return words }
        rest = rest.dropFirst()
        options += takeOptions(&rest)
        guard let subcommand = rest.popFirst() else { return words }
        return [command, subcommand] + options + rest
    }

    private static func takeOptions(_ rest: inout ArraySlice<String>) -> [String] {
        var options: [String] = []
        while let word = rest.first {
            let name = word.prefix { $0 != "=" }
            guard name == "--user" || name == "--passcode-file" else { break }
            let count = name == word ? 2 : 1
            options += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return options
    }

    static let completion = CompletionKind.custom { (line: [String], place: Int, part: String) in
        completions(line, place, part, after: "sync", words)
    }

    static let shareCompletion = CompletionKind.custom { (line: [String], place: Int, part: String) in
        completions(line, place, part, after: "share", share)
    }

    private static func completions(
        _ line: [String], _ place: Int, _ part: String, after command: String, _ words: [String: [String]]
    ) -> [String] {
        guard let start = line.firstIndex(of: command), place > start else { return [] }
        guard place > start + 1, let more = words[line[start + 1]] else {
            return words.keys.filter { $0.hasPrefix(part) }.sorted()
        }
        return (more + common).filter { $0.hasPrefix(part) }
    }
}
