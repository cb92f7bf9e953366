// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The object identifiers used here, by their names in the standards or in Apple's certificate policies.
enum OID {
    // CMS (RFC 5652) and its attributes
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 3]
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 4]
    static let signingTime: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 5]
    static let algorithmProtection: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 52]
    /// The hashes of every code directory, as a property list and as a set.
    static let codeDirectoryHashList: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 9, 1]
    static let codeDirectoryHashes: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 9, 2]

    // Algorithms
    static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
    static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    static let sha1WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 5]
    static let sha256WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 11]
    static let sha384WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 12]
    static let sha512WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 13]
    static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 2, 1]
    static let p256: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 3, 1, 7]
    static let p384: ASN1ObjectIdentifier = [1, 3, 132, 0, 34]
    static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 2]
    static let ecdsaWithSHA384: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 3]
    static let ecdsaWithSHA512: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 4]

    // Certificate extensions (RFC 5280)
    static let keyUsage: ASN1ObjectIdentifier = [2, 5, 29, 15]
    static let basicConstraints: ASN1ObjectIdentifier = [2, 5, 29, 19]
    static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    static let extendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37]
    static let codeSigningUsage: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 3]

    // Apple's markers
    /// The signer of macOS profiles.
    static let macProfileSigner: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 4, 11]
    /// The signer of DER copies.
    static let derCopySigner: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 12, 19]
    /// The worldwide developer relations authorities.
    static let developerRelations: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
    static let iPhoneDeveloper: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 2]
    static let iPhoneDistribution: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 4]
    static let macDistribution: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 7]
    static let macInstaller: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 8]
    static let macDeveloper: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 12]
    static let developerID: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 13]
    static let developerIDInstaller: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 1, 14]
    /// Every use of a certificate that Apple issues to developers; critical in their certificates.
    static let developerUses: Set<ASN1ObjectIdentifier> = [
        iPhoneDeveloper, iPhoneDistribution, macDistribution, macInstaller, macDeveloper, developerID,
        developerIDInstaller,
    ]
}
