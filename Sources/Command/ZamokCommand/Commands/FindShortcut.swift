// SPDX-License-Identifier: Apache-2.0

import Keychains

/// `zamok keychain find` in the plain form that scripts use. It bypasses the general parser, which takes longer than
/// the rest of the search.
///
/// Anything else is left to the parser: another option, an option twice, a value like an option, an empty value, and
/// all errors. A test compares the two.
struct FindShortcut {
    let items: SelectedItems
    let choice: HomeChoice
    let wantsValue: Bool
    let wantsJSON: Bool

    /// `nil`: not the plain form. Uses arrays and switches, because each generic type costs time at every start.
    init?(_ arguments: ArraySlice<String>) {
        guard arguments.count > 2, arguments.first == "keychain", arguments.dropFirst().first == "find" else {
            return nil
        }
        var rest = arguments.dropFirst(2)
        var passcodeFile: String?
        var value = false
        var json = false
        var fields: [(field: ItemField, value: String)] = []
        while let word = rest.popFirst() {
            switch word {
            case "--value" where !value, "-w" where !value: value = true
            case "--json" where !json: json = true
            default:
                guard let next = rest.popFirst(), !next.isEmpty, !next.hasPrefix("-") else { return nil }
                if word == "--passcode-file", passcodeFile == nil {
                    passcodeFile = next
                } else if let field = Self.field(word), !fields.contains(where: { $0.field == field }) {
                    fields.append((field, next))
                } else {
                    return nil
                }
            }
        }
        let records = Self.records(fields)
        guard !fields.isEmpty, !records.isEmpty else { return nil }
        items = SelectedItems(records: records, reference: nil)
        choice = HomeChoice(passcodeFile: passcodeFile)
        wantsValue = value
        wantsJSON = json
    }

    private static func field(_ word: String) -> ItemField? {
        switch word {
        case "--service": .service
        case "--account": .account
        case "--server": .server
        case "--port": .port
        case "--label": .label
        case "--group": .group
        default: nil
        }
    }

    /// One record for each class that has all these fields.
    private static func records(_ fields: [(field: ItemField, value: String)]) -> [ItemRecord] {
        ItemClassWord.stored.compactMap { itemClass in
            var record = ItemRecord(itemClass)
            for (field, value) in fields {
                guard (try? record.set(field, value)) != nil else { return nil }
            }
            return record
        }
    }

    func run() throws {
        try ItemSearch(items: items, choice: choice, wantsValue: wantsValue, wantsJSON: wantsJSON).run()
    }
}
