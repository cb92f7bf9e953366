// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains
import SecretMemory

/// `zamok keychain find`
struct KeychainFind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find one item.",
        discussion: """
            Every field that is given must be equal; of several matches the first is taken. Status 44 means that there is none, 36 that the \
            home is locked. Fields can be read while locked, after the first unlock; secrets of when-unlocked can't. \
            An item that was added with --require-passcode asks for the passcode at the terminal, or takes it from --passcode-file.

            EXAMPLES:
              zamok keychain find --service api --account deploy
              zamok keychain find --service api --account deploy --value
              TOKEN=$(zamok keychain find --service api --account deploy -w)
              zamok keychain find --server db.example.com --json --value
              zamok keychain find --class identity --label client --pem > client.pem
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Flag(
        name: [.long, .customShort("w")],
        help: "Print the secret alone: exactly its bytes, and a newline only at a terminal. With --json: as a member."
    )
    var value = false

    @Flag(help: "Print a certificate or key in PEM; of an identity both, the certificate first.")
    var pem = false

    @Flag(help: "Print a JSON object. A secret that is not text is given as Base64, and \"encoding\" says so.")
    var json = false

    func validate() throws {
        guard !pem || (!value && !json) else { throw ValidationError("--pem goes with neither --value nor --json") }
    }

    func run() throws {
        let items = try selection.items()
        var search = ItemSearch(items: items, choice: global.choice, wantsValue: value, wantsJSON: json)
        search.wantsPEM = pem
        try search.run()
    }
}

/// A search for one item, and what is printed of it.
struct ItemSearch {
    let items: SelectedItems
    let choice: HomeChoice
    let wantsValue: Bool
    let wantsJSON: Bool
    var wantsPEM = false

    func run() throws {
        let keychain = Keychain(home: try Session.openUnlocked(choice))
        guard let found = try items.find(in: keychain, limit: 1, includingSecrets: wantsValue || wantsPEM).first else {
            throw CommandFailure.notFound
        }
        if wantsPEM {
            guard let text = try found.pem() else {
                throw CommandFailure.usage("an item of class \(found.itemClass.name) has no PEM; read it with --value")
            }
            try Channel.output.write(try Secret(copying: Array(text.utf8)))
        } else if wantsJSON {
            try Channel.output.line(try ItemPrinter.json(found).line)
        } else if wantsValue {
            guard let secret = found.secret else { return }
            try Channel.output.write(secret)
            if Channel.output.isTerminal { try Channel.output.line("") }
        } else {
            try Channel.output.lines(ItemPrinter.lines(found))
        }
    }
}
