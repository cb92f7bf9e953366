// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// An item class as people write it: a word, Apple's code or the name of the constant.
struct ItemClassWord: ExpressibleByArgument {
    let itemClass: ItemClass

    /// The classes that this version stores.
    static let stored: [ItemClass] = [.genericPassword, .internetPassword]

    init?(argument: String) {
        guard let found = ItemClass.named(argument), Self.stored.contains(found) else { return nil }
        itemClass = found
    }

    static var allValueStrings: [String] { stored.map(\.name) }
}
