// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// Generates passwords. All possible passwords of a kind are equally likely.
package struct PasswordGenerator: Sendable {
    /// Sets of characters to choose from. A password contains at least one character of each set.
    package struct Characters: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let small = Characters(rawValue: 1)
        package static let capitals = Characters(rawValue: 2)
        package static let digits = Characters(rawValue: 4)
        package static let symbols = Characters(rawValue: 8)
        package static let all: Characters = [.small, .capitals, .digits, .symbols]
    }

    private static let sets: [(Characters, [UInt8])] = [
        (.small, Array("abcdefghijklmnopqrstuvwxyz".utf8)), (.capitals, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)),
        (.digits, Array("0123456789".utf8)), (.symbols, Array("!#$%&()*+,-./:;<=>?@[]^_{|}~".utf8)),
    ]

    /// Random characters of these sets. `length`: from the number of sets to 1,024. Nil: it is out of range.
    package static func characters(_ length: Int, of chosen: Characters) throws -> Secret? {
        let sets = Self.sets.filter { chosen.contains($0.0) }.map(\.1)
        let all = sets.flatMap(\.self)
        guard !sets.isEmpty, (sets.count...1024).contains(length) else { return nil }
        while true {
            var draw = try Draw()
            var seen = Set<Int>()
            let password = try SecretBytes(count: length) { span in
                for position in 0..<length {
                    let byte = all[try draw.next(below: all.count)]
                    if let set = sets.firstIndex(where: { $0.contains(byte) }) { seen.insert(set) }
                    span.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
                }
            }
            // The whole password is drawn again, so that all passwords with each set stay equally likely.
            if seen.count == sets.count { return Secret(password) }
        }
    }

    private static let consonants = Array("bdfghjklmnprstvz".utf8)
    private static let vowels = Array("aiou".utf8)

    /// Pronounceable words of five letters with 16 bits each ("proquints", arXiv 0901.4016), joined by hyphens.
    /// `count`: 1 to 64. Nil: it is out of range.
    package static func words(_ count: Int) throws -> Secret? {
        guard (1...64).contains(count) else { return nil }
        var draw = try Draw()
        return Secret(
            try SecretBytes(count: 6 * count - 1) { span in
                for position in 0..<6 * count - 1 {
                    let place = position % 6
                    let letters = place % 2 == 0 ? consonants : vowels
                    let byte = place == 5 ? UInt8(ascii: "-") : letters[try draw.next(below: letters.count)]
                    span.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
                }
            })
    }

    /// Unbiased random numbers from secret memory.
    private struct Draw: ~Copyable {
        private static let size = 256
        private var bytes: SecretBytes
        private var position = 0

        init() throws { bytes = try .random(count: Self.size) }

        /// A number below `limit`, which is at most 256.
        mutating func next(below limit: Int) throws -> Int {
            let fair = 256 / limit * limit
            while true {
                if position == Self.size {
                    bytes = try .random(count: Self.size)
                    position = 0
                }
                let place = position
                position += 1
                let byte = try bytes.withBytes { Int($0.bigEndian(at: place, as: UInt8.self) ?? 0xFF) }
                if byte < fair { return byte % limit }
            }
        }
    }
}
