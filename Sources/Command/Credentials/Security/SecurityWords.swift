// SPDX-License-Identifier: Apache-2.0

/// The words behind a subcommand of `security`, read as getopt(3) reads them: letters behind one hyphen, several together, a value behind
/// its letter or as the next word.
struct SecurityWords {
    private(set) var values: [(letter: Character, value: String)] = []
    private(set) var flags: Set<Character> = []
    /// What stands behind the options.
    private(set) var rest: [String] = []

    /// `letters`: those that are known, a colon behind one that takes a value. `last`: one whose value may be left out where it is the last word.
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

    /// The last value of a letter.
    subscript(letter: Character) -> String? { values.last { $0.letter == letter }?.value }

    func has(_ letter: Character) -> Bool { flags.contains(letter) }

    private struct Known {
        let letters: String
        var rest: Substring = ""

        init(_ letters: String) { self.letters = letters }

        /// Nil: the letter is not known.
        func takesValue(_ letter: Character) -> Bool? {
            guard letter != ":", let place = letters.firstIndex(of: letter) else { return nil }
            let next = letters.index(after: place)
            return next < letters.endIndex && letters[next] == ":"
        }
    }

    /// The words of one line of `security -i`: blanks divide, quotes keep together, a backslash takes the next character as it is. Nil: a quote
    /// is not closed.
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

/// Why `security` does not do what it was told, in its own words and with its own status.
package struct SecurityFailure: Error {
    package let status: Int32
    package let message: String

    /// 2, as macOS's.
    package static func usage(_ message: String) -> SecurityFailure { SecurityFailure(status: 2, message: message) }

    /// What macOS's says where an item is not there.
    static let absent = SecurityFailure(
        status: 44, message: "SecKeychainSearchCopyNext: The specified item could not be found in the keychain.")

    /// And where one is there already.
    static let present = SecurityFailure(
        status: 45,
        message: "SecKeychainItemCreateFromContent (<default>): The specified item already exists in the keychain.")

    /// Keychains in files of their own are none here.
    static let noKeychain = SecurityFailure(
        status: 50, message: "SecKeychainCopySettings: The specified keychain could not be found.")
}
