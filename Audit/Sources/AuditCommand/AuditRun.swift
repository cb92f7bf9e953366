// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings

/// What rules found, before anything is silenced: what the cache keeps.
struct RawResult: Codable, Sendable {
    var findings: [Finding]
    var skipped: [Skipped]
}

/// One audit of a folder.
struct AuditRun {
    let settings: Settings
    let tree: FileTree
    var sources: SourceLines

    init(_ settings: Settings) {
        self.settings = settings
        let tree = FileTree.walk(settings.root, options: settings.options)
        self.tree = tree
        sources = Self.sources(tree, settings)
    }

    private static func sources(_ tree: FileTree, _ settings: Settings) -> SourceLines {
        SourceLines { path in
            tree.text(of: path, most: settings.options.largestFile).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    /// What the rules find in a tree: in what is examined, each place once, in order.
    func examine(_ tree: FileTree) -> (result: RawResult, project: ProjectModel) {
        let project = ProjectModel(tree, options: settings.options)
        // Some rules take ten times as long as others: whoever is done takes the next.
        let found = Workers.map(settings.rulebook.rules, workers: settings.options.workers) { $0.examine(project) }
        let left = Set(tree.files.lazy.filter { !settings.isExamined($0) }.map(\.path))
        var seen = Set<String>()
        var last: (path: String, bytes: [UInt8]?)?
        // Of equal ones the rule's first.
        let inOrder = found.joined().filter { !left.contains($0.place.file) }.enumerated()
            .sorted {
                let (first, second) = ($0.element, $1.element)
                return (first.place, first.rule, first.message, $0.offset)
                    < (second.place, second.rule, second.message, $1.offset)
            }
            .map(\.element)
            .filter { seen.insert("\($0.rule) \($0.place.file):\($0.place.line):\($0.place.column)").inserted }
            .map { finding in
                finding.settled { path in
                    // Findings are in the order of their files: one is kept.
                    if last?.path != path { last = (path, tree.changeable(path, most: settings.options.largestFile)) }
                    return last?.bytes
                }
            }
        return (RawResult(findings: inOrder, skipped: project.skipped + project.leftOpen), project)
    }

    /// The whole report.
    mutating func report() throws -> Report {
        let contents = Contents(tree, settings)
        let raw =
            Cache.result(settings, contents)
            ?? {
                let (result, project) = examine(tree)
                Cache.keep(result, project.resources.signing, settings, contents)
                return result
            }()
        return try report(raw, contents)
    }

    mutating func report(_ raw: RawResult, _ contents: Contents) throws -> Report {
        var report = Report(version: Version.text, name: settings.name, rules: settings.rulebook.descriptions)
        report.unread = raw.skipped.map { UnreadPart(path: $0.path, reason: $0.reason) }.sorted { $0.path < $1.path }
        report.scope = scope()
        // A wrong path must not look like a clean app.
        if report.scope.examined == 0, report.unread.isEmpty {
            report.unread = [UnreadPart(path: ".", reason: "nothing in it is a source or a setting of an app")]
        }
        let findings = raw.findings.filter { finding in
            settings.rules.isEmpty || settings.rules.contains(finding.rule)
                || settings.rules.contains(settings.rulebook.category(finding.rule))
        }
        let prints = Fingerprints.of(findings, &sources)
        for (finding, fingerprint) in zip(findings, prints) { tell(finding, fingerprint, in: &report) }
        report.remarks += Allowances.mark(
            &report.findings, files: contents.withAllowances, texts: linesOfTexts, category: settings.rulebook.category,
            &sources)
        if let baseline = settings.baseline {
            let gone = mark(baseline, .baseline, &report)
            if gone > 0 {
                report.remarks.append("\(gone) findings of the baseline are gone; write it anew with --write-baseline")
            }
        }
        if let revision = settings.revision {
            _ = mark(try Revision.baseline(revision, settings), .older, &report)
        }
        return report
    }

    private func linesOfTexts(_ path: String) -> Set<Int> {
        guard ["swift", "m", "mm", "h"].contains(path.split(separator: ".").last ?? ""),
            let text = tree.text(of: path, most: settings.options.largestFile)
        else { return [] }
        return CodeBytes.lines(of: text.bytes, withTexts: Allowances.word)
    }

    private mutating func mark(_ baseline: Baseline, _ standing: Standing, _ report: inout Report) -> Int {
        let names = Set(tree.files.map(\.path))
        return baseline.mark(&report.findings, as: standing, &sources) { names.contains($0) }
    }

    private mutating func tell(_ finding: Finding, _ fingerprint: String, in report: inout Report) {
        let demand = settings.configuration.demand(
            of: finding.rule, settings.rulebook.category(finding.rule), at: finding.place.file, usual: .likely)
        var standing = Standing.open
        switch demand {
        case .off: standing = .configured
        case .atLeast(let least):
            // What is asked for on the command line is asked for this time.
            guard finding.certainty >= settings.minCertainty ?? least else {
                report.scope.lessSure += 1
                return
            }
        }
        let hides = settings.rulebook.category(finding.rule) == "XSECRET"
        report.findings.append(
            ToldFinding(
                finding, standing: standing, fingerprint: fingerprint,
                excerpt: sources.excerpt(finding.place, around: 2, hidingTexts: hides),
                steps: finding.chain.map { sources.excerpt($0.place, around: 1, hidingTexts: hides) }))
    }

    private func scope() -> Extent {
        var scope = Extent()
        scope.passedOver = tree.passedOver.count
        scope.excluded = tree.excluded
        for file in tree.files where ProjectFile.isRead(String(file.name)) {
            if settings.isExamined(file) {
                scope.examined += 1
            } else {
                switch file.origin {
                case .own: break
                case .thirdParty: scope.thirdParty += 1
                case .test: scope.tests += 1
                case .generated: scope.generated += 1
                }
            }
        }
        return scope
    }
}
