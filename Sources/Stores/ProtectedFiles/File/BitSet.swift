// SPDX-License-Identifier: Apache-2.0

/// A set of small numbers, a bit for each: a file of 1 TiB has 2^25 places, which are 4 MiB here.
struct BitSet {
    private var words: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    mutating func insert(_ number: Int) {
        if number >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: (number >> 6) + 1 - words.count))
        }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    mutating func remove(_ number: Int) {
        guard number >> 6 < words.count else { return }
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    /// The smallest number from `start` on that is not in the set.
    func firstAbsent(from start: Int) -> Int {
        var index = start >> 6
        guard index < words.count else { return start }
        var free = ~words[index] & (UInt64.max << UInt64(start & 63))
        while free == 0 {
            index += 1
            guard index < words.count else { return index << 6 }
            free = ~words[index]
        }
        return (index << 6) + free.trailingZeroBitCount
    }

    var highest: Int? { highest(below: words.count << 6) }

    func highest(below bound: Int) -> Int? {
        guard bound > 0 else { return nil }
        var index = (bound - 1) >> 6
        guard index < words.count else { return highest(below: words.count << 6) }
        var word = words[index] & (UInt64.max >> UInt64(63 - ((bound - 1) & 63)))
        while word == 0 {
            guard index > 0 else { return nil }
            index -= 1
            word = words[index]
        }
        return (index << 6) + 63 - word.leadingZeroBitCount
    }

    /// All numbers, ascending.
    var all: [Int] {
        var all: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                all.append((index << 6) + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return all
    }
}
