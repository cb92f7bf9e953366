// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import SecretMemory

/// `zamok security`, and a program `security` that is a link to this one.
struct SecurityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security",
        abstract: "Do what macOS's security does with passwords, certificates and identities.",
        discussion: """
            For scripts that were written for macOS: the same words, output and statuses, 44 absent, 45 there already, 36 locked, 2 wrong words. \
            A link named security does the same. Subcommands: add-, find- and delete-generic-password and -internet-password, find-certificate, \
            find-identity, list-keychains, default-keychain; -i reads commands from standard input.

            A password among the words (-w PASSWORD, -p, -X) is seen by every program of the machine, and refused unless --insecure-argv comes \
            first; -w as the last word reads standard input, or asks at the terminal. There is one keychain: a path behind the options has to be \
            the one that default-keychain prints, or login.keychain. -T and -A are taken, and change nothing.

            EXAMPLES:
              zamok security find-generic-password -s api -a deploy -w
              printf %s "$TOKEN" | zamok security add-generic-password -U -s api -a deploy -w
              zamok security find-identity -v -p codesigning
              ln -s "$(command -v zamok)" ~/.local/bin/security
            """)

    @Argument(parsing: .captureForPassthrough, help: "The words of macOS's security.")
    var words: [String] = []

    func run() throws {
        if words.first == "--help" || words.first == "-h" {
            throw CleanExit.helpRequest(self)
        }
        try Self.run(words)
    }

    static func run(_ words: [String]) throws {
        do { try answer(words) } catch let failure as SecurityFailure {
            try Channel.error.line("security: \(failure.message)")
            throw CommandFailure.silent(failure.status)
        } catch {
            guard let known = CommandFailure(error), let message = known.message else { throw error }
            try Channel.error.line("security: \(message)")
            throw CommandFailure.silent(known.exitStatus)
        }
    }

    private static func answer(_ given: [String]) throws {
        var words = given[...]
        var takesPasswords = false
        while let word = words.first, word.hasPrefix("-"), word != "-i" {
            guard word == "--insecure-argv" || word == "-q" || word == "-v" else { break }
            takesPasswords = takesPasswords || word == "--insecure-argv"
            words.removeFirst()
        }
        guard words.first == "-i" else { return try say(tool(takesPasswords).answer(Array(words))) }
        // Other processes don't see standard input, and its next line is a command.
        let tool = try tool(true) {
            throw SecurityFailure.usage("among commands that are read, a password follows -w")
        }
        var status: Int32 = 0
        while let line = try StandardInput.line(atMost: 1 << 20) {
            guard let text = try String(exposing: line), let words = SecurityTool.words(ofLine: text) else {
                throw SecurityFailure.usage("a line of standard input has an open quote, or is no text")
            }
            guard !words.isEmpty else { continue }
            do { try say(tool.answer(words)) } catch let failure as SecurityFailure {
                try Channel.error.line("security: \(failure.message)")
                status = failure.status
            }
        }
        guard status == 0 else { throw CommandFailure.silent(status) }
    }

    private static func tool(
        _ takesPasswords: Bool,
        password: @escaping () throws -> Secret = { try StandardInput.secret(allowingEmpty: true) }
    ) throws -> SecurityTool {
        SecurityTool(
            SecurityTool.Surroundings(
                path: try ChosenHome.configuration().place + "/keychain.db", takesPasswords: takesPasswords,
                open: { try ChosenHome.keychain(HomeChoice(makesHome: $0)) },
                password: password))
    }

    private static func say(_ answer: HelperAnswer) throws {
        for part in answer.output { try Channel.output.write(part) }
        if let aside = answer.aside { try Channel.error.write(aside) }
        if let message = answer.message { try Channel.error.line("security: \(message)") }
    }
}
