// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// A profile made by the test authority, with any content.
struct ProfileRecipe {
    static let team = "TESTTEAM01"

    var kind: ProfileKind
    var values: [String: PropertyList]
    var entitlements: [String: PropertyList]
    var envelope: EnvelopeRecipe

    init(_ kind: ProfileKind, platform: Platform = .iOS, bundleIdentifier: String = "org.example.app") throws {
        self.kind = kind
        let isMac = platform == .macOS
        let identifier = isMac ? "com.apple.application-identifier" : "application-identifier"
        entitlements = [
            identifier: .string("\(Self.team).\(bundleIdentifier)"),
            "com.apple.developer.team-identifier": .string(Self.team),
            "keychain-access-groups": .array([.string("\(Self.team).*")]),
            "com.apple.developer.default-data-protection": .string("NSFileProtectionComplete"),
        ]
        if !isMac { entitlements["get-task-allow"] = .boolean(kind == .development) }
        let signer = kind == .development ? "development" : kind == .developerID ? "developer-id" : "distribution"
        values = [
            "Name": .string("Test \(kind.rawValue)"), "UUID": .string("00000000-0000-4000-8000-0000000000AA"),
            "AppIDName": .string("Test App"), "ApplicationIdentifierPrefix": .array([.string(Self.team)]),
            "TeamIdentifier": .array([.string(Self.team)]), "TeamName": .string("Jane Doe"),
            "Platform": .array([.string(platform.name)]), "Version": .integer(1),
            // Before the year in which profiles began to have a DER copy.
            "CreationDate": .date(Date(timeIntervalSince1970: 1_700_000_000)),
            "ExpirationDate": .date(Self.wholeSeconds(.now + 300 * 86_400)),
            "DeveloperCertificates": .array([.data(try TestAuthority.certificate(signer))]),
        ]
        switch kind {
        case .development, .adHoc: values["ProvisionedDevices"] = .array([.string(Self.device)])
        case .enterprise, .developerID: values["ProvisionsAllDevices"] = .boolean(true)
        case .appStore: break
        }
        envelope = EnvelopeRecipe(content: [])
        if isMac {
            envelope.signer = "mac-ec"
            envelope.chain = ["developer-relations"]
        }
    }

    static let device = "00008027-001E390401E9802E"

    static func wholeSeconds(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded()) }

    func bytes() throws -> [UInt8] {
        var envelope = envelope
        var values = values
        values["Entitlements"] = .dictionary(entitlements)
        envelope.content = PropertyList.dictionary(values).xml
        return try envelope.bytes()
    }
}
