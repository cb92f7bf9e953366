// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// The fields of an item, or of the items that are meant.
struct ItemOptions: ParsableArguments {
    @Option(name: .customLong("class"), help: "The item class; told by the other options if it is left out.")
    var itemClass: ItemClassWord?

    @Option(help: "Generic passwords: the service.")
    var service: String?

    @Option(help: "The account.")
    var account: String?

    @Option(help: "Internet passwords: the host's name.")
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

    @Option(help: "The access group; a new item without one goes to the group zamok.")
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

    /// The fields for an item of this class, which a file says. Errors: usage when another class is asked for.
    func record(of itemClass: ItemClass) throws -> ItemRecord {
        guard self.itemClass == nil || self.itemClass?.itemClass == itemClass else {
            throw CommandFailure.usage("the file holds an item of class \(itemClass.name); leave --class out")
        }
        do { return try record(itemClass, try attributesLine()) } catch let error as KeychainError {
            throw CommandFailure.usage(error.message)
        }
    }

    /// One record for each class that may be meant; the first one is the class of a new item.
    func records() throws -> [ItemRecord] {
        let line = try attributesLine()
        var records: [ItemRecord] = []
        var refusal: KeychainError?
        for itemClass in itemClass.map({ [$0.itemClass] }) ?? line?.classes ?? ItemClassWord.stored {
            do {
                records.append(try record(itemClass, line))
            } catch let error as KeychainError {
                // A value that no class takes says more than a class that has no such field.
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
