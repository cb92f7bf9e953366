// SPDX-License-Identifier: Apache-2.0

/// Tables in texts for people: of Markdown, Org, wikis, reStructuredText, AsciiDoc and HTML. A column whose head means
/// a secret has secrets.
enum TableText {
    private static let mostCells = 50_000

    /// Whether a text may have one with a column of passwords.
    static func isOne(_ bytes: [UInt8], count: Int) -> Bool {
        bytes.prefix(count).contains { $0 == 0x7C || $0 == 0x3C || $0 == 0x3D }
            || heads.isIn(bytes, 0..<min(count, 1 << 16))
    }

    /// Words in the heads of columns.
    private static let heads = WordList([
        "passw", "kennwort", "contrase", "senha", "hasło", "пароль", "密码", "パスワード", "wachtwoord", "mot de passe",
        "heslo",
    ])

    static func found(in bytes: [UInt8]) -> [Found] {
        var reader = Reader(bytes: bytes)
        reader.pipes()
        reader.elements()
        reader.columns()
        reader.lists()
        return reader.found
    }

    private struct Reader {
        let bytes: [UInt8]
        var found: [Found] = []
        private var cells = 0
        private var isHead = false

        init(bytes: [UInt8]) { self.bytes = bytes }

        private func meaning(_ cell: Range<Int>) -> SecretName.Meaning? {
            let text = bytes.text(cell).filter { !"*_`'!=".contains($0) }
            guard text.utf8.count <= 40 else { return nil }
            if text.lowercased().hasSuffix("mot de passe") { return .password }
            // "Wi-Fi password", "Password (old)": the last word of a short head, or the first.
            let words = text.split { " /(".contains($0) }
            guard words.count <= 3 else { return nil }
            let meanings =
                [SecretName.judged(text)]
                + [words.last, words.first].map { $0.flatMap { SecretName.judged(String($0)) } }
            return meanings.compactMap { $0 }.first { $0 != .weak }
        }

        private mutating func take(_ cell: Range<Int>, _ name: String) {
            let scan = TextScan(bytes: bytes, end: bytes.count, kind: .prose)
            guard let written = scan.proseWord(cell.lowerBound, cell.upperBound), bytes[cell].first != 0x26 else {
                return
            }
            // More than a word is a remark.
            let rest = bytes.trimmed(min(cell.upperBound, written.range.upperBound)..<cell.upperBound)
            guard written.isQuoted || rest.count <= 4 || bytes[rest].first == 0x3C else { return }
            let value = Array(bytes[written.range])
            guard SecretValue.isOne(value, .password, isQuoted: true, .config), !SecretValue.isDigest(value),
                !SecretValue.isWordy(String(decoding: value, as: UTF8.self)),
                !value.contains(where: { "()<>".utf8.contains($0) }),
                value.contains(where: { !Byte.isLetter($0) })
                    || value.count >= 8 && !Placeholder.isOne(value)
                        && value.contains(where: Byte.isUpper) && value.contains(where: Byte.isLower)
            else { return }
            found.append(
                Found(
                    rule: Rule(.assignment, "assignment/column", issuer: "a column of a table"), range: written.range,
                    form: .plain, service: "", account: name))
        }

        /// Lines of cells between `|`; in wikis `!` and `!!`, `||`; in AsciiDoc a cell a line.
        mutating func pipes() {
            var heads: [(meaning: SecretName.Meaning?, name: String)] = []
            var column = 0
            for line in bytes.lines(in: 0..<bytes.count) {
                let content = bytes.trimmed(line)
                guard let first = bytes[content].first, first == 0x7C || first == 0x21 else {
                    if content.isEmpty {
                        column = 0
                    } else {
                        heads = []
                    }
                    continue
                }
                if bytes[content].allSatisfy({ "|-+:= ".utf8.contains($0) }) {
                    column = 0
                    continue
                }
                let row = split(content)
                cells += row.count
                guard cells < TableText.mostCells else { return }
                let isHead = row.contains { meaning($0) != nil }
                if heads.isEmpty || isHead && row.count > 1 {
                    heads = row.map { (meaning($0), bytes.text($0)) }
                    column = 0
                } else {
                    for cell in row {
                        if column < heads.count, heads[column].meaning != nil { take(cell, heads[column].name) }
                        column += 1
                    }
                    if row.count > 1 || column >= heads.count { column = 0 }
                }
            }
        }

