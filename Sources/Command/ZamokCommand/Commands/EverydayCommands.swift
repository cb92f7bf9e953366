// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// How an item is named in everyday words.
struct NameOptions: ParsableArguments {
    @Argument(help: "SERVICE or SERVICE/ACCOUNT; a server is as good as a service.", completion: Completions.names)
    var name: String?

    @Option(name: [.customShort("s"), .long], help: "The service or server, whole.", completion: Completions.services)
    var service: String?

    @Option(name: [.customShort("a"), .long], help: "The account.", completion: Completions.accounts)
    var account: String?

    func validate() throws {
        guard (name == nil) != (service == nil) else {
            throw ValidationError("Name an item, as SERVICE/ACCOUNT or with -s and -a.")
        }
    }

    var item: ItemName { ItemName(service ?? name ?? "", account: account, isService: service != nil) }
}

/// `zamok get`
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the secret of an item.",
        discussion: """
            Exactly its bytes, and a newline only at a terminal. The account is left out where there is only one. Status 44: there is no such item, 36: \
            the home is locked. All else of an item: zamok keychain find.

            EXAMPLES:
              zamok get api/deploy
              TOKEN=$(zamok get api)
              zamok get -s https://example.com/login -a me
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    func run() throws {
        let keychain = Keychain(home: try ChosenHome.openUnlocked(global.reading))
        try Channel.output.write(try References(keychain).secret(of: name.item))
        if Channel.output.isTerminal { try Channel.output.line("") }
    }
}

/// `zamok set`
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Store a secret under a name, in place of the one that is there.",
        discussion: """
            The secret is read from standard input, byte for byte, or asked for twice at the terminal. Only the secret of an item that is there \
            changes. To be told that there is one already: zamok keychain add.

            EXAMPLES:
              printf %s "$TOKEN" | zamok set api/deploy
              zamok set example.com/me
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    @Flag(help: "Store a secret that has no bytes.")
    var allowEmpty = false

    func run() throws {
        let secret = try StandardInput.secret(allowingEmpty: allowEmpty)
        try Self.store(secret, name: name.item, keychain: Keychain(home: try ChosenHome.openUnlocked(global.choice)))
    }

    static func store(_ secret: Secret, name: ItemName, keychain: Keychain) throws {
        guard try name.all(in: keychain).isEmpty else {
            let known = try name.only(in: keychain)
            guard let reference = known.persistentReference else { return }
            var changes = ItemRecord(known.itemClass)
            changes.secret = secret
            return try keychain.update(reference, with: changes)
        }
        var record = try name.newRecord()
        record.secret = secret
        try keychain.add(record)
    }
}

/// `zamok rm`
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete an item.",
        discussion: """
            Nothing is deleted where several are called so. Many at once: zamok keychain delete --all.

            EXAMPLES:
              zamok rm api/deploy
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    func run() throws {
        let keychain = Keychain(home: try ChosenHome.openUnlocked(global.reading))
        guard let reference = try name.item.only(in: keychain).persistentReference else { return }
        try keychain.delete(reference)
    }
}

/// `zamok ls`
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List passwords by name.",
        discussion: """
            Those whose service, server, account or label has the text in it, in whatever case; all without one. At a terminal the accounts stand below \
            their service, elsewhere each name is whole, as zamok get takes it. Everything else of items: zamok keychain list.

            EXAMPLES:
              zamok ls
              zamok ls deploy
              zamok ls | while read -r name; do zamok get "$name" > /dev/null || echo "$name"; done
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A text to look for.")
    var text: String?

    @Flag(help: "Print a JSON object for each.")
    var json = false

    func run() throws {
        let keychain = Keychain(home: try ChosenHome.openUnlocked(global.reading))
        let all = try [ItemClass.genericPassword, .internetPassword].flatMap {
            try keychain.records(matching: ItemRecord($0))
        }
        let found = all.filter { record in
            guard let text else { return true }
            return [ItemField.service, .server, .account, .label].contains {
                record[$0]?.range(of: text, options: .caseInsensitive) != nil
            }
        }.map { (name: ItemName.shown($0), record: $0) }.sorted { $0.name < $1.name }
        if json { return try Channel.output.lines(try found.map { try ItemPrinter.json($0.record).line }) }
        guard Channel.output.isTerminal else { return try Channel.output.lines(found.map(\.name.printable)) }
        var last: String?
        for (_, record) in found {
            let (place, account) = (record[.service] ?? record[.server] ?? "", record[.account] ?? "")
            if place != last { try Channel.output.line(place.printable) }
            if !account.isEmpty { try Channel.output.line("  \(account.printable)") }
            last = place
        }
    }
}

