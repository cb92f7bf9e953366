// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import Testing

/// The cases of C2SP's x509-limbo, which are no part of the repository: `ZAMOK_X509_LIMBO` names its limbo.json.
@Suite("x509-limbo", .enabled(if: LimboCase.file != nil, "ZAMOK_X509_LIMBO does not name the cases of x509-limbo"))
struct LimboTests {
    @Test func `x509-limbo is answered otherwise for the reasons below alone`() throws {
        let cases = try LimboCase.all()
        #expect(cases.count > 150)
        var answers: [String: String] = [:]
        var wrong: [String: String] = [:]
        for one in cases {
            let (isFit, message) = try one.judged()
            answers[one.id] = isFit ? "SUCCESS" : "FAILURE: \(message)"
            guard isFit != (one.expectedResult == "SUCCESS") else { continue }
            wrong[one.id] = isFit ? "accepted" : "refused: \(message)"
        }
        print("x509-limbo: \(cases.count) cases, \(wrong.count) answered otherwise")
        for (id, what) in wrong.sorted(by: { $0.key < $1.key }) { print("  \(id) \(what)") }
        if let path = ProcessInfo.processInfo.environment["ZAMOK_X509_LIMBO_ANSWERS"] {
            try JSONEncoder().encode(answers).write(to: URL(filePath: path))
        }
        let accepted = Set(wrong.filter { $0.value == "accepted" }.keys)
        #expect(accepted.subtracting(LimboCase.accepted.keys).isEmpty)
        #expect(Set(wrong.keys).subtracting(accepted).subtracting(LimboCase.refused.keys).isEmpty)
    }
}

private struct LimboCase: Decodable {
    struct Peer: Decodable {
        let kind: String
        let value: String
    }

    let id: String
    let validationKind: String
    let trustedCerts: [String]
    let untrustedIntermediates: [String]
    let peerCertificate: String
    let validationTime: String?
    let expectedResult: String
    let expectedPeerName: Peer?
    let crls: [String]

    static let file = ProcessInfo.processInfo.environment["ZAMOK_X509_LIMBO"]

    /// What is accepted all the same, with its reason. No more may be.
    static let accepted: [String: String] = [
        "rfc5280::nc::permitted-dns-match-noncritical":
            "webpki::nc::permitted-dns-match-noncritical is the same and good: CABF allows it, since older systems know no such extension",
        "pathlen::max-chain-depth-0-exhausted": "the limit is one that no function of Security's takes",
        "pathlen::max-chain-depth-1-exhausted": "the limit is one that no function of Security's takes",
        "webpki::san::public-suffix-private-namespace-wildcard-san":
            "*.s3.amazonaws.com stands in the certificate of that service (online::s3.amazonaws.com): such a suffix is its owner's",
        "rfc5280::aki::cross-signed-root-missing-aki": "an anchor; cve::cve-2024-0567 has such a one and is good",
        "webpki::cn::not-in-san": otherCommonName,
        "webpki::cn::punycode-not-in-san": otherCommonName,
        "webpki::cn::utf8-vs-punycode-mismatch": otherCommonName,
        "rfc5280::root-non-critical-basic-constraints": "an anchor; ePKI Root Certification Authority is such a one",
        "rfc5280::ski::root-missing-ski": "an anchor; TWCA Global Root CA is such a one",
        "webpki::aki::root-with-aki-all-fields": "an anchor; Certigna is such a one",
        "webpki::aki::root-with-aki-authoritycertissuer": "an anchor; QuoVadis Root CA 2 is such a one",
        "webpki::aki::root-with-aki-authoritycertserialnumber": "an anchor; QuoVadis Root CA 3 is such a one",
    ]

    private static let otherCommonName =
        "rfc5280::nc::permitted-dns-match-more and webpki::san::leftmost-wildcard-san have such names, too, and are good"

    /// What is refused all the same, with its reason. No more may be.
    static let refused: [String: String] = [
        "rfc5280::eku::ee-without-eku": "webpki::eku::ee-without-eku is the same and wrong",
        "rfc5280::ca-as-leaf": "webpki::ee-basicconstraints-ca says that it is none of a server",
        "pathlen::validation-ignores-pathlen-in-leaf":
            "webpki::ee-basicconstraints-ca says that it is none of a server",
        "rfc5280::validity::notafter-exact": "OpenSSL ends a certificate with its last second",
        "rfc5280::validity::notafter-fractional": "OpenSSL ends a certificate with its last second",
        "rfc5280::nc::nc-forbids-alternate-chain-ica":
            "OpenSSL judges one path, and takes no other where it is refused",
        "rfc5280::nc::nc-forbids-same-chain-ica": "OpenSSL judges one path, and takes no other where it is refused",
    ]

    private struct Suite: Decodable {
        let testcases: [LimboCase]
    }

    static func all() throws -> [LimboCase] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Suite.self, from: Data(contentsOf: URL(filePath: file ?? ""))).testcases
    }

    private static func der(_ pem: String) -> Data {
        let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-") }
        return Data(base64Encoded: lines.joined()) ?? Data()
    }

    private static func certificate(_ pem: String) -> SecCertificate? {
        SecCertificateCreateWithData(nil, der(pem) as CFData)
    }

    /// Lists of what was revoked have no function of Security's; they are asked for where the functions ask.
    func judged() throws -> (isFit: Bool, message: String) {
        let date = try validationTime.map { try Date($0, strategy: .iso8601) } ?? Date()
        if !crls.isEmpty {
            var question = PathQuestion()
            question.certificates = ([peerCertificate] + untrustedIntermediates).map(Self.der)
            question.anchors = trustedCerts.map(Self.der)
            question.usesSystemAnchors = false
            question.revocationLists = crls.map(Self.der)
            question.revocation = .required
            (question.purpose, question.isStrict, question.date) = (.server, true, date)
            question.host = expectedPeerName?.value ?? ""
            let codes = SystemCrypto.check(question)?.failures.map(\.code) ?? [-1]
            return (codes.isEmpty, "\(codes)")
        }
        guard let leaf = Self.certificate(peerCertificate) else { return (false, "the certificate can't be read") }
        let others = untrustedIntermediates.compactMap(Self.certificate)
        let anchors = trustedCerts.compactMap(Self.certificate)
        let policy = SecPolicyCreateSSL(validationKind == "SERVER", expectedPeerName?.value as CFString?)
        let judged = try Judged([leaf] + others, [policy], anchors: anchors, date: date)
        return (judged.isFit, judged.message ?? "")
    }
}