        private func split(_ content: Range<Int>) -> [Range<Int>] {
            var row: [Range<Int>] = []
            var low = content.lowerBound + 1
            var at = low
            while at <= content.upperBound {
                let isEnd = at == content.upperBound
                if isEnd || bytes[at] == 0x7C
                    || bytes[at] == 0x21 && at + 1 < content.upperBound && bytes[at + 1] == 0x21
                {
                    if !(isEnd && low >= at) { row.append(bytes.trimmed(low..<at)) }
                    at += at + 1 < content.upperBound && bytes[at + 1] == (isEnd ? 0 : bytes[at]) ? 1 : 0
                    low = at + 1
                }
                at += 1
            }
            return row
        }

        /// `<tr>` with `<th>` and `<td>`.
        mutating func elements() {
            var heads: [(meaning: SecretName.Meaning?, name: String)] = []
            var row: [Range<Int>] = []
            var cell: Int?
            var at = 0
            while let open = bytes.first(0x3C, in: at..<bytes.count), cells < TableText.mostCells {
                at = open + 1
                let isCell =
                    bytes.matches("<td", at: open, end: bytes.count) || bytes.matches("<th", at: open, end: bytes.count)
                if isCell, open + 3 < bytes.count, bytes[open + 3] == 0x3E || bytes[open + 3] == 0x20,
                    let close = bytes[open..<min(bytes.count, open + 200)].firstIndex(of: 0x3E)
                {
                    cell = close + 1
                    at = close + 1
                } else if let start = cell,
                    bytes.matches("</td", at: open, end: bytes.count)
                        || bytes.matches("</th", at: open, end: bytes.count)
                {
                    row.append(start..<open)
                    cells += 1
                    cell = nil
                } else if bytes.matches("</tr", at: open, end: bytes.count) {
                    heads = self.row(row, heads)
                    row = []
                } else if bytes.matches("</table", at: open, end: bytes.count) {
                    heads = []
                }
            }
        }

        private mutating func row(
            _ row: [Range<Int>], _ heads: [(meaning: SecretName.Meaning?, name: String)]
        ) -> [(meaning: SecretName.Meaning?, name: String)] {
            let plain = row.map { inner($0) }
            if heads.isEmpty {
                let names = plain.map { (meaning($0), bytes.text($0)) }
                if names.contains(where: { $0.0 != nil }), row.count > 1 { return names }
                // Without heads: the account, and behind it what looks like a password.
                if plain.count >= 3, let last = plain.last, SecretValue.isAlone(Array(bytes[last]), .strict),
                    bytes[plain[plain.count - 2]].allSatisfy({
                        Byte.isWord($0) || $0 == 0x2D || $0 == 0x40 || $0 == 0x2E
                    })
                {
                    take(last, bytes.text(plain[plain.count - 2]))
                }
                return names.first.map { [(nil, $0.1)] } ?? []
            }
            for (index, cell) in plain.enumerated() where index < heads.count && heads[index].meaning != nil {
                take(cell, heads[index].name)
            }
            return heads
        }

        /// A cell without the tags round its text.
        private func inner(_ cell: Range<Int>) -> Range<Int> {
            var range = bytes.trimmed(cell)
            while bytes[range].first == 0x3C, let close = bytes.first(0x3E, in: range), close + 1 <= range.upperBound {
                range = bytes.trimmed(close + 1..<range.upperBound)
            }
            if let open = bytes.first(0x3C, in: range) { range = bytes.trimmed(range.lowerBound..<open) }
            return range
        }

