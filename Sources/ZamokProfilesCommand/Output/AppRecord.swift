// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// One bundle of an app as JSON shows it: how its code is signed.
struct AppRecord: Encodable {
    let path: String
    let bundleIdentifier: String
    let platforms: [String]
    let architectures: [String]
    let team: String?
    let signer: String?
    let signature: String
    let entitlements: [String: JSONValue]

    init(_ bundle: AppBundle, _ options: CheckOptions, _ shortener: Shortener) {
        path = bundle.path
        bundleIdentifier = bundle.bundleIdentifier
        platforms = bundle.platforms.map(\.displayName)
        architectures = bundle.code.map(\.architecture)
        let signed = bundle.code.lazy.compactMap(\.signature).first
        team = signed?.teamIdentifier
        entitlements = (signed?.entitlements?.values ?? [:]).mapValues(JSONValue.init)
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

extension Report {
    /// One line for each bundle.
    func appTable(_ options: CheckOptions, _ shortener: Shortener) -> String {
        var table = Table(["BUNDLE", "IDENTIFIER", "CODE", "TEAM", "SIGNATURE", "SIGNER"])
        for bundle in apps.flatMap(\.all) {
            let record = AppRecord(bundle, options, shortener)
            table.add([
                record.path, record.bundleIdentifier, record.architectures.joined(separator: ","), record.team ?? "-",
                record.signature, record.signer ?? "-",
            ])
        }
        return table.text()
    }
}
