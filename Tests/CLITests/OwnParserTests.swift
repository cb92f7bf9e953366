// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import ZamokCommand

/// What a command's own parser reads is what the parser of all commands reads.
@Suite struct OwnParserTests {
    private static func described(_ command: any ParsableCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }

    @Test func `the arguments of a program go around the parser`() {
        let seen = ProgramArguments.kept(of: ["run", "--env", "A=b/c", "--", "sh", "-c", "--", "x"])
        #expect(seen == ["run", "--env", "A=b/c", "--", "sh"])
        #expect(ProgramArguments.whole(["sh"]) == ["sh", "-c", "--", "x"])
        #expect(ProgramArguments.whole([]) == [])
        for words in [["get", "--", "a", "b"], ["run", "--"], ["guard", "--name", "a", "--", "b"], []] {
            #expect(ProgramArguments.kept(of: words) == words)
        }
    }

    // Rule: the own parser of a command reads what the one of all commands reads | the last word is dropped
    @Test(arguments: [
        ["get", "a/b"], ["get", "a/b", "--user", "Anna"], ["get", "--", "-x"], ["ls"],
        ["ls", "a", "--json"], ["rm", "a/b"], ["generate", "a", "--length", "40"], ["otp", "a"], ["lock"],
        ["lock", "--completely"], ["unlock", "--for", "15m"], ["status", "--json"], ["doctor"],
        ["keychain", "find", "--service", "a", "-w"], ["keychain", "find", "--service=a", "--account", "ä🔐", "--json"],
        ["keychain", "add", "--service", "a", "--account", ""], ["keychain", "list", "--class", "genp"],
        ["files", "protect", "a", "b", "--class", "complete"], ["files", "move", "a", "b", "--replace"],
        ["run", "--env", "A=b/c", "--", "sh", "-c", "get a"], ["users", "add", "Anna"],
        ["users", "switch", "--nobody"],
        ["preferences", "set", "a", "1", "--type", "int"], ["passcode", "change", "--passcode-file", "p"],
        ["credential", "git", "get"], ["profiles", "check", "a.app"], ["keys", "generate", "a"],
    ]) func `the same command, with the same options`(_ words: [String]) throws {
        let own = try RootCommand.parsed(words)
        let all = try RootCommand.parseAsRoot(words)
        #expect(type(of: own) == type(of: all))
        #expect(Self.described(own) == Self.described(all))
    }

    @Test(arguments: [
        [], ["get"], ["get", "a", "b", "c"], ["get", "--help"], ["get", "--version"], ["keychain"],
        ["keychain", "find", "--no"],
        ["keychain", "find", "--service"], ["nothing"], ["--version"], ["--help"], ["files", "protect"],
        ["lock", "now"],
        ["get", "--user"], ["help", "get"],
    ]) func `the same error, in the same words`(_ words: [String]) {
        func told(_ parse: ([String]) throws -> any ParsableCommand) -> String {
            do { return "\(type(of: try parse(words)))" } catch { return RootCommand.fullMessage(for: error) }
        }
        #expect(told { try RootCommand.parsed($0) } == told { try RootCommand.parseAsRoot($0) })
    }
}
