// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

extension Report {
    /// One line for each profile.
    func table(at now: Date) -> String {
        var table = Table([
            "NAME", "KIND", "PLATFORM", "TEAM", "APPLICATION IDENTIFIER", "EXPIRES", "SIGNED BY", "FILE",
        ])
        for (path, examined) in profiles {
            let profile = examined.profile
            table.add([
                profile.name, profile.kind.displayName, profile.platforms.map(\.displayName).joined(separator: ","),
                profile.teamIdentifier ?? "-", profile.applicationIdentifier ?? "-",
                Self.expiry(profile, at: now), examined.signedBy, (path as NSString).lastPathComponent,
            ])
        }
        return table.text()
    }

    static func expiry(_ profile: ProvisioningProfile, at now: Date) -> String {
        let day = profile.expirationDate.dayText
        return profile.isExpired(at: now) ? "\(day) EXPIRED" : "\(day) (\(profile.daysLeft(at: now)) days)"
    }

    /// Every finding with its place and remedy, worst first, then what could not be read, then one line to sum up.
    func findingsText() -> String {
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
        return lines.map { $0.printable.wrapped(to: Terminal.width, indent: 4) }.joined(separator: "\n")
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

extension Report {
    /// Prints the result in the form asked for and ends with its exit status.
    func printResult(sarif: Bool, _ output: OutputOptions, _ options: CheckOptions) throws {
        if sarif {
            Report.print(try self.sarif())
        } else if output.json {
            Report.print(try json(options, output.shortener))
        } else {
            if !profiles.isEmpty { Report.print(table(at: options.now)) }
            Report.print(findingsText())
        }
        throw ExitCode(exitStatus)
    }
}
