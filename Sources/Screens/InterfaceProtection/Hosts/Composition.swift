// SPDX-License-Identifier: Apache-2.0

/// The composed form (NFC, UAX #15) of text. Foundation has it too, but with all of ICU, which this module avoids.
struct Composition {
    private static let shared = Composition()

    private var halves: [Unicode.Scalar: (first: Unicode.Scalar, second: Unicode.Scalar?)] = [:]
    private var wholes: [UInt64: Unicode.Scalar] = [:]

    private init() {
        var reader = TableReader(IDNA.decompositionText)
        var code: UInt32 = 0
        for _ in 0..<IDNA.decompositionCount {
            let start = reader.number()
            code += start >> 1
            let first = Unicode.Scalar(UInt32(Int(code) + reader.signed()))
            let second = reader.number()
            guard let whole = Unicode.Scalar(code), let first else { continue }
            halves[whole] = (first, second > 0 ? Unicode.Scalar(second) : nil)
            if start & 1 == 0, second > 0 { wholes[UInt64(first.value) << 32 | UInt64(second)] = whole }
        }
    }

    static func composed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var parts: [(scalar: Unicode.Scalar, rank: UInt8)] = []
        for scalar in text { shared.decompose(scalar, into: &parts) }
        inOrder(&parts)
        return shared.compose(parts)
    }

    /// `text` without marks and accents.
    static func letters(of text: String) -> [Unicode.Scalar] {
        var parts: [(scalar: Unicode.Scalar, rank: UInt8)] = []
        for scalar in text.unicodeScalars { shared.decompose(scalar, into: &parts) }
        return parts.filter { $0.rank == 0 }.map(\.scalar)
    }

    private func decompose(_ scalar: Unicode.Scalar, into parts: inout [(scalar: Unicode.Scalar, rank: UInt8)]) {
        guard let (first, second) = halves[scalar] else {
            parts.append((scalar, scalar.properties.canonicalCombiningClass.rawValue))
            return
        }
        decompose(first, into: &parts)
        if let second { decompose(second, into: &parts) }
    }

    /// Sorts the marks after each letter by their class; marks of one class keep their order.
    private static func inOrder(_ parts: inout [(scalar: Unicode.Scalar, rank: UInt8)]) {
        var start = 0
        while start < parts.count {
            let end = parts[start...].firstIndex { $0.rank == 0 } ?? parts.count
            if end - start > 1 {
                let marks = parts[start..<end].enumerated().sorted {
                    ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
                }
                parts.replaceSubrange(start..<end, with: marks.map(\.element))
            }
            start = end + 1
        }
    }

    private func compose(_ parts: [(scalar: Unicode.Scalar, rank: UInt8)]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var (starter, lastRank): (Int?, UInt8) = (nil, 0)
        for (scalar, rank) in parts {
            // A mark joins its letter unless a mark of the same or a higher class is between them.
            if let place = starter, result.count == place + 1 || (lastRank < rank && lastRank > 0),
                let whole = whole(result[place], scalar)
            {
                result[place] = whole
                continue
            }
            if rank == 0 { starter = result.count }
            lastRank = rank
            result.append(scalar)
        }
        return result
    }

    private func whole(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        Self.syllable(first.value, second.value).flatMap { Unicode.Scalar($0) }
            ?? wholes[UInt64(first.value) << 32 | UInt64(second.value)]
    }

    /// Korean syllables are computed from their parts.
    private static func syllable(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
            return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
        }
        guard (0xAC00...0xD7A3).contains(first), (first - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(second) else {
            return nil
        }
        return first + second - 0x11A7
    }
}