        /// Simple tables of reStructuredText: columns below lines of `=`.
        mutating func columns() {
            var columns: [Range<Int>] = []
            var heads: [(meaning: SecretName.Meaning?, name: String)] = []
            for line in bytes.lines(in: 0..<bytes.count) {
                let content = bytes[line]
                if content.first == 0x3D, content.count >= 5, content.contains(0x20),
                    content.allSatisfy({ $0 == 0x3D || $0 == 0x20 })
                {
                    guard columns.isEmpty || heads.isEmpty else { continue }
                    columns = runs(line)
                    continue
                }
                guard !columns.isEmpty else { continue }
                if content.isEmpty {
                    (columns, heads) = ([], [])
                    continue
                }
                let row = columns.enumerated().map { index, column -> Range<Int> in
                    let low = min(line.upperBound, line.lowerBound + column.lowerBound)
                    let next = index + 1 < columns.count ? columns[index + 1].lowerBound : line.count
                    return bytes.trimmed(low..<max(low, min(line.upperBound, line.lowerBound + next)))
                }
                if heads.isEmpty {
                    heads = row.map { (meaning($0), bytes.text($0)) }
                } else {
                    for (index, cell) in row.enumerated() where heads[index].meaning != nil && !cell.isEmpty {
                        take(cell, heads[index].name)
                    }
                }
            }
        }

        /// `.. list-table::` of reStructuredText: a row begins with `* -`, a cell with `-`. And plain text below a line
        /// of heads, whose columns two blanks or a tab separate.
        mutating func lists() {
            var heads: [(meaning: SecretName.Meaning?, name: String)] = []
            var (column, isInRow) = (0, false)
            var plain: [(meaning: SecretName.Meaning?, name: String)] = []
            for line in bytes.lines(in: 0..<bytes.count) {
                let content = bytes.trimmed(line)
                guard content.count >= 2 else {
                    (heads, isInRow) = (isInRow ? heads : [], isInRow)
                    plain = []
                    continue
                }
                let isRow = bytes[content].starts(with: [0x2A, 0x20, 0x2D])
                if isRow || isInRow && bytes[content].starts(with: [0x2D, 0x20]) {
                    let cell = bytes.trimmed(content.lowerBound + (isRow ? 3 : 1)..<content.upperBound)
                    if isRow {
                        // The first row is the heads; a second one has its cells below them.
                        if isInRow, !heads.contains(where: { $0.meaning != nil }) { heads = [] }
                        (column, isInRow) = (0, true)
                        isHead = heads.isEmpty
                    }
                    if isHead {
                        heads.append((meaning(cell), bytes.text(cell)))
                    } else if column < heads.count, heads[column].meaning != nil {
                        take(cell, heads[column].name)
                    }
                    column += 1
                    continue
                }
                (heads, isInRow) = ([], false)
                aligned(content, &plain)
            }
        }

        private mutating func aligned(
            _ content: Range<Int>, _ heads: inout [(meaning: SecretName.Meaning?, name: String)]
        ) {
            guard bytes[content].first != 0x7C, let row = spaced(content) else {
                heads = []
                return
            }
            if heads.isEmpty {
                let names = row.map { (meaning($0), bytes.text($0)) }
                // Heads are words without marks.
                if names.count >= 2, names.contains(where: { $0.0 != nil }),
                    row.allSatisfy({ !bytes[$0].contains(where: { ":=;\"'.(".utf8.contains($0) }) })
                {
                    heads = names
                }
            } else if row.count == heads.count {
                for (index, cell) in row.enumerated() where heads[index].meaning != nil {
                    take(cell, heads[index].name)
                }
            }
        }

        /// The cells of a line that tabs or two blanks separate; nil: it has one alone.
        private func spaced(_ content: Range<Int>) -> [Range<Int>]? {
            var (row, low, at) = ([Range<Int>](), content.lowerBound, content.lowerBound)
            while at < content.upperBound {
                guard bytes[at] == 0x09 || bytes[at] == 0x20 && at + 1 < content.upperBound && bytes[at + 1] == 0x20
                else {
                    at += 1
                    continue
                }
                row.append(low..<at)
                while at < content.upperBound, bytes[at] <= 0x20 { at += 1 }
                low = at
                guard row.count < 12 else { return nil }
            }
            row.append(low..<content.upperBound)
            return row.count > 1 ? row : nil
        }

        private func runs(_ line: Range<Int>) -> [Range<Int>] {
            var runs: [Range<Int>] = []
            var start: Int?
            for at in line {
                if bytes[at] == 0x3D {
                    start = start ?? at
                } else if let low = start {
                    runs.append(low - line.lowerBound..<at - line.lowerBound)
                    start = nil
                }
            }
            if let start { runs.append(start - line.lowerBound..<line.count) }
            return runs
        }
    }
}
