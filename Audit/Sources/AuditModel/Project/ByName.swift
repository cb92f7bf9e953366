// SPDX-License-Identifier: Apache-2.0

/// Values by their names, iterated in the order in which the names came. A dictionary is iterated in another order by
/// each process, so that what is taken first would be left to chance.
package struct ByName<Value> {
    package private(set) var keys: [String] = []
    package private(set) var values: [Value] = []
    private var places: [String: Int] = [:]

    package init() {}

    /// The first of several values of a name is kept.
    package init(_ pairs: some Sequence<(String, Value)>) {
        for (name, value) in pairs where places[name] == nil { append(value, name) }
    }

    /// Values of a name together.
    package init<Element>(grouping elements: some Sequence<Element>, by name: (Element) -> String)
    where Value == [Element] {
        for element in elements {
            let name = name(element)
            if let place = places[name] {
                values[place].append(element)
            } else {
                append([element], name)
            }
        }
    }

    package subscript(name: String) -> Value? { places[name].map { values[$0] } }

    private mutating func append(_ value: Value, _ name: String) {
        places[name] = values.count
        keys.append(name)
        values.append(value)
    }
}

extension ByName: Sendable where Value: Sendable {}
