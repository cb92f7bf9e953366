// SPDX-License-Identifier: Apache-2.0

package import Findings
import ProvisioningProfiles

/// A property list or an entitlements file, with the lines of its values where it is XML.
package struct PropertyListFile: Sendable {
    package let path: String
    /// Every value, those of containers too, in order.
    package let entries: [Entry]
    package let isDamaged: Bool

    package enum Value: Hashable, Sendable {
        case text(String)
        case boolean(Bool)
        case number(String)
        case data, dictionary, array
    }

    package struct Entry: Sendable {
        /// The names and positions that lead to it.
        package let keys: [String]
        package let value: Value
        /// Of the key, or of an array's element.
        package let place: Place

        package var key: String { keys.last ?? "" }
        package var text: String? { if case .text(let text) = value { text } else { nil } }
        package var isTrue: Bool { value == .boolean(true) }
    }

    package var isEntitlements: Bool { path.lowercased().hasSuffix(".entitlements") || path.hasSuffix(".xcent") }
    package func entry(_ keys: String...) -> Entry? { entries.first { $0.keys == keys } }

    /// The values of an array or a dictionary.
    package func entries(below keys: String...) -> [Entry] {
        entries.filter { $0.keys.count == keys.count + 1 && $0.keys.starts(with: keys) }
    }

    private static let maximumEntries = 50_000
    private static let deepest = 64

    /// Whether a limit was reached, so that something may be missing.
    private static func isCut(_ entries: [Entry]) -> Bool {
        entries.count >= maximumEntries || entries.contains { $0.keys.count >= deepest - 1 }
    }

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        guard !bytes.starts(with: "bplist".utf8) else {
            let list = try? PropertyList(bytes: bytes)
            var entries: [Entry] = []
            if let list { Self.add(list, [], path, to: &entries) }
            self.entries = entries
            isDamaged = list == nil || Self.isCut(entries)
            return
        }
        let document = XMLDocument(bytes)
        var entries: [Entry] = []
        if let root = document.elements.first,
            let value = root.name == "plist" ? document.children(of: root).first : root
        {
            Self.add(value, [], value.line, document, path, to: &entries)
        }
        self.entries = entries
        // Apple's reader refuses entities.
        isDamaged =
            document.isDamaged || document.declaresEntities || document.elements.isEmpty || Self.isCut(entries)
    }

    private static func add(
        _ element: XMLDocument.Element, _ keys: [String], _ line: Int, _ document: XMLDocument, _ path: String,
        to entries: inout [Entry]
    ) {
        guard entries.count < maximumEntries, keys.count < deepest else { return }
        let value: Value =
            switch element.name {
            case "true": .boolean(true)
            case "false": .boolean(false)
            case "integer", "real": .number(element.text)
            case "dict": .dictionary
            case "array": .array
            case "data": .data
            default: .text(element.text)
            }
        if !keys.isEmpty { entries.append(Entry(keys: keys, value: value, place: Place(file: path, line: line))) }
        if value == .array {
            for (position, child) in document.children(of: element).enumerated() {
                add(child, keys + ["\(position)"], child.line, document, path, to: &entries)
            }
        }
        guard value == .dictionary else { return }
        var key: XMLDocument.Element?
        var pairs: [(key: XMLDocument.Element, value: XMLDocument.Element)] = []
        for child in document.children(of: element) {
            if child.name == "key" {
                key = child
            } else if let name = key {
                pairs.append((name, child))
                key = nil
            }
        }
        // Of a key that is there twice, systems take the last.
        let last = Dictionary(pairs.indices.map { (pairs[$0].key.text, $0) }) { $1 }
        for (index, pair) in pairs.enumerated() where last[pair.key.text] == index {
            add(pair.value, keys + [pair.key.text], pair.key.line, document, path, to: &entries)
        }
    }

    private static func add(_ list: PropertyList, _ keys: [String], _ path: String, to entries: inout [Entry]) {
        guard entries.count < maximumEntries, keys.count < deepest else { return }
        let value: Value =
            switch list {
            case .string(let text): .text(text)
            case .boolean(let truth): .boolean(truth)
            case .integer(let number): .number("\(number)")
            case .real(let number): .number("\(number)")
            case .date, .data: .data
            case .array: .array
            case .dictionary: .dictionary
            }
        if !keys.isEmpty { entries.append(Entry(keys: keys, value: value, place: Place(file: path, line: 1))) }
        for (position, child) in (list.array ?? []).enumerated() {
            add(child, keys + ["\(position)"], path, to: &entries)
        }
        for (name, child) in (list.dictionary ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(child, keys + [name], path, to: &entries)
        }
    }
}
