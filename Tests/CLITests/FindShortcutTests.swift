// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains
import Testing

@testable import ZamokCommand

/// The quick reader of `zamok keychain find` and the general parser mean the same.
@Suite struct FindShortcutTests {
    /// All that a search consists of, as text.
    private static func described(_ items: SelectedItems, _ choice: HomeChoice, _ value: Bool, _ json: Bool) -> String {
        let records = items.records.map { record in
            "\(record.itemClass.name) "
                + ItemField.allCases.compactMap { field in record[field].map { "\(field.name)=\($0)" } }.joined(
                    separator: " ")
        }
        return "\(records) \(choice) \(value) \(json) \(items.reference == nil)"
    }

    @Test(arguments: [
        ["--service", "a"], ["--service", "a", "--account", "b"], ["--account", "b", "-w"], ["-w", "--account", "b"],
        ["--server", "h", "--port", "443", "--value"], ["--label", "l", "--json"],
        ["--group", "g", "--json", "--value"],
        ["--service", "with space \"and\" = signs", "-w"], ["--service", "ä🔐", "--account", "\n"],
        ["--service", "a", "--passcode-file", "p"], ["--port", "443"], ["--service", "find"],
        ["--account", "keychain"],
    ]) func `plain arguments mean what the parser reads`(_ arguments: [String]) throws {
        let words = ["keychain", "find"] + arguments
        let quick = try #require(FindShortcut(words[...]))
        let find = try #require(try RootCommand.parseAsRoot(words) as? KeychainFind)
        #expect(
            Self.described(quick.items, quick.choice, quick.wantsValue, quick.wantsJSON)
                == Self.described(try find.selection.items(), find.global.choice, find.value, find.json)
        )
    }

    @Test(arguments: [
        [], ["-w"], ["--json"], ["--service"], ["--service", ""], ["--service", "-x"], ["--service", "--json"],
        ["--service", "a", "--service", "b"], ["--service=a"], ["--service", "a", "b"], ["--service", "a", "--help"],
        ["-w", "-w", "--service", "a"], ["--service", "a", "--server", "h"], ["--server", "h", "--port", "x"],
        ["--", "a"],
        ["--class", "genp", "--service", "a"], ["--user", "u", "--service", "a"], ["--attributes-from", "-"],
        ["--reference", "67656e70000102030405060708090a0b0c0d0e0f"], ["-wx", "--service", "a"],
        ["--passcode-file", "p"],
    ]) func `text that is not plain is left to the parser`(_ arguments: [String]) {
        #expect(FindShortcut((["keychain", "find"] + arguments)[...]) == nil)
    }

    @Test(arguments: [
        [], ["keychain"], ["keychain", "list", "--service", "a"], ["find", "--service", "a"], ["--user", "u"],
    ])
    func `other commands are left to the parser`(_ arguments: [String]) {
        #expect(FindShortcut(arguments[...]) == nil)
    }
}
