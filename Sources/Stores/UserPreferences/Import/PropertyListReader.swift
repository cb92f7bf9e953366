// SPDX-License-Identifier: Apache-2.0

import Readers

/// Reads a file of preferences: a property list (XML or binary) or a keyed archive, within limits.
enum PropertyListReader {
    /// What one file unfolds to may be larger than the file by this.
    private static let surplus = 16 << 20

    /// What was read, and what was left out.
    typealias Content = PropertyListEntries<PropertyValue>

    static func read(_ bytes: [UInt8]) throws(ImportError) -> Content {
        let limits = ReadingLimits(
            bytes: PreferencesSchema.importLimit, depth: PropertyValue.depthLimit, values: PropertyValue.valueLimit,
            unfolded: bytes.count + surplus)
        do { return try PropertyListReading.entries(in: bytes, limits) } catch { throw ImportError(error.code) }
    }
}

extension ImportError {
    fileprivate init(_ code: ReadingError.Code) {
        self =
            switch code {
            case .unknownForm: .notAPropertyList
            case .malformed: .damaged
            case .tooLarge: .tooLarge
            case .cyclic: .cyclic
            case .noDate: .invalidDate
            case .noDictionary: .notADictionary
            }
    }
}

extension PropertyValue: PropertyListNode {
    package static func moment(_ seconds: Double) -> PropertyValue { .date(seconds) }
}
