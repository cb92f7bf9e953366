// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import Foundation
import Readers
import Statuses

/// A manual page of section 1, generated from the parser's description of a command: zamok.1, zamok-keychain-add.1.
struct ManualPage {
    let name: String
    let text: String

    /// Writes all pages of this command, or those of the program that printed `dump`, into an existing folder, and
    /// replaces existing pages.
    static func write(into folder: String, of dump: String? = nil) throws {
        for page in try dump.map(pages(of:)) ?? all() {
            let path = "\(folder)/\(page.name)"
            do { try Data(page.text.utf8).write(to: URL(fileURLWithPath: path)) } catch {
                throw CommandFailure.status(.inputOutput, "\(path.printable) can't be written")
            }
        }
    }

    /// The pages of all commands, from the parser's dump for tools.
    static func all() throws -> [ManualPage] {
        let tool = try JSONDecoder().decode(Tool.self, from: Data(RootCommand._dumpHelp().utf8))
        return pages(of: tool.command, path: [])
    }

    /// The pages of a program that `zamok` starts by a word of its own: `zamok-sync create` is called
    /// `zamok sync create`. `dump` is a file with what the program prints for `--experimental-dump-help`.
    private static func pages(of dump: String) throws -> [ManualPage] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: dump)) } catch {
            throw CommandFailure.status(.inputOutput, "\(dump.printable) can't be read")
        }
        guard let command = try? JSONDecoder().decode(Tool.self, from: data).command,
            let word = command.commandName.split(separator: "-").last.map(String.init), word != command.commandName
        else {
            throw CommandFailure.usage(
                "\(dump.printable) is not what a program such as zamok-sync prints for --experimental-dump-help")
        }
        return pages(of: command.named(word), path: [String(command.commandName.dropLast(word.utf8.count + 1))])
    }

    private static func pages(of command: Command, path: [String]) -> [ManualPage] {
        guard command.shouldDisplay != false, command.commandName != "help" else { return [] }
        let path = path + [command.commandName]
        let page = ManualPage(name: path.joined(separator: "-") + ".1", text: text(command, path))
        return [page] + (command.subcommands ?? []).flatMap { pages(of: $0, path: path) }
    }

    private static func text(_ command: Command, _ path: [String]) -> String {
        let name = path.joined(separator: "-")
        let subcommands = (command.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        let arguments = (command.arguments ?? []).filter { $0.shouldDisplay != false }
        var lines = [
            ".\\\" Made by: zamok help pages",
            ".TH \(quoted(name.uppercased())) 1 \"\" \(quoted("zamok \(Version.number)")) \"\"",
            ".SH NAME", "\(roff(name)) \\- \(roff(sentence(command.abstract)))",
            ".SH SYNOPSIS", ".B \(roff(path.joined(separator: " ")))",
        ]
        lines += subcommands.isEmpty ? arguments.map(synopsis) : ["\\fIsubcommand\\fR"]
        let sections = Discussion(command.discussion ?? "")
        lines += [".SH DESCRIPTION", roff(command.abstract ?? "")] + sections.description
        if !subcommands.isEmpty {
            lines.append(".SH COMMANDS")
            for child in subcommands {
                lines += [".TP", ".BR \(roff("\(name)-\(child.commandName)")) (1)", roff(child.abstract ?? "")]
            }
        }
        if !arguments.isEmpty { lines += [".SH OPTIONS"] + arguments.flatMap(option) }
        lines += sections.rest
        let above =
            path.count > 1 ? [path.dropLast().joined(separator: "-")] : subcommands.map { "\(name)-\($0.commandName)" }
        lines += [".SH SEE ALSO", above.map { ".BR \(roff($0)) (1)" }.joined(separator: " ,\n")]
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private static func synopsis(_ argument: Argument) -> String {
        let text = argument.signature
        let repeated = argument.isRepeating == true ? " ..." : ""
        // The arguments of another program follow `--`, which the parser's dump doesn't show.
        if argument.kind == "positional", argument.valueName == "command" { return "[\\-\\- \(text)\(repeated)]" }
        return argument.isOptional == true ? "[\(text)\(repeated)]" : text + repeated
    }

    private static func option(_ argument: Argument) -> [String] {
        var text = [argument.abstract, argument.discussion].compactMap { $0 }.joined(separator: " ")
        if let values = argument.allValues, !values.isEmpty { text += " One of: \(values.joined(separator: ", "))." }
        if let value = argument.defaultValue { text += " (default: \(value))" }
        return [".TP", argument.signatures, roff(text.isEmpty ? argument.name : text)]
    }

    private static func sentence(_ text: String?) -> String {
        let text = text ?? ""
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// Text escaped for roff.
    fileprivate static func roff(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
            .replacingOccurrences(of: "\n", with: " ")
        return [".", "'"].contains(escaped.prefix(1)) ? "\\&" + escaped : escaped
    }

    private static func quoted(_ text: String) -> String { "\"\(roff(text))\"" }
}

extension ManualPage {
    /// The text below the abstract in a help page: paragraphs, indented blocks that stay unchanged, and headings
    /// in capitals.
    private struct Discussion {
        var description: [String] = []
        var rest: [String] = []

        init(_ text: String) {
            var isDescription = true
            var isBlock = false
            func add(_ line: String) { if isDescription { description.append(line) } else { rest.append(line) } }
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
                if isBlock, !line.hasPrefix("  "), !line.isEmpty {
                    add(".fi")
                    isBlock = false
                }
                if let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy({ $0.isUppercase || $0 == " " }),
                    line[..<colon].count > 3
                {
                    isDescription = false
                    add(".SH \(line[..<colon])")
                    add(ManualPage.roff(line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
                } else if line.isEmpty {
                    add(isBlock ? "" : ".PP")
                } else if line.hasPrefix("  ") {
                    if !isBlock { add(".nf") }
                    isBlock = true
                    add(ManualPage.roff(String(line.dropFirst(2))))
                } else {
                    add(ManualPage.roff(line))
                }
            }
            if isBlock { add(".fi") }
            if !description.isEmpty { description.insert(".PP", at: 0) }
        }
    }

    /// The part of the parser's dump that a page needs.
    private struct Tool: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool?
        let subcommands: [Command]?
        let arguments: [Argument]?

        func named(_ name: String) -> Command {
            Command(
                commandName: name, abstract: abstract, discussion: discussion, shouldDisplay: shouldDisplay,
                subcommands: subcommands, arguments: arguments)
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }
        let kind: String
        let shouldDisplay: Bool?
        let isOptional: Bool?
        let isRepeating: Bool?
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let abstract: String?
        let discussion: String?
        let defaultValue: String?
        let allValues: [String]?

        var name: String { preferredName?.text ?? valueName ?? "" }

        /// The form in the synopsis.
        var signature: String { signature(preferredName.map { [$0] } ?? []) }

        /// The form with all its names.
        var signatures: String { signature(names ?? []) }

        private func signature(_ names: [Name]) -> String {
            let value = "\\fI\(ManualPage.roff(valueName ?? "value"))\\fR"
            guard kind != "positional" else { return value }
            let words = names.map { "\\fB\(ManualPage.roff($0.text))\\fR" }.joined(separator: ", ")
            return kind == "flag" ? words : "\(words) \(value)"
        }
    }
}
