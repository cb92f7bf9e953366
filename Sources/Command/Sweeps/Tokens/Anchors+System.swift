// SPDX-License-Identifier: Apache-2.0

extension Anchors {
    /// The pieces in a range, in ascending order, each with its place. `found` returns where the search goes on: at
    /// least one byte behind the place.
    func search(_ bytes: [UInt8], in range: Range<Int>, _ found: (_ kind: Kind, _ at: Int) throws -> Int) rethrows {
        guard range.count >= Self.width, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        var start = range.lowerBound
        while start < range.upperBound, let (first, at) = next(bytes, start..<range.upperBound) {
            start = at + 1
            var index = first
            repeat {
                let entry = entries[index]
                index += 1
                guard isAt(entry, bytes, at, range.upperBound) else { continue }
                let next = try found(pieces[Int(entry.piece)].kind, at)
                start = max(start, next)
                if next > at + 1 { break }
            } while !entries[index - 1].isLast
        }
    }

    /// The first place in a range whose first four bytes are those of a piece, and the first such entry of its list.
    private func next(_ bytes: [UInt8], _ range: Range<Int>) -> (entry: Int, at: Int)? {
        guard range.count >= Self.width else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { text in
            unsafe pairs.withUnsafeBufferPointer { pairs in
                var at = range.lowerBound
                var first = unsafe pairs[Self.pair(text[at], text[at + 1])]
                var second = unsafe pairs[Self.pair(text[at + 1], text[at + 2])]
                while at + 3 < range.upperBound {
                    let third = unsafe pairs[Self.pair(text[at + 2], text[at + 3])]
                    if first << 2 & second << 1 & third & 4 != 0 {
                        let window =
                            unsafe UInt32(text[at]) | UInt32(text[at + 1]) << 8 | UInt32(text[at + 2]) << 16
                            | UInt32(text[at + 3]) << 24
                        if let entry = entry(of: window) { return (entry, at) }
                    }
                    (first, second, at) = (second, third, at + 1)
                }
                return nil
            }
        }
    }

    private func entry(of window: UInt32) -> Int? {
        var index = Int(heads[Self.hash(window)])
        while index != 0 {
            let entry = entries[index]
            if window | entry.cases == entry.window { return index }
            index = entry.isLast ? 0 : index + 1
        }
        return nil
    }

    private func isAt(_ entry: Entry, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        let piece = pieces[Int(entry.piece)]
        guard end - start >= piece.bytes.count else { return false }
        for (offset, byte) in piece.bytes.enumerated() {
            let other = bytes[start + offset]
            guard other == byte || piece.ignoresCase && Byte.lower(other) == byte else { return false }
        }
        return true
    }
}
