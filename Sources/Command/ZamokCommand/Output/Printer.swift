// SPDX-License-Identifier: Apache-2.0

/// What a command answers on standard output: lines for people, JSON for scripts. What is not asked for isn't made.
struct Printer {
    let isJSON: Bool

    init(json: Bool) { isJSON = json }

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
        let output = Channel.output
        try output.lines(
            try isJSON
                ? elements.map { try json($0).line }
                : Table(head: output.isTerminal && !elements.isEmpty ? head : [], rows: elements.map(row)).lines(
                    aligned: output.isTerminal))
    }
}
