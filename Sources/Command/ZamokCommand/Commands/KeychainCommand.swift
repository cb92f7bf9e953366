// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok keychain`
struct KeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Add, find, list, update, delete, export and import items.",
        discussion: """
            An item has a class, fields and a secret. Service, account, access group and the synchronizable flag are the identity of a \
            generic password: no two items share all of them. For an internet password it is server, account, port, protocol, \
            path, security domain and authentication type in place of the service.
            """,
        subcommands: [
            KeychainAdd.self, KeychainFind.self, KeychainList.self, KeychainUpdate.self, KeychainDelete.self,
            KeychainHistory.self, KeychainRestore.self, KeychainExportCommand.self, KeychainImport.self,
        ]
    )
}

/// `zamok keychain add`
struct KeychainAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an item.",
        discussion: """
            The secret is read from standard input, byte for byte: no newline is dropped, so use printf %s and not echo. At a \
            terminal it is asked for twice. A certificate, key or PKCS#12 file is read from the file that is named; a passphrase is \
            asked for if it is encrypted. With --require-passcode every later read of the secret needs the passcode each \
            time, unlocked or not; set one before (zamok passcode set). An item that exists already stays as it is (status 45); zamok keychain update changes it.

            EXAMPLES:
              printf %s "$TOKEN" | zamok keychain add --service api --account deploy
              zamok keychain add --server db.example.com --port 5432 --account app < password.txt
              zamok keychain add --service backup --account root --require-passcode
              zamok keychain add --service tls --accessible always --label "TLS key" < key.pem
              zamok keychain add --certificate server.pem --label "Test server"
              zamok keychain add --key key.pem --tag signing --require-passcode
              zamok keychain add --p12 client.p12 --passphrase-file passphrase
              printf '%s\\n%s' '{"service":"api","account":"deploy"}' "$TOKEN" | zamok keychain add --attributes-from -
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup(title: "Item") var item: ItemOptions
    @OptionGroup(title: "Certificates and keys") var files: KeyFileOptions
    @OptionGroup(title: "Certificates and keys") var passphrase: PassphraseOption

    @Flag(help: "Store an item whose secret has no bytes.")
    var allowEmpty = false

    @Flag(help: "Ask for the passcode each time the secret is read, though the home is unlocked.")
    var requirePasscode = false

    @OptionGroup var expiry: ExpiryOption

    @Flag(help: "Print the stored item, without its secret, as a JSON object.")
    var json = false

    func run() throws {
        guard files.isEmpty else { return try addFromFile() }
        guard var record = try item.records().first.map(constrained) else { return }
        guard !record.isEmpty else {
            throw CommandFailure.usage("say what the item is called, for example with --service and --account")
        }
        guard record.itemClass == .genericPassword || record.itemClass == .internetPassword else {
            throw CommandFailure.usage("certificates and keys come from a file: --certificate, --key or --p12")
        }
        try checkPasscode()
        record.secret = try StandardInput.secret(allowingEmpty: allowEmpty)
        expiry.apply(to: &record)
        let added = try ChosenHome.keychain(global.choice).add(record)
        Done.note("the item is stored")
        if json { try Printer(json: json).rows([added], ItemPrinter.json, ItemPrinter.row) }
    }

    private func addFromFile() throws {
        let records = try files.records(
            { constrained(try item.record(of: $0)) }, passphrase: { try passphrase.text() })
        let keychain = try ChosenHome.keychain(global.choice)
        var added: [ItemRecord] = []
        var failure: CommandFailure?
        for record in records {
            do { added.append(try keychain.add(record)) } catch {
                guard records.count > 1, error.code == .duplicateItem else { throw error }
                let refusal = CommandFailure(error)
                try Channel.error.line(
                    "zamok: \((record[.label] ?? "an identity").printable): \(refusal?.message ?? "")")
                failure = refusal
            }
        }
        if !added.isEmpty { Done.note("what is in the file is stored") }
        if json { try Printer(json: json).rows(added, ItemPrinter.json, ItemPrinter.row) }
        if let failure { throw CommandFailure.silent(added.isEmpty ? failure.exitStatus : ExitStatus.inPart) }
    }

    /// Fails before the user types a secret that could not be stored.
    private func checkPasscode() throws {
        // Inside a guard the guard's home decides.
        guard requirePasscode, !GuardedProcess.isGuest else { return }
        do {
            let keybag = try ChosenHome.open(global.reading).keybag
            guard try keybag.hasPasscode else {
                throw keybag.noPasscode("--require-passcode asks for a passcode, and none is set")
            }
        } catch let error as DataProtectionError where error.code == .noHome {
            throw DataProtectionError(
                .noPasscode, "--require-passcode asks for a passcode, and there is no home yet; run: zamok passcode set"
            )
        }
    }

    private func constrained(_ record: ItemRecord) -> ItemRecord {
        var record = record
        if requirePasscode { record.accessControl = .devicePasscode }
        return record
    }
}

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
              (umask 077; zamok keychain find --class identity --label client --pem > client.pem)
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
        var search = ItemSearch(items: items, choice: global.reading, wantsValue: value, wantsJSON: json)
        search.wantsPEM = pem
        try search.run()
    }
}

/// A search for one item, and the output format.
struct ItemSearch {
    let items: SelectedItems
    let choice: HomeChoice
    let wantsValue: Bool
    let wantsJSON: Bool
    var wantsPEM = false

    func run() throws {
        let keychain = try ChosenHome.keychain(choice.reading)
        guard let found = try items.find(in: keychain, limit: 1, includingSecrets: wantsValue || wantsPEM).first else {
            throw CommandFailure.notFound
        }
        if wantsPEM {
            guard let text = try found.pem() else {
                throw CommandFailure.status(
                    .parameter, "an item of class \(found.itemClass.name) has no PEM; read it with --value")
            }
            try Channel.output.write(try Secret(copying: Array(text.utf8)))
        } else if wantsJSON {
            try Channel.output.line(try ItemPrinter.json(found).line)
        } else if wantsValue {
            guard let secret = found.secret else {
                throw CommandFailure.status(.itemNotFound, "the item has no secret")
            }
            try Channel.output.write(secret)
            if Channel.output.isTerminal { try Channel.output.line("") }
        } else {
            try Channel.output.lines(ItemPrinter.lines(found))
        }
    }
}

/// `zamok keychain list`
struct KeychainList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List items.",
        discussion: """
            All items that have the given fields: class, service or server, account, group, accessibility. With --json one object a line, \
            which zamok keychain import reads. Damaged items are left out, unless there are no others (status 93); zamok doctor names them. An identity is a certificate with its \
            private key: both are listed, and --class identity lists where both are. Items that ask for a person are counted; --ask asks \
            and lists them.

            Items come by class and in the order in which they were added, and are printed as they are read, however many there are. Up to a \
            mebibyte nothing is printed before all of it was read; a longer list that can't be finished ends with an error after what is \
            printed already.

            EXAMPLES:
              zamok keychain list
              zamok keychain list --service api
              zamok keychain list --class identity
              (umask 077; zamok keychain list --json --value > all-my-secrets-in-clear.jsonl)
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Flag(name: [.long, .customShort("w")], help: "With --json: the secrets too.")
    var value = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "List the items too that ask for a person, after asking.")
    var ask = false

    func validate() throws {
        guard json || !value else {
            throw ValidationError("--value prints one secret: use it with find, or with --json")
        }
    }

    func run() throws {
        let items = try selection.items(everything: true)
        let keychain = try ChosenHome.keychain(global.reading)
        let printer = Printer(json: json)
        let answer = LongAnswer(head: printer.head(ItemPrinter.head))
        var left = 0
        var isEmpty = true
        // An item prompts the user only if its secret is read.
        try items.forEach(in: keychain, includingSecrets: value || ask, asking: ask) { record in
            guard ask || record.accessControl.isEmpty else { return LongAnswer.Row?.none }
            return try printer.row(value ? record : record.withoutSecret, ItemPrinter.json, ItemPrinter.row)
        } _: { rows in
            let shown = rows.compactMap(\.self)
            left += rows.count - shown.count
            isEmpty = isEmpty && rows.isEmpty
            try answer.append(shown)
        }
        try answer.finish()
        try ChosenHome.explain(isEmpty: isEmpty)
        guard left > 0 else { return }
        try Channel.error.line(
            left == 1
                ? "zamok: 1 item asks for a person and is not listed; --ask lists it"
                : "zamok: \(left) items ask for a person and are not listed; --ask lists them")
    }
}

