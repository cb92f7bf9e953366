// SPDX-License-Identifier: Apache-2.0

/// The arguments of a subcommand of `security`, parsed like getopt(3).
/// Option letters follow a hyphen, several together. A value follows its letter, or is the next word.
struct SecurityWords {
    private(set) var values: [(letter: Character, value: String)] = []
    private(set) var flags: Set<Character> = []
    /// The operands after the options.
    private(set) var rest: [String] = []

    /// `letters`: the known options. A colon follows one that takes a value.
    /// `last`: an option whose value may be missing if it is the last word.
    init(_ words: [String], letters: String, last: Character? = nil) throws(SecurityFailure) {
        var words = words[...]
        while let word = words.first, word.count > 1, word.hasPrefix("-"), word != "--" {
            words.removeFirst()
            var letters = Self.Known(letters)
            letters.rest = word.dropFirst()
            while let letter = letters.rest.popFirst() {
                guard let takesValue = letters.takesValue(letter) else {
                    throw .usage("there is no option -\(letter) here")
                }
                guard takesValue else {
                    flags.insert(letter)
                    continue
                }
                if !letters.rest.isEmpty {
                    values.append((letter, String(letters.rest)))
                    letters.rest = ""
                } else if let next = words.popFirst() {
                    values.append((letter, next))
                } else if letter == last {
                    flags.insert(letter)
                } else {
                    throw .usage("the option -\(letter) needs a value")
                }
            }
        }
        rest = Array(words.first == "--" ? words.dropFirst() : words)
    }

    /// The last value of an option.
    subscript(letter: Character) -> String? { values.last { $0.letter == letter }?.value }

    func has(_ letter: Character) -> Bool { flags.contains(letter) }

    private struct Known {
        let letters: String
        var rest: Substring = ""

        init(_ letters: String) { self.letters = letters }

        /// Nil: the option is unknown.
        func takesValue(_ letter: Character) -> Bool? {
            guard letter != ":", let place = letters.firstIndex(of: letter) else { return nil }
            let next = letters.index(after: place)
            return next < letters.endIndex && letters[next] == ":"
        }
    }

    /// The words of one line of `security -i`. Blanks separate words, quotes group them, and a backslash escapes the
    /// next character. Nil: a quote is not closed, or nothing follows a backslash.
    static func words(ofLine line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " || character == "\t" || character == "\r" {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}

/// The error message of `security`, and its exit status.
package struct SecurityFailure: Error {
    package let status: Int32
    package let message: String

    /// A usage error: status 2, as on macOS.
    package static func usage(_ message: String) -> SecurityFailure { SecurityFailure(status: 2, message: message) }

    /// The error of macOS for an item that doesn't exist.
    static let absent = SecurityFailure(
        status: 44, message: "SecKeychainSearchCopyNext: The specified item could not be found in the keychain.")

    /// The error of macOS for an item that exists already.
    static let present = SecurityFailure(
        status: 45,
        message: "SecKeychainItemCreateFromContent (<default>): The specified item already exists in the keychain.")

    /// The error for any other keychain: keychains in separate files aren't supported.
    static let noKeychain = SecurityFailure(
        status: 50, message: "SecKeychainCopySettings: The specified keychain could not be found.")
}
