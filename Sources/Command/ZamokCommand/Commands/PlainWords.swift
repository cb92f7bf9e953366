// SPDX-License-Identifier: Apache-2.0

import Keychains

/// The words after a command in the plain form that scripts use: known options once each, with values that are not
/// empty and don't look like options, and at most one name. Anything else, and every error, is left to the general
/// parser, which takes longer than the rest of a short command. A test compares the two.
///
/// Uses arrays, because each generic type with a condition costs time at every start.
struct PlainWords {
    private(set) var name: String?
    private var flags: [String] = []
    private var values: [(option: String, value: String)] = []

    /// `flags`, `options`: in every spelling, with the one that they are asked for by. `nil`: not the plain form.
    init?(
        _ words: ArraySlice<String>, flags: [(spelling: String, flag: String)] = [],
        options: [(spelling: String, option: String)], takesName: Bool = false
    ) {
        var rest = words
        while let word = rest.popFirst() {
            if let flag = flags.first(where: { $0.spelling == word })?.flag {
                guard !has(flag) else { return nil }
                self.flags.append(flag)
            } else if let option = options.first(where: { $0.spelling == word })?.option {
                guard let value = rest.popFirst(), Self.isPlain(value), self[option] == nil else { return nil }
                values.append((option, value))
            } else {
                guard takesName, name == nil, Self.isPlain(word) else { return nil }
                name = word
            }
        }
    }

    private static func isPlain(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { values.first { $0.option == option }?.value }

    /// Options with their values, in the order in which they were given.
    var given: [(option: String, value: String)] { values }
}

/// The commands that scripts call most, if their words have the plain form.
enum PlainCommand {
    case find(ItemSearch)
    case get(SecretOfItem)

    init?(_ words: ArraySlice<String>) {
        if words.starts(with: ["keychain", "find"]), let search = Self.search(words.dropFirst(2)) {
            self = .find(search)
        } else if words.first == "get", let secret = Self.secret(words.dropFirst()) {
            self = .get(secret)
        } else {
            return nil
        }
    }

    func run() throws {
        switch self {
        case .find(let search): try search.run()
        case .get(let secret): try secret.write()
        }
    }

    private static func search(_ words: ArraySlice<String>) -> ItemSearch? {
        let fields: [ItemField] = [.service, .account, .server, .port, .label, .group]
        let options = fields.map { (spelling: "--\($0.name)", option: $0.name) }
        guard
            let plain = PlainWords(
                words, flags: [("--value", "value"), ("-w", "value"), ("--json", "json")],
                options: options + [("--passcode-file", "passcode-file")])
        else { return nil }
        let given = plain.given.compactMap { word in
            fields.first { $0.name == word.option }.map { (field: $0, value: word.value) }
        }
        let records = records(given)
        guard !given.isEmpty, !records.isEmpty else { return nil }
        return ItemSearch(
            items: SelectedItems(records: records, reference: nil),
            choice: HomeChoice(passcodeFile: plain["passcode-file"]), wantsValue: plain.has("value"),
            wantsJSON: plain.has("json"))
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

    private static func secret(_ words: ArraySlice<String>) -> SecretOfItem? {
        let options = [
            ("--service", "service"), ("-s", "service"), ("--account", "account"), ("-a", "account"),
            ("--passcode-file", "passcode-file"),
        ]
        guard let plain = PlainWords(words, options: options, takesName: true),
            (plain.name == nil) != (plain["service"] == nil)
        else { return nil }
        return SecretOfItem(
            name: plain.name, service: plain["service"], account: plain["account"],
            choice: HomeChoice(passcodeFile: plain["passcode-file"]))
    }
}
