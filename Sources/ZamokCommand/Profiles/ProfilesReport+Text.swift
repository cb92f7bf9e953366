// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

extension ProfilesReport {
    /// One line for each profile.
    func table(at now: Date) -> [String] {
        let rows = profiles.map { path, examined in
            let profile = examined.profile
            return [
                profile.name, profile.kind.displayName, profile.platforms.map(\.displayName).joined(separator: ","),
                profile.teamIdentifier ?? "-", profile.applicationIdentifier ?? "-",
                Self.expiry(profile, at: now), examined.signedBy, (path as NSString).lastPathComponent,
            ].map(\.printable)
        }
        let head = ["NAME", "KIND", "PLATFORM", "TEAM", "APPLICATION IDENTIFIER", "EXPIRES", "SIGNED BY", "FILE"]
        return Table(head: head, rows: rows).lines(width: Channel.output.width)
    }

    static func expiry(_ profile: ProvisioningProfile, at now: Date) -> String {
        let day = profile.expirationDate.dayText
        return profile.isExpired(at: now) ? "\(day) EXPIRED" : "\(day) (\(profile.daysLeft(at: now)) days)"
    }

    /// Every finding with its place and remedy, worst first, then what could not be read, then one line to sum up.
    func findingsText() -> [String] {
        var lines: [String] = []
        let ordered = findings.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        for (_, finding) in ordered {
            let detail = finding.place.detail.map { " [\($0)]" } ?? ""
            lines.append(
                "\(finding.severity.rawValue): \(finding.place.path)\(detail): \(finding.reason) (\(finding.rule.id))")
            if finding.severity != .note { lines.append("    \(finding.remedy)") }
        }
        lines += failures.map(Self.line)
        if coversCode { lines += CheckReport.notChecked.map { "not checked: \($0)" } }
        lines.append(summary)
        let width = Channel.output.width
        return lines.map { $0.printable.wrapped(to: width, indent: 4) }
    }

    /// Some messages begin with the path themselves.
    private static func line(_ failure: Failure) -> String {
        let place = failure.message.hasPrefix(failure.path) ? "" : "\(failure.path): "
        return "not read: \(place)\(failure.message) (\(failure.code))"
    }

    private var summary: String {
        let counts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
            let count = findings.filter { $0.severity == severity }.count
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        let unread = failures.isEmpty ? [] : ["\(failures.count) not read"]
        let all = counts + unread
        return all.isEmpty ? "No findings." : all.joined(separator: ", ") + "."
    }
}

extension ExaminedProfile {
    /// Who signed it, for a person.
    var signedBy: String {
        switch self {
        case .apple: "Apple"
        case .custom: "custom root"
        case .unverified(let read, let error): read.isSigned ? "NOT VERIFIED (\(error.code.name))" : "UNSIGNED"
        }
    }
}

extension ProfilesReport {
    /// Prints the result in the form asked for and ends with its exit status.
    func printResult(sarif: Bool, _ output: ProfilesOutputOptions, _ options: CheckOptions) throws {
        if sarif {
            try Channel.output.line(self.sarif.page)
        } else if output.json {
            try Channel.output.line(json(options, output.shortener).page)
        } else {
            try Channel.output.lines((profiles.isEmpty ? [] : table(at: options.now)) + findingsText())
        }
        throw CommandFailure.silent(exitStatus)
    }
}
