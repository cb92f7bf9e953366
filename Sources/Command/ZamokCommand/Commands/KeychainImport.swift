// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok keychain import`
struct KeychainImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add items from an export, from another password manager, from JSON lines or from secret-tool.",
        discussion: """
            All that can be added is added in one transaction, or nothing is; meanwhile other writers wait. An item is "already there" if the \
            stored one has the same secret and fields. One that differs from the stored one, or can't be compared with it, is named, and the status is 3: \
            --keep-both adds it beside the stored one, as ACCOUNT (2), and --replace gives the stored one its secret and fields (zamok keychain history shows the former secret). \
            In a text, what can't be an item is refused line by line; the status is then 3. With --compare nothing is added: 0 means that all of the \
            file is in the keychain, 3 that something is not, and names it; look before you delete the file. A file of JSON lines, of secret-tool or an export may have any \
            size; what comes through a pipe is held in memory and may have 256 MiB, other managers' files 64 MiB.

            JSON lines are what zamok keychain list --json --value prints. Of secret-tool it is what search --all prints to \
            both its outputs: service, username and server become fields, other attributes are kept in the comment.

            Of other password managers: Bitwarden's .json without encryption; a document of the Credential Exchange Format (CXF 1.0, JSON), whose passkeys, cards and other \
            kinds are kept for an export and not used; CSV with a line of names, as Chrome, 1Password, Firefox, Safari and \
            KeePassXC write it; KeePass XML (2.x); .env files, each variable an item of --service; the folder of pass, which gpg opens. What has an \
            address becomes an internet password, of several addresses (Bitwarden) one each, a one-time code an item otp/HOST (otp/TITLE without an address), a note a generic password; an address that is none of a server is kept in \
            the comment, and so are folder and tags. What has no place in an item is counted and named; the status is then 3. With --dry-run nothing is added, no home is made, and all is counted and named.

            EXAMPLES:
              zamok keychain import bitwarden.json --dry-run
              zamok keychain import "Chrome Passwords.csv"
              zamok keychain import "Chrome Passwords.csv" --compare && shred -u "Chrome Passwords.csv"
              zamok keychain import passwords.csv --keep-both
              zamok keychain import exchange.json --dry-run
              some-manager export | zamok keychain import - --format cxf
              zamok keychain import ~/.password-store
              zamok keychain import .env --service shop
              zamok keychain import backup.zamok
              zamok keychain import items.jsonl
              secret-tool search --all --unlock service mail 2>&1 | zamok keychain import -
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file to read; - is standard input, for text.", completion: .file())
    var file: String

    @Option(help: "What the file is; told by its name and first bytes if it is left out.")
    var format: ImportFormat?

    @Option(help: "The service of an environment file's variables.")
    var service = "env"

    @Flag(help: "Add nothing, and say what would be added.")
    var dryRun = false

    @Flag(help: "Add nothing, and compare: status 0 if all of the file is in the keychain with the same contents.")
    var compare = false

    @Flag(help: "Add what differs from the stored item beside it, under the account ACCOUNT (2).")
    var keepBoth = false

    @Flag(help: "Replace the stored item by what differs from it.")
    var replace = false

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func validate() throws {
        guard [compare, keepBoth, replace].count(where: \.self) < 2, !(compare && dryRun) else {
            throw ValidationError(
                "--compare, --keep-both and --replace exclude each other, and so do --compare and --dry-run")
        }
    }

    private var manner: ImportManner {
        compare ? .comparing : .adding(replace ? .replace : keepBoth ? .keepBoth : .keep, isTrial: dryRun)
    }

    func run() throws {
        let bar = ProgressBar()
        defer { bar.finish() }
        bar.begin("reading \(file.printable)")
        let source = try ImportSource(file, format, service: service, bar: bar)
        if source.isExport {
            guard !dryRun else { throw CommandFailure.usage("--dry-run is for texts; for an export use --compare") }
            bar.finish()
        }
        let secret = try source.isExport ? Secret(passphrase.read(isNew: false)) : nil
        let trial = dryRun ? TrialHome() : nil
        defer { trial?.remove() }
        let home = try trial?.open(global.reading) ?? ChosenHome.openUnlocked(compare ? global.reading : global.choice)
        let notes = ImportNotes(manner)
        switch source {
        case .export(let path):
            guard let secret else { return }
            let transfer = try secret.withSecretBytes { passphrase in
                try KeychainExport.read(from: path, into: home, passphrase: passphrase, as: manner, notes: notes) {
                    bar.update($0, of: $1)
                }
            }
            bar.finish()
            try report(transfer, [], notes: notes)
        case .listing(let listing):
            let keychain = Keychain(home: home)
            let transfer = try keychain.add(contentsOf: listing, as: manner, notes: notes) { bar.update($0, of: nil) }
            bar.finish()
            let (refusals, kept) = (listing.refusals, listing.kept)
            try report(
                transfer, refusals, notes: notes, place: listing.place,
                names: dryRun ? TrialHome.names(of: listing, missingIn: keychain) : nil, kept: kept)
        }
    }

    private func report(
        _ transfer: KeychainTransfer, _ refusals: [ItemListing.Refusal], notes: ImportNotes, place: String = "line",
        names: [String]? = nil, kept: [String: Int] = [:]
    ) throws {
        let (verb, member) =
            compare
            ? ("not in the keychain as the file has it", "missing")
            : dryRun ? ("would be added", "wouldBeAdded") : ("added", "added")
        if !dryRun, !compare, transfer.count > 0 { Done.note("the items are stored") }
        var lines = TransferPrinter.lines(transfer, verb: verb, refusals: refusals, place: place, notes: notes.all)
        lines.insert(contentsOf: (names ?? []).map { "  \($0)" }, at: 1)
        if !kept.isEmpty {
            let kinds = kept.sorted { $0.key < $1.key }.map { "\($0.key.printable) \($0.value)" }
            lines.append("kept for keychain export --format cxf: \(kinds.joined(separator: ", "))")
        }
        try Printer(json: json).answer(
            TransferPrinter.json(
                transfer, verb: member, refusals: refusals, names: names, notes: notes.all, kept: kept), lines)
        if !json, transfer.leftOut[.different, default: 0] > 0 {
            try Channel.error.line(
                replace
                    ? "zamok: of two entries of one name the first counts, and the other may be in the file alone: --keep-both adds it beside; keep the file"
                    : "zamok: what differs from the stored items is in the file alone: --keep-both adds it beside them, --replace replaces them; keep the file"
            )
        }
        guard refusals.isEmpty, transfer.isStored, !compare || transfer.count == 0 else { throw CommandFailure.inPart }
    }
}
