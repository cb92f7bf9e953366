// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// An accessibility as people write it: a word, Apple's code or the name of the constant.
struct AccessibilityWord: ExpressibleByArgument {
    let accessibility: Accessibility

    init?(argument: String) {
        guard let found = Accessibility.named(argument) else { return nil }
        accessibility = found
    }

    static var allValueStrings: [String] { Accessibility.allCases.map(\.name) + ["when-passcode-set"] }
}
