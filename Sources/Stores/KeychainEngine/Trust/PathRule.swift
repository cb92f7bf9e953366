// SPDX-License-Identifier: Apache-2.0

/// A rule for certificates that OpenSSL leaves to the issuers. The sources are RFC 5280 and CABF, the Baseline
/// Requirements of the CA/Browser Forum for TLS servers.
/// The number is the code of a failure, beyond all of OpenSSL's.
package enum PathRule: Int, CaseIterable, Sendable {
    // Names.
    case excludedWildcard = 2001
    case malformedConstraints
    case malformedName
    case publicSuffix
    // Use.
    case serverPurpose
    case authorityAsServer
    case issuingWithoutAuthority
    case constraintsOfNoAuthority
    case purposeOfRoot
    // Requirements of an authority.
    case authorityWithoutBasicConstraints
    case authorityWithoutSubject
    // Keys.
    case kindOfKey
    case lengthOfKey
    // Form.
    case serialNumber
    case criticality
    case criticalityOfNames
    case issuersKeyIdentifier
    case ownKeyIdentifier
    case informationAccess
    case commonName

    /// How a certificate breaks the rule.
    package var words: String {
        switch self {
        case .excludedWildcard:
            "has a wildcard for names of which an authority above it forbids one (RFC 5280, 4.2.1.10)"
        case .malformedConstraints: "has name constraints that can't be read, or are empty (RFC 5280, 4.2.1.10)"
        case .malformedName: "has an alternative name that no host or mail address has (RFC 5280, 4.2.1.6)"
        case .publicSuffix: "has a wildcard for all names under a public suffix (CABF 3.2.2.6)"
        case .serverPurpose:
            "is not marked for servers alone: its extended key usage has to name serverAuth, and not any use (CABF 7.1.2.7.10)"
        case .authorityAsServer: "is an authority's, and no server's (CABF 7.1.2.7.8)"
        case .issuingWithoutAuthority: "has a key for issuing others and is no authority (RFC 5280, 4.2.1.9)"
        case .constraintsOfNoAuthority: "has name constraints, which only authorities may have (RFC 5280, 4.2.1.10)"
        case .purposeOfRoot: "is a root with an extended key usage (CABF 7.1.2.1.2)"
        case .authorityWithoutBasicConstraints: "signed another one and has no basic constraints (RFC 5280, 4.2.1.9)"
        case .authorityWithoutSubject: "signed another one and has no name (RFC 5280, 4.1.2.6)"
        case .kindOfKey: "has a key that is neither RSA nor on P-256, P-384 or P-521 (CABF 6.1.5)"
        case .lengthOfKey: "has an RSA key of a length that no whole bytes have (CABF 6.1.5)"
        case .serialNumber: "has a serial number that is not positive, or of more than 20 bytes (RFC 5280, 4.1.2.2)"
        case .criticality:
            "marks an extension that has to be critical as not, or one as critical that must not be (RFC 5280, 4.2.1.11; CABF 7.1.2.7.6)"
        case .criticalityOfNames:
            "has to mark its alternative names as critical exactly if its subject is empty (RFC 5280, 4.2.1.6; CABF 7.1.2.7.12)"
        case .issuersKeyIdentifier:
            "does not identify its issuer's key, or is a root that identifies another key than its own (RFC 5280, 4.2.1.1)"
        case .ownKeyIdentifier: "signed another one and does not identify its key (RFC 5280, 4.2.1.2)"
        case .informationAccess: "has an authority information access that can't be read (RFC 5280, 4.2.2.1)"
        case .commonName:
            "has a common name that differs from its alternative names in how it is written (CABF 7.1.4.3)"
        }
    }
}
