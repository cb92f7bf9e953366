// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A file in which a program is documented to keep secrets.
package struct Place: Sendable {
    /// The word for `--only`, such as `npm`.
    package let word: String
    /// The program, as people know it.
    package let program: String
    /// The files, relative to the user's home: `/`-separated, `*` for any one component or part of one.
    package let files: [String]
    /// The variables of the environment that name another file or folder, each with the rest of the path.
    package let variables: [(name: String, rest: String)]
    /// Names by which the file is recognised in any folder, such as `.npmrc`. Empty: only in `files`.
    package let names: [String]
    /// Finds the secrets. `path` is for messages and names. Bytes that aren't of the format give no secrets.
    package let read: @Sendable (_ bytes: [UInt8], _ path: String) throws -> [ClearSecret]
    /// What `--move` puts in place of each secret.
    package let move: Move
    /// Text of any kind, which is searched as the others are; nil: the place has a format of its own.
    private(set) var text: TextKind?

    package init(
        _ word: String, program: String, files: [String], variables: [(name: String, rest: String)] = [],
        names: [String] = [], move: Move,
        read: @escaping @Sendable (_ bytes: [UInt8], _ path: String) throws -> [ClearSecret]
    ) {
        (self.word, self.program, self.files, self.variables) = (word, program, files, variables)
        (self.names, self.move) = (names, move)
        self.read = { bytes, path in
            // The mark of the byte order, which editors put before a text, is no part of its format.
            guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return try read(bytes, path) }
            var text = Array(bytes[3...])
            defer { text.wipe() }
            return try read(text, path).map { $0.moved(by: 3) }
        }
    }

    /// A place of text in which nothing has a place of its own.
    init(
        _ word: String, program: String, files: [String], variables: [(name: String, rest: String)] = [],
        names: [String] = [], move: Move, text: TextKind
    ) {
        self.init(word, program: program, files: files, variables: variables, names: names, move: move) {
            try TextFinder.secrets(in: $0, $1, text)
        }
        self.text = text
    }
}

/// What is put in place of a secret that moves to the keychain, so that its program goes on working.
package enum Move: Sendable {
    /// The program asks a credential helper that `zamok setup` configures; the secret's entry is removed.
    case helper(program: String)
    /// The program expands variables of the environment in this file: `template` with `$NAME`, as `${$NAME}`.
    /// It is started by `zamok run --env`.
    case variable(template: String)
    /// The program runs a command that prints the secret: `old` key becomes the line `template`, in which `$COMMAND`
    /// is `zamok get SERVICE/ACCOUNT`.
    case command(key: String, template: String)
    /// The program takes the secret from this variable of its environment: the lines of the secret leave the file, and
    /// it is started by `zamok run --env`. `$KEY`: the key of the line, `$SECTION`: the section's name (INI), each in
    /// capitals with `_` for other characters.
    case environment(name: String)
    /// The file is filled at each start: the secret becomes `zamok://SERVICE/ACCOUNT`, and `start` is how the program
    /// is started, in which `$FILE` is the file, as `curl -q -K <(zamok inject -i $FILE)`.
    case filled(start: String)
    /// A reference that `zamok run --env-file` or `zamok inject` fills: `zamok://SERVICE/ACCOUNT`.
    case reference
    /// A private key: imported for the agent, and its file removed.
    case agent
    /// The secret is replaced by `***`: a history, a log, an answer that nothing reads again.
    case mask
    /// The program reads clear text only. `reason`: one sentence for the user.
    case clearOnly(reason: String)
}
