// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Readers

extension ProfilesReport {
    /// One line for each profile.
    func table(at now: Date) -> [String] {
        let rows = profiles.map { path, examined in
            let profile = examined.profile
            return [
                profile.name, profile.kind.displayName, profile.platforms.map(\.displayName).joined(separator: ","),
                profile.teamIdentifier ?? "-", profile.applicationIdentifier ?? "-",
                Self.expiry(profile, at: now), examined.signedBy, PathText(path).lastPathComponent,
            ].map(\.printable)
        }
        let head = ["NAME", "KIND", "PLATFORM", "TEAM", "APPLICATION IDENTIFIER", "EXPIRES", "SIGNED BY", "FILE"]
        return Table(head: head, rows: rows).lines(width: Channel.output.width)
    }

    static func expiry(_ profile: ProvisioningProfile, at now: Date) -> String {
        let day = profile.expirationDate.dayText
        return profile.isExpired(at: now) ? "\(day) EXPIRED" : "\(day) (\(profile.daysLeft(at: now)) days)"
    }

    /// Every finding with its place and remedy, worst first, then the unreadable inputs, then one summary line.
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

    /// Some messages already begin with the path.
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
    /// The signer, as text for the user.
    var signedBy: String {
        switch self {
        case .apple: "Apple"
        case .custom: "custom root"
        case .unverified(let read, let error): read.isSigned ? "NOT VERIFIED (\(error.code.name))" : "UNSIGNED"
        }
    }
}

extension ProfilesReport {
    /// Prints the result in the requested form and ends with its exit status.
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

/// One profile in full, as text for the user.
struct ProfileDetails {
    private let path: String
    private let examined: ExaminedProfile
    private let now: Date
    private let shortener: Shortener

    /// More devices are only counted, unless everything is requested.
    private static let devicesShown = 10
    /// The column of the values.
    private static let column = 16

    init(path: String, _ examined: ExaminedProfile, at now: Date, _ shortener: Shortener) {
        (self.path, self.examined, self.now, self.shortener) = (path, examined, now, shortener)
    }

    var lines: [String] {
        let rows = (header + trust + certificates + devices).map { ($0, Self.column) } + entitlements.map { ($0, 8) }
        let width = Channel.output.width
        return rows.map { $0.printable.wrapped(to: width, indent: $1) }
    }

    private var header: [String] {
        let profile = examined.profile
        let team = [profile.teamIdentifier, profile.teamName.map { "(\(shortener.name($0)))" }].compactMap(\.self)
        return [
            profile.name,
            row("file", path),
            row("kind", profile.kind.displayName + (profile.isXcodeManaged ? ", managed by Xcode" : "")),
            row("platforms", profile.platforms.map(\.displayName).joined(separator: ", ")),
            row("team", team.joined(separator: " ")),
            row("app", profile.applicationIdentifier ?? "-"),
            row("UUID", profile.uuid),
            row("created", profile.creationDate.dayText),
            row("expires", ProfilesReport.expiry(profile, at: now)),
        ]
    }

    private var trust: [String] {
        var lines = [row("signed by", examined.signedBy)]
        if let failure = examined.trustText.failure { lines.append(row("", failure)) }
        guard let verification = examined.verification else { return lines }
        let chain = [verification.signer, verification.authority, verification.root].compactMap(\.commonName)
        lines.append(row("", chain.joined(separator: " < ")))
        lines.append(row("", "signing time \(verification.signingTime.dayText), the certificates were valid then"))
        if !verification.sha1Uses.isEmpty {
            lines.append(row("", "SHA-1 used for " + verification.sha1Uses.joined(separator: ", ")))
        }
        if let copy = verification.derCopy {
            let type = copy.distributionType.map { ", distribution type \($0)" } ?? ""
            lines.append(row("DER copy", "verified, SHA-256 or better, equal to the property list\(type)"))
        } else {
            lines.append(row("DER copy", "none"))
        }
        return lines
    }

    private var certificates: [String] {
        examined.profile.developerCertificates.enumerated().map { index, entry in
            let label = index == 0 ? "certificates" : ""
            guard let certificate = entry.certificate else { return row(label, "unreadable") }
            let name = certificate.commonName.map(shortener.certificate) ?? "without a name"
            let state = certificate.notAfter < now ? "EXPIRED" : "until"
            return row(label, "\(name), \(certificate.kind.rawValue), \(state) \(certificate.notAfter.dayText)")
        }
    }

    private var devices: [String] {
        if examined.profile.provisionsAllDevices { return [row("devices", "all")] }
        guard let devices = examined.profile.provisionedDevices else { return [] }
        let shown = shortener.isFull ? devices : Array(devices.prefix(Self.devicesShown))
        let rest = devices.count - shown.count
        let list = shown.map(shortener.device) + (rest > 0 ? ["and \(rest) more"] : [])
        return [row("devices", "\(devices.count)")] + list.map { row("", $0) }
    }

    private var entitlements: [String] {
        let values = examined.profile.entitlements.values.sorted { $0.key < $1.key }
        return [row("entitlements", "\(values.count)")] + values.map { "    \($0.key) = \($0.value.brief)" }
    }

    private func row(_ label: String, _ value: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, Self.column - 2 - label.count)) + value
    }
}

extension PropertyList {
    /// The value on one line.
    var brief: String {
        switch self {
        case .string(let value): value
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .boolean(let value): value ? "true" : "false"
        case .date(let value): value.dayText
        case .data(let value): "\(value.count) bytes"
        case .array(let values): "[" + values.map(\.brief).joined(separator: ", ") + "]"
        case .dictionary(let values):
            "{" + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.brief)" }.joined(separator: ", ") + "}"
        }
    }
}
