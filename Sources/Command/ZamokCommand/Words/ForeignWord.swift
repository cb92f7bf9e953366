// SPDX-License-Identifier: Apache-2.0

import Readers

/// Text from outside as one word of another program's file or line: quoted as that program reads it, or refused. A name is data: none is expanded, ends a line
/// or begins an option. Nothing else writes such words.
enum ForeignWord {
    /// For a POSIX shell, and for what splits words as one does.
    static func shell(_ text: String) -> String { text.shellWord }

    /// For Exec of D-Bus' files: words as a shell's, in a line in which a backslash begins an escape before that; between single quotes neither can be written.
    static func bus(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && $0 != "'" && $0 != "\\" }
        return shell(text)
    }

    /// For ssh_config(5): between double quotes, which it can't escape; it expands `%`, doubled here, and `${`.
    static func ssh(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && !"\"\\$".unicodeScalars.contains($0) }
        return "\"" + text.replacing("%", with: "%%") + "\""
    }

    /// For files of which some readers ask a shell and others split words: nothing that either takes for more than itself.
    static func everywhere(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && !"\"'\\$`!;&|<>(){}[]*?~#^".unicodeScalars.contains($0) }
        guard !text.hasPrefix("-") else { throw CommandFailure.usage("\(text.printable) would be read as an option") }
        // Some readers strip blanks of other scripts, too.
        return shell(text) == text ? text : "\"\(text)\""
    }

    private static func refuse(_ text: String, unless fits: (Unicode.Scalar) -> Bool) throws {
        guard let odd = text.unicodeScalars.first(where: { !fits($0) }) else { return }
        throw CommandFailure.usage(
            "\(text.printable) has a character that the file can't hold as it is: \(String(odd).printable)")
    }
}
