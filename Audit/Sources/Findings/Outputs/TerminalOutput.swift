// SPDX-License-Identifier: Apache-2.0

/// For people at a terminal: the place, what is wrong, the lines, and the way that led there.
package struct TerminalOutput {
    private let report: Report
    private let isColoured: Bool

    package init(_ report: Report, isColoured: Bool = false) {
        self.report = report
        self.isColoured = isColoured
    }

    package var text: String {
        let open = report.open
        let shown = open.map { finding($0) }
        var end: [String] = report.unread.map {
            "\(paint("not read", .red)): \($0.path.printable): \($0.reason.printable)"
        }
        end += report.remarks.map { "\(paint("remark", .grey)): \($0.printable)" }
        end.append(paint(report.summary, open.isEmpty ? .plain : .bold))
        end.append(report.scopeText + (report.unread.isEmpty ? "" : "; \(report.unread.count) not read"))
        return (shown + [end.joined(separator: "\n") + "\n"]).joined(separator: "\n")
    }

    private enum Paint: String {
        case plain = ""
        case bold = "1"
        case red = "1;31"
        case yellow = "1;33"
        case blue = "1;34"
        case grey = "2"
    }

    private func paint(_ text: String, _ paint: Paint) -> String {
        isColoured && paint != .plain ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func finding(_ told: ToldFinding) -> String {
        let finding = told.finding
        let colour: Paint = [.sure: .red, .likely: .yellow, .possible: .blue][finding.certainty] ?? .plain
        var lines = [
            "\(paint(place(finding.place), .bold)): \(paint(finding.certainty.level, colour)): \(finding.message.printable) [\(finding.rule)]"
        ]
        lines += excerpt(told.excerpt, finding.place)
        if !finding.chain.isEmpty {
            lines.append("  why here:")
            for (index, step) in finding.chain.enumerated() {
                lines.append("    \(index + 1). \(step.note.printable)")
                let text = told.steps.indices.contains(index) ? told.steps[index].line(step.place.line) : nil
                lines.append(
                    "       \(place(step.place))"
                        + (text.map { "  " + paint($0.trimmed.cut(90).printable, .grey) } ?? ""))
            }
        }
        let fix = finding.fix.isEmpty ? "" : "; --fix shows a change that removes it"
        lines.append(paint("  zamok audit explain \(finding.rule)\(fix)", .grey))
        return lines.joined(separator: "\n") + "\n"
    }

    private func excerpt(_ excerpt: Excerpt, _ place: Place) -> [String] {
        let width = "\(excerpt.first + excerpt.lines.count)".count
        return excerpt.lines.enumerated().flatMap { index, line in
            let number = excerpt.first + index
            let digits = "\(number)"
            let head = String(repeating: " ", count: width - digits.count) + digits + " | "
            guard number == place.line else { return [paint("  " + head, .grey) + line.printable.cut(110)] }
            let before = String(decoding: line.utf8.prefix(max(0, place.column - 1)), as: UTF8.self).printable
            let shown = ["  \(head)\(line.printable.cut(110))"]
            guard place.column > 1, before.count < 100 else { return shown }
            return shown + [
                paint("  " + String(repeating: " ", count: width) + " | ", .grey)
                    + String(repeating: " ", count: before.count) + paint("^", .bold)
            ]
        }
    }

    private func place(_ place: Place) -> String { "\(place.file.printable):\(place.line):\(place.column)" }
}

/// One line for each finding and step, as compilers write them: Xcode shows them in its editor.
package enum CompilerOutput {
    /// `root` comes before each path, since Xcode takes absolute ones only.
    package static func text(_ report: Report, root: String) -> String {
        func line(_ place: Place, _ level: String, _ text: String) -> String {
            "\(root)/\(place.file):\(place.line):\(place.column): \(level): \(text)".printable + "\n"
        }
        var text = ""
        for told in report.open {
            let finding = told.finding
            // An error ends the build; whether findings do is for the build phase to say.
            let level = finding.certainty == .possible ? "note" : "warning"
            text += line(finding.place, level, "\(finding.message) [\(finding.rule)]")
            for step in finding.chain { text += line(step.place, "note", step.note) }
        }
        for part in report.unread {
            text += "warning: zamok-audit: \(part.path) was not read: \(part.reason)".printable + "\n"
        }
        return text
    }
}

/// Workflow commands, which GitHub shows beside the lines of a pull request. A name or a text that would be one itself is escaped.
package enum GitHubOutput {
    package static func text(_ report: Report) -> String {
        var text = ""
        for told in report.open {
            let finding = told.finding
            let level = ["error": "error", "warning": "warning"][finding.certainty.level] ?? "notice"
            let title = report.rule(finding.rule)?.title ?? finding.rule
            let way = finding.chain.enumerated().map {
                "\n\($0.offset + 1). \($0.element.note.printable) (\($0.element.place.file.printable):\($0.element.place.line))"
            }
            text +=
                "::\(level) file=\(property(finding.place.file)),line=\(finding.place.line),col=\(finding.place.column)"
                + ",title=\(property(title + " [" + finding.rule + "]"))::\(data(finding.message.printable + way.joined()))\n"
        }
        for part in report.unread {
            text +=
                "::error file=\(property(part.path)),title=Not read::\(data("\(part.path) was not read: \(part.reason)".printable))\n"
        }
        return text + "::notice title=zamok audit::\(data(report.summary + "; " + report.scopeText))\n"
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text.printable).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

/// What a scorer of findings reads: a line for each finding, since what would end one in a name is escaped.
package enum CSVOutput {
    package static func text(_ report: Report, app: String) -> String {
        let rows = report.open.map { told in
            let finding = told.finding
            return [
                "zamok-audit", app, finding.place.file, "\(finding.place.line)",
                report.rule(finding.rule)?.category ?? "-",
                finding.rule, finding.message,
            ].map { cell($0.printable) }.joined(separator: ",")
        }
        return (["tool,app,file,line,category,rule_id,message"] + rows).joined(separator: "\n") + "\n"
    }

    /// A cell that a spreadsheet would take for a formula begins with an apostrophe.
    private static func cell(_ text: String) -> String {
        let text = text.first.map("=+-@".contains) == true ? "'" + text : text
        guard text.contains("\"") || text.contains(",") else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
