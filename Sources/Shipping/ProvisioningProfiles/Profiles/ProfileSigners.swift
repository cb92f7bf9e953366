// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The signers of profiles. The rules are those of Apple's own policies for profile signers.
extension CertificatePath.Rule {
    /// For all systems, since a profile of the first years names no platform.
    static let anyProfile = Self(
        allowsSHA1: true, accepts: { isMobileSigner($0, $1) || isMacSigner($0, $1) },
        expected: "Apple's signer of provisioning profiles")

    /// The DER copy inside newer profiles.
    static let derCopy = Self(
        accepts: { signer, _ in signer.extensions[OID.derCopySigner] != nil },
        expected: "\"WWDR Provisioning Profile Signing\"")

    /// iOS, tvOS, watchOS, visionOS: recognized by both names, since neither certificate has a stable marker.
    static let isMobileSigner: @Sendable (Certificate, Certificate) -> Bool = { signer, authority in
        signer.commonName == "Apple iPhone OS Provisioning Profile Signing"
            && authority.commonName == "Apple iPhone Certification Authority"
    }

    /// macOS: recognized by the marker extensions of signer and authority.
    static let isMacSigner: @Sendable (Certificate, Certificate) -> Bool = { signer, authority in
        signer.extensions[OID.macProfileSigner] != nil && authority.extensions[OID.developerRelations] != nil
    }
}

/// One entry of a profile's `DeveloperCertificates`: a certificate that may sign an app with this profile.
public struct DeveloperCertificate: Sendable, Equatable {
    /// The bytes in the profile.
    public let encoded: [UInt8]
    /// Their SHA-256 fingerprint.
    public let fingerprint: [UInt8]
    /// The certificate; nil if the bytes are not one (profiles made for tests have such entries).
    public let certificate: Certificate?

    init(encoded: [UInt8]) {
        self.encoded = encoded
        certificate = try? Certificate(encoded: encoded)
        fingerprint = certificate?.fingerprint ?? DigestAlgorithm.sha256.digest(of: encoded)
    }
}
