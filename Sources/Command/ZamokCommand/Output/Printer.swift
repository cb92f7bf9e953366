// SPDX-License-Identifier: Apache-2.0

/// What a command answers on standard output: lines for people, JSON for scripts. What is not asked for isn't made.
struct Printer: Sendable {
    let isJSON: Bool

    /// Whether rows are aligned.
    private let isTerminal: Bool

    init(json: Bool) {
        isJSON = json
        isTerminal = !json && Channel.output.isTerminal
    }

    /// One answer: an object on one line, or lines.
    func answer(_ json: @autoclosure () throws -> JSON, _ lines: @autoclosure () throws -> [String]) throws {
        try Channel.output.lines(try isJSON ? [json().line] : lines())
    }

    /// An object on one line, or one line.
    func answer(_ json: @autoclosure () throws -> JSON, _ line: @autoclosure () throws -> String) throws {
        try Channel.output.line(try isJSON ? json().line : line())
    }

    /// One line for each: an object, or a row of a table; at a terminal aligned, and under `head`.
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

    /// What stands above a table: at a terminal only.
    func head(_ cells: [String]) -> [String] { isTerminal ? cells : [] }

    /// The cells of one line of a long answer: an object, or those of a row.
    func row<Element>(
        _ element: Element, _ json: (Element) throws -> JSON, _ row: (Element) throws -> [String]
    ) throws -> LongAnswer.Row {
        if isJSON { return .line(Array((try json(element).line + "\n").utf8)) }
        let cells = try row(element)
        return isTerminal ? .cells(cells) : .line(Array((cells.joined(separator: "\t") + "\n").utf8))
    }
}

/// Rows on standard output, however many there are. The first mebibyte is held back: what fails before prints nothing.
final class LongAnswer {
    /// One row, made ready on any thread.
    enum Row: Sendable {
        /// As it is written, its end too.
        case line([UInt8])
        /// To be aligned.
        case cells([String])
    }

    private var bytes: [UInt8] = []
    private var cells: [[String]] = []
    /// Stands above the first rows.
    private var head: [String]

    init(head: [String]) { self.head = head }

    private static let most = 1 << 20
    /// Rows that are aligned together.
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
