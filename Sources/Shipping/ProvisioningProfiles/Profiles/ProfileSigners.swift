// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// Who signs profiles. The rules are those of Apple's own policies for profile signers.
extension CertificatePath.Rule {
    /// iOS, tvOS, watchOS, visionOS: told by both names, since neither certificate has had one stable marker.
    static let mobileProfile = Self(
        allowsSHA1: true, accepts: isMobileSigner,
        expected: "\"Apple iPhone OS Provisioning Profile Signing\" issued by \"Apple iPhone Certification Authority\"")

    /// macOS: told by the marker extensions of signer and authority.
    static let macProfile = Self(
        allowsSHA1: true, accepts: isMacSigner, expected: "\"Mac OS X Provisioning Profile Signing\"")

    /// Either, where a profile of the first years names no platform.
    static let anyProfile = Self(
        allowsSHA1: true, accepts: { isMobileSigner($0, $1) || isMacSigner($0, $1) },
        expected: "Apple's signer of provisioning profiles")

    /// The DER copy inside newer profiles.
    static let derCopy = Self(
        accepts: { signer, _ in signer.extensions[OID.derCopySigner] != nil },
        expected: "\"WWDR Provisioning Profile Signing\"")

    static let isMobileSigner: @Sendable (Certificate, Certificate) -> Bool = { signer, authority in
        signer.commonName == "Apple iPhone OS Provisioning Profile Signing"
            && authority.commonName == "Apple iPhone Certification Authority"
    }

    static let isMacSigner: @Sendable (Certificate, Certificate) -> Bool = { signer, authority in
        signer.extensions[OID.macProfileSigner] != nil && authority.extensions[OID.developerRelations] != nil
    }
}
