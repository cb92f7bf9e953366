// SPDX-License-Identifier: Apache-2.0

import ProvisioningProfiles
import Readers

/// One bundle of an app as JSON, with its code signature.
struct AppRecord {
    let path: String
    let bundleIdentifier: String
    let platforms: [String]
    let architectures: [String]
    let team: String?
    let signer: String?
    let signature: String
    let entitlements: [String: PropertyList]

    init(_ bundle: AppBundle, options: CheckOptions, shortener: Shortener) {
        path = bundle.path
        bundleIdentifier = bundle.bundleIdentifier
        platforms = bundle.platforms.map(\.displayName)
        architectures = bundle.code.map(\.architecture)
        let signed = bundle.code.lazy.compactMap(\.signature).first
        team = signed?.teamIdentifier
        entitlements = signed?.entitlements?.values ?? [:]
        let outcome = signed?.signer(anchor: options.anchor, at: options.now)
        signer = outcome?.certificate?.commonName.map(shortener.certificate)
        signature = bundle.codeError.map { "unreadable (\($0.code.name))" } ?? Self.word(outcome)
    }

    private static func word(_ outcome: CodeSigner?) -> String {
        switch outcome {
        case .apple: "apple"
        case .custom: "custom"
        case .adHoc: "ad-hoc"
        case .invalid(let error): "not-verified (\(error.code.name))"
        case nil: "unsigned"
        }
    }
}

extension ProfilesReport {
    /// One line for each bundle.
    func appTable(_ options: CheckOptions, _ shortener: Shortener) -> [String] {
        let rows = apps.flatMap(\.all).map { bundle in
            let record = AppRecord(bundle, options: options, shortener: shortener)
            return [
                record.path, record.bundleIdentifier, record.architectures.joined(separator: ","), record.team ?? "-",
                record.signature, record.signer ?? "-",
            ].map(\.printable)
        }
        return Table(head: ["BUNDLE", "IDENTIFIER", "CODE", "TEAM", "SIGNATURE", "SIGNER"], rows: rows)
            .lines(width: Channel.output.width)
    }
}
