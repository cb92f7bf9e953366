// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Readers

extension ProfilesReport {
    /// The report as JSON. The names are stable; Documentation/ProvisioningProfiles.md lists them.
    func json(_ options: CheckOptions, _ shortener: Shortener) -> JSON {
        .object([
            ("version", .count(1)),
            ("profiles", .array(profiles.map { $0.examined.json($0.path, at: options.now, shortener) })),
            ("apps", .array(apps.flatMap(\.all).map { AppRecord($0, options: options, shortener: shortener).json })),
            ("findings", .array(findings.map(Self.json))),
            (
                "failures",
                .array(
                    failures.map {
                        .object([("path", .text($0.path)), ("code", .text($0.code)), ("message", .text($0.message))])
                    })
            ),
            ("notChecked", .texts(coversCode ? CheckReport.notChecked : [])),
        ])
    }

    private static func json(_ finding: Finding) -> JSON {
        .known([
            ("rule", .text(finding.rule.id)), ("severity", .text(finding.severity.rawValue)),
            ("path", .text(finding.place.path)), ("detail", finding.place.detail.map { .text($0) }),
            ("reason", .text(finding.reason)), ("remedy", .text(finding.remedy)),
        ])
    }
}

extension ExaminedProfile {
    func json(_ path: String, at now: Date, _ shortener: Shortener) -> JSON {
        let trust = trustText
        return .known([
            ("path", .text(path)), ("name", .text(profile.name)), ("uuid", .text(profile.uuid)),
            ("kind", .text(profile.kind.rawValue)), ("platforms", .texts(profile.platforms.map(\.displayName))),
            ("team", profile.teamIdentifier.map { .text($0) }),
            ("teamName", profile.teamName.map { .text(shortener.name($0)) }),
            ("applicationIdentifier", profile.applicationIdentifier.map { .text($0) }),
            ("created", .date(profile.creationDate)), ("expires", .date(profile.expirationDate)),
            ("isExpired", .bool(profile.isExpired(at: now))), ("daysLeft", .count(profile.daysLeft(at: now))),
            ("isXcodeManaged", .bool(profile.isXcodeManaged)),
            ("devices", profile.provisionedDevices.map { .texts($0.map(shortener.device)) }),
            ("allDevices", .bool(profile.provisionsAllDevices)),
            ("certificates", .array(profile.developerCertificates.map { $0.json(shortener) })),
            ("entitlements", .sorted(profile.entitlements.values, JSON.init)),
            ("otherKeys", .sorted(profile.otherKeys, JSON.init)), ("trust", .text(trust.word)),
            ("failure", trust.failure.map { .text($0) }), ("verification", verification?.json),
        ])
    }

    /// One word for the outcome, and the failure if there is one.
    var trustText: (word: String, failure: String?) {
        switch self {
        case .apple: ("apple", nil)
        case .custom: ("custom", nil)
        case .unverified(let read, let error): (read.isSigned ? "not-verified" : "unsigned", error.description)
        }
    }
}

extension DeveloperCertificate {
    fileprivate func json(_ shortener: Shortener) -> JSON {
        .known([
            ("name", certificate?.commonName.map { .text(shortener.certificate($0)) }),
            ("kind", (certificate?.kind.rawValue).map { .text($0) }),
            ("team", certificate?.organizationalUnit.map { .text($0) }),
            ("notBefore", (certificate?.notBefore).map { .date($0) }),
            ("notAfter", (certificate?.notAfter).map { .date($0) }),
            ("sha256", .text(String(hexadecimal: fingerprint))),
        ])
    }
}

extension ProfileVerification {
    fileprivate var json: JSON {
        .known([
            ("signingTime", .date(signingTime)), ("signer", signer.commonName.map { .text($0) }),
            ("root", root.commonName.map { .text($0) }), ("sha1Uses", .texts(sha1Uses)),
            ("derCopy", .bool(derCopy != nil)), ("distributionType", derCopy?.distributionType.map { .text($0) }),
        ])
    }
}

extension AppRecord {
    var json: JSON {
        .known([
            ("path", .text(path)), ("bundleIdentifier", .text(bundleIdentifier)), ("platforms", .texts(platforms)),
            ("architectures", .texts(architectures)), ("team", team.map { .text($0) }),
            ("signer", signer.map { .text($0) }), ("signature", .text(signature)),
            ("entitlements", .sorted(entitlements, JSON.init)),
        ])
    }
}

extension JSON {
    /// A property list: dates as text, bytes in Base64.
    init(_ list: PropertyList) {
        self =
            switch list {
            case .string(let value): .text(value)
            case .integer(let value): .number(Int64(value))
            case .real(let value): .real(value)
            case .boolean(let value): .bool(value)
            case .date(let value): .date(value)
            case .data(let value): .text(Data(value).base64EncodedString())
            case .array(let values): .array(values.map(JSON.init))
            case .dictionary(let values): .sorted(values, JSON.init)
            }
    }
}
