// SPDX-License-Identifier: Apache-2.0

import Readers

/// Text from outside as one word in another program's file or command line, quoted by that program's rules, or refused.
/// Such a name is data: it is never expanded, ends no line and begins no option. All such words are written here.
enum ForeignWord {
    /// For a POSIX shell, and for programs that split words as one does.
    static func shell(_ text: String) -> String { text.shellWord }

    /// For `Exec` in D-Bus service files: shell words, in a line whose backslash escapes are processed first. Single
    /// quotes can contain neither a quote nor a backslash.
    static func bus(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && $0 != "'" && $0 != "\\" }
        return shell(text)
    }

    /// For ssh_config(5): in double quotes, which can't be escaped. `ssh` expands `%`, doubled here, and `${`.
    static func ssh(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && !"\"\\$".unicodeScalars.contains($0) }
        return "\"" + text.replacing("%", with: "%%") + "\""
    }

    /// For files that some readers pass to a shell and others split into words. Refuses characters that are special
    /// to either.
    static func everywhere(_ text: String) throws -> String {
        try refuse(text) { $0.isPrintable && !"\"'\\$`!;&|<>(){}[]*?~#^".unicodeScalars.contains($0) }
        guard !text.hasPrefix("-") else { throw CommandFailure.usage("\(text.printable) would be read as an option") }
        // Some readers strip Unicode white space, too.
        return shell(text) == text ? text : "\"\(text)\""
    }

    private static func refuse(_ text: String, unless fits: (Unicode.Scalar) -> Bool) throws {
        guard let odd = text.unicodeScalars.first(where: { !fits($0) }) else { return }
        throw CommandFailure.usage(
            "\(text.printable) has a character that the file can't hold as it is: \(String(odd).printable)")
    }
}