/// `zamok generate`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a new password, and store it under a name.",
        discussion: """
            Small letters, capitals, digits and signs, at least one of each; --no-symbols and the like leave some out. --words makes words that can be said, of five \
            letters and 16 bits each. It is printed once. An item that is there stays as it is (status 45), or gets the new secret with --replace.

            EXAMPLES:
              zamok generate example.com/me
              zamok generate --length 32 --no-symbols
              zamok generate backup/root --words 6
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Where it is stored; nowhere without a name.", completion: Completions.names)
    var name: String?

    @Option(help: "How many characters, up to 1,024.")
    var length = 20

    @Option(help: "How many words, up to 64, instead of characters.")
    var words: Int?

    @Flag(inversion: .prefixedNo, help: "Small letters.")
    var small = true

    @Flag(inversion: .prefixedNo, help: "Capital letters.")
    var capitals = true

    @Flag(inversion: .prefixedNo, help: "Digits.")
    var digits = true

    @Flag(inversion: .prefixedNo, help: "Signs, none of which a shell takes for something else within single quotes.")
    var symbols = true

    @Flag(help: "In place of the secret that is there.")
    var replace = false

    func run() throws {
        let characters: [(Bool, PasswordGenerator.Characters)] = [
            (small, .small), (capitals, .capitals), (digits, .digits), (symbols, .symbols),
        ]
        let chosen = characters.reduce(into: PasswordGenerator.Characters()) { if $1.0 { $0.insert($1.1) } }
        let made =
            if let words { try PasswordGenerator.words(words) } else {
                try PasswordGenerator.characters(length, of: chosen)
            }
        guard let password = made else {
            throw CommandFailure.usage(
                words == nil
                    ? "a password has 1 to 1024 characters, and at least one of each kind" : "it is 1 to 64 words")
        }
        if let name {
            let keychain = Keychain(home: try ChosenHome.openUnlocked(global.choice))
            let item = ItemName(name)
            guard try replace || item.all(in: keychain).isEmpty else {
                throw CommandFailure.status(
                    .duplicateItem, "there is an item \(name.printable) already; add --replace to give it a new secret")
            }
            try SetCommand.store(password, name: item, keychain: keychain)
        }
        try Channel.output.write(password)
        try Channel.output.line("")
    }
}

/// `zamok otp`
struct OneTimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Print the one-time code of an item whose secret is an otpauth:// URI.",
        discussion: """
            By time (RFC 6238) or by counter (RFC 4226), whose next state is stored before the code is shown. At a terminal it says how long the code is good. \
            The URI is what the square to be scanned holds.

            EXAMPLES:
              zamok set otp/example < uri.txt
              zamok otp otp/example
              zamok otp otp/example --json
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    @Flag(help: "Print a JSON object with the code and the seconds that are left.")
    var json = false

    func run() throws {
        let keychain = Keychain(home: try ChosenHome.openUnlocked(global.reading))
        let uri = try References(keychain).secret(of: name.item)
        let item = try OneTimeCode(uri)
        let now = Date()
        let code = try item.code(at: now)
        if let next = try item.next(uri) { try SetCommand.store(next, name: name.item, keychain: keychain) }
        let left = item.secondsLeft(at: now)
        try Printer(json: json).answer(
            .object([("code", .text(code)), ("secondsLeft", left.map { .count($0) } ?? .null)]), code)
        if !json, let left, Channel.output.isTerminal { try Channel.error.line("good for \(left) s") }
    }
}
