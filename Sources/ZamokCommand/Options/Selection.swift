// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// Which items a command works on: those with the given fields, or the one of a reference.
struct Selection: ParsableArguments {
    @OptionGroup(title: "Item") var item: ItemOptions

    @Option(help: ArgumentHelp("The item of this persistent reference, as --json shows it.", valueName: "hex"))
    var reference: ReferenceWord?

    /// The matching items of all classes that may be meant. A selection without any condition is everything.
    func find(in keychain: Keychain, limit: Int?, includingSecrets: Bool) throws -> [ItemRecord] {
        let records = try item.records()
        if let reference {
            guard records.allSatisfy(\.isEmpty) else {
                throw CommandFailure.usage("--reference says which item is meant; leave the other fields out")
            }
            return [try keychain.record(reference.reference, includingSecret: includingSecrets)]
        }
        var found: [ItemRecord] = []
        for record in records {
            let left = limit.map { $0 - found.count }
            guard left != 0 else { break }
            found += try keychain.records(matching: record, limit: left, includingSecrets: includingSecrets)
        }
        return found
    }

    /// The matching items, of which there must be one, or with `all` at least one.
    func select(in keychain: Keychain, all: Bool) throws -> [PersistentReference] {
        let found = try find(in: keychain, limit: all ? nil : 2, includingSecrets: false)
        guard !found.isEmpty else { throw CommandFailure.notFound }
        guard all || found.count == 1 else {
            throw CommandFailure.usage("several items match, nothing was changed; name more fields, or add --all")
        }
        return found.compactMap(\.persistentReference)
    }

    /// Refuses a selection of everything.
    func demandConditions() throws {
        guard reference == nil, item.attributesFrom == nil, item.isEmpty else { return }
        throw CommandFailure.usage("say which item is meant, for example with --service and --account")
    }
}
