// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SplitMix64, the same on every machine for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Gives changed inputs to a reader: few of a fixed seed, or as many as `ZAMOK_FUZZ_INPUTS` says from the seed
/// `ZAMOK_FUZZ_SEED` on, with a report.
struct Fuzzing {
    private(set) var taken = 0
    let inputs: Int
    private var slowest = Duration.zero
    private var growth = 0

    /// `corpus`: what the inputs are made of. `read` answers whether it took one.
    init(_ name: String, _ corpus: [[UInt8]], bounded: Int, _ read: ([UInt8]) throws -> Bool) {
        let environment = ProcessInfo.processInfo.environment
        let isByHand = environment["ZAMOK_FUZZ_INPUTS"] != nil
        inputs = environment["ZAMOK_FUZZ_INPUTS"].flatMap { Int($0) } ?? bounded
        var generator = SeededGenerator(seed: environment["ZAMOK_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261)
        let (start, before) = (ContinuousClock.now, Self.resident)
        for _ in 0..<inputs {
            let input = Self.changed(corpus, &generator)
            let began = ContinuousClock.now
            if (try? read(input)) == true { taken += 1 }
            slowest = max(slowest, began.duration(to: .now))
        }
        // What one run of a test takes for itself is more than what few inputs may leave.
        growth = isByHand ? max(0, Self.resident - before) : 0
        guard isByHand else { return }
        print(
            "\(name): \(inputs) inputs, \(taken) taken, \(start.duration(to: .now)); slowest \(slowest), \(growth >> 10) MiB more"
        )
    }

    /// Some were taken and some refused, none took long, and all of them little memory.
    var isGood: Bool { taken > 0 && taken < inputs && slowest < .seconds(5) && growth < 64 << 10 }

    /// KiB.
    private static var resident: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    }

    /// Signs on which readers of HTTP part.
    private static let telling = Array("\r\n\0\t :,;%+\\&=#?/@\u{7F}0aAfF".utf8) + [0x80, 0xFF]

    private static func changed(_ corpus: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }
        var bytes = corpus[below(corpus.count)]
        for _ in 0..<(1 << below(4)) {
            let position = below(bytes.count)
            let end = min(bytes.count, position + 1 + below(32))
            switch below(9) {
            case 0 where !bytes.isEmpty: bytes[position] ^= 1 << UInt8(below(8))
            case 1 where !bytes.isEmpty: bytes[position] = UInt8(below(256))
            case 2 where !bytes.isEmpty: bytes[position] = telling[below(telling.count)]
            case 3: bytes.removeSubrange(position..<end)
            case 4: bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count + 1))
            case 5: bytes.insert(telling[below(telling.count)], at: position)
            case 6: bytes.removeSubrange(below(bytes.count + 1)...)
            case 7: bytes += corpus[below(corpus.count)]
            default:
                let other = corpus[below(corpus.count)]
                let start = below(other.count)
                bytes.replaceSubrange(position..<end, with: other[start..<min(other.count, start + below(64))])
            }
        }
        return bytes
    }
}
