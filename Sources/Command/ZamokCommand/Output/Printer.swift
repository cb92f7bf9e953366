// SPDX-License-Identifier: Apache-2.0

/// The output of a command on standard output: lines for users, JSON for scripts. Only the requested form is created.
struct Printer: Sendable {
    let isJSON: Bool

    /// Whether rows are aligned.
    private let isTerminal: Bool

    init(json: Bool) {
        isJSON = json
        isTerminal = !json && Channel.output.isTerminal
    }

    /// Prints one answer: an object on one line, or lines.
    func answer(_ json: @autoclosure () throws -> JSON, _ lines: @autoclosure () throws -> [String]) throws {
        try Channel.output.lines(try isJSON ? [json().line] : lines())
    }

    /// Prints an object on one line, or one line.
    func answer(_ json: @autoclosure () throws -> JSON, _ line: @autoclosure () throws -> String) throws {
        try Channel.output.line(try isJSON ? json().line : line())
    }

    /// Prints one line for each element: an object or a table row. At a terminal the rows are aligned under `head`.
    func rows<Element>(
        _ elements: [Element], head: [String] = [], _ json: (Element) throws -> JSON,
        _ row: (Element) throws -> [String]
    ) throws {
        try Channel.output.lines(
            try isJSON
                ? elements.map { try json($0).line }
                : Table(head: isTerminal && !elements.isEmpty ? head : [], rows: elements.map(row)).lines(
                    aligned: isTerminal))
    }

    /// The head of a table; empty if the output is not a terminal.
    func head(_ cells: [String]) -> [String] { isTerminal ? cells : [] }

    /// One row of a long answer: an object, or the cells of a table row.
    func row<Element>(
        _ element: Element, _ json: (Element) throws -> JSON, _ row: (Element) throws -> [String]
    ) throws -> LongAnswer.Row {
        if isJSON { return .line(Array((try json(element).line + "\n").utf8)) }
        let cells = try row(element)
        return isTerminal ? .cells(cells) : .line(Array((cells.joined(separator: "\t") + "\n").utf8))
    }
}

/// Any number of rows on standard output. The first mebibyte is buffered, so that an early failure prints nothing.
final class LongAnswer {
    /// One row, which any thread may create.
    enum Row: Sendable {
        /// A complete line, including its line end.
        case line([UInt8])
        /// Cells to align.
        case cells([String])
    }

    private var bytes: [UInt8] = []
    private var cells: [[String]] = []
    /// The head above the first rows.
    private var head: [String]

    init(head: [String]) { self.head = head }

    private static let most = 1 << 20
    /// The number of rows that are aligned together.
    private static let mostAligned = 1000

    func append(_ rows: [Row]) throws {
        for row in rows {
            switch row {
            case .line(let line): bytes += line
            case .cells(let row): cells.append(row)
            }
        }
        if cells.count >= Self.mostAligned { align() }
        if bytes.count >= Self.most { try write() }
    }

    func finish() throws {
        align()
        try write()
    }

    private func align() {
        guard !cells.isEmpty else { return }
        for line in Table(head: head, rows: cells).lines(aligned: true) { bytes += Array((line + "\n").utf8) }
        head = []
        cells = []
    }

    private func write() throws {
        try Channel.output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
