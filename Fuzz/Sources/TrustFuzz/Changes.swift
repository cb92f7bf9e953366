// SPDX-License-Identifier: Apache-2.0

/// Numbers that a seed decides.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }
}

/// Makes hostile certificates of good ones.
struct Changes {
    var generator: Generator
    let corpus: [Node]

    private static let telling: [UInt8] = [0, 1, 0x2A, 0x2E, 0x40, 0x7F, 0x80, 0xFF]

    /// One of the corpus, or `good`, after one to eight changes.
    mutating func next(_ good: Node) -> [UInt8] {
        var node = generator.below(4) == 0 ? corpus[generator.below(corpus.count)] : good
        for _ in 0..<(1 << generator.below(4)) { node = changed(node) }
        var bytes = node.der
        // One in eight is no DER any more.
        if generator.below(8) == 0, !bytes.isEmpty { spoil(&bytes) }
        return bytes
    }

    private mutating func changed(_ node: Node) -> Node {
        let number = generator.below(node.count)
        let part = node[number]
        let others: [Node]
        switch generator.below(9) {
        case 0: others = []
        case 1: others = [part, part]
        // Many of one thing, seldom: they cost time.
        case 2: others = Array(repeating: part, count: generator.below(64) == 0 ? 2000 : generator.below(8))
        case 3:
            let other = corpus[generator.below(corpus.count)]
            others = [other[generator.below(other.count)]]
        case 4: others = [nested(part)]
        case 5: others = [retagged(part)]
        default: others = [rewritten(part)]
        }
        return node.replacing(number, with: others).first ?? .bytes(tag: 0x30, [])
    }

    private mutating func nested(_ part: Node) -> Node {
        (0..<generator.below(generator.below(32) == 0 ? 120 : 4)).reduce(part) { inner, _ in
            .parts(tag: 0x30, prefix: [], [inner])
        }
    }

    private mutating func retagged(_ part: Node) -> Node {
        let tags: [UInt8] = [
            1, 2, 3, 4, 5, 6, 0x0C, 0x13, 0x16, 0x17, 0x18, 0x1E, 0x30, 0x31, 0x80, 0x81, 0x82, 0x87, 0xA0, 0xA1, 0xA3,
        ]
        let tag = tags[generator.below(tags.count)]
        return switch part {
        case .bytes(_, let bytes): .bytes(tag: tag, bytes)
        case .parts(_, let prefix, let parts): .parts(tag: tag, prefix: prefix, parts)
        }
    }

    private mutating func rewritten(_ part: Node) -> Node {
        guard case .bytes(let tag, var bytes) = part else { return part }
        switch generator.below(6) {
        case 0: bytes = []
        case 1:
            bytes.append(
                contentsOf: (0..<generator.below(40)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 2: bytes.insert(Self.telling[generator.below(Self.telling.count)], at: generator.below(bytes.count + 1))
        case 3: bytes = Array(bytes.prefix(generator.below(bytes.count + 1)))
        case 4: bytes = Array(repeating: bytes, count: generator.below(4)).flatMap { $0 }
        default: if !bytes.isEmpty { spoil(&bytes) }
        }
        return .bytes(tag: tag, bytes)
    }

    private mutating func spoil(_ bytes: inout [UInt8]) {
        let position = generator.below(bytes.count)
        switch generator.below(3) {
        case 0: bytes[position] ^= 1 << UInt8(generator.below(8))
        case 1: bytes[position] = Self.telling[generator.below(Self.telling.count)]
        default: bytes.remove(at: position)
        }
    }
}
