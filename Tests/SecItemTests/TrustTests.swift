// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Mutations
import OpenSSLTool
import SecItem
import Testing

/// SecTrust and SecPolicy, over an authority of openssl's.
@Suite("Trust") struct TrustTests {
    private static let day = 86_400.0

    private func ssl(_ host: String?) -> SecPolicy { SecPolicyCreateSSL(true, host as CFString?) }

    @Test func `a server's certificate is fit under its own root, for its own names`() throws {
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
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

    @Test func `path, key, count and results are those of what was evaluated`() throws {
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
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
        // Whatever changes the question makes the answer an old one.
        SecTrustSetPolicies(judged.trust, ssl("other.org"))
        #expect(judged.result == .invalid)
        #expect(SecTrustCopyResult(judged.trust) == nil)
        var result = SecTrustResultType.invalid
        #expect(unsafe SecTrustEvaluate(judged.trust, &result) == errSecSuccess)
        #expect(result == .recoverableTrustFailure && judged.result == result)
    }

    @Test func `a date makes it expired or not yet valid`() throws {
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
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
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
        let policy = ssl("example.org")
        #expect(try Judged([leaf], [policy], anchors: [root]).code == errSecCreateChainFailed)
        #expect(try Judged([leaf, middle], [policy], anchors: []).code == errSecCreateChainFailed)
        #expect(try Judged([leaf, middle, root], [policy], anchors: []).code == errSecNotTrusted)
        #expect(try Judged([leaf, middle, root], [policy], anchors: nil).code == errSecNotTrusted)
        #expect(try Judged([root], [], anchors: nil).code == errSecNotTrusted)
        // Whatever is set as an anchor is one, and the system's may be asked beside it.
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

    @Test(arguments: [
        ("extendedKeyUsage=clientAuth\nsubjectAltName=DNS:example.org", errSecInvalidExtendedKeyUsage),
        ("subjectAltName=DNS:example.org\n1.2.3.4=critical,DER:0500", errSecUnknownCriticalExtensionFlag),
        ("extendedKeyUsage=serverAuth", errSecHostNameMismatch),
    ])
    func `a leaf for another use or with an unknown extension is refused`(extensions: String, code: OSStatus) throws {
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf", extensions)
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
        #expect(try Judged([leaf, middle], [ssl("example.org")], anchors: [root]).code == code)
        if code == errSecInvalidExtendedKeyUsage {
            #expect(try Judged([leaf, middle], [SecPolicyCreateSSL(false, nil)], anchors: [root]).isFit)
        }
    }

    @Test(arguments: [
        ("basicConstraints=CA:FALSE", errSecNoBasicConstraints),
        ("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature", errSecInvalidKeyUsageForPolicy),
        (
            "basicConstraints=critical,CA:TRUE\nnameConstraints=critical,permitted;DNS:example.com",
            errSecCertificateNameNotAllowed
        ),
    ])
    func `an authority that may not issue this is refused`(extensions: String, code: OSStatus) throws {
        let authority = try TestAuthority()
        try authority.key("bad")
        try authority.issue("bad", by: "middle", extensions)
        let leaf = try authority.leaf("leaf", by: "bad")
        let chain = [leaf, try authority.certificate("bad"), try authority.certificate("middle")]
        let judged = try Judged(chain, [ssl("example.org")], anchors: [try authority.certificate("root")])
        #expect(judged.code == code, "\(judged.message ?? "fit")")
    }

    @Test func `a path that is longer than an authority allows is refused`() throws {
        let authority = try TestAuthority()
        for (name, issuer, length) in [("one", "root", ",pathlen:0"), ("two", "one", "")] {
            try authority.key(name)
            try authority.issue(name, by: issuer, "basicConstraints=critical,CA:TRUE\(length)")
        }
        let chain = [
            try authority.leaf("leaf", by: "two"), try authority.certificate("two"), try authority.certificate("one"),
        ]
        let judged = try Judged(chain, [ssl("example.org")], anchors: [try authority.certificate("root")])
        #expect(judged.code == errSecPathLengthConstraintExceeded)
    }

    @Test func `short keys and weak digests are refused, of TLS more of them`() throws {
        let authority = try TestAuthority()
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
        try authority.key("short", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"])
        try authority.issue("short", by: "middle", TestAuthority.server)
        let short = try Judged([try authority.certificate("short"), middle], [ssl("example.org")], anchors: [root])
        #expect(short.code == errSecUnsupportedKeySize && short.result == .fatalTrustFailure)
        #expect(try Judged([try authority.certificate("short"), middle], [], anchors: [root]).isFit)
        for digest in ["sha1", "md5"] {
            try authority.key("weak")
            try authority.issue("weak", by: "middle", TestAuthority.server, digest: digest)
            let weak = try Judged([try authority.certificate("weak"), middle], [ssl("example.org")], anchors: [root])
            #expect(weak.code == errSecInvalidDigestAlgorithm)
        }
    }

    @Test func `a changed signature makes no path`() throws {
        let authority = try TestAuthority()
        _ = try authority.leaf("leaf")
        var der = try authority.der("leaf")
        der[der.count - 1] ^= 1
        let leaf = try #require(SecCertificateCreateWithData(nil, der as CFData))
        let middle = try authority.certificate("middle")
        let judged = try Judged([leaf, middle], [ssl("example.org")], anchors: [try authority.certificate("root")])
        #expect(judged.code == errSecCreateChainFailed)
    }

    // MARK: Revocation

    /// The answer of openssl's responder about a certificate.
    private func response(_ authority: borrowing TestAuthority, _ name: String, revoked: Bool) throws -> Data {
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
            (other, bad, 0), (leaf, good, 30 * Self.day), (leaf, Data([0x30, 0]), 0), (leaf, good.dropLast() + [0], 0),
            (leaf, nil, 0),
        ] {
            #expect(try judge(certificate, revocation, answer, late: late) == nil)
            #expect(try judge(certificate, strict, answer, late: late) == errSecIncompleteCertRevocationCheck)
        }
    }

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

    @Test func `exceptions cover what was wrong with this certificate, and nothing else`() throws {
        let authority = try TestAuthority()
        let (leaf, other) = (try authority.leaf("leaf"), try authority.leaf("other"))
        let (root, middle) = (try authority.certificate("root"), try authority.certificate("middle"))
        let judged = try Judged([leaf, middle, root], [ssl("wrong.org")], anchors: [])
        #expect(judged.code == errSecNotTrusted)
        let exceptions = try #require(SecTrustCopyExceptions(judged.trust))
        #expect(SecTrustSetExceptions(judged.trust, exceptions))
        #expect(unsafe SecTrustEvaluateWithError(judged.trust, nil))
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
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
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
        let authority = try TestAuthority()
        let leaf = try authority.leaf("leaf")
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
        var generator = SystemRandomNumberGenerator()
        let deadline = ContinuousClock.now + .seconds(120)
        for round in 0..<400 where ContinuousClock.now < deadline {
            var changed = parts + [answer]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<changed.count, using: &generator)
                let place = Int.random(in: 0..<changed[index].count, using: &generator)
                changed[index][place] = UInt8.random(in: 0...255, using: &generator)
            }
            var question = PathQuestion()
            question.certificates = Array(changed[..<2])
            question.anchors = [changed[2]]
            question.usesSystemAnchors = false
            question.revocation = round.isMultiple(of: 2) ? .required : .considered
            question.statusResponse = changed[3]
            question.host = "example.org"
            #expect((SystemCrypto.check(question)?.path.count ?? 0) <= 16)
        }
    }
}
