// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// One page that needs nothing else: readable without scripts, with a search, filters and a walk through each chain where they run.
package struct HTMLOutput {
    private let report: Report

    package init(_ report: Report) { self.report = report }

    package var text: String {
        let title = "zamok audit: \(report.name)"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \(hash(HTMLPage.style)); script-src \(hash(HTMLPage.script))">
            <meta name="color-scheme" content="light dark">
            <title>\(line(title))</title>
            <style>\(HTMLPage.style)</style>
            </head>
            <body>
            <header>
            <h1>\(line(report.name)) <small>zamok audit \(escaped(report.version))</small></h1>
            <p class="sum">\(escaped(report.summary)). \(escaped(report.scopeText)).</p>
            \(filters)
            </header>
            <main>
            \(unread)
            \(findings)
            </main>
            \(rules)
            \(remarks)
            <script>\(HTMLPage.script)</script>
            </body>
            </html>

            """
    }

    /// The one script and the one style may run, and nothing that a source file brings in.
    private func hash(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }

    /// Of a name or a sentence: it stays on its line, so that no line of the page begins with what a name says.
    private func line(_ text: String) -> String { escaped(text.printable) }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(character)
            default: result += String(character).printable
            }
        }
        return result
    }

    // MARK: Parts

    private var filters: String {
        let used = report.rules.filter { rule in report.findings.contains { $0.finding.rule == rule.id } }
        let options = used.map { "<option value=\"\(escaped($0.id))\">\(escaped($0.id))</option>" }.joined()
        let standings = Standing.allCases.filter { standing in report.findings.contains { $0.standing == standing } }
        let words = standings.map { "<option value=\"\($0.rawValue)\">\(word($0))</option>" }.joined()
        return """
            <form class="filters" hidden>
            <label>Search <input type="search" id="search" placeholder="a word, a file, a rule"></label>
            <label>Rule <select id="rule"><option value="">all</option>\(options)</select></label>
            <label>At least <select id="sure"><option value="0">possible</option><option value="1">likely</option><option value="2">sure</option></select></label>
            <label>Standing <select id="standing"><option value="">all</option>\(words)</select></label>
            <button type="button" id="all">Open all</button>
            <output id="count" aria-live="polite"></output>
            </form>
            """
    }

    private func word(_ standing: Standing) -> String {
        switch standing {
        case .open: "counts"
        case .allowed: "allowed in the source"
        case .baseline: "in the baseline"
        case .older: "older"
        case .configured: "silenced by the configuration"
        }
    }

    private var unread: String {
        guard !report.unread.isEmpty else { return "" }
        let rows = report.unread.map { "<li><code>\(line($0.path))</code>: \(line($0.reason))</li>" }
        return """
            <section class="unread"><h2>Not read</h2>
            <p>What is here was not examined, so that the findings may not be all.</p><ul>\(rows.joined())</ul></section>
            """
    }

    private var findings: String {
        guard !report.findings.isEmpty else { return "<p class=\"none\">No findings.</p>" }
        var sections: [String] = []
        let files = Dictionary(grouping: report.findings.enumerated(), by: \.element.finding.place.file)
        for file in files.keys.sorted() {
            let items = (files[file] ?? []).map { finding($0.element, number: $0.offset + 1) }
            sections.append(
                "<section class=\"file\"><h2>\(line(file))</h2>\(items.joined(separator: "\n"))</section>")
        }
        return sections.joined(separator: "\n")
    }

    private func finding(_ told: ToldFinding, number: Int) -> String {
        let finding = told.finding
        let level = Certainty.allCases.firstIndex(of: finding.certainty) ?? 0
        let isOpen = told.standing == .open
        let standing = isOpen ? "" : "<span class=\"badge quiet\">\(word(told.standing))</span>"
        let reason = told.reason.map { "<p class=\"reason\">Allowed: \(escaped($0))</p>" } ?? ""
        return """
            <details class="finding \(finding.certainty.rawValue)\(isOpen ? "" : " silent")" id="f\(number)" data-rule="\(escaped(finding.rule))" data-sure="\(level)" data-standing="\(told.standing.rawValue)">
            <summary><span class="badge \(finding.certainty.rawValue)">\(finding.certainty.rawValue)</span>\(standing)
            <span class="message">\(line(finding.message))</span>
            <span class="where">line \(finding.place.line) · <a href="#rule-\(escaped(finding.rule))">\(escaped(finding.rule))</a></span></summary>
            \(reason)\(code(told.excerpt, finding.place.line))
            \(walk(told, number: number))
            </details>
            """
    }

    private func walk(_ told: ToldFinding, number: Int) -> String {
        let chain = told.finding.chain
        guard !chain.isEmpty else { return "" }
        let steps = chain.enumerated().map { index, step in
            let excerpt = told.steps.indices.contains(index) ? told.steps[index] : .empty
            return """
                <li><p>\(line(step.note))<br><code class="place">\(line(step.place.file)):\(step.place.line)</code></p>\(code(excerpt, step.place.line))</li>
                """
        }
        return """
            <div class="walk"><h3>Why here <span class="steps" hidden><button type="button" data-step="-1">‹ Previous</button>
            <output></output><button type="button" data-step="1">Next ›</button></span></h3><ol>\(steps.joined())</ol></div>
            """
    }

    private func code(_ excerpt: Excerpt, _ marked: Int) -> String {
        guard !excerpt.lines.isEmpty else { return "" }
        let rows = excerpt.lines.enumerated().map { index, line in
            let number = excerpt.first + index
            return "<span\(number == marked ? " class=\"mark\"" : "")><i>\(number)</i>\(escaped(line))</span>"
        }
        return "<pre tabindex=\"0\"><code>\(rows.joined(separator: "\n"))</code></pre>"
    }

    private var rules: String {
        let used = report.rules.filter { rule in report.findings.contains { $0.finding.rule == rule.id } }
        guard !used.isEmpty else { return "" }
        let items = used.map { rule in
            """
            <article id="rule-\(escaped(rule.id))"><h3>\(escaped(rule.title)) <small>\(escaped(rule.id)) · \(escaped(rule.masvs)) · CWE-\(rule.cwe)</small></h3>
            <p>\(escaped(rule.explanation))</p>
            <h4>Remedy</h4><pre tabindex="0"><code>\(escaped(rule.plainRemedy))</code></pre>
            <h4>With Zamok</h4><pre tabindex="0"><code>\(escaped(rule.zamokRemedy))</code></pre></article>
            """
        }
        return "<section class=\"rules\"><h2>The rules that fired</h2>\(items.joined(separator: "\n"))</section>"
    }

    private var remarks: String {
        guard !report.remarks.isEmpty else { return "" }
        return "<section class=\"remarks\"><h2>Remarks</h2><ul>"
            + report.remarks.map { "<li>\(escaped($0))</li>" }.joined() + "</ul></section>"
    }
}
