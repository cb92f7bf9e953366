// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// An item class as people write it: a word, Apple's code or the name of the constant.
struct ItemClassWord: ExpressibleByArgument {
    let itemClass: ItemClass

    /// The classes that items have when none is named; an identity is two of them.
    static let stored: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]

    init?(argument: String) {
        guard let found = ItemClass.named(argument) else { return nil }
        itemClass = found
    }

    static var allValueStrings: [String] { ItemClass.allCases.map(\.name) }
}
