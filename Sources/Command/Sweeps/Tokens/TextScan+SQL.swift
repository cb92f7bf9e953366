// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Values in the rows of a database's dump, by the names of their columns or of their row.
extension TextScan {
    private static let mostRows = 1000

    /// `INSERT INTO t (columns) VALUES (...), (...)`, `COPY t (columns) FROM stdin;`.
    mutating func table(_ at: Int) -> Int {
        let isCopy = bytes.matches("copy ", at: at, end: end)
        let head = at..<min(end, at + 2000)
        guard let open = bytes.first(0x28, in: head), let close = bytes.first(0x29, in: open..<head.upperBound),
            open - at < 200
        else { return at + 1 }
        let columns = bytes.text(open + 1..<close).split(separator: ",").map {
            $0.filter { !" \"`[]\r\n\t".contains($0) }
        }
        let meanings = columns.map { SecretName.judged(String($0)) }
        let isSettings =
            columns.contains { Self.names.contains($0.lowercased()) }
            && columns.contains { Self.values.contains($0.lowercased()) }
        guard isSettings || meanings.contains(where: { $0 != nil }) else { return close }
        let next = skipLines(close + 1)
        if isCopy {
            guard bytes.matches("from stdin", at: next, end: end) else { return close }
            return copied(next, columns, meanings)
        }
        guard bytes.matches("values", at: next, end: end) else { return close }
        return inserted(next + 6, columns, meanings)
    }

    private static let names: Set<String> = [
        "name", "key", "option_name", "setting", "param", "parameter", "config_key",
    ]
    private static let values: Set<String> = ["value", "val", "option_value", "setting_value", "data", "config_value"]

    private func skipLines(_ start: Int) -> Int {
        var at = start
        while at < end, at - start < 100, Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
        return at
    }

    private mutating func inserted(
        _ start: Int, _ columns: [String], _ meanings: [SecretName.Meaning?]
    ) -> Int {
        var at = skipLines(start)
        for _ in 0..<Self.mostRows {
            guard at < end, bytes[at] == 0x28 else { return at }
            at += 1
            var row: [WrittenValue] = []
            while at < end, row.count <= columns.count {
                at = skipLines(at)
                guard at < end, bytes[at] != 0x29 else { break }
                let low = at
                if at + 1 < end, [0x4E, 0x45, 0x62].contains(bytes[at]), bytes[at + 1] == 0x27 { at += 1 }
                if let value = quoted(at) {
                    row.append(value)
                    at = value.range.upperBound + 1
                } else if bytes[at] == 0x27 {
                    row.append(WrittenValue(range: at..<at))
                    at += 2
                }
                while at < end, at - low < 4096, bytes[at] != 0x2C, bytes[at] != 0x29 { at += 1 }
                if row.isEmpty || row[row.count - 1].range.upperBound < low {
                    row.append(WrittenValue(range: low..<at))
                }
                guard at < end, bytes[at] == 0x2C else { break }
                at += 1
            }
            judge(row, columns, meanings)
            guard at < end, bytes[at] == 0x29 else { return at }
            at = skipLines(at + 1)
            guard at < end, bytes[at] == 0x2C else { return at }
            at = skipLines(at + 1)
        }
        return at
    }

    private mutating func copied(_ start: Int, _ columns: [String], _ meanings: [SecretName.Meaning?]) -> Int {
        var at = line(start).upperBound + 1
        for _ in 0..<Self.mostRows {
            guard at < end, bytes[at] != 0x5C else { return at }
            var row: [WrittenValue] = []
            var low = at
            while at < end, bytes[at] != 0x0A {
                if bytes[at] == 0x09 {
                    row.append(WrittenValue(range: low..<at))
                    low = at + 1
                }
                at += 1
            }
            row.append(WrittenValue(range: low..<at))
            judge(row, columns, meanings)
            at += 1
        }
        return at
    }

    private mutating func judge(_ row: [WrittenValue], _ columns: [String], _ meanings: [SecretName.Meaning?]) {
        var named: SecretName.Meaning?
        var account = ""
        for (index, written) in row.enumerated() where index < columns.count {
            let column = columns[index].lowercased()
            if Self.names.contains(column) {
                account = bytes.text(written.range)
                named = SecretName.judged(account)
            }
            let isValue = Self.values.contains(column)
            guard let meaning = isValue ? named : meanings[index] else { continue }
            let value = written.form.decoded(bytes[written.range])
            guard SecretValue.isOne(value, meaning, isQuoted: true, .config),
                meaning != .password || !SecretValue.isDigest(value)
            else { continue }
            add(
                .assignment, "assignment/column", "a column of a table", written.range, written.form, service: "",
                account: isValue ? account : columns[index])
        }
    }

    /// `value = 'SECRET' WHERE name = 'api_token'`: the name comes behind its value.
    func valueBefore(_ name: Range<Int>) -> WrittenValue? {
        guard name.lowerBound > 0, bytes[name.lowerBound - 1] == 0x27 else { return nil }
        let line = line(name.lowerBound)
        let before = bytes.text(line.lowerBound..<name.lowerBound).lowercased()
        guard before.contains("where"), before.contains("set ") else { return nil }
        guard
            let value = (line.lowerBound..<name.lowerBound).first(where: {
                bytes.matches("value", at: $0, end: name.lowerBound)
                    || bytes.matches("data", at: $0, end: name.lowerBound)
            }), let equals = bytes.first(0x3D, in: value..<name.lowerBound)
        else { return nil }
        return quoted(skipBlanks(equals + 1))
    }
}
