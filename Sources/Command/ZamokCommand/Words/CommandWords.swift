// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// What stands on the command line behind the program's name, as the parser takes it.
enum CommandWords {
    /// The words as text. Throws where none can be had, and where one is no text that has to be: in its place the parser would see another, and two names would be one. Paths of `files` may be any bytes
    /// (`FileWord`).
    static func read(_ words: [[UInt8]] = ProcessArguments.words) throws -> [String] {
        guard !words.isEmpty else {
            throw CommandFailure(
                exitStatus: ExitStatus.notSetUp,
                message: "the words of the command line can't be read: the system has no /proc; nothing was done")
        }
        let words = Array(words.dropFirst())
        for (position, word) in words.enumerated() where String(validating: word, as: UTF8.self) == nil {
            guard isPath(position, words) else {
                throw CommandFailure.usage(
                    "\(String(decoding: word, as: UTF8.self).printable): the word has bytes that are no text (UTF-8), and would be taken for another one"
                )
            }
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What the program was called as, without its folder.
    static var program: String {
        String(decoding: ProcessArguments.words.first?.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }

    /// Options with a value that stand before the subcommand or behind it.
    private static let global = ["--user", "--passcode-file"].map { Array($0.utf8) }
    private static let hyphen = UInt8(ascii: "-")

    /// Whether the word is a path behind `files`, where bytes are kept as they are.
    private static func isPath(_ position: Int, _ words: [[UInt8]]) -> Bool {
        guard words[position].first != hyphen, position > 0, !global.contains(words[position - 1]) else { return false }
        var next = 0
        while next < position, words[next].first == hyphen { next += global.contains(words[next]) ? 2 : 1 }
        return next < position && words[next] == Array("files".utf8)
    }
}
