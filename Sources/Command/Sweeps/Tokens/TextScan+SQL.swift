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
        if !isCopy, let next = insertedWithoutColumns(at) { return next }
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

    /// `CREATE TABLE t (column type, ...)`: a dump's rows have no names of columns.
    mutating func columns(_ at: Int) -> Int {
        var next = skipLines(at + 12)
        if bytes.matches("if not exists", at: next, end: end) { next = skipLines(next + 13) }
        let limit = min(end, at + 8192)
        guard let open = bytes.first(0x28, in: next..<max(next, min(limit, next + 200))), tables.count < 256 else {
            return at + 1
        }
        let name = bytes.text(next..<open).filter { !" \"`[]\r\n\t".contains($0) }
        var (columns, depth, low) = ([String](), 0, open + 1)
        for index in open..<limit {
            if bytes[index] == 0x28 { depth += 1 }
            if bytes[index] == 0x29 { depth -= 1 }
            guard depth == 0 || depth == 1 && bytes[index] == 0x2C else { continue }
            if let word = WordText.words(bytes, low..<max(low, index)).first {
                columns.append(bytes.text(word.range).filter { !"\"`[]".contains($0) })
            }
            low = index + 1
            if depth == 0 { break }
        }
        if columns.contains(where: { SecretName.judged($0) != nil }) { tables[name] = columns }
        return at + 12
    }

    /// `INSERT INTO t VALUES (...)`; nil: it names its columns.
    private mutating func insertedWithoutColumns(_ at: Int) -> Int? {
        var next = skipLines(at + 11)
        let low = next
        while next < end, next - low < 128, bytes[next] > 0x20, bytes[next] != 0x28 { next += 1 }
        let name = bytes.text(low..<next).filter { !"\"`[]".contains($0) }
        next = skipLines(next)
        guard bytes.matches("values", at: next, end: end) else { return nil }
        let columns = tables[name] ?? []
        return inserted(next + 6, columns, columns.map { SecretName.judged($0) })
    }

    /// A row of a setting and its value, in a table without names of columns.
    private mutating func judgeSetting(_ row: [WrittenValue]) {
        for (index, written) in row.enumerated().dropLast()
        where written.isQuoted && row[index + 1].isQuoted && (4...64).contains(written.range.count) {
            let name = bytes.text(written.range)
            guard !name.contains(" "), let meaning = SecretName.judged(name) else { continue }
            let next = row[index + 1]
            let value = next.form.decoded(bytes[next.range])
            guard SecretValue.isOne(value, meaning == .weak ? .token : meaning, isQuoted: true, .config),
                meaning != .password || !SecretValue.isDigest(value)
            else { continue }
            add(
                .assignment, "assignment/column", "a column of a table", next.range, next.form, service: "",
                account: name)
        }
    }

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
            while at < end, row.count <= max(columns.count, 6) {
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
        if columns.isEmpty, row.count <= 6 { judgeSetting(row) }
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
