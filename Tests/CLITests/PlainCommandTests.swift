// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains
import Testing

@testable import ZamokCommand

/// The reader of the plain forms of `zamok keychain find` and `zamok get`, and the general parser, mean the same.
@Suite struct PlainCommandTests {
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
        guard case .find(let quick) = try #require(PlainCommand(words[...])) else {
            Issue.record("another command")
            return
        }
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
        #expect(PlainCommand((["keychain", "find"] + arguments)[...]) == nil)
    }

    @Test(arguments: [
        ["a"], ["a/b"], ["zamok://a/b"], ["get"], ["a b ä🔐\n"], ["a", "-a", "b"], ["--account", "b", "a"],
        ["-s", "a"], ["--service", "a", "-a", "b"], ["-a", "b", "--service", "a"], ["a", "--passcode-file", "p"],
    ]) func `plain arguments of get mean what the parser reads`(_ arguments: [String]) throws {
        let words = ["get"] + arguments
        guard case .get(let quick) = try #require(PlainCommand(words[...])) else {
            Issue.record("another command")
            return
        }
        let get = try #require(try RootCommand.parseAsRoot(words) as? GetCommand)
        #expect(!get.copy && get.duration == nil)
        #expect(quick.name == get.name.name && quick.service == get.name.service && quick.account == get.name.account)
        #expect(quick.choice == get.global.choice)
    }

    @Test(arguments: [
        [], [""], ["-x"], ["--"], ["--", "a"], ["a", "b"], ["a", "-s", "b"], ["-a", "b"], ["-sa"], ["--service=a"],
        ["-s", ""], ["-s"], ["-s", "a", "-s", "b"], ["-s", "a", "--service", "b"], ["a", "-a", "-x"],
        ["a", "--copy"], ["a", "--for", "20s"], ["a", "--user", "u"], ["a", "--help"], ["a", "-h"], ["a", "--version"],
    ]) func `text after get that is not plain is left to the parser`(_ arguments: [String]) {
        #expect(PlainCommand((["get"] + arguments)[...]) == nil)
    }

    @Test(arguments: [
        [], ["keychain"], ["keychain", "list", "--service", "a"], ["find", "--service", "a"], ["--user", "u"],
        ["set", "a"], ["--user", "u", "get", "a"],
    ])
    func `other commands are left to the parser`(_ arguments: [String]) {
        #expect(PlainCommand(arguments[...]) == nil)
    }
}
