// SPDX-License-Identifier: Apache-2.0

/// Why a finding counts, or doesn't.
package enum Standing: String, Sendable, Codable, CaseIterable {
    /// It counts: the exit status is 1.
    case open
    /// Somebody wrote `zamok:allow(rule) reason` beside it.
    case allowed
    /// It was there when the baseline was written.
    case baseline
    /// It was there in the revision that `--changed-since` names.
    case older
    /// The configuration file silences the rule here.
    case configured
}

/// A finding, as it is told.
package struct ToldFinding: Sendable, Codable {
    package var finding: Finding
    package var standing: Standing
    /// The reason that stands beside it, if it is allowed.
    package var reason: String?
    /// The same as long as the line's text is, wherever it moves.
    package var fingerprint: String
    package var excerpt: Excerpt
    /// Of each step of the chain.
    package var steps: [Excerpt]

    package init(
        _ finding: Finding, standing: Standing = .open, reason: String? = nil, fingerprint: String, excerpt: Excerpt,
        steps: [Excerpt]
    ) {
        self.finding = finding
        self.standing = standing
        self.reason = reason
        self.fingerprint = fingerprint
        self.excerpt = excerpt
        self.steps = steps
    }
}

/// A file or folder that was not read, wholly or in part.
package struct UnreadPart: Hashable, Sendable, Codable {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// How much was looked at.
package struct Extent: Sendable, Codable, Equatable {
    package var examined = 0
    package var thirdParty = 0
    package var tests = 0
    package var generated = 0
    /// Folders that builds and tools make.
    package var passedOver = 0
    /// Files and folders that the configuration excludes.
    package var excluded = 0
    /// Findings that are less sure than was asked for.
    package var lessSure = 0

    package init() {}
}

/// What an audit came to: every form of output is made of it.
package struct Report: Sendable, Codable {
    /// Of this form; grows when a reader would have to change.
    package var format = 1
    /// Of the program.
    package var version: String
    /// The name of the examined folder.
    package var name: String
    /// By place, then by rule; those that don't count too.
    package var findings: [ToldFinding]
    package var rules: [RuleDescription]
    package var scope: Extent
    package var unread: [UnreadPart]
    /// Allowances and lines of the baseline that do nothing, and the like.
    package var remarks: [String]

    package init(
        version: String, name: String, findings: [ToldFinding] = [], rules: [RuleDescription] = [],
        scope: Extent = Extent(), unread: [UnreadPart] = [], remarks: [String] = []
    ) {
        self.version = version
        self.name = name
        self.findings = findings
        self.rules = rules
        self.scope = scope
        self.unread = unread
        self.remarks = remarks
    }

    package var open: [ToldFinding] { findings.filter { $0.standing == .open } }

    /// 0 clean, 1 findings, 2 when something could not be read, whatever was found in the rest.
    package var exitStatus: Int32 { unread.isEmpty ? (open.isEmpty ? 0 : 1) : 2 }

    package func rule(_ id: String) -> RuleDescription? { rules.first { $0.id == id } }

    /// `12 findings (3 sure, 9 likely); 2 allowed, 4 in the baseline`.
    package var summary: String {
        let open = open
        let sure = Certainty.allCases.reversed().compactMap { level in
            let count = open.count { $0.finding.certainty == level }
            return count > 0 ? "\(count) \(level.rawValue)" : nil
        }
        let count = open.isEmpty ? "no findings" : "\(open.count) finding\(open.count == 1 ? "" : "s")"
        let silent = silenced
        return count + (sure.isEmpty ? "" : " (\(sure.joined(separator: ", ")))")
            + (silent.isEmpty ? "" : "; " + silent.joined(separator: ", "))
    }

    private var silenced: [String] {
        let words: [(Standing, String)] = [
            (.allowed, "allowed in the source"), (.baseline, "in the baseline"), (.older, "older"),
            (.configured, "silenced by the configuration"),
        ]
        return words.compactMap { standing, word in
            let count = findings.count { $0.standing == standing }
            return count > 0 ? "\(count) \(word)" : nil
        } + (scope.lessSure > 0 ? ["\(scope.lessSure) less sure and not shown"] : [])
    }

    /// `120 files examined; left out: 310 third-party, 20 tests`.
    package var scopeText: String {
        let left = [
            (scope.thirdParty, "third-party"), (scope.tests, "of tests"), (scope.generated, "generated"),
            (scope.excluded, "by the configuration"),
            (scope.passedOver, scope.passedOver == 1 ? "folder of tools" : "folders of tools"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(scope.examined) file\(scope.examined == 1 ? "" : "s") examined"
            + (left.isEmpty ? "" : "; left out: " + left.joined(separator: ", "))
    }
}

extension Certainty {
    /// The word that compilers use.
    package var level: String {
        switch self {
        case .sure: "error"
        case .likely: "warning"
        case .possible: "note"
        }
    }
}
