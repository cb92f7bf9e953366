// SPDX-License-Identifier: Apache-2.0

/// The lines that a merge leaves in a file where two sides changed the same. A parser passes over what stands between them.
enum ConflictMarkers {
    /// Blanks the marks of whole conflicts, so that both sides are read; places stay. Whether there were any.
    static func blank(_ bytes: inout [UInt8]) -> Bool {
        guard ByteSearch.contains(bytes, Array(repeating: UInt8(ascii: "<"), count: 7)) else { return false }
        var marks: [Range<Int>] = []
        var whole: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if let mark = mark(bytes[start..<end]) {
                switch mark {
                case UInt8(ascii: "<"): marks = [start..<end]
                case UInt8(ascii: ">") where marks.count > 1:
                    whole += marks + [start..<end]
                    marks = []
                case UInt8(ascii: "="), UInt8(ascii: "|"): if !marks.isEmpty { marks.append(start..<end) }
                default: break
                }
            }
            start = end + 1
        }
        for line in whole { for index in line where bytes[index] != 0x0D { bytes[index] = 0x20 } }
        return !whole.isEmpty
    }

    /// Seven of one sign at the beginning of a line, and a space or nothing behind them.
    private static func mark(_ line: ArraySlice<UInt8>) -> UInt8? {
        guard let first = line.first, "<=>|".utf8.contains(first), line.prefix(while: { $0 == first }).count == 7
        else { return nil }
        let next = line.dropFirst(7).first ?? 0x20
        return next == 0x20 || next == 0x0D ? first : nil
    }
}
