// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Keychains
import SecretMemory
import Statuses

/// The options for the fields of an item, or of the selected items.
struct ItemOptions: ParsableArguments {
    @Option(name: .customLong("class"), help: "The item class; if it is left out, the other options decide.")
    var itemClass: ItemClassWord?

    @Option(help: "Generic passwords: the service.", completion: Completions.services)
    var service: String?

    @Option(help: "The account.", completion: Completions.accounts)
    var account: String?

    @Option(help: "Internet passwords: the host's name.", completion: Completions.servers)
    var server: String?

    @Option(help: "Internet passwords: the port.")
    var port: String?

    @Option(
        name: .customLong("protocol"),
        help: "Internet passwords: https and the like, or Apple's code of four characters.")
    var transport: String?

    @Option(help: "Internet passwords: the path.")
    var path: String?

    @Option(help: "Internet passwords: the security domain (realm).")
    var securityDomain: String?

    @Option(help: "Internet passwords: how the account authenticates, Apple's code of four characters.")
    var authenticationType: String?

    @Option(help: "Keys: what the app calls the key.")
    var tag: String?

    @Option(help: "A name for people.")
    var label: String?

    @Option(help: "What kind of item it is, for people.")
    var description: String?

    @Option(help: "A comment.")
    var comment: String?

    @Option(help: "The access group; a new item without one goes to the group zamok.", completion: Completions.groups)
    var group: String?

    @Option(help: "When the secret is readable; a new item without one: when-unlocked.")
    var accessible: AccessibilityWord?

    @Flag(inversion: .prefixedNo, help: "Whether it may be synchronised between devices.")
    var synchronizable: Bool?

    @Option(
        help: ArgumentHelp(
            "Read fields from the first line of standard input, a JSON object; what follows is the secret.",
            valueName: "-"
        )
    )
    var attributesFrom: String?

    private var given: [(ItemField, String?)] {
        [
            (.service, service), (.account, account), (.server, server), (.port, port), (.transport, transport),
            (.path, path), (.securityDomain, securityDomain), (.authenticationType, authenticationType),
            (.tag, tag), (.label, label), (.description, description), (.comment, comment), (.group, group),
            (.accessible, accessible?.accessibility.name),
            (.synchronizable, synchronizable.map { $0 ? "true" : "false" }),
        ]
    }

    /// Whether no option is given.
    var isEmpty: Bool { itemClass == nil && given.allSatisfy { $0.1 == nil } }

    /// The fields for an item whose class is given by a file. Errors: wrong usage if `--class` differs.
    func record(of itemClass: ItemClass) throws -> ItemRecord {
        guard self.itemClass == nil || self.itemClass?.itemClass == itemClass else {
            throw CommandFailure.usage("the file holds an item of class \(itemClass.name); leave --class out")
        }
        do { return try record(itemClass, try attributesLine()) } catch let error as KeychainError {
            throw CommandFailure.usage(error.message)
        }
    }

    /// One record for each possible class. The first one is the class of a new item.
    func records() throws -> [ItemRecord] {
        let line = try attributesLine()
        var records: [ItemRecord] = []
        var refusal: KeychainError?
        for itemClass in itemClass.map({ [$0.itemClass] }) ?? line?.classes ?? ItemClassWord.stored {
            do {
                records.append(try record(itemClass, line))
            } catch let error as KeychainError {
                // An error for an invalid value is more useful than one for a class without the field.
                let saysMore = refusal?.code == .noSuchAttribute && error.code != .noSuchAttribute
                if refusal == nil || saysMore { refusal = error }
            }
        }
        guard records.isEmpty, let refusal else { return records }
        throw CommandFailure.usage(refusal.message)
    }

    private func record(_ itemClass: ItemClass, _ line: AttributesLine?) throws -> ItemRecord {
        var record = ItemRecord(itemClass)
        for (field, value) in given {
            guard let value else { continue }
            try record.set(field, value)
        }
        for (field, value) in line?.fields ?? [] {
            guard record[field] == nil else { throw CommandFailure.usage("\(field.name) is given twice") }
            try record.set(field, value)
        }
        return record
    }

    private func attributesLine() throws -> AttributesLine? {
        guard let attributesFrom else { return nil }
        guard attributesFrom == "-" else {
            throw CommandFailure.usage("--attributes-from reads standard input: write --attributes-from -")
        }
        return try AttributesLine(StandardInput.firstLine())
    }
}

/// The options that select the items of a command: their fields, or a reference.
struct Selection: ParsableArguments {
    @OptionGroup(title: "Item") var item: ItemOptions

    @Option(help: ArgumentHelp("The item of this persistent reference, as --json shows it.", valueName: "hex"))
    var reference: ReferenceWord?

    /// The selection. May read the first line of standard input. `everything`: no condition is required.
    func items(everything: Bool = false) throws -> SelectedItems {
        guard everything || reference != nil || item.attributesFrom != nil || !item.isEmpty else {
            throw CommandFailure.usage("say which item is meant, for example with --service and --account")
        }
        let records = try item.records()
        guard reference == nil || records.allSatisfy(\.isEmpty) else {
            throw CommandFailure.usage("--reference says which item is meant; leave the other fields out")
        }
        return SelectedItems(records: records, reference: reference?.reference)
    }
}

