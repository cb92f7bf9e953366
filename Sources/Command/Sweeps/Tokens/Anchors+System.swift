// SPDX-License-Identifier: Apache-2.0

extension Anchors {
    /// The pieces in a range, in ascending order, each with its place. `found` returns where the search goes on: at
    /// least one byte behind the place.
    func search(_ bytes: [UInt8], in range: Range<Int>, _ found: (_ kind: Kind, _ at: Int) throws -> Int) rethrows {
        guard range.count >= Self.width, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        var start = range.lowerBound
        while start < range.upperBound, let (first, window, at) = next(bytes, start..<range.upperBound) {
            start = at + 1
            var index = first
            repeat {
                let entry = entries[index]
                index += 1
                guard isAt(entry, window, bytes, at, range.upperBound) else { continue }
                let next = try found(entry.kind, at)
                start = max(start, next)
                if next > at + 1 { break }
            } while !entries[index - 1].isLast
        }
    }

    /// The first place in a range whose first four bytes are those of a piece, and the first such entry of its list.
    private func next(_ bytes: [UInt8], _ range: Range<Int>) -> (entry: Int, window: UInt32, at: Int)? {
        let last = range.upperBound - Self.width
        return unsafe bytes.withUnsafeBytes { text in
            unsafe triples.withUnsafeBufferPointer { triples in
                var at = range.lowerBound
                while at <= last {
                    let window = unsafe UInt32(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                    let middle = unsafe triples[Self.triple(window >> 8)]
                    if middle & 2 != 0, unsafe triples[Self.triple(window)] & 1 != 0, let entry = entry(of: window) {
                        return (entry, window, at)
                    }
                    if middle & 1 != 0, at < last {
                        let window = unsafe UInt32(
                            littleEndian: text.loadUnaligned(fromByteOffset: at + 1, as: UInt32.self))
                        if unsafe triples[Self.triple(window >> 8)] & 2 != 0, let entry = entry(of: window) {
                            return (entry, window, at + 1)
                        }
                    }
                    at += 2
                }
                return nil
            }
        }
    }

    private func entry(of window: UInt32) -> Int? {
        var index = Int(heads[Self.hash(window)])
        while index != 0 {
            if window | entries[index].cases == entries[index].window { return index }
            index = entries[index].isLast ? 0 : index + 1
        }
        return nil
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
