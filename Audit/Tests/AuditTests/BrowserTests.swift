// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand

/// The browser of this machine, if it has one.
private enum Browser {
    static let name = ["chromium", "chromium-browser", "google-chrome"].first {
        (try? run("sh", ["-c", "command -v \($0)"]))?.status == 0
    }
}

/// The page in a real browser, which runs its script, or doesn't.
@Suite("The page in a browser", .serialized, .enabled(if: Browser.name != nil, "there is no chromium here"))
struct BrowserTests {
    private func page() throws -> String {
        let project = try Project([
            "A.swift": "func one() {\n    shout(alpha)\n}\n", "B.swift": "func two() {\n    shout(beta, loud)\n}\n",
            "C.swift": "func three() { shout(gamma) } // zamok:allow(shouting) a test of it\n",
        ])
        return HTMLOutput(try project.report()).text
    }

    /// The elements after the page was shown.
    private func shown(_ page: String, _ words: [String] = []) throws -> String {
        let folder = try Project(["page.html": page])
        let browser = try #require(Browser.name)
        let ended = try run(
            browser,
            ["--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.folder)/profile"] + words
                + ["--dump-dom", "file://\(folder.folder.replacing(" ", with: "%20"))/page.html"])
        #expect(ended.status == 0, "\(ended.errors.suffix(500))")
        return ended.output
    }

    /// What a script writes into the title, run behind the page's own.
    private func title(_ script: String) throws -> String {
        let page = try page()
        let policy = try #require(page.split(separator: "\n").first { $0.contains("Content-Security-Policy") })
        let open = page.replacing(policy, with: "").replacing("</body>", with: "<script>\(script)</script></body>")
        let shown = try shown(open)
        return String(try #require(shown.firstMatch(of: /<title>(.*?)<\/title>/)).1)
    }

    @Test func `under its own policy the script runs and opens the filters`() throws {
        let shown = try shown(try page())
        #expect(shown.contains("<form class=\"filters\">"))
        #expect(!shown.contains("<form class=\"filters\" hidden"))
    }

    @Test func `the search and the filters leave what fits`() throws {
        let title = try title(
            """
            const seen = () => [...document.querySelectorAll('.finding')].filter(f => f.offsetParent).map(f => f.id).join('');
            const set = (id, value) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event('input')); };
            const log = [seen()];
            set('search', 'ALPHA'); log.push(seen(), document.getElementById('count').textContent); set('search', 'b.swift'); log.push(seen()); set('search', '');
            set('sure', '2'); log.push(seen()); set('sure', '0'); set('standing', 'allowed'); log.push(seen());
            document.title = log.join(' ');
            """)
        #expect(title == "f1f2f3 f1 1 of 3 f2 f2 f3")
    }

    @Test func `the walk goes through the chain and stops at its ends`() throws {
        let title = try title(
            """
            const f = document.getElementById('f1'), [back, on] = f.querySelectorAll('button'); f.open = true;
            const now = () => [...f.querySelectorAll('li')].findIndex(s => s.classList.contains('current')) + f.querySelector('.walk output').textContent.trim();
            const log = []; for (const button of [on, on, on, back, back]) { button.click(); log.push(now()); }
            document.title = log.join(' ');
            """)
        #expect(title == "01 of 2 12 of 2 12 of 2 01 of 2 01 of 2")
    }

    @Test func `without scripts every finding, its lines and its way are there`() throws {
        let page = try page().replacing(/<script>.*<\/script>/.dotMatchesNewlines(), with: "")
        let shown = try shown(page)
        #expect(shown.contains("<form class=\"filters\" hidden"))
        for text in ["shout(alpha)", "the function begins", "a test of it", "whisper(secret)"] {
            #expect(shown.contains(text), "\(text)")
        }
    }
}
