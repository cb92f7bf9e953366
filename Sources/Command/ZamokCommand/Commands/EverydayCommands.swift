// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// The options that name an item.
struct NameOptions: ParsableArguments {
    @Argument(
        help: "SERVICE, SERVICE/ACCOUNT or zamok://SERVICE/ACCOUNT; a server is as good as a service.",
        completion: Completions.names)
    var name: String?

    @Option(name: [.customShort("s"), .long], help: "The whole service or server.", completion: Completions.services)
    var service: String?

    @Option(name: [.customShort("a"), .long], help: "The account.", completion: Completions.accounts)
    var account: String?

    func validate() throws {
        guard (name == nil) != (service == nil) else {
            throw ValidationError("Name an item, as SERVICE/ACCOUNT or with -s and -a.")
        }
    }

    var item: ItemName {
        get throws { try Self.item(name, service, account) }
    }

    /// The item that the options of a command name. Errors: wrong usage if it is empty, as a variable that is not set
    /// makes it. Items without a service, which other programs may have stored, are named by references.
    static func item(_ name: String?, _ service: String?, _ account: String?) throws -> ItemName {
        try CommandFailure.refuseEmpty(name ?? service, of: "item")
        guard let name else { return ItemName(service ?? "", account: account, isService: true) }
        return try item(name, account)
    }

    /// The item that a word names. Errors: wrong usage if it is empty, or part of a reference can't be parsed.
    static func item(_ word: String, _ account: String? = nil) throws -> ItemName {
        try CommandFailure.refuseEmpty(word, of: "item")
        guard let account else {
            guard let name = ItemName(word: word) else {
                throw CommandFailure.usage(
                    "\(word.printable) names no item: in a reference, zamok://SERVICE/ACCOUNT, a slash is %2F, a blank %20 and a percent sign %25"
                )
            }
            return name
        }
        guard !word.hasPrefix(ItemName.scheme) else {
            throw CommandFailure.usage("a reference names the account itself; leave -a out")
        }
        return ItemName(word, account: account)
    }
}

/// `zamok get`
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the secret of an item.",
        discussion: """
            Exactly its bytes, and a newline only at a terminal. The account is left out where there is only one. Status 44: there is no such item, 36: \
            the home is locked. All else of an item: zamok keychain find. With --copy it goes to the clipboard, by wl-copy, xclip or the terminal, and is \
            cleared after a time, and at Ctrl-C, unless something else was copied since.

            A name is a service or server whole, if there is one, else what precedes its last slash; -s and -a, or a reference (zamok://SERVICE/ACCOUNT, with %2F \
            for a slash in a name), say it without doubt. Before the first unlock an item that is always readable is given all the same; others are not looked at then.

            EXAMPLES:
              zamok get api/deploy
              TOKEN=$(zamok get api)
              zamok get -s https://example.com/login -a me
              zamok get example.com/me --copy --for 20s
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    @Flag(help: "Copy it to the clipboard, and print nothing.")
    var copy = false

    @Option(
        name: .customLong("for"), help: ArgumentHelp("With --copy: clear it after this time.", valueName: "time"))
    var duration: DurationWord?

    func validate() throws {
        guard copy || duration == nil else { throw ValidationError("--for goes with --copy") }
    }

    func run() throws {
        let item = SecretOfItem(
            name: name.name, service: name.service, account: name.account, choice: global.choice)
        guard copy else { return try item.write() }
        try Clipboard.prepare()
        try Clipboard(time: duration?.duration ?? .seconds(45)).copy(try item.secret)
    }
}

/// The secret of the item that the words of a command name.
struct SecretOfItem {
    let name: String?
    let service: String?
    let account: String?
    let choice: HomeChoice

    /// Errors: wrong usage, and those of opening the home and reading.
    var secret: Secret {
        get throws {
            let item = try NameOptions.item(name, service, account)
            return try References(try ChosenHome.keychain(choice.reading)).secret(of: item)
        }
    }

    /// Writes it to standard output: exactly its bytes, and a newline only at a terminal.
    func write() throws {
        try Channel.output.write(try secret)
        if Channel.output.isTerminal { try Channel.output.line("") }
    }
}

/// `zamok set`
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Store a secret under a name, replacing the one that is there.",
        discussion: """
            The secret is read from standard input, byte for byte, or asked for twice at the terminal. Only the secret of an item that is there \
            changes; zamok keychain history has those before. To be told that there is one already: zamok keychain add.

            EXAMPLES:
              printf %s "$TOKEN" | zamok set api/deploy
              zamok set example.com/me
              zamok set api/deploy --expires 90d < token
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions
    @OptionGroup var expiry: ExpiryOption

    @Flag(help: "Store a secret that has no bytes.")
    var allowEmpty = false

    func run() throws {
        let item = try name.item
        let secret = try StandardInput.secret(allowingEmpty: allowEmpty)
        try Self.store(secret, name: item, keychain: try Self.keychain(for: item, global), expiry: expiry)
    }

    /// The keychain to store the item in. No home is made for a name that only an item which is there can have.
    static func keychain(for item: ItemName, _ global: GlobalOptions) throws -> Keychain {
        do { _ = try item.newRecord() } catch let refusal {
            do { _ = try ChosenHome.open(global.reading) } catch let error as DataProtectionError {
                throw error.code == .noHome ? refusal : error
            }
        }
        return try ChosenHome.keychain(global.choice)
    }

    static func store(_ secret: Secret, name: ItemName, keychain: Keychain, expiry: ExpiryOption? = nil) throws {
        // Another process may add or delete the item between the look-up and the change.
        for _ in 0..<8 {
            do {
                return try storeOnce(secret, name: name, keychain: keychain, expiry: expiry)
            } catch let error as KeychainError {
                guard [.duplicateItem, .itemNotFound].contains(error.code) else { throw error }
            }
        }
        try storeOnce(secret, name: name, keychain: keychain, expiry: expiry)
    }

    private static func storeOnce(
        _ secret: Secret, name: ItemName, keychain: Keychain, expiry: ExpiryOption?
    ) throws {
        guard try name.all(in: keychain).isEmpty else {
            let known = try name.only(in: keychain)
            guard let reference = known.persistentReference else { return }
            var changes = ItemRecord(known.itemClass)
            changes.secret = secret
            expiry?.apply(to: &changes)
            return try keychain.update(reference, with: changes, keepingPastOf: ChosenHome.group)
        }
        try add(secret, name: name, keychain: keychain, expiry: expiry)
    }

    static func add(_ secret: Secret, name: ItemName, keychain: Keychain, expiry: ExpiryOption?) throws {
        var record = try name.newRecord()
        record.secret = secret
        expiry?.apply(to: &record)
        try keychain.add(record)
    }
}

