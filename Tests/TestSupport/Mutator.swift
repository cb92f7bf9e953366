// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: small, fast and the same on every machine for the same seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Makes hostile variants of good bytes. The same seed makes the same variants in the same order.
package struct Mutator: Sendable {
    package private(set) var generator: SeededGenerator
    private let corpus: [[UInt8]]
    private static let telling: [UInt8] = [
        0x00, 0x01, 0x02, 0x04, 0x06, 0x30, 0x31, 0x7F, 0x80, 0x81, 0x84, 0xA0, 0xFF,
    ]

    /// `corpus` must not be empty; its entries are what variants are made of.
    package init(corpus: [[UInt8]], seed: UInt64) {
        precondition(!corpus.isEmpty, "a mutator needs good bytes to begin with")
        self.corpus = corpus
        self.generator = SeededGenerator(seed: seed)
    }

    /// The next variant: one entry of the corpus after one to eight changes.
    package mutating func next() -> [UInt8] {
        var bytes = corpus[below(corpus.count)]
        for _ in 0..<(1 << below(4)) { change(&bytes) }
        return bytes
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }

    private mutating func range(in bytes: [UInt8], longest: Int = 64) -> Range<Int> {
        let start = below(bytes.count + 1)
        return start..<min(bytes.count, start + 1 + below(longest))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = [Self.telling[below(Self.telling.count)]]
            return
        }
        let position = below(bytes.count)
        switch below(10) {
        case 0: bytes[position] ^= 1 << UInt8(below(8))
        case 1: bytes[position] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes[position] = Self.telling[below(Self.telling.count)]
        case 3: bytes[position] &+= below(2) == 0 ? 1 : 255
        case 4: bytes.removeSubrange(safe(range(in: bytes)))
        case 5: bytes.insert(contentsOf: bytes[safe(range(in: bytes))], at: position)
        case 6: bytes.removeSubrange(position...)
        case 7: bytes.append(contentsOf: (0..<below(32)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 8: overwriteInteger(in: &bytes, at: position)
        default: splice(into: &bytes)
        }
    }

    private func safe(_ range: Range<Int>) -> Range<Int> { range.lowerBound..<max(range.lowerBound, range.upperBound) }

    /// Lengths and counts are where readers go wrong.
    private mutating func overwriteInteger(in bytes: inout [UInt8], at position: Int) {
        let width = 1 << below(4)
        let values: [UInt64] = [0, 1, UInt64(bytes.count), 0x7F, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, .max, .max >> 1]
        let value = values[below(values.count)]
        let littleEndian = below(2) == 0
        for index in 0..<width where position + index < bytes.count {
            let shift = UInt64(8 * (littleEndian ? index : width - 1 - index))
            bytes[position + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    private mutating func splice(into bytes: inout [UInt8]) {
        let other = corpus[below(corpus.count)]
        let source = safe(range(in: other, longest: 256))
        bytes.replaceSubrange(safe(range(in: bytes, longest: 256)), with: other[source])
    }
}

/// How many variants a fuzzing test tries: few in a normal run, `ZAMOK_FUZZ_INPUTS` by hand.
package enum FuzzBudget {
    package static func inputs(environment: [String: String], bounded: Int) -> Int {
        environment["ZAMOK_FUZZ_INPUTS"].flatMap { Int($0) } ?? bounded
    }

    /// `ZAMOK_FUZZ_SEED`, or the fixed seed of a normal run.
    package static func seed(environment: [String: String]) -> UInt64 {
        environment["ZAMOK_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261
    }
}
