// SPDX-License-Identifier: Apache-2.0

import Readers

/// Reads a file of preferences: a property list (XML or binary) or a keyed archive, within limits.
enum PropertyListReader {
    /// By how many bytes the unfolded content of a file may exceed the file.
    private static let surplus = 16 << 20

    /// The entries that were read, and those that were left out.
    typealias Content = PropertyListEntries<PropertyValue>

    static func read(_ bytes: [UInt8]) throws(ReadingError) -> Content {
        let limits = ReadingLimits(
            bytes: PreferencesSchema.importLimit, depth: PropertyValue.depthLimit, values: PropertyValue.valueLimit,
            unfolded: bytes.count + surplus)
        return try PropertyListReading.entries(in: bytes, limits)
    }
}

extension PropertyValue: PropertyListNode {
    package static func moment(_ seconds: Double) -> PropertyValue { .date(seconds) }
}
