// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SecItem

/// The requested results.
struct ResultRequest: OptionSet {
    let rawValue: Int

    static let data = Self(rawValue: 1)
    static let attributes = Self(rawValue: 2)
    static let reference = Self(rawValue: 4)
    static let persistentReference = Self(rawValue: 8)

    /// The four return keys; nil for any other.
    init?(key: String) {
        switch key {
        case "r_Data": self = .data
        case "r_Attributes": self = .attributes
        case "r_Ref": self = .reference
        case "r_PersistentRef": self = .persistentReference
        default: return nil
        }
    }

    init(rawValue: Int) { self.rawValue = rawValue }
}
#endif
