// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditModel
import Findings
import Foundation

/// `--fix`: the changes are tried first on what the files would become. Only those stay that leave the file parsing, remove their finding and bring no
/// new one.
enum FixRun {
    static func run(_ audit: inout AuditRun, applying: Bool) throws {
        let contents = Contents(audit.tree, audit.settings)
        let (raw, project) = audit.examine(audit.tree)
        let before = try audit.report(raw, contents)
        let fixes = tried(before.open.map(\.finding), raw, project, audit)
        if !applying {
            try Output.write(fixes.diff)
            let count = fixes.taken.count
            Output.aside(
                count == 0
                    ? "no change is safe for these findings; \(before.summary)"
                    : "these changes remove \(count) of \(before.open.count) findings; --fix --apply makes them")
            throw ExitCode(before.exitStatus)
        }
        var refused = 0
        for (file, text) in fixes.texts.sorted(by: { $0.key < $1.key }) {
            let place = audit.tree.absolute(file) ?? file
            do { try SourceReplacement(path: place).replace(fixes.before[file] ?? [], by: text) } catch {
                // Others can be changed all the same.
                refused += 1
                Output.aside("\(error)")
                continue
            }
            Output.aside("\(file.printable) changed")
        }
        var after = AuditRun(audit.settings)
        let report = try after.report()
        try Output.write(TerminalOutput(report).text)
        if refused > 0 { Output.aside("\(refused) file\(refused == 1 ? " was" : "s were") not changed") }
        throw ExitCode(report.exitStatus)
    }

    /// The changes that do what they should, together. Where all of them don't, those of the files that are worse are
    /// tried apart, then each half of them,
    /// down to single changes.
    static func tried(_ findings: [Finding], _ raw: RawResult, _ project: ProjectModel, _ audit: AuditRun) -> Fixes {
        let most = audit.settings.options.largestFile
        let errors = Set(project.swift.lazy.filter(\.hasErrors).map(\.path))
        let make = { (findings: [Finding]) in Fixes(findings) { audit.tree.changeable($0, most: most) } }
        var kept: [Finding] = []
        var waiting = [findings.filter { !$0.fix.isEmpty }]
        var trials = 0
        while let group = waiting.popLast(), trials < mostTrials {
            guard !group.isEmpty else { continue }
            trials += 1
            let fixes = make(kept + group)
            let (result, changed) = audit.examine(audit.tree.with(fixes.texts))
            let taken = fixes.taken.map { (kept + group)[$0] }
            var wrong = Set(changed.swift.lazy.filter { $0.hasErrors && !errors.contains($0.path) }.map(\.path))
            wrong.formUnion(worse(raw.findings, result.findings, taken))
            if wrong.isEmpty {
                kept = taken
            } else if group.count > 1 {
                let isWrong = { (finding: Finding) in
                    wrong.contains(finding.place.file) || finding.fix.contains { wrong.contains($0.file) }
                }
                let rest = group.filter { !isWrong($0) }
                let half = group.count / 2
                waiting +=
                    rest.isEmpty || rest.count == group.count
                    ? [Array(group[half...]), Array(group[..<half])] : [group.filter(isWrong), rest]
            }
        }
        return make(kept)
    }

    /// Each trial is an audit of the whole.
    private static let mostTrials = 200

    /// The files in which a rule finds more than it did less what was taken.
    private static func worse(_ before: [Finding], _ after: [Finding], _ taken: [Finding]) -> Set<String> {
        struct Key: Hashable {
            var file: String
            var rule: String
        }
        func counts(_ findings: [Finding]) -> [Key: Int] {
            findings.reduce(into: [:]) { $0[Key(file: $1.place.file, rule: $1.rule), default: 0] += 1 }
        }
        let old = counts(before)
        let gone = counts(taken)
        let new = counts(after)
        let keys = Set(new.keys).union(gone.keys)
        return Set(keys.filter { (new[$0] ?? 0) > (old[$0] ?? 0) - (gone[$0] ?? 0) }.map(\.file))
    }
}
