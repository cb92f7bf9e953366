// SPDX-License-Identifier: Apache-2.0

extension Anchors {
    /// The pieces in a range, in ascending order, each with its place. `found` returns where the search goes on: at
    /// least one byte behind the place.
    func search(_ bytes: [UInt8], in range: Range<Int>, _ found: (_ kind: Kind, _ at: Int) throws -> Int) rethrows {
        guard range.count >= Self.width, range.lowerBound >= 0, range.upperBound <= bytes.count else { return }
        try unsafe bytes.withUnsafeBufferPointer { text in
            try unsafe shifts.withUnsafeBufferPointer { shifts in
                var last = range.lowerBound + Self.width - 1
                let end = range.upperBound
                while last < end {
                    let shift = unsafe shifts[Int(text[last - 1]) | Int(text[last]) << 8]
                    if shift != 0 {
                        last += Int(shift)
                        continue
                    }
                    let start = last - (Self.width - 1)
                    let window =
                        unsafe UInt32(text[start]) | UInt32(text[start + 1]) << 8 | UInt32(text[start + 2]) << 16
                        | UInt32(text[last]) << 24
                    let head = heads[Self.hash(window)]
                    last += 1
                    var index = Int(head)
                    while head != 0, lists[index] != .max {
                        let piece = pieces[Int(lists[index])]
                        index += 1
                        guard isAt(piece, bytes, start, end) else { continue }
                        let next = try found(piece.kind, start)
                        last = max(last, next + Self.width - 1)
                        if next > start + 1 { break }
                    }
                }
            }
        }
    }

    private func isAt(_ piece: Piece, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard end - start >= piece.bytes.count else { return false }
        for (offset, byte) in piece.bytes.enumerated() {
            let other = bytes[start + offset]
            guard other == byte || piece.ignoresCase && Byte.lower(other) == byte else { return false }
        }
        return true
    }
}
