// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// A profile as JSON shows it. The names are stable; Documentation/ProvisioningProfiles.md lists them.
struct ProfileRecord: Encodable {
    struct CertificateRecord: Encodable {
        let name: String?
        let kind: String?
        let team: String?
        let notBefore: Date?
        let notAfter: Date?
        let sha256: String
    }

    struct VerificationRecord: Encodable {
        let signingTime: Date
        let signer: String?
        let root: String?
        let sha1Uses: [String]
        let derCopy: Bool
        let distributionType: String?
    }

    let path: String
    let name: String
    let uuid: String
    let kind: String
    let platforms: [String]
    let team: String?
    let teamName: String?
    let applicationIdentifier: String?
    let created: Date
    let expires: Date
    let isExpired: Bool
    let daysLeft: Int
    let isXcodeManaged: Bool
    let devices: [String]?
    let allDevices: Bool
    let certificates: [CertificateRecord]
    let entitlements: [String: JSONValue]
    let otherKeys: [String: JSONValue]
    let trust: String
    let failure: String?
    let verification: VerificationRecord?

    init(path: String, _ examined: ExaminedProfile, at now: Date, _ shortener: Shortener) {
        let profile = examined.profile
        self.path = path
        name = profile.name
        uuid = profile.uuid
        kind = profile.kind.rawValue
        platforms = profile.platforms.map(\.displayName)
        team = profile.teamIdentifier
        teamName = profile.teamName.map(shortener.name)
        applicationIdentifier = profile.applicationIdentifier
        created = profile.creationDate
        expires = profile.expirationDate
        isExpired = profile.isExpired(at: now)
        daysLeft = profile.daysLeft(at: now)
        isXcodeManaged = profile.isXcodeManaged
        devices = profile.provisionedDevices?.map(shortener.device)
        allDevices = profile.provisionsAllDevices
        certificates = profile.developerCertificates.map { CertificateRecord($0, shortener) }
        entitlements = profile.entitlements.values.mapValues(JSONValue.init)
        otherKeys = profile.otherKeys.mapValues(JSONValue.init)
        (trust, failure) = examined.trustText
        verification = examined.verification.map(VerificationRecord.init)
    }
}

extension ProfileRecord.CertificateRecord {
    init(_ entry: DeveloperCertificate, _ shortener: Shortener) {
        let certificate = entry.certificate
        name = certificate?.commonName.map(shortener.certificate)
        kind = certificate?.kind.rawValue
        team = certificate?.organizationalUnit
        notBefore = certificate?.notBefore
        notAfter = certificate?.notAfter
        sha256 = entry.fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension ProfileRecord.VerificationRecord {
    init(_ verification: ProfileVerification) {
        signingTime = verification.signingTime
        signer = verification.signer.commonName
        root = verification.root.commonName
        sha1Uses = verification.sha1Uses
        derCopy = verification.derCopy != nil
        distributionType = verification.derCopy?.distributionType
    }
}

extension ExaminedProfile {
    /// One word for the outcome, and the failure where there is one.
    var trustText: (word: String, failure: String?) {
        switch self {
        case .apple: ("apple", nil)
        case .custom: ("custom", nil)
        case .unverified(let read, let error): (read.isSigned ? "not-verified" : "unsigned", error.description)
        }
    }
}

/// A property list value in JSON: dates as text, bytes in Base64.
struct JSONValue: Encodable {
    private let list: PropertyList

    init(_ list: PropertyList) { self.list = list }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch list {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value.isFinite ? value : 0)
        case .boolean(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(Data(value))
        case .array(let values): try container.encode(values.map(JSONValue.init))
        case .dictionary(let values): try container.encode(values.mapValues(JSONValue.init))
        }
    }
}
