// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Readers
import SecretMemory
import Sweeps

/// The report of a sweep for people.
struct SweepPrinter {
    let report: SweepReport
    /// Paths below it are shown with `~`.
    let home: String
    let now: Date

    func lines(isQuiet: Bool = false) throws -> [String] {
        isQuiet ? [summary] : try separated([groups(), unread, [summary]])
    }

    /// The parts that have lines, with an empty line between them.
    private func separated(_ parts: [[String]]) -> [String] {
        Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// Findings of one place together, places before other files.
    private func groups() throws -> [String] {
        let byPlace = Dictionary(grouping: report.findings) { $0.place?.word ?? "" }
        let order = Catalogue.places.map(\.word).filter { byPlace[$0] != nil } + (byPlace[""] == nil ? [] : [""])
        var lines: [String] = []
        for word in order {
            guard let findings = byPlace[word] else { continue }
            if !lines.isEmpty { lines.append("") }
            lines.append(findings[0].place.map { "\($0.program) (\($0.word))" } ?? "Other files")
            for finding in findings { lines += try self.lines(of: finding) }
            if let place = findings[0].place {
                lines += advice(place, findings.map(\.location)).map { "  To do: \($0)" }
            }
        }
        return lines
    }

    private func lines(of finding: SweepFinding) throws -> [String] {
        let secret = finding.secret
        var facts = [SweepWords.age(finding.modified, now), SweepWords.readers(finding.readers)]
        if finding.isInGit { facts.append("in git's objects as well, where it stays when the file changes") }
        var lines = [
            "  \(shown(finding.location)):\(secret.line): \(SweepWords.what(secret.rule)) \(try MaskedSecret.text(secret.secret))",
            "      \(facts.joined(separator: "; "))",
        ]
        if let rotation = secret.rule.rotation { lines.append("      new one, and revoke this one: \(rotation)") }
        return lines
    }

    private func shown(_ location: FileLocation) -> String {
        let prefix = Array("\(home)/".utf8)
        guard !home.isEmpty, location.bytes.starts(with: prefix) else { return "\(location)" }
        return "~/" + String(printing: location.bytes.dropFirst(prefix.count))
    }

    /// The most paths in a command.
    private static let mostPaths = 5

    /// The commands that move what was found, or why there is none.
    private func advice(_ place: Sweeps.Place, _ locations: [FileLocation]) -> [String] {
        if case .clearOnly(let reason) = place.move { return ["it stays in clear: \(reason)."] }
        var seen: Set<FileLocation> = []
        let files = locations.filter { seen.insert($0).inserted }
        let usual = MoveTargets.usual(files, of: place, home: home, environment: Environment.value)
        let others = files.filter { !usual.contains($0) }
        var advice = others.count < files.count ? ["zamok sweep --move --only \(place.word)"] : []
        guard !others.isEmpty else { return advice }
        if case .helper = place.move {
            advice.append(
                "\(place.program) does not look into \(others.count == 1 ? "this file" : "these files") by itself: remove \(others.count == 1 ? "it if it is a copy" : "those that are copies")."
            )
        } else if others.count <= Self.mostPaths, others.allSatisfy({ $0.text != nil }) {
            advice.append("zamok sweep --move \(others.map(\.shellWord).joined(separator: " "))")
        } else {
            advice.append("zamok sweep --move --only \(place.word) \(Self.common(others).shellWord)")
        }
        return advice
    }

    /// The folder that all are in.
    private static func common(_ files: [FileLocation]) -> FileLocation {
        var folder = files[0].folder
        while folder.folder != folder, folder.bytes != [UInt8(ascii: ".")],
            folder.text == nil || !files.allSatisfy({ $0.bytes.starts(with: folder.appending([]).bytes) })
        {
            folder = folder.folder
        }
        return folder
    }

    private static let mostUnread = 20

    private var unread: [String] {
        let all = report.walk.unread.map { ($0, "was not read") } + report.cut.map { ($0, "was cut") }
        guard !all.isEmpty else { return [] }
        let more = all.count - Self.mostUnread + report.walk.moreUnread
        return ["Not looked at"]
            + all.prefix(Self.mostUnread).map { "  \(shown($0.0.path)) \($0.1): \($0.0.reason)" }
            + (more > 0 ? ["  and \(more) more; --json has them"] : [])
    }

    private var summary: String {
        let count = report.findings.count + report.moreFindings
        let files = Set(report.findings.map(\.location)).count
        var parts = ["\(report.files) file\(report.files == 1 ? "" : "s")"]
        if report.walk.others > 0 { parts.append("\(report.walk.others) of other users not read") }
        if report.walk.packages > 0 {
            let folders = report.walk.packages == 1 ? "1 folder" : "\(report.walk.packages) folders"
            parts.append("\(folders) of packages not read (--packages reads them)")
        }
        let looked = parts.joined(separator: ", ")
        if count == 0 { return "No secret in clear was found in \(looked)." }
        let secrets = "\(count) secret\(count == 1 ? "" : "s") in clear"
        return "\(secrets) in \(files) file\(files == 1 ? "" : "s"); looked at: \(looked)."
    }
}

/// Words that all forms of the report share.
enum SweepWords {
    static func what(_ rule: Rule) -> String {
        let name = rule.identifier.split(separator: "/").last.map(String.init) ?? rule.identifier
        return switch rule.kind {
        case .place: name
        case .token: "\(rule.issuer) token"
        case .assignment: rule.identifier == "assignment/password" ? "password" : name
        case .privateKey: rule.issuer
        case .url: rule.issuer
        }
    }

    static func age(_ modified: Int64, _ now: Date) -> String {
        let days = Int((now.timeIntervalSince1970 - Double(modified)) / 86_400)
        return switch days {
        case ..<0: "changed in the future"
        case 0: "changed today"
        case 1: "there for at least 1 day"
        default: "there for at least \(days) days"
        }
    }

    static func readers(_ readers: FileReaders) -> String {
        switch readers {
        case .owner: "readable by you alone"
        case .group: "readable by its group"
        case .everyone: "readable by every user of this machine"
        }
    }
}
