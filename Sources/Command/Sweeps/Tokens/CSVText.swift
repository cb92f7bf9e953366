// SPDX-License-Identifier: Apache-2.0

/// Tables with a column of passwords (RFC 4180), as password managers export them and people keep them.
enum CSVText {
    private static let mostFields = 100_000

    /// The values below each name that means a secret. Separators: comma, semicolon, tab.
    static func found(in bytes: [UInt8]) -> [Found] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let head = bytes[start...].prefix { $0 != 0x0A }
        guard
            let separator = ([0x2C, 0x3B, 0x09] as [UInt8]).max(by: { a, b in
                head.count { $0 == a } < head.count { $0 == b }
            })
        else { return [] }
        var columns: [SecretName.Meaning?] = []
        var names: [String] = []
        var found: [Found] = []
        var (at, column, row, count, inRow) = (start, 0, 0, 0, 0)
        while at < bytes.count, count < mostFields {
            let (range, next) = field(bytes, at, separator)
            count += 1
            let isLast = next >= bytes.count || bytes[next] != separator
            if row == 0 {
                names.append(bytes.text(range))
                columns.append(isName(bytes[range]) ? SecretName.judged(bytes.text(range)) : nil)
            } else if column < columns.count, let meaning = columns[column], !range.isEmpty,
                SecretValue.isOne(Array(bytes[range]), meaning, isQuoted: true, .config)
            {
                found.append(
                    Found(
                        rule: Rule(.assignment, "assignment/column", issuer: "a column of a table"), range: range,
                        form: .plain, service: "", account: names[column]))
            }
            if isLast {
                // A row of another length is of no table.
                if row > 0, column + 1 != columns.count { found.removeSubrange(inRow...) }
                (row, inRow) = (row + 1, found.count)
            }
            column = isLast ? 0 : column + 1
            at = next + 1
            // Without a column of secrets in the first row there is nothing more to see.
            if isLast, row == 1, !columns.contains(where: { $0 != nil }) { return [] }
        }
        return found
    }

    /// The name of a column has no signs of a program.
    private static func isName(_ field: ArraySlice<UInt8>) -> Bool {
        !field.contains { [0x22, 0x28, 0x29, 0x3A, 0x3D, 0x7B, 0x7D, 0x3B].contains($0) }
    }

    /// The content of the field that begins here, and the place of what ends it.
    private static func field(_ bytes: [UInt8], _ start: Int, _ separator: UInt8) -> (Range<Int>, Int) {
        var at = start
        if at < bytes.count, bytes[at] == 0x22 {
            at += 1
            while at < bytes.count {
                if bytes[at] == 0x22 {
                    guard at + 1 < bytes.count, bytes[at + 1] == 0x22 else { break }
                    at += 1
                }
                at += 1
            }
            let content = start + 1..<max(start + 1, min(at, bytes.count))
            while at < bytes.count, bytes[at] != separator, bytes[at] != 0x0A { at += 1 }
            return (content, at)
        }
        while at < bytes.count, bytes[at] != separator, bytes[at] != 0x0A { at += 1 }
        return (bytes.trimmed(start..<at), at)
    }
}
