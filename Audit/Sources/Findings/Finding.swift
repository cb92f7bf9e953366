// SPDX-License-Identifier: Apache-2.0

/// A place in a file of the project.
public struct Place: Hashable, Comparable, Sendable, Codable {
    /// The path below the examined folder, with `/` between its parts.
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in UTF-8 bytes; 1 where only the line is known.
    public var column: Int

    public init(file: String, line: Int, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static func < (left: Place, right: Place) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// One step of the way on which a secret comes to the place of a finding.
public struct Step: Hashable, Sendable, Codable {
    public var place: Place
    /// What happens there, as half a sentence: "the text of passwordField is read".
    public var note: String

    public init(_ note: String, at place: Place) {
        self.place = place
        self.note = note
    }
}

/// How sure a rule is that a finding is right.
public enum Certainty: String, Comparable, CaseIterable, Sendable, Codable {
    case possible, likely, sure

    public static func < (left: Certainty, right: Certainty) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// A change of a file's text that removes a finding.
public struct Edit: Hashable, Sendable, Codable {
    public var file: String
    /// UTF-8 offsets in the file as it was examined; empty where text is only put in.
    public var range: Range<Int>
    public var text: String

    public init(file: String, range: Range<Int>, text: String) {
        self.file = file
        self.range = range
        self.text = text
    }
}

/// What a rule found at a place.
public struct Finding: Hashable, Sendable, Codable {
    /// The stable identifier of the rule, such as `secure-entry`.
    public var rule: String
    public var place: Place
    /// What is wrong here, in one sentence that names what it is about.
    public var message: String
    /// Why it fires here: the places that led to it, in order; empty if the place says all.
    public var chain: [Step]
    public var certainty: Certainty
    /// Empty where no change is safe.
    public var fix: [Edit]

    public init(
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
public struct RuleDescription: Hashable, Sendable, Codable {
    /// Stable, in words with hyphens: `secure-entry`.
    public var id: String
    /// The group that `--csv` prints: R1 to R9, XLOG, XSECRET, XPASTE, XKBD, XATS.
    public var category: String
    /// A few words: "A secret is shown while it is typed".
    public var title: String
    /// What leaks, to whom, and when the rule fires and when not.
    public var explanation: String
    /// Such as `MASVS-PLATFORM-3`.
    public var masvs: String
    /// Such as 522.
    public var cwe: Int
    /// Code without Zamok, then with it.
    public var remedy: (plain: String, zamok: String) { (plainRemedy, zamokRemedy) }
    public var plainRemedy: String
    public var zamokRemedy: String

    public init(
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
