// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import Testing

/// The cases of C2SP's x509-limbo, which are no part of the repository: `ZAMOK_X509_LIMBO` names its limbo.json.
@Suite("x509-limbo", .enabled(if: LimboCase.file != nil, "ZAMOK_X509_LIMBO does not name the cases of x509-limbo"))
struct LimboTests {
    @Test func `what x509-limbo says fails is accepted for the reasons below alone`() throws {
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
        #expect(Set(wrong.filter { $0.value == "accepted" }.keys).subtracting(LimboCase.accepted).isEmpty)
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

    /// What is accepted all the same, by its reason. No more may be.
    static let accepted: Set<String> = [
        // Rules for who issues certificates, which OpenSSL leaves to them: what a name, number or key must look like.
        "crl::crlnumber-missing", "rfc5280::ca-empty-subject", "rfc5280::pc::ica-noncritical-pc",
        "rfc5280::san::noncritical-with-empty-subject", "rfc5280::san::underscore-dns", "rfc5280::serial::negative",
        "rfc5280::serial::too-long", "rfc5280::serial::zero", "webpki::aki::root-with-aki-authoritycertserialnumber",
        "webpki::cn::case-mismatch", "webpki::cn::ipv4-hex-mismatch", "webpki::cn::ipv4-leading-zeros-mismatch",
        "webpki::cn::ipv6-non-rfc5952-mismatch", "webpki::cn::ipv6-uncompressed-mismatch",
        "webpki::cn::ipv6-uppercase-mismatch", "webpki::cn::not-in-san", "webpki::cn::punycode-not-in-san",
        "webpki::cn::utf8-vs-punycode-mismatch", "webpki::forbidden-dsa-leaf", "webpki::forbidden-dsa-root",
        "webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf", "webpki::forbidden-rsa-not-divisible-by-8-in-root",
        "webpki::malformed-aia", "webpki::san::public-suffix-multi-label-wildcard-san",
        "webpki::san::public-suffix-private-namespace-wildcard-san",
        "webpki::san::san-critical-with-nonempty-subject",
        // Key identifiers and constraints that must be there or marked as critical, and that paths are built without.
        "rfc5280::aki::cross-signed-root-missing-aki", "rfc5280::aki::intermediate-missing-aki",
        "rfc5280::aki::leaf-missing-aki", "rfc5280::nc::not-allowed-in-ee-noncritical",
        "rfc5280::nc::permitted-dns-match-noncritical", "rfc5280::root-missing-basic-constraints",
        "rfc5280::root-non-critical-basic-constraints", "rfc5280::ski::intermediate-missing-ski",
        "rfc5280::ski::root-missing-ski", "webpki::aki::root-with-aki-all-fields",
        "webpki::aki::root-with-aki-authoritycertissuer", "webpki::aki::root-with-aki-missing-keyidentifier",
        "webpki::aki::root-with-aki-ski-mismatch",
        // Uses: OpenSSL takes a certificate that names none, or any, for each; and one of an authority for a server's.
        "rfc5280::leaf-ku-keycertsign", "webpki::ee-basicconstraints-ca", "webpki::eku::ee-anyeku",
        "webpki::eku::ee-critical-eku", "webpki::eku::ee-without-eku", "webpki::eku::root-has-eku",
        // Name constraints beside their usual place or form, and over names with a wildcard.
        "cve::cve-2025-61727", "rfc5280::nc::invalid-dnsname-leading-period",
        "rfc5280::nc::nc-forbids-dnsname-wildcard-san", "rfc5280::nc::nc-permits-invalid-dns-san",
        "rfc5280::nc::nc-permits-invalid-email-san", "rfc5280::nc::not-allowed-in-ee-critical",
        "webpki::nc::intermediate-permitted-excluded-subtrees-both-empty-sequences",
        "webpki::nc::intermediate-permitted-excluded-subtrees-both-null",
        // Nothing here asks for a path of at most so many authorities.
        "pathlen::max-chain-depth-0-exhausted", "pathlen::max-chain-depth-1-exhausted",
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