/// `zamok keychain update`
struct KeychainUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change an item's secret or fields.",
        discussion: """
            Without a --new option the secret is replaced: by standard input, byte for byte, or by what is typed twice at the terminal. \
            With one, only these fields change, unless --secret says that the secret is to be replaced too. Of several matches nothing is changed (status 206), \
            unless with --all; damaged ones then stay as they are, are told, and the status is 3.

            EXAMPLES:
              printf %s "$TOKEN" | zamok keychain update --service api --account deploy
              zamok keychain update --service api --account deploy --new-account release
              zamok keychain update --service api --new-accessible after-first-unlock --all
              zamok keychain update --service mail --account anna --new-synchronizable
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection
    @OptionGroup(title: "Changes") var changes: ChangeOptions

    @Flag(help: "Replace the secret too.")
    var secret = false

    @Flag(help: "Change every matching item; otherwise exactly one must match.")
    var all = false

    @Flag(help: "Allow a secret that has no bytes.")
    var allowEmpty = false

    func run() throws {
        var selection = selection
        // An item that is already marked may have the same name.
        if changes.newSynchronizable, selection.reference == nil {
            selection.item.synchronizable = selection.item.synchronizable ?? false
        }
        // The line of fields precedes the secret on standard input.
        let items = try selection.items()
        let newSecret = secret || changes.isEmpty ? try StandardInput.secret(allowingEmpty: allowEmpty) : nil
        let keychain = try ChosenHome.keychain(global.reading)
        if changes.newSynchronizable { try mayTravel(items, keychain) }
        if all, items.reference == nil {
            // Built for all classes before the first change: if one class lacks a field, nothing is changed.
            let records = try items.records.map { try changes.record($0.itemClass, newSecret) }
            try items.forAll { item, passedOver in
                try records.first { $0.itemClass == item.itemClass }.map {
                    try keychain.update(
                        matching: item, with: $0, keepingPastOf: ChosenHome.group, passedOver: passedOver)
                } ?? 0
            }
        } else {
            let item = try items.only(in: keychain)
            try keychain.update(
                item, with: try changes.record(item.itemClass ?? .genericPassword, newSecret),
                keepingPastOf: ChosenHome.group)
        }
    }

    /// Refuses the synchronizable flag for items bound to this device. The library accepts it, as Apple's does, but
    /// never syncs the item.
    private func mayTravel(_ items: SelectedItems, _ keychain: Keychain) throws {
        let classes =
            try changes.newAccessible.map { [$0.accessibility] }
            ?? items.find(in: keychain).compactMap { $0[.accessible].flatMap(Accessibility.named) }
        guard classes.contains(where: \.keyClass.isThisDeviceOnly) else { return }
        throw CommandFailure.status(
            .parameter,
            "an item that is bound to this device stays here, and nothing was changed; unbind it with --new-accessible, such as when-unlocked"
        )
    }
}

/// `zamok keychain delete`
struct KeychainDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an item.",
        discussion: """
            One item must match, or nothing is deleted; --all deletes every match, but what is damaged: that stays, is told, and the status is 3. Neither the database nor its log holds the item afterwards.

            EXAMPLES:
              zamok keychain delete --service api --account deploy
              zamok keychain delete --service api --all
              zamok keychain list --class certificate --json && zamok keychain delete --reference HEX
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Flag(help: "Delete every matching item; otherwise exactly one must match.")
    var all = false

    func run() throws {
        let items = try selection.items()
        let keychain = try ChosenHome.keychain(global.reading)
        if all, items.reference == nil {
            try items.forAll { try keychain.delete(matching: $0, passedOver: $1) }
        } else {
            try keychain.delete(try items.only(in: keychain))
        }
    }
}

