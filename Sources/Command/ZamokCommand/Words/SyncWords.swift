// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The words of `zamok sync` that a shell offers: the program that knows them is not started for it. Scripts/try-sync compares them with its help.
enum SyncWords {
    /// Each word with what may follow it.
    private static let words: [String: [String]] = [
        "create": ["--name"], "join": ["--name", "--wait", "--ticket"], "approve": ["--wait"],
        "now": ["--if-changed"], "auto": ["on", "off", "status", "--print"], "watch": [], "status": [],
        "devices": [], "remove": ["--rotate"], "ticket": ["--machines"], "tickets": ["--end"],
        "recovery-code": ["--end"], "recover": ["--name"], "restart": [], "conflicts": ["--secret"],
        "history": ["--secret"],
        "head": [], "leave": ["--here"],
    ]
    private static let common = ["--user", "--passcode-file", "--json"]

    static let completion = CompletionKind.custom { (line: [String], place: Int, part: String) in
        guard let start = line.firstIndex(of: "sync"), place > start else { return [] }
        guard place > start + 1, let more = words[line[start + 1]] else {
            return words.keys.filter { $0.hasPrefix(part) }.sorted()
        }
        return (more + common).filter { $0.hasPrefix(part) }
    }
}
