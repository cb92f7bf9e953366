// SPDX-License-Identifier: Apache-2.0

/// A name with the type of its value and what to answer when it was never set.
///
///     extension PreferenceKey where Value == Int {
///         static let fontSize = PreferenceKey("fontSize", default: 12)
///     }
///
/// Keep keys in constants: a key hashes its name once, when it is made.
public struct PreferenceKey<Value: PreferenceConvertible>: Sendable {
    /// The name; at most 4,096 bytes of UTF-8.
    public let name: String
    /// The answer when there is no value. Never the answer when the store is not ready.
    public let defaultValue: Value
    @usableFromInline let hash: Int

    /// A key.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
        hash = EntryTable.hash(name)
    }
}
