// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A time as people write it: a number and s, m, h or d.
struct DurationWord: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ seconds[$0] }), let count = Int(argument.dropLast()),
            (1...100_000).contains(count), argument.first?.isNumber == true
        else { return nil }
        duration = .seconds(count * unit)
    }
}
