// SPDX-License-Identifier: Apache-2.0
//
// screen-picture.swift TITLE: makes an SVG picture of a terminal's screen, as `tmux capture-pane -p -e` prints it, read from standard
// input. Text stays text. Run by Examples/Wallet/drive.

import Foundation

struct Look: Equatable {
    var colour: Int?
    var background: Int?
    var isBold = false
    var isDim = false
    var isInverse = false

    mutating func apply(_ code: Int) {
        switch code {
        case 0: self = Look()
        case 1: isBold = true
        case 2: isDim = true
        case 7: isInverse = true
        case 22: (isBold, isDim) = (false, false)
        case 27: isInverse = false
        case 30...37: colour = code - 30
        case 39: colour = nil
        case 40...47: background = code - 40
        case 49: background = nil
        default: break
        }
    }
}

let palette = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4"]
let (paper, ink) = ("#1e222a", "#dcdfe4")
let (cell, line, margin, bar) = (8.4, 18.0, 14.0, 34.0)

func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
}

/// The pieces of a line that look alike: where each begins, what it says, how it looks. A look goes on into the next line.
func pieces(of text: Substring, _ look: inout Look) -> [(column: Int, text: String, look: Look)] {
    var found: [(column: Int, text: String, look: Look)] = []
    var column = 0
    var rest = text
    while let character = rest.first {
        if character == "\u{1B}", let end = rest.firstIndex(where: \.isLetter) {
            let codes = rest[..<end].dropFirst(2).split(separator: ";", omittingEmptySubsequences: false)
            if rest[end] == "m" { for code in codes { look.apply(Int(code) ?? 0) } }
            rest = rest[rest.index(after: end)...]
            continue
        }
        if let last = found.last, last.look == look {
            found[found.count - 1].text.append(character)
        } else {
            found.append((column, String(character), look))
        }
        column += 1
        rest = rest.dropFirst()
    }
    return found
}

let title = CommandLine.arguments.dropFirst().first ?? "Screen"
let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
var rows = input.split(separator: "\n", omittingEmptySubsequences: false)
if rows.last == "" { rows.removeLast() }
var look = Look()
var body = ""
// As wide as the usual terminal at least, so that pictures of nearly empty screens match the others.
var columns = 80
for (row, text) in rows.enumerated() {
    let top = bar + Double(row) * line
    for piece in pieces(of: text, &look) {
        let left = margin + Double(piece.column) * cell
        let width = Double(piece.text.count) * cell
        columns = max(columns, piece.column + piece.text.count)
        var colour = piece.look.colour.map { palette[$0] } ?? ink
        var background = piece.look.background.map { palette[$0] }
        if piece.look.isInverse { (colour, background) = (background ?? paper, colour) }
        if let background {
            body += "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(line)\" fill=\"\(background)\"/>\n"
        }
        guard piece.text.contains(where: { $0 != " " }) else { continue }
        let weight = piece.look.isBold ? " font-weight=\"bold\"" : ""
        let paleness = piece.look.isDim ? " opacity=\"0.6\"" : ""
        body += "<text x=\"\(left)\" y=\"\(top + 13.5)\" textLength=\"\(width)\" "
        body += "fill=\"\(colour)\"\(weight)\(paleness)>" + escaped(piece.text) + "</text>\n"
    }
}
let (width, height) = (margin * 2 + Double(columns) * cell, bar + Double(rows.count) * line + 10)
let size = "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\""
print(
    """
    <svg xmlns="http://www.w3.org/2000/svg" \(size)>
    <title>\(escaped(title))</title>
    <style>text{font:14px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}</style>
    <rect width="\(width)" height="\(height)" rx="8" fill="\(paper)"/>
    <text x="\(margin)" y="22" fill="\(ink)" opacity="0.6">\(escaped(title))</text>
    \(body)</svg>
    """)
