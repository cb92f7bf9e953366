// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import TestSupport
import Testing

/// SecTrust and SecPolicy, over an authority of openssl's.
@Suite("Trust") struct TrustTests {
    private static let day = 86_400.0

    private func ssl(_ host: String?) -> SecPolicy { SecPolicyCreateSSL(true, host as CFString?) }

    // Rule: the host is asked for | left out | 17 of them, "an evaluation is answered on a queue, too" among them
    // Rule: a host that can't be asked for is none of the certificate's | passed over | five hosts
    @Test func `a server's certificate is fit under its own root, for its own names`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root")
        let (leaf, middle, root) = (made[0], made[1], made[2])
        let hosts = [
            "example.org", "EXAMPLE.org", "example.org.", "a.wild.org", "192.0.2.1", "2001:db8::1", "[2001:db8:0::1]",
            "bücher.example", "xn--bcher-kva.example",
        ]
        for host in hosts {
            let judged = try Judged([leaf, middle], [ssl(host)], anchors: [root])
            #expect(judged.isFit && judged.result == .unspecified, "\(host): \(judged.message ?? "")")
        }
        let others = [
            "example.com", "wild.org", "a.b.wild.org", ".wild.org", ".org", "", ".", "*.wild.org.evil", "192.0.2.2",
            "2001:db8::2", "leaf", "example.org\0.evil", "münchen.example",
        ]
        for host in others {
            let judged = try Judged([leaf, middle], [ssl(host)], anchors: [root])
            #expect(judged.code == errSecHostNameMismatch, "\(host): \(judged.message ?? "fit")")
        }
        #expect(try Judged([leaf, middle], [ssl(nil)], anchors: [root]).isFit)
        #expect(try Judged([leaf, middle], [], anchors: [root]).isFit)
    }

    // Rule: a change of the question invalidates the answer | the old answer kept | also "exceptions cover what was
    //   wrong ..."
    @Test func `path, key, count and results are those of what was evaluated`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root")
        let (leaf, middle, root) = (made[0], made[1], made[2])
        let judged = try Judged([leaf, middle], [ssl("example.org")], anchors: [root])
        #expect(SecTrustCopyCertificateChain(judged.trust) as? [SecCertificate] == [leaf, middle, root])
        #expect(SecTrustGetCertificateCount(judged.trust) == 3)
        #expect(SecTrustGetCertificateAtIndex(judged.trust, 1) == middle)
        #expect(SecTrustGetCertificateAtIndex(judged.trust, 3) == nil)
        #expect(SecTrustGetCertificateAtIndex(judged.trust, -1) == nil)
        #expect(SecTrustCopyKey(judged.trust) == SecCertificateCopyKey(leaf))
        #expect(SecTrustCopyPublicKey(judged.trust) == SecCertificateCopyKey(leaf))
        let found = try #require(SecTrustCopyResult(judged.trust) as? [String: Any])
        #expect(found["TrustResultValue"] as? Int == 4)
        #expect((SecTrustCopyProperties(judged.trust) as? [[String: Any]])?.count == 3)
        // Each change of the question invalidates the answer.
        SecTrustSetPolicies(judged.trust, ssl("other.org"))
        #expect(judged.result == .invalid)
        #expect(SecTrustCopyResult(judged.trust) == nil)
        var result = SecTrustResultType.invalid
        #expect(unsafe SecTrustEvaluate(judged.trust, &result) == errSecSuccess)
        #expect(result == .recoverableTrustFailure && judged.result == result)
    }

    // Rule: the date asked for counts | today's taken | also "a list of revoked certificates counts ..."
    @Test func `a date makes it expired or not yet valid`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root")
        let (leaf, middle, root) = (made[0], made[1], made[2])
        let policy = ssl("example.org")
        let late = try Judged([leaf, middle], [policy], anchors: [root], date: Date() + 3660 * Self.day)
        #expect(late.code == errSecCertificateExpired && late.message?.contains("\"leaf\"") == true)
        let early = try Judged([leaf, middle], [policy], anchors: [root], date: Date() - Self.day)
        #expect(early.code == errSecCertificateNotValidYet)
        #expect(SecTrustGetVerifyTime(early.trust) < CFAbsoluteTimeGetCurrent() - 80_000)
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .greatestFiniteMagnitude)] {
            #expect(try !Judged([leaf, middle], [policy], anchors: [root], date: date).isFit)
        }
    }

    @Test func `without a root or an authority between it is not trusted`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root")
        let (leaf, middle, root) = (made[0], made[1], made[2])
        let policy = ssl("example.org")
        #expect(try Judged([leaf], [policy], anchors: [root]).code == errSecCreateChainFailed)
        #expect(try Judged([leaf, middle], [policy], anchors: []).code == errSecCreateChainFailed)
        #expect(try Judged([leaf, middle, root], [policy], anchors: []).code == errSecNotTrusted)
        #expect(try Judged([leaf, middle, root], [policy], anchors: nil).code == errSecNotTrusted)
        #expect(try Judged([root], [], anchors: nil).code == errSecNotTrusted)
        // Any certificate can be set as an anchor, and the system's anchors may be used beside it.
        for anchor in [leaf, middle] { #expect(try Judged([leaf], [policy], anchors: [anchor]).isFit) }
        #expect(
            try Judged([leaf, middle], [policy], anchors: [root]) {
                _ = SecTrustSetAnchorCertificatesOnly($0, false)
            }.isFit)
        #expect(
            try !Judged([leaf, middle, root], [policy], anchors: [root]) {
                _ = SecTrustSetAnchorCertificates($0, nil)
            }.isFit)
    }

    // Rule: a certificate is fit for what it is for alone | not asked | of-clients
    // Rule: the subject's name is none of a host | taken where there is no other | nameless
    @Test(arguments: [
        ("of-clients", errSecInvalidExtendedKeyUsage), ("critical", errSecUnknownCriticalExtensionFlag),
        ("nameless", errSecHostNameMismatch),
    ])
    func `a leaf for another use or with an unknown extension is refused`(name: String, code: OSStatus) throws {
        let made = try TestAuthority.made(name, "middle", "root")
        #expect(try Judged(Array(made[..<2]), [ssl("example.org")], anchors: [made[2]]).code == code)
        // The name of the subject is none of a host.
        if name == "nameless" { #expect(try Judged(Array(made[..<2]), [ssl(name)], anchors: [made[2]]).code == code) }
        if name == "of-clients" {
            #expect(try Judged(Array(made[..<2]), [SecPolicyCreateSSL(false, nil)], anchors: [made[2]]).isFit)
        }
    }

    // Rule: faults of authorities count | only the certificate's own | also "a path that is longer ...", "without a
    //   root ..."
    @Test(arguments: [
        ("no-authority", errSecNoBasicConstraints), ("no-signer", errSecInvalidKeyUsageForPolicy),
        ("of-names", errSecCertificateNameNotAllowed),
    ])
    func `an authority that may not issue this is refused`(name: String, code: OSStatus) throws {
        let made = try TestAuthority.made("leaf of \(name)", name, "middle", "root")
        let judged = try Judged(Array(made[..<3]), [ssl("example.org")], anchors: [made[3]])
        #expect(judged.code == code, "\(judged.message ?? "fit")")
    }

    @Test func `a path that is longer than an authority allows is refused`() throws {
        let made = try TestAuthority.made("leaf of below", "below", "short-path", "middle", "root")
        let judged = try Judged(Array(made[..<4]), [ssl("example.org")], anchors: [made[4]])
        #expect(judged.code == errSecPathLengthConstraintExceeded)
    }

    // Rule: TLS demands keys and digests of 112 bits of strength | none demanded | three of them
    @Test func `short keys and weak digests are refused, of TLS more of them`() throws {
        let made = try TestAuthority.made("short", "weak", "middle", "root")
        let short = try Judged([made[0], made[2]], [ssl("example.org")], anchors: [made[3]])
        #expect(short.code == errSecUnsupportedKeySize && short.result == .fatalTrustFailure)
        #expect(try Judged([made[0], made[2]], [], anchors: [made[3]]).isFit)
        for policy in [ssl("example.org"), SecPolicyCreateBasicX509()] {
            let weak = try Judged([made[1], made[2]], [policy], anchors: [made[3]])
            #expect(weak.code == errSecInvalidDigestAlgorithm)
        }
    }

    @Test func `a changed signature makes no path`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root")
        var der = SecCertificateCopyData(made[0]) as Data
        der[der.count - 1] ^= 1
        let leaf = try #require(SecCertificateCreateWithData(nil, der as CFData))
        let judged = try Judged([leaf, made[1]], [ssl("example.org")], anchors: [made[2]])
        #expect(judged.code == errSecCreateChainFailed)
    }

    // MARK: Revocation

    /// The answer of openssl's responder about a certificate.
    private func response(_ authority: TestAuthority, _ name: String, revoked: Bool) throws -> Data {
        let serial = try authority.openssl.run("x509", "-in", "\(name).pem", "-noout", "-serial")
        let number = String(decoding: serial, as: UTF8.self).dropFirst("serial=".count).dropLast()
        let state = revoked ? "R\t350101000000Z\t250101000000Z" : "V\t350101000000Z\t"
        try authority.openssl.write(Data("\(state)\t\(number)\tunknown\t/O=Zamok/CN=\(name)\n".utf8), to: "index.txt")
        try authority.openssl.run(
            "ocsp", "-issuer", "middle.pem", "-cert", "\(name).pem", "-reqout", "request.der", "-no_nonce")
        try authority.openssl.run(
            "ocsp", "-index", "index.txt", "-CA", "middle.pem", "-rsigner", "middle.pem", "-rkey", "middle.key",
            "-reqin",
            "request.der", "-respout", "response.der", "-ndays", "7")
        return try authority.openssl.read("response.der")
    }

    // Rule: an answer counts that the issuer signed | not verified | an answer of another one
    // Rule: an answer counts as long as it says | longer | the late one
    @Test func `an answer of OCSP tells a revoked certificate from a good one`() throws {
        let authority = try TestAuthority()
        let (leaf, other) = (try authority.leaf("leaf"), try authority.leaf("other"))
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
        let (bad, good) = (
            try response(authority, "leaf", revoked: true), try response(authority, "leaf", revoked: false)
        )
        let revocation = try #require(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))
        let strict = try #require(SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse))
        func judge(_ leaf: SecCertificate, _ policy: SecPolicy?, _ answer: Data?, late: Double = 0) throws -> OSStatus?
        {
            let policies = [ssl("example.org")] + (policy.map { [$0] } ?? [])
            return try Judged([leaf, middle], policies, anchors: [root], date: Date() + late) {
                _ = SecTrustSetOCSPResponse($0, answer.map { $0 as CFData })
            }.code
        }
        #expect(try judge(leaf, revocation, bad) == errSecCertificateRevoked)
        #expect(try judge(leaf, strict, bad) == errSecCertificateRevoked)
        #expect(try judge(leaf, nil, bad) == nil)
        #expect(try judge(leaf, revocation, good) == nil && judge(leaf, strict, good) == nil)
        // About another certificate, too old, or none at all: it says nothing.
        for (certificate, answer, late): (SecCertificate, Data?, Double) in [
            (other, bad, 0), (leaf, good, 30 * Self.day), (leaf, Data([0x30, 0]), 0),
            (leaf, good.prefix(70) + [good[70] ^ 1] + good.dropFirst(71), 0),
            (leaf, nil, 0),
        ] {
            #expect(try judge(certificate, revocation, answer, late: late) == nil)
            #expect(try judge(certificate, strict, answer, late: late) == errSecIncompleteCertRevocationCheck)
        }
    }

    // Rule: lists that are given count | left out | three of them
    @Test func `a list of revoked certificates counts where it is given`() throws {
        let authority = try TestAuthority()
        let (leaf, other) = (try authority.leaf("leaf"), try authority.leaf("other"))
        try authority.openssl.write(Data(), to: "index.txt")
        try authority.openssl.write(Data("01\n".utf8), to: "number")
        let configuration = "[ca]\ndefault_ca=a\n[a]\ndatabase=index.txt\ncrlnumber=number\ndefault_md=sha256\n"
        try authority.openssl.write(Data(configuration.utf8), to: "ca.cnf")
        let signer = ["-config", "ca.cnf", "-cert", "middle.pem", "-keyfile", "middle.key"]
        try authority.openssl.run(["ca"] + signer + ["-revoke", "leaf.pem"])
        try authority.openssl.run(["ca"] + signer + ["-gencrl", "-crldays", "7", "-out", "list.pem"])
        var question = PathQuestion()
        question.anchors = [try authority.der("root")]
        question.usesSystemAnchors = false
        question.revocationLists = [try authority.openssl.run("crl", "-in", "list.pem", "-outform", "DER")]
        func codes(
            _ certificate: SecCertificate, _ revocation: PathQuestion.Revocation, late: Double = 0
        ) throws -> [Int] {
            question.certificates = [SecCertificateCopyData(certificate) as Data, try authority.der("middle")]
            question.revocation = revocation
            question.date = Date() + late
            return try #require(SystemCrypto.check(question)).failures.map(\.code)
        }
        #expect(try codes(leaf, .considered) == [23] && codes(leaf, .required) == [23])
        #expect(try codes(leaf, .ignored) == [] && codes(other, .required) == [])
        #expect(try codes(other, .considered, late: 30 * Self.day) == [])
        #expect(try codes(other, .required, late: 30 * Self.day) == [12])
    }

    // MARK: Exceptions, other forms, other calls

    // Rule: an exception covers the faults that it was made of | every fault | a certificate that is not valid yet
    @Test func `exceptions cover what was wrong with this certificate, and nothing else`() throws {
        let made = try TestAuthority.made("leaf", "middle", "root", "other")
        let (leaf, middle, root, other) = (made[0], made[1], made[2], made[3])
        let judged = try Judged([leaf, middle, root], [ssl("wrong.org")], anchors: [])
        #expect(judged.code == errSecNotTrusted)
        let exceptions = try #require(SecTrustCopyExceptions(judged.trust))
        #expect(SecTrustSetExceptions(judged.trust, exceptions))
        var none: CFError?
        #expect(unsafe SecTrustEvaluateWithError(judged.trust, &none) && none == nil)
        #expect(judged.result == .proceed)
        // The time is another fault.
        SecTrustSetVerifyDate(judged.trust, (Date() - Self.day) as CFDate)
        var error: CFError?
        #expect(unsafe !SecTrustEvaluateWithError(judged.trust, &error))
        #expect(error.map { OSStatus($0.code) } == errSecCertificateNotValidYet)
        #expect(!SecTrustSetExceptions(judged.trust, nil))
        let another = try Judged([other, middle, root], [ssl("wrong.org")], anchors: [])
        #expect(!SecTrustSetExceptions(another.trust, exceptions))
        for bytes in [
            Data(), Data("ZTE1".utf8), Data(count: 40), (exceptions as Data).dropLast(),
            (exceptions as Data).prefix(12),
        ] {
            #expect(!SecTrustSetExceptions(judged.trust, bytes as CFData))
        }
    }

    @Test func `single objects are taken, others are errSecParam`() throws {
        let leaf = try TestAuthority.made("leaf")[0]
        var trust: SecTrust?
        #expect(unsafe SecTrustCreateWithCertificates(leaf, SecPolicyCreateBasicX509(), &trust) == errSecSuccess)
        #expect(unsafe SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
        let one = try #require(trust)
        var policies: CFArray?
        #expect(unsafe SecTrustCopyPolicies(one, &policies) == errSecSuccess)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509()])
        #expect(unsafe SecTrustCreateWithCertificates([] as CFArray, nil, &trust) == errSecParam)
        #expect(unsafe SecTrustCreateWithCertificates("text" as CFString, nil, &trust) == errSecParam)
        #expect(unsafe SecTrustCreateWithCertificates([leaf, "text"] as CFArray, nil, &trust) == errSecParam)
        #expect(unsafe SecTrustCreateWithCertificates(leaf, leaf, &trust) == errSecParam)
        let many = Array(repeating: leaf, count: 257) as CFArray
        #expect(unsafe SecTrustCreateWithCertificates(many, nil, &trust) == errSecParam)
        #expect(SecTrustSetPolicies(one, "text" as CFString) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(one, ["text"] as CFArray) == errSecParam)
        #expect(SecTrustSetOCSPResponse(one, "text" as CFString) == errSecParam)
        #expect(SecTrustSetOCSPResponse(one, [Data()] as CFArray) == errSecSuccess)
        var anchors: CFArray?
        SecTrustSetAnchorCertificates(one, [leaf] as CFArray)
        #expect(unsafe SecTrustCopyCustomAnchorCertificates(one, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [leaf])
        var mayFetch = true
        #expect(unsafe SecTrustGetNetworkFetchAllowed(one, &mayFetch) == errSecSuccess && !mayFetch)
        SecTrustSetNetworkFetchAllowed(one, true)
        #expect(unsafe SecTrustGetNetworkFetchAllowed(one, &mayFetch) == errSecSuccess && mayFetch)
    }

    @Test func `an evaluation is answered on a queue, too`() async throws {
        let leaf = try TestAuthority.made("leaf")[0]
        let judged = try Judged([leaf], [ssl("wrong.org")], anchors: [leaf])
        let (isFit, code) = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(judged.trust, .global()) { _, isFit, error in
                continuation.resume(returning: (isFit, error.map(CFErrorGetCode)))
            }
        }
        #expect(!isFit && code == Int(errSecHostNameMismatch))
        let result = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsync(judged.trust, nil) { _, result in continuation.resume(returning: result) }
        }
        #expect(result == .recoverableTrustFailure)
    }

    @Test func `policies say what they ask for, and are made of that again`() throws {
        let policies = [
            SecPolicyCreateBasicX509(), ssl("example.org"), ssl(nil), SecPolicyCreateSSL(false, nil),
            try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod)),
            try #require(
                SecPolicyCreateWithProperties(
                    kSecPolicyAppleSMIME, [kSecPolicyName: "anna@example.org"] as CFDictionary)),
        ]
        for policy in policies {
            let properties = try #require(SecPolicyCopyProperties(policy))
            let identifier = try #require(properties[kSecPolicyOid as String] as? String)
            #expect(SecPolicyCreateWithProperties(identifier as CFString, properties) == policy)
        }
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleCodeSigning, nil) == nil)
        #expect(Set(policies.map(\.hash)).count > 1)
    }

    @Test func `hostile certificates, lists and answers neither trap nor take long`() throws {
        let authority = try TestAuthority()
        _ = try authority.leaf("leaf")
        let parts = [try authority.der("leaf"), try authority.der("middle"), try authority.der("root")]
        let answer = try response(authority, "leaf", revoked: false)
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        var mutator = Mutator(corpus: (parts + [answer]).map { Array($0) }, seed: seed)
        let run = try FuzzRun.repeated("paths of certificates", bounded: 400) { round in
            var changed = parts + [answer]
            changed[round % 4] = Data(mutator.next())
            var question = PathQuestion()
            question.certificates = Array(changed[..<2])
            question.anchors = [changed[2]]
            question.usesSystemAnchors = false
            question.revocation = round.isMultiple(of: 2) ? .required : .considered
            question.statusResponse = changed[3]
            question.host = "example.org"
            let answer = SystemCrypto.check(question)
            try #require((answer?.path.count ?? 0) <= 16)
            return answer?.failures.isEmpty == true
        }
        #expect(run.refused > 0)
    }
}
