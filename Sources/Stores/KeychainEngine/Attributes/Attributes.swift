// SPDX-License-Identifier: Apache-2.0

/// The attributes of one item, ordered by the bytes of their names, as they are stored.
/// There are about a dozen, so a linear search costs less than hashing a name.
package struct Attributes: Hashable, Sendable {
    package typealias Element = (key: AttributeName, value: AttributeValue)

    private struct Entry: Hashable, Sendable {
        let name: AttributeName
        var value: AttributeValue
    }

    private var entries: [Entry] = []

    package init() {}

    init(minimumCapacity: Int) { entries.reserveCapacity(minimumCapacity) }

    package subscript(name: AttributeName) -> AttributeValue? {
        get { place(of: name).map { entries[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): entries[place].value = value
            case (let place?, nil): entries.remove(at: place)
            case (nil, let value?):
                let end = entries.firstIndex { name.precedes($0.name) } ?? entries.endIndex
                entries.insert(Entry(name: name, value: value), at: end)
            case (nil, nil): break
            }
        }
    }

    private func place(of name: AttributeName) -> Int? { entries.firstIndex { $0.name == name } }

    /// Appends an attribute. Returns false, and does nothing, if its name doesn't sort after all others.
    mutating func append(_ name: AttributeName, _ value: AttributeValue) -> Bool {
        if let last = entries.last, !last.name.precedes(name) { return false }
        entries.append(Entry(name: name, value: value))
        return true
    }

    package mutating func removeValue(forKey name: AttributeName) -> AttributeValue? {
        place(of: name).map { entries.remove(at: $0).value }
    }

    package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Attributes {
        var some = Attributes()
        some.entries = try entries.filter { try isIncluded(($0.name, $0.value)) }
        return some
    }

    package mutating func merge(
        _ others: Attributes, uniquingKeysWith combine: (AttributeValue, AttributeValue) -> AttributeValue
    ) {
        for (name, value) in others { self[name] = self[name].map { combine($0, value) } ?? value }
    }

    package func merging(
        _ others: Attributes, uniquingKeysWith combine: (AttributeValue, AttributeValue) -> AttributeValue
    ) -> Attributes {
        var all = self
        all.merge(others, uniquingKeysWith: combine)
        return all
    }
}

extension Attributes: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { entries.count }
    package subscript(place: Int) -> Element { (entries[place].name, entries[place].value) }
}

extension Attributes: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
        for (name, value) in elements { self[name] = value }
    }
}
