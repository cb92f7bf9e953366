// SPDX-License-Identifier: Apache-2.0

/// A place in a file of the project.
package struct Place: Hashable, Comparable, Sendable, Codable {
    /// The path below the examined folder, with `/` between its parts.
    package var file: String
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in UTF-8 bytes; 1 where only the line is known.
    package var column: Int

    package init(file: String, line: Int, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    package static func < (left: Place, right: Place) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// One step of the way on which a secret comes to the place of a finding.
package struct Step: Hashable, Sendable, Codable {
    package var place: Place
    /// What happens there, as half a sentence: "the text of passwordField is read".
    package var note: String

    package init(_ note: String, at place: Place) {
        self.place = place
        self.note = note
    }
}

/// How sure a rule is that a finding is right.
package enum Certainty: String, Comparable, CaseIterable, Sendable, Codable {
    case possible, likely, sure

    package static func < (left: Certainty, right: Certainty) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// A change of a file's text that removes a finding.
package struct Edit: Hashable, Sendable, Codable {
    package var file: String
    /// UTF-8 offsets in the file as it was examined; empty where text is only put in.
    package var range: Range<Int>
    package var text: String
    /// `.exact` once the file's bytes were seen.
    package var reach = Reach.exact

    /// What of the source beside the range belongs to it. A rule knows where an expression is, and not the `!` or the brackets round it.
    package enum Reach: Sendable {
        case exact
        /// The `!` and `?` behind an operand or an argument too.
        case operand
        /// All of `\(...)`, where nothing else stands in it.
        case interpolation
        /// Nothing of it: the text is put in behind it.
        case behind
    }

    package init(file: String, range: Range<Int>, text: String, reach: Reach = .exact) {
        self.file = file
        self.range = range
        self.text = text
        self.reach = reach
    }

    private enum CodingKeys: String, CodingKey { case file, range, text }
}

/// What a rule found at a place.
package struct Finding: Hashable, Sendable, Codable {
    /// The stable identifier of the rule, such as `secure-entry`.
    package var rule: String
    package var place: Place
    /// What is wrong here, in one sentence that names what it is about.
    package var message: String
    /// Why it fires here: the places that led to it, in order; empty if the place says all.
    package var chain: [Step]
    package var certainty: Certainty
    /// Empty where no change is safe.
    package var fix: [Edit]

    package init(
        _ rule: String, at place: Place, _ message: String, chain: [Step] = [], certainty: Certainty = .likely,
        fix: [Edit] = []
    ) {
        self.rule = rule
        self.place = place
        self.message = message
        self.chain = chain
        self.certainty = certainty
        self.fix = fix
    }
}

/// What a rule is, for `zamok audit explain`, SARIF and the report.
package struct RuleDescription: Hashable, Sendable, Codable {
    /// Stable, in words with hyphens: `secure-entry`.
    package var id: String
    /// The group that `--csv` prints: R1 to R9, XLOG, XSECRET, XPASTE, XURL, XCRYPT, XKBD, XATS, XPRIV.
    package var category: String
    /// A few words: "A secret is shown while it is typed".
    package var title: String
    /// What leaks, to whom, and when the rule fires and when not.
    package var explanation: String
    /// Such as `MASVS-PLATFORM-3`.
    package var masvs: String
    /// Such as 522.
    package var cwe: Int
    /// Code without Zamok, then with it.
    package var remedy: (plain: String, zamok: String) { (plainRemedy, zamokRemedy) }
    package var plainRemedy: String
    package var zamokRemedy: String

    package init(
        id: String, category: String, title: String, explanation: String, masvs: String, cwe: Int, plainRemedy: String,
        zamokRemedy: String
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.explanation = explanation
        self.masvs = masvs
        self.cwe = cwe
        self.plainRemedy = plainRemedy
        self.zamokRemedy = zamokRemedy
    }
}