/// `zamok rm`
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete an item.",
        discussion: """
            Nothing is deleted where several items have the name. To delete many at once: zamok keychain delete --all. Deleting asks for \
            nothing and works while the home is locked, as on Apple's systems, but not after zamok lock --completely. What is deleted comes back from a backup only.

            EXAMPLES:
              zamok rm api/deploy
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var name: NameOptions

    func run() throws {
        let item = try name.item
        let keychain = try ChosenHome.keychain(global.reading)
        guard let reference = try item.only(in: keychain).persistentReference else { return }
        try keychain.delete(reference)
    }
}

/// `zamok ls`
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List passwords by name.",
        discussion: """
            Those whose service, server, account or label has the text in it, in upper or lower case; all without one. At a terminal the accounts are listed below \
            their service, elsewhere each name is whole, as zamok get takes it, and means that item: where SERVICE/ACCOUNT could be another one, or is more than a line, \
            it is a reference (zamok://SERVICE/ACCOUNT). Items of one service and account, of two ports for example, have one name; zamok get then says what they \
            differ by. Damaged ones are left out; zamok doctor names them. Everything else of items: zamok keychain list.

            EXAMPLES:
              zamok ls
              zamok ls deploy
              zamok ls --expiring 30d
              zamok ls | while read -r name; do zamok get "$name" > /dev/null || echo "$name"; done
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A text to look for.")
    var text: String?

    @Option(
        help: ArgumentHelp(
            "Those alone that have expired or expire within this time, the first one first, with the time.",
            valueName: "time"))
    var expiring: DurationWord?

    @Flag(help: "Print a JSON object for each.")
    var json = false

    func run() throws {
        let keychain = try ChosenHome.keychain(global.reading)
        let all = try keychain.records(matchingAny: [ItemRecord(.genericPassword), ItemRecord(.internetPassword)])
            .filter { !KeptEntry.isOne($0) }
        let end = expiring.map { Date() + Double($0.duration.components.seconds) }
        let found = zip(ItemName.names(of: all), all).filter { _, record in
            if let end, record.expiryDate.map({ $0 > end }) ?? true { return false }
            guard let text else { return true }
            return [ItemField.service, .server, .account, .label].contains {
                record[$0]?.containsIgnoringCase(text) == true
            }
        }.map { (name: $0, record: $1) }.sorted {
            let (left, right) = ($0, $1)
            guard end != nil else { return left.name < right.name }
            return (left.record.expiryDate ?? .distantFuture, left.name)
                < (right.record.expiryDate ?? .distantFuture, right.name)
        }
        try ChosenHome.explain(isEmpty: found.isEmpty)
        if json { return try Channel.output.lines(try found.map { try ItemPrinter.json($0.record).line }) }
        guard end == nil else {
            return try Printer(json: false).rows(
                found, head: ["EXPIRES", "NAME"], { _ in .null },
                { [$0.record.expiryDate?.formatted(.iso8601) ?? "", $0.name] })
        }
        guard Channel.output.isTerminal else { return try Channel.output.lines(found.map(\.name)) }
        var last: String?
        for (_, record) in found {
            let (place, account) = (ItemName.place(of: record), record[.account] ?? "")
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
            letters and 16 bits each, and goes with none of the others. It is printed once. An item that is there stays as it is (status 45), or gets the new secret with --replace.

            EXAMPLES:
              zamok generate example.com/me
              zamok generate --length 32 --no-symbols
              zamok generate backup/root --words 6
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Where it is stored; nowhere without a name.", completion: Completions.names)
    var name: String?

    @Option(help: "How many characters, up to 1,024; 20 if it is left out.")
    var length: Int?

    @Option(help: "How many words, up to 64, instead of characters.")
    var words: Int?

    @Flag(inversion: .prefixedNo, help: "Small letters.")
    var small = true

    @Flag(inversion: .prefixedNo, help: "Capital letters.")
    var capitals = true

    @Flag(inversion: .prefixedNo, help: "Digits.")
    var digits = true

    @Flag(inversion: .prefixedNo, help: "Use signs; none of them has a meaning to a shell within single quotes.")
    var symbols = true

    @OptionGroup var expiry: ExpiryOption

    @Flag(help: "In place of the secret that is there.")
    var replace = false

    func validate() throws {
        guard words == nil || (length == nil && small && capitals && digits && symbols) else {
            throw ValidationError("--words makes words; --length and the kinds of characters go without it.")
        }
        guard name != nil || (!replace && expiry.expires == nil) else {
            throw ValidationError("--replace and --expires are about what is stored: give a name too.")
        }
    }

    func run() throws {
        let item = try name.map { try NameOptions.item($0) }
        let characters: [(Bool, PasswordGenerator.Characters)] = [
            (small, .small), (capitals, .capitals), (digits, .digits), (symbols, .symbols),
        ]
        let chosen = characters.reduce(into: PasswordGenerator.Characters()) { if $1.0 { $0.insert($1.1) } }
        let made =
            if let words { try PasswordGenerator.words(words) } else {
                try PasswordGenerator.characters(length ?? 20, of: chosen)
            }
        guard let password = made else {
            throw CommandFailure.usage(
                words == nil
                    ? "a password has 1 to 1024 characters, and at least one of each kind" : "it is 1 to 64 words")
        }
        if let item {
            try store(password, item: item, keychain: try SetCommand.keychain(for: item, global))
            Done.note("the item is stored", lost: "its password")
        }
        try Channel.output.write(password)
        try Channel.output.line("")
    }

    private func store(_ password: Secret, item: ItemName, keychain: Keychain) throws {
        guard !replace else { return try SetCommand.store(password, name: item, keychain: keychain, expiry: expiry) }
        let refusal = CommandFailure.status(
            .duplicateItem, "there is an item \(item.shown.printable) already; add --replace to give it a new secret")
        guard try item.all(in: keychain).isEmpty else { throw refusal }
        do { try SetCommand.add(password, name: item, keychain: keychain, expiry: expiry) } catch let error
            as KeychainError
        {
            throw error.code == .duplicateItem ? refusal : error
        }
    }
}

/// `zamok otp`
struct OneTimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Print the one-time code of an item whose secret is an otpauth:// URI.",
        discussion: """
            By time (RFC 6238) or by counter (RFC 4226), whose next state is stored before the code is shown: no two get the same one, even at the same \
            time. At a terminal it says how long the code is good. \
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
        let named = try name.item
        let keychain = try ChosenHome.keychain(global.reading)
        let (reference, uri) = try References(keychain).item(named)
        var item = try OneTimeCode(uri)
        let now = Date()
        if case .counter = item.moment {
            let taken = Locked<Secret?>(nil)
            try keychain.update(reference) { uri in
                taken.withLock { $0 = uri }
                return try OneTimeCode(uri).next(uri) ?? uri
            }
            item = try OneTimeCode(taken.withLock { $0 } ?? uri)
            Done.note("the counter is raised", lost: "the code")
        }
        let code = try item.code(at: now)
        let left = item.secondsLeft(at: now)
        try Printer(json: json).answer(
            .object([("code", .text(code)), ("secondsLeft", left.map { .count($0) } ?? .null)]), code)
        if !json, let left, Channel.output.isTerminal { try Channel.error.line("good for \(left) s") }
    }
}