/// `zamok keychain export`
struct KeychainExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all items to a file, sealed under a passphrase, or in clear for another password manager.",
        discussion: """
            For moving to another home. The passphrase has at least 8 characters and is asked for twice, or read from \
            --passphrase-file; anyone with the file can guess at it without limit, so make it long. Left out, and counted: \
            items that are bound to this device or ask for the person each time, and those that are locked or damaged; status 3 \
            if any of the latter was there. The file must not exist yet; it is read back before it gets its name.

            For leaving: --format json (as Bitwarden writes it), csv (as browsers do) or cxf (Credential Exchange Format 1.0, with all that an import of it kept, \
            passkeys for example) holds every password in clear. Certificates and keys, and \
            secrets that are no text, are left out and counted. Items that ask for the person each time are asked for, and are in it.

            EXAMPLES:
              zamok keychain export backup.zamok
              zamok keychain export backup.zamok --passphrase-file passphrase --json
              zamok keychain export passwords.json --format json
              zamok keychain export exchange.json --format cxf
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Option(help: "How it is written.")
    var format = ExportFormat.zamok

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() throws {
        try NamedFile.checkNewFile(file)
        guard format == .zamok else {
            return try AccessOperation.$current.withValue(.export) {
                try LeavingExport.run(global.reading, format: format, file: file, json: json)
            }
        }
        let home = try ChosenHome.openUnlocked(global.reading)
        let bar = ProgressBar()
        let secret = try passphrase.read(isNew: true)
        let transfer = try KeychainExport.write(home, to: file, passphrase: secret) { bar.update($0, of: $1) }
        bar.finish()
        Done.note("the export is written")
        try Printer(json: json).answer(
            TransferPrinter.json(transfer, verb: "exported"), TransferPrinter.lines(transfer, verb: "exported"))
        guard transfer.isWhole else { throw CommandFailure.inPart }
    }
}
