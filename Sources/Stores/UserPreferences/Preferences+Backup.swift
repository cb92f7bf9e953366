// SPDX-License-Identifier: Apache-2.0

import Sealing

/// A preference as a backup holds it (Documentation/Formats/Export.md, "Records of a backup").
package struct PreferenceRecord {
    package let name: String
    package let value: PropertyValue

    /// Name with its length, value.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(Array(name.utf8))
        value.encode(into: &writer)
        return writer.bytes
    }

    /// Throws `SealingError.malformed`.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard let name = String(validating: try reader.prefixed(limit: PreferencesSchema.nameLimit), as: UTF8.self),
            !name.isEmpty
        else { throw SealingError.malformed }
        self.name = name
        value = try PropertyValue.decode(from: &reader)
        try reader.end()
    }

    fileprivate init(_ name: String, _ value: PropertyValue) {
        self.name = name
        self.value = value
    }
}

extension Preferences {
    /// Everything that is stored, in order of names, and how many rows are damaged. Errors: as `value(for:)`.
    package func records() throws(PreferencesError) -> (records: [PreferenceRecord], damaged: Int) {
        let all = try store.loadAll()
        let sorted = all.values.sorted { $0.key < $1.key }
        return (sorted.map { PreferenceRecord($0.key, $0.value) }, all.damaged)
    }

    /// Sets what a backup holds, in one transaction. Errors: as `update`.
    package func set(_ records: [PreferenceRecord]) throws(PreferencesError) {
        try write(records.map { ($0.name, $0.value) })
    }
}
