// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Logging
import Readers
import SecItem
import SecurityTypes

extension ItemEngine {
    /// Evaluates with libcrypto once for each policy, and combines the faults.
    func evaluate(_ question: TrustQuestion) -> TrustAnswer {
        if let problem = SystemCrypto.problem {
            Answer.logger.warning("SecTrust: \(problem)")
            return TrustAnswer(unavailable: problem)
        }
        var asked = PathQuestion()
        asked.certificates = question.certificates.map(\.der)
        asked.anchors = question.anchors.map(\.der)
        asked.usesSystemAnchors = question.usesSystemAnchors
        asked.date = question.date ?? Date()
        for case .revocation(let flags) in question.policies.map(\.rule) {
            asked.revocation = flags & kSecRevocationRequirePositiveResponse != 0 ? .required : .considered
            asked.statusResponse = question.statusResponse
        }
        // With revocation alone, the basic policy also applies.
        var rules = question.policies.map(\.rule).filter { if case .revocation = $0 { false } else { true } }
        if rules.isEmpty { rules = [.basic] }
        var failures: Set<PathAnswer.Failure> = []
        var path: [Data] = []
        for rule in rules {
            guard let answer = SystemCrypto.check(asked.asking(for: rule)) else {
                return TrustAnswer([.init(depth: 0, errSecDecode, "OpenSSL can't read the certificate")], path: [])
            }
            failures.formUnion(answer.failures)
            path = answer.path
        }
        let found = failures.map { TrustFault($0) }.sorted {
            ($0.rank, $0.depth, $0.status) < ($1.rank, $1.depth, $1.status)
        }
        let certificates = path.compactMap { SecCertificate(der: $0) }
        return TrustAnswer(found.map { $0.failure(certificates) }, path: certificates)
    }
}

extension PathQuestion {
    fileprivate func asking(for rule: SecPolicy.Rule) -> PathQuestion {
        var asked = self
        switch rule {
        case .basic, .revocation: break
        case .ssl(let isServer, let host):
            asked.purpose = isServer ? .server : .client
            asked.isStrict = true
            asked.host = host.map(Self.hostInASCII) ?? ""
        case .mail(let address):
            asked.purpose = .mail
            asked.mail = address ?? ""
        }
        return asked
    }

    /// The host in the form of certificates: no trailing dot, addresses without brackets, other scripts in IDNA form.
    private static func hostInASCII(_ host: String) -> String {
        var host = host
        if host.hasSuffix(".") { host.removeLast() }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        // A name that no certificate has: an empty one would not be checked.
        if host.isEmpty { return "." }
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host }
        var parts = URLComponents()
        (parts.scheme, parts.host) = ("https", host)
        return parts.encodedHost ?? host
    }
}

/// A fault found by OpenSSL, in Apple's terms. The most serious of several is reported; the rank is Apple's order.
private struct TrustFault {
    let depth: Int
    let status: OSStatus
    let rank: Int
    private let words: String

    init(_ failure: PathAnswer.Failure) {
        depth = failure.depth
        (rank, status, words) = Self.meaning(failure.code)
    }

    func failure(_ path: [SecCertificate]) -> TrustAnswer.Failure {
        let name = path.indices.contains(depth) ? path[depth].fields.summary : nil
        return .init(depth: depth, status, "the certificate \(name.map { "\"\($0)\" " } ?? "")\(words)")
    }

    /// By X509_V_ERR, the codes of CSystemCrypto, and our own rules.
    private static func meaning(_ code: Int) -> (Int, OSStatus, String) {
        switch code {
        case 23: (0, errSecCertificateRevoked, "was revoked")
        case 66, 67: (1, errSecUnsupportedKeySize, "has a key that is too short")
        case 68, 76, 77, 78: (2, errSecInvalidDigestAlgorithm, "is signed with a digest that is too weak or unknown")
        case 24, 37, 79, 80: (3, errSecNoBasicConstraints, "signed another one and is not an authority")
        case 25: (3, errSecPathLengthConstraintExceeded, "has more authorities below it than it allows")
        case 32, 81, 82: (3, errSecInvalidKeyUsageForPolicy, "signed another one and its key is not for that")
        case 34, 36, 41...46: (3, errSecUnknownCriticalExtensionFlag, "has a critical extension that is not known here")
        case 47...49, 51...53:
            (3, errSecCertificateNameNotAllowed, "has a name that an authority above it does not allow")
        case 18, 19, 27, 28: (4, errSecNotTrusted, "is not trusted: neither the system nor the app knows its root")
        case 2, 4...7, 20...22, 29...31, 55:
            (
                5, errSecCreateChainFailed,
                "leads to no root: a certificate of an issuer is missing, or a signature is wrong"
            )
        case 3, 5, 8, 11, 12, 15, 16, 33, 35, 54, 1002, 1003:
            (5, errSecIncompleteCertRevocationCheck, "may have been revoked: there is no information that it wasn't")
        case 26, 39: (6, errSecInvalidExtendedKeyUsage, "is for another use")
        case 62, 64, 1001: (7, errSecHostNameMismatch, "is not one of this host")
        case 63: (7, errSecSMIMEEmailAddressesNotFound, "is not one of this mail address")
        case 9: (8, errSecCertificateNotValidYet, "is not valid yet")
        case 10: (8, errSecCertificateExpired, "has expired")
        case 13, 14: (8, errSecCertificateExpired, "has an invalid date")
        default:
            PathRule(rawValue: code).map { (rank(of: $0), status(of: $0), $0.words) }
                ?? (9, errSecNotTrusted, "was refused by OpenSSL with code \(code)")
        }
    }

    private static func rank(of rule: PathRule) -> Int {
        switch rule {
        case .kindOfKey, .lengthOfKey: 1
        case .authorityWithoutBasicConstraints, .excludedWildcard, .malformedConstraints: 3
        case .serverPurpose, .authorityAsServer, .issuingWithoutAuthority, .purposeOfRoot: 6
        case .publicSuffix: 7
        default: 9
        }
    }

    private static func status(of rule: PathRule) -> OSStatus {
        switch rule {
        case .kindOfKey: errSecUnsupportedKeyFormat
        case .lengthOfKey: errSecUnsupportedKeySize
        case .authorityWithoutBasicConstraints: errSecNoBasicConstraints
        case .excludedWildcard, .malformedConstraints: errSecCertificateNameNotAllowed
        case .serverPurpose, .purposeOfRoot: errSecInvalidExtendedKeyUsage
        case .authorityAsServer, .issuingWithoutAuthority: errSecInvalidKeyUsageForPolicy
        case .publicSuffix: errSecHostNameMismatch
        case .malformedName, .authorityWithoutSubject, .criticalityOfNames, .commonName: errSecInvalidSubjectName
        case .issuersKeyIdentifier: errSecInvalidAuthorityKeyID
        case .ownKeyIdentifier: errSecInvalidSubjectKeyID
        case .criticality, .constraintsOfNoAuthority, .informationAccess: errSecUnknownCertExtension
        case .serialNumber: errSecNotTrusted
        }
    }
}
#endif
