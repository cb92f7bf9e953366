// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import Credentials
import Foundation
import Keychains
import Readers
import UserPreferences

/// Values for shell completion, read from the home when the user presses Tab. Nothing is created, unlocked or printed
/// for it.
enum Completions {
    static let users = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? userNames()) ?? [] }
    static let services = CompletionKind.custom { (words: [String], _: Int, _: String) in values(.service, words) }
    static let accounts = CompletionKind.custom { (words: [String], _: Int, _: String) in values(.account, words) }
    static let servers = CompletionKind.custom { (words: [String], _: Int, _: String) in values(.server, words) }
    static let groups = CompletionKind.custom { (words: [String], _: Int, _: String) in values(.group, words) }
    /// Services, and services with their account.
    static let names = CompletionKind.custom { (words: [String], _: Int, _: String) in
        let found = (try? records(words)) ?? []
        return plain(found.map { $0[.service] ?? $0[.server] ?? "" } + ItemName.names(of: found))
    }
    /// Private keys.
    static let keyPairs = CompletionKind.custom { (words: [String], _: Int, _: String) in
        guard let home = try? ChosenHome.open(choice(words)) else { return [] }
        return plain(((try? KeyPairs(Keychain(home: home)).all()) ?? []).map(\.name))
    }
    static let keys = CompletionKind.custom { (words: [String], _: Int, _: String) in
        let isOfDevice = words.contains("--device")
        guard let home = try? ChosenHome.open(choice(words)),
            let store = try? Preferences(home: home, domain: isOfDevice ? .device : .user)
        else { return [] }
        return plain((try? store.dictionaryRepresentation().map(\.key)) ?? [])
    }
    /// The programs on `PATH`; after the first word, files.
    static let programs = CompletionKind.custom { (words: [String], place: Int, part: String) in
        guard let end = words.firstIndex(of: "--"), place == end + 1, !part.contains("/") else {
            return files(part)
        }
        let folders = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
        return plain(
            folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
                .filter { $0.hasPrefix(part) })
    }
    /// Foundation's names, as build settings use them.
    static let dataProtection = [
        "NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen",
        "NSFileProtectionCompleteUntilFirstUserAuthentication", "NSFileProtectionNone",
    ]

    private static func userNames() throws -> [String] {
        plain(try UserDirectory(root: try ChosenHome.openRoot(.automatic, HomeChoice().reading)).users().map(\.name))
    }

    /// The home choice of the command line so far.
    private static func choice(_ words: [String]) -> HomeChoice {
        HomeChoice(user: value(behind: ["--user"], words), makesHome: false)
    }

    private static func records(_ words: [String]) throws -> [ItemRecord] {
        let keychain = Keychain(home: try ChosenHome.open(choice(words)))
        return try [ItemClass.genericPassword, .internetPassword].flatMap {
            try keychain.records(matching: ItemRecord($0))
        }
    }

    /// The values of a field; accounts only of the service on the command line, if there is one.
    private static func values(_ field: ItemField, _ words: [String]) -> [String] {
        let place = field == .account ? value(behind: ["-s", "--service", "--server"], words) : nil
        let found = ((try? records(words)) ?? []).filter { record in
            place.map { record[.service] == $0 || record[.server] == $0 } ?? true
        }
        return plain(found.compactMap { $0[field] })
    }

    private static func value(behind names: [String], _ words: [String]) -> String? {
        words.firstIndex { names.contains($0) }.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }

    private static func files(_ part: String) -> [String] {
        let folder = part.lastIndex(of: "/").map { String(part[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return plain(names.map { folder + $0 }.filter { $0.hasPrefix(part) })
    }

    /// Sorted and without duplicates. Texts that a shell's line can't contain unquoted are omitted.
    private static func plain(_ texts: [String]) -> [String] {
        Set(texts).filter { text in
            !text.isEmpty
                && !text.unicodeScalars.contains {
                    !$0.isPrintable || $0.properties.isWhitespace || "'\"\\$`:".unicodeScalars.contains($0)
                }
        }.sorted()
    }
}

extension Completions {
    /// A completion script, with the topics of `help`, which the parser doesn't know. In bash no offered value is
    /// expanded. `compgen -W`, which the parser generates, would run code in a name (`<(...)` is enough), and names
    /// come from outside.
    static func completed(_ script: String) -> String {
        guard script.hasPrefix("#!/bin/bash") else {
            // `zsh` escapes the `!` of a name only while history expansion is on. Without the escape the completed line
            // would get words of the last one.
            return script.replacing("unsetopt aliases banghist", with: "unsetopt aliases")
        }
        let words = Help.topics.map(\.name) + RootCommand.configuration.subcommands.map { $0._commandName }
        let begin = "_zamok_help() {"
        let end = "    __zamok_offer_flags_options -1\n"
        var script = script
        if let function = script.range(of: begin),
            let line = script[function.upperBound...].range(of: end)
        {
            script.replaceSubrange(
                line, with: end + "    (( COMP_CWORD > 2 )) || __zamok_add_words \(words.joined(separator: " "))\n")
        }
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { unexpanded($0) }
        let functions = script.range(of: "__zamok_add_completions() {") == nil ? "" : adders
        return lines.joined(separator: "\n").replacing(
            "__zamok_add_completions() {", with: functions, maxReplacements: 1)
    }

    /// A line of the script without `compgen -W`.
    private static func unexpanded(_ line: Substring) -> String {
        let line = String(line)
        if let list = line.firstRange(of: "COMPREPLY+=($(compgen -W "), line.hasSuffix(#" -- "${cur}"))"#) {
            // Words from the parser: in single quotes, or arrays of options.
            let words = line[list.upperBound...].dropLast(#" -- "${cur}"))"#.count).dropFirst().dropLast()
            let arrays = words.split(separator: " ").map {
                $0.hasPrefix("$") ? "\"\($0.replacing("[*]", with: "[@]"))\"" : "\($0)"
            }
            return line[..<list.lowerBound] + "__zamok_add_words " + arrays.joined(separator: " ")
        }
        return line.replacing("__zamok_add_completions -W ", with: "__zamok_add_lines ")
    }

    /// The functions that fill the reply, and the head of the parser's own function.
    private static let adders = #"""
        # Each argument that begins with what was typed; none is expanded.
        __zamok_add_words() {
            local word
            for word; do
                [[ -z "${word}" || "${word}" != "${cur}"* ]] || COMPREPLY+=("${word}")
            done
        }

        # The same for each line of a text.
        __zamok_add_lines() {
            local line
            while IFS='' read -r line; do __zamok_add_words "${line}"; done <<<"${1}"
        }

        __zamok_add_completions() {
        """#
}
