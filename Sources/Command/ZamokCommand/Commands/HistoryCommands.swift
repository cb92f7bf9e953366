// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// The options that name an item whose former secrets are meant.
struct PastItemOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Argument(help: "SERVICE or SERVICE/ACCOUNT.", completion: Completions.names)
    var name: String?

    @Option(name: [.customShort("s"), .long], help: "The whole service or server.", completion: Completions.services)
    var service: String?

    @Option(name: [.customShort("a"), .long], help: "The account.", completion: Completions.accounts)
    var account: String?

    @Option(help: ArgumentHelp("The item of this persistent reference, as --json shows it.", valueName: "hex"))
    var reference: ReferenceWord?

    /// Whether the options name so many items, and nothing besides.
    func names(_ count: Int) -> Bool {
        [name != nil, service != nil, reference != nil].count { $0 } == count && (reference == nil || account == nil)
    }

    /// The item, and the keychain that has it. A name that means nothing is refused before that is opened.
    func open() throws -> (Keychain, ItemRecord) {
        let named = try reference == nil ? NameOptions.item(name, service, account) : nil
        let keychain = try ChosenHome.keychain(global.reading)
        if let reference { return (keychain, try keychain.record(reference.reference)) }
        guard let named else { throw CommandFailure.notFound }
        return (keychain, try named.only(in: keychain))
    }
}

/// `zamok keychain history`
struct KeychainHistory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show or remove the secrets that an item had before.",
        discussion: """
            Of items of the command's own group the last 10 secrets are kept, each for 90 days, in 1 MiB together: sealed as the item is now, by its \
            class and access control, and gone with it. An older one is not shown any more, and leaves the disk with the next change, or with \
            --purge, which removes all of an item, or of all items, from every file. An export has none of them.

            EXAMPLES:
              zamok keychain history api/deploy
              zamok keychain history api/deploy --value --json
              zamok keychain history api/deploy --purge
              zamok keychain history --purge --all
            """
    )

    @OptionGroup var item: PastItemOptions

    @Flag(name: [.long, .customShort("w")], help: "Show the secrets too.")
    var value = false

    @Flag(help: "Remove them.")
    var purge = false

    @Flag(help: "With --purge: those of all items.")
    var all = false

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func validate() throws {
        guard item.names(all ? 0 : 1), purge || !all else {
            throw ValidationError(
                "Name an item, as SERVICE/ACCOUNT, with -s and -a, or by --reference; --all goes with --purge.")
        }
    }

    func run() throws {
        if all {
            let keychain = try ChosenHome.keychain(item.global.reading)
            let count = try [ItemClass.genericPassword, .internetPassword].reduce(0) {
                try $0 + keychain.removePast(matching: ItemRecord($1))
            }
            return try Channel.error.line("zamok: former secrets were removed of items: \(count)")
        }
        let (keychain, record) = try item.open()
        guard let reference = record.persistentReference else { return }
        if purge {
            let count = try keychain.removePast(of: reference)
            return try Channel.error.line("zamok: former secrets were removed of items: \(count)")
        }
        let past = try keychain.past(of: reference).enumerated().map { ($0.offset + 1, $0.element) }
        let head = ["NUMBER", "REPLACED"] + (value ? ["SECRET"] : [])
        try Printer(json: json).rows(
            past, head: head,
            { number, entry in
                let secret = try value ? ItemPrinter.value(entry.secret) : []
                return .object([("number", .count(number)), ("replaced", .date(entry.replaced))] + secret)
            },
            { number, entry in
                let secret = try value ? String(exposing: entry.secret)?.printable ?? "(no text)" : nil
                return ["\(number)", entry.replaced.formatted(.iso8601)] + (secret.map { [$0] } ?? [])
            })
    }
}

/// `zamok keychain restore`
struct KeychainRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Give an item a secret again that it had before.",
        discussion: """
            The number is that of zamok keychain history; without one it is 1, the secret before the present one, which becomes a former one.

            EXAMPLES:
              zamok keychain restore api/deploy
              zamok keychain restore api/deploy --number 3
            """
    )

    @OptionGroup var item: PastItemOptions

    @Option(help: "Which one, as zamok keychain history numbers them.")
    var number = 1

    func validate() throws {
        guard item.names(1) else {
            throw ValidationError("Name an item, as SERVICE/ACCOUNT, with -s and -a, or by --reference.")
        }
    }

    func run() throws {
        let (keychain, record) = try item.open()
        guard let reference = record.persistentReference else { return }
        let past = try keychain.past(of: reference)
        guard number >= 1, number <= past.count else {
            throw CommandFailure.status(
                .itemNotFound,
                past.isEmpty
                    ? "the item has no former secrets; nothing was changed"
                    : "the item has \(past.count) former secrets, numbered from 1; nothing was changed")
        }
        let present = try keychain.record(reference, includingSecret: true).secret
        guard (present?.count ?? 0) <= Keychain.largestPast else {
            throw CommandFailure.status(
                .dataTooLarge,
                "the present secret is too large to become a former one, and would be lost; nothing was changed")
        }
        var changes = ItemRecord(record.itemClass)
        changes.secret = past[number - 1].secret
        try keychain.update(reference, with: changes, keepingPastOf: record[.group])
    }
}

/// An expiry on the command line: a day, a date and time, or a duration from now.
struct ExpiryWord: ExpressibleByArgument {
    /// `nil`: never.
    let date: Date?

    init?(argument: String) {
        if argument == "never" {
            date = nil
        } else if let duration = DurationWord(argument: argument)?.duration {
            date = Date() + Double(duration.components.seconds)
        } else if let day = Date(day: argument.prefix(10)),
            // 30 February with a time would otherwise be parsed as a day in March.
            let moment = argument.count == 10 ? day : try? Date(argument, strategy: .iso8601)
        {
            date = moment
        } else {
            return nil
        }
    }
}

/// The expiry option of commands that store a secret.
struct ExpiryOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When the secret expires: 2027-01-31, 2027-01-31T12:00:00Z, 90d, or never; as it was without.",
            valueName: "when"))
    var expires: ExpiryWord?

    /// Sets the expiry in the record to store.
    func apply(to record: inout ItemRecord) {
        if let expires { record.setExpiry(expires.date) }
    }
}