/// The selected items.
struct SelectedItems {
    /// One record for each possible class.
    let records: [ItemRecord]
    let reference: PersistentReference?

    /// The matching items of all classes.
    func find(in keychain: Keychain, limit: Int? = nil, includingSecrets: Bool = false) throws -> [ItemRecord] {
        if let reference { return [try keychain.record(reference, includingSecret: includingSecrets)] }
        return try keychain.records(matchingAny: records, limit: limit, includingSecrets: includingSecrets)
    }

    /// Passes the matching items of all classes, converted by `make`, to `body` in batches. Without `asking`, items
    /// that require a prompt come without their secret.
    func forEach<Made: Sendable>(
        in keychain: Keychain, includingSecrets: Bool, asking: Bool, _ make: @Sendable (ItemRecord) throws -> Made,
        _ body: ([Made]) throws -> Void
    ) throws {
        if let reference {
            let bare = try keychain.record(reference)
            let isOpen = includingSecrets && (asking || bare.accessControl.isEmpty)
            return try body([try make(isOpen ? try keychain.record(reference, includingSecret: true) : bare)])
        }
        try keychain.forEachRecord(
            matchingAny: records, includingSecrets: includingSecrets, asking: asking, make, body)
    }

    /// The single item that must match.
    func only(in keychain: Keychain) throws -> PersistentReference {
        if let reference { return reference }
        let found = try find(in: keychain, limit: 2)
        guard found.count < 2 else {
            throw CommandFailure.status(
                .parameter,
                "several items match, nothing was changed; name more fields, or one by --reference, as list --json shows it, or add --all"
            )
        }
        guard let reference = found.first?.persistentReference else { throw CommandFailure.notFound }
        return reference
    }

    /// Applies `body` to all matching items, those of a class in one transaction. At least one must match. `body`
    /// reports damaged items, which stay unchanged and cause an error.
    func forAll(_ body: (ItemRecord, (Int) -> Void) throws -> Int) throws {
        var count = 0
        var isDamaged = false
        var failure: (any Error)?
        for record in records {
            do {
                count += try body(record) { isDamaged = isDamaged || $0 > 0 }
            } catch let error as KeychainError {
                guard error.code != .itemNotFound else { continue }
                guard [.damaged, .keyDestroyed].contains(error.code) else { throw error }
                failure = failure ?? error
            }
        }
        guard count > 0 else { throw failure ?? CommandFailure.notFound }
        guard isDamaged || failure != nil else { return }
        try Channel.error.line(
            "zamok: what is damaged, and matches or may match, stays as it is; see: zamok doctor")
        throw CommandFailure.inPart
    }
}

/// The options for the fields to update.
struct ChangeOptions: ParsableArguments {
    @Option(help: "The new service.")
    var newService: String?

    @Option(help: "The new account.")
    var newAccount: String?

    @Option(help: "The new server.")
    var newServer: String?

    @Option(help: "The new port.")
    var newPort: String?

    @Option(help: "The new path.")
    var newPath: String?

    @Option(help: "The new label.")
    var newLabel: String?

    @Option(help: "The new description.")
    var newDescription: String?

    @Option(help: "The new comment.")
    var newComment: String?

    @Option(help: "The new access group.")
    var newGroup: String?

    @Option(help: "When the secret is to be readable.")
    var newAccessible: AccessibilityWord?

    @Flag(help: "Share the item with the other machines of an account (zamok sync).")
    var newSynchronizable = false

    @Option(help: "When the secret expires from now on; never takes the date away.")
    var newExpires: ExpiryWord?

    private var given: [(ItemField, String?)] {
        [
            (.service, newService), (.account, newAccount), (.server, newServer), (.port, newPort), (.path, newPath),
            (.label, newLabel), (.description, newDescription), (.comment, newComment), (.group, newGroup),
            (.accessible, newAccessible?.accessibility.name), (.synchronizable, newSynchronizable ? "true" : nil),
        ]
    }

    /// Whether no field is to be changed.
    var isEmpty: Bool { newExpires == nil && given.allSatisfy { $0.1 == nil } }

    /// The changes for an item of a class.
    func record(_ itemClass: ItemClass, _ secret: Secret?) throws -> ItemRecord {
        var record = ItemRecord(itemClass)
        record.secret = secret
        if let newExpires { record.setExpiry(newExpires.date) }
        do {
            for (field, value) in given {
                guard let value else { continue }
                try record.set(field, value)
            }
        } catch {
            throw CommandFailure.usage(error.message)
        }
        return record
    }
}

/// The fields that `--attributes-from -` reads: a JSON object on one line.
struct AttributesLine {
    let fields: [(ItemField, String)]
    /// The selected classes; nil: any class with these fields.
    let classes: [ItemClass]?

    private struct Named: Decodable {
        let `class`: String?
    }

    init(_ line: [UInt8]) throws {
        do {
            let record = try ItemRecord(json: line)
            guard record.secret == nil else {
                throw CommandFailure.usage("the secret doesn't belong in the line of fields, but after it")
            }
            fields = ItemField.allCases.compactMap { field in record[field].map { (field, $0) } }
            let isNamed = try JSONDecoder().decode(Named.self, from: Data(line)).class != nil
            classes = isNamed ? [record.itemClass] : nil
        } catch let error as KeychainError {
            throw CommandFailure.usage("the first line of standard input: \(error.message)")
        }
    }
}
