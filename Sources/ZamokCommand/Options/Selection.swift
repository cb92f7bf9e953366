// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// The options that say which items a command works on: their fields, or a reference.
struct Selection: ParsableArguments {
    @OptionGroup(title: "Item") var item: ItemOptions

    @Option(help: ArgumentHelp("The item of this persistent reference, as --json shows it.", valueName: "hex"))
    var reference: ReferenceWord?

    /// What is selected; may read the first line of standard input. `everything`: it need not have any condition.
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

/// The items that a command works on.
struct SelectedItems {
    /// One for each class that may be meant.
    let records: [ItemRecord]
    let reference: PersistentReference?

    /// The matching items of all classes.
    func find(in keychain: Keychain, limit: Int? = nil, includingSecrets: Bool = false) throws -> [ItemRecord] {
        if let reference { return [try keychain.record(reference, includingSecret: includingSecrets)] }
        var found: [ItemRecord] = []
        for record in records {
            let left = limit.map { $0 - found.count }
            guard left != 0 else { break }
            found += try keychain.records(matching: record, limit: left, includingSecrets: includingSecrets)
        }
        return found
    }

    /// The one item that must match.
    func only(in keychain: Keychain) throws -> PersistentReference {
        if let reference { return reference }
        let found = try find(in: keychain, limit: 2)
        guard found.count < 2 else {
            throw CommandFailure.usage("several items match, nothing was changed; name more fields, or add --all")
        }
        guard let reference = found.first?.persistentReference else { throw CommandFailure.notFound }
        return reference
    }

    /// Does something to all matching items, those of a class in one transaction; there must be one.
    func forAll(_ body: (ItemRecord) throws -> Int) throws {
        var count = 0
        for record in records {
            do {
                count += try body(record)
            } catch let error as KeychainError where error.code == .itemNotFound {
                continue
            }
        }
        guard count > 0 else { throw CommandFailure.notFound }
    }
}
