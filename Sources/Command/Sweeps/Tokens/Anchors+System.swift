// SPDX-License-Identifier: Apache-2.0

extension Anchors {
    /// The pieces in a range, in ascending order, each with its place. `found` returns where the search goes on: at
    /// least one byte behind the place.
    func search(_ bytes: [UInt8], in range: Range<Int>, _ found: (_ kind: Kind, _ at: Int) throws -> Int) rethrows {
        guard range.count >= Self.width, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        let last = range.upperBound - Self.width
        var (block, start) = (range.lowerBound, range.lowerBound)
        while block <= last {
            var places = places(bytes, block, last)
            while places != 0 {
                let at = block + places.trailingZeroBitCount
                places &= places - 1
                if at >= start, let (first, window) = entry(bytes, at) {
                    start = try look(first, window, bytes, at, range.upperBound, found)
                }
            }
            block = max(block + 64, start)
        }
    }

    /// The places of up to 64 at which a piece may begin, a bit each.
    private func places(_ bytes: [UInt8], _ block: Int, _ last: Int) -> UInt64 {
        unsafe bytes.withUnsafeBytes { text in
            unsafe triples.withUnsafeBufferPointer { triples in
                // Three bytes from the second of two places on: of the first place they are the end.
                func ends(_ at: Int) -> UInt64 {
                    let window = unsafe text.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                    return unsafe UInt64(triples[Self.triple(UInt32(littleEndian: window) >> 8)])
                }
                var places: UInt64 = 0
                guard block + 63 > last else {
                    for step in 0..<8 {
                        let at = block + 8 * step
                        let eight = ends(at) | ends(at + 2) << 2 | ends(at + 4) << 4 | ends(at + 6) << 6
                        places = places >> 8 | eight << 56
                    }
                    return places
                }
                for at in stride(from: block, through: last, by: 2) {
                    places |= (at < last ? ends(at) : ends(at) & 1) << UInt64(at - block)
                }
                return places
            }
        }
    }

    /// The first entry of the list for the four bytes at a place.
    private func entry(_ bytes: [UInt8], _ at: Int) -> (Int, window: UInt32)? {
        let window = unsafe bytes.withUnsafeBytes {
            unsafe UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        }
        let isOne = unsafe triples.withUnsafeBufferPointer {
            unsafe $0[Self.triple(window)] >> 1 & $0[Self.triple(window >> 8)] & 1 == 1
        }
        guard isOne else { return nil }
        var index = Int(heads[Self.hash(window)])
        while index != 0 {
            if window | entries[index].cases == entries[index].window { return (index, window) }
            index = entries[index].isLast ? 0 : index + 1
        }
        return nil
    }

    private func look(
        _ first: Int, _ window: UInt32, _ bytes: [UInt8], _ at: Int, _ end: Int, _ found: (Kind, Int) throws -> Int
    ) rethrows -> Int {
        var (index, start) = (first, at + 1)
        repeat {
            let entry = entries[index]
            index += 1
            guard isAt(entry, window, bytes, at, end) else { continue }
            start = max(start, try found(entry.kind, at))
            if start > at + 1 { break }
        } while !entries[index - 1].isLast
        return start
    }

    private func isAt(_ entry: Entry, _ window: UInt32, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard window | entry.cases == entry.window, end - start - Self.width >= entry.rest.count else { return false }
        var at = start + Self.width
        for index in entry.rest {
            guard bytes[at] == rests[index] || entry.ignoresCase && Byte.lower(bytes[at]) == rests[index] else {
                return false
            }
            at += 1
        }
        return true
    }
}
