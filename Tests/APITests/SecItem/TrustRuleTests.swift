// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Readers
import SecItem
import TestSupport
import Testing

/// The rules beside OpenSSL's, over an authority of openssl's: for each a certificate that breaks it.
@Suite("Rules for paths") struct TrustRuleTests {
    /// One certificate with one fault, and what is said of it.
    struct Fault: Sendable, CustomStringConvertible {
        enum Place: Int { case leaf, authority, root }

        let rule: PathRule
        let name: String
        var place = Place.leaf
        var extensions: String
        var subject = "/O=Zamok/CN=Faulty"
        var serial = "77"
        var key = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        var host = "example.org"

        var description: String { "\(place), \(name)" }

        init(_ rule: PathRule, _ name: String, _ extensions: String = leaf) {
            (self.rule, self.name, self.extensions) = (rule, name, extensions)
        }

        func with<V>(_ field: WritableKeyPath<Self, V>, _ value: V) -> Self {
            var other = self
            other[keyPath: field] = value
            return other
        }
    }

    private static let names = "subjectAltName=DNS:example.org,IP:192.0.2.1,IP:2001:db8::1"
    private static let leaf = "basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n\(names)"
    private static let authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign"

    private static let ofLeaves = [
        Fault(.malformedName, "an underscore", "\(leaf),DNS:under_score.org"),
        Fault(.malformedName, "a dot in front", "\(leaf),DNS:.example.org"),
        Fault(.malformedName, "two @", "\(leaf),email:a@b@example.org"),
        Fault(.publicSuffix, "a wildcard for a registry", "\(leaf),DNS:*.co.uk").with(\.host, "example.co.uk"),
        Fault(.publicSuffix, "a wildcard under a wildcard rule", "\(leaf),DNS:*.foo.ck").with(\.host, "a.foo.ck"),
        Fault(.serverPurpose, "no use", "basicConstraints=CA:FALSE\n\(names)"),
        Fault(.serverPurpose, "any use", "extendedKeyUsage=serverAuth,anyExtendedKeyUsage\n\(names)"),
        Fault(
            .authorityAsServer, "an authority",
            "basicConstraints=critical,CA:TRUE\nextendedKeyUsage=serverAuth\n\(names)"),
        Fault(.issuingWithoutAuthority, "a key for issuing", "\(leaf)\nkeyUsage=digitalSignature,keyCertSign"),
        Fault(.constraintsOfNoAuthority, "constraints", "\(leaf)\nnameConstraints=permitted;DNS:example.org"),
        Fault(.kindOfKey, "secp256k1").with(\.key, ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"]),
        Fault(.kindOfKey, "P-224").with(\.key, ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-224"]),
        Fault(.lengthOfKey, "RSA of 2052 bits").with(\.key, ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2052"]),
        Fault(.serialNumber, "zero").with(\.serial, "0"), Fault(.serialNumber, "negative").with(\.serial, "-5"),
        Fault(.serialNumber, "of 21 bytes").with(\.serial, "0x7F" + String(repeating: "01", count: 20)),
        Fault(.criticality, "a critical use", "extendedKeyUsage=critical,serverAuth\n\(names)"),
        Fault(
            .criticalityOfNames, "critical names",
            "extendedKeyUsage=serverAuth\nsubjectAltName=critical,DNS:example.org"),
        Fault(.criticalityOfNames, "no subject").with(\.subject, "/"),
        Fault(.issuersKeyIdentifier, "no issuer's key", "\(leaf)\nauthorityKeyIdentifier=none"),
        Fault(.informationAccess, "NULL for an access", "\(leaf)\n1.3.6.1.5.5.7.1.1=DER:0500"),
        Fault(.informationAccess, "an access to nothing", "\(leaf)\n1.3.6.1.5.5.7.1.1=DER:3000"),
        Fault(.commonName, "other letters").with(\.subject, "/CN=Example.org"),
        Fault(.commonName, "a hexadecimal address").with(\.subject, "/CN=0xC0000201"),
        Fault(.commonName, "zeros in an address").with(\.subject, "/CN=192.0.2.001"),
        Fault(.commonName, "a longer address").with(\.subject, "/CN=2001:db8:0::1"),
    ]

    private static let ofAuthorities = [
        Fault(
            .malformedConstraints, "a dot in front", "\(authority)\nnameConstraints=critical,permitted;DNS:.example.org"
        )
        .with(\.host, "a.example.org"),
        Fault(.malformedConstraints, "empty constraints", "\(authority)\n2.5.29.30=critical,DER:3000"),
        Fault(.authorityWithoutSubject, "no name", authority).with(\.subject, "/"),
        Fault(.criticality, "policies", "\(authority)\npolicyConstraints=requireExplicitPolicy:3"),
        Fault(.issuersKeyIdentifier, "no issuer's key", "\(authority)\nauthorityKeyIdentifier=none"),
        Fault(.ownKeyIdentifier, "no key of its own", "\(authority)\nsubjectKeyIdentifier=none"),
        Fault(.serialNumber, "zero", authority).with(\.serial, "0"),
    ]

    private static let ofRoots = [
        Fault(.purposeOfRoot, "a use", "\(authority)\nextendedKeyUsage=serverAuth"),
        Fault(.authorityWithoutBasicConstraints, "no basic constraints", "keyUsage=keyCertSign"),
        Fault(.issuersKeyIdentifier, "another's key", "\(authority)\n2.5.29.35=DER:3006800401020304"),
        Fault(.issuersKeyIdentifier, "no key", "\(authority)\n2.5.29.35=DER:3003820105"),
        Fault(.kindOfKey, "secp256k1", authority)
            .with(\.key, ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"]),
    ]

    private static let faults =
        ofLeaves + ofAuthorities.map { $0.with(\.place, .authority) } + ofRoots.map { $0.with(\.place, .root) }

    /// A chain with one faulty certificate, and its root.
    private struct Chain: Sendable {
        let certificates: [SecCertificate]
        let root: SecCertificate
    }

    /// In the order of the faults.
    private static let chains = Result {
        let authority = try TestAuthority()
        return try faults.map { fault in
            try authority.key("faulty", fault.key)
            let issuer = [Fault.Place.leaf: "middle", .authority: "root"][fault.place] ?? "faulty"
            try authority.issue("faulty", by: issuer, fault.extensions, subject: fault.subject, serial: fault.serial)
            let faulty = try authority.certificate("faulty")
            if fault.place == .leaf {
                return Chain(
                    certificates: [faulty, try authority.certificate("middle")], root: try authority.certificate("root")
                )
            }
            // What its issuer does not identify openssl does not write.
            let key = fault.rule == .ownKeyIdentifier ? "\n2.5.29.35=DER:3006800401020304" : ""
            let below = try authority.leaf(
                "below", leaf.replacing("DNS:example.org", with: "DNS:\(fault.host)") + key, by: "faulty")
            let isRoot = fault.place == .root
            return Chain(
                certificates: isRoot ? [below] : [below, faulty],
                root: isRoot ? faulty : try authority.certificate("root"))
        }
    }

    // Rule: each rule for issuers of certificates counts | left out, one after the other | the certificates that break
    //   it
    @Test(arguments: faults.indices)
    func `a certificate that breaks a rule is refused for it, and for nothing else`(number: Int) throws {
        let (fault, chain) = (Self.faults[number], try Self.chains.get()[number])
        guard fault.rule != .publicSuffix || FileManager.default.fileExists(atPath: suffixes) else { return }
        var question = PathQuestion()
        question.certificates = chain.certificates.map { SecCertificateCopyData($0) as Data }
        question.anchors = [SecCertificateCopyData(chain.root) as Data]
        question.usesSystemAnchors = false
        (question.purpose, question.isStrict, question.host) = (.server, true, fault.host)
        let found = try #require(SystemCrypto.check(question)).failures
        let depth = fault.place == .leaf ? 0 : 1
        #expect(found.map(\.code) == [fault.rule.rawValue] && found.first?.depth == depth, "\(fault): \(found)")
        let policy = SecPolicyCreateSSL(true, fault.host as CFString)
        let judged = try Judged(chain.certificates, [policy], anchors: [chain.root])
        #expect(!judged.isFit && judged.message?.contains(fault.rule.words) == true, "\(judged.message ?? "fit")")
        // A basic evaluation does not check the form.
        let basic = try Judged(chain.certificates, [SecPolicyCreateBasicX509()], anchors: [chain.root])
        #expect(basic.isFit, "\(fault): \(basic.message ?? "")")
    }

    @Test func `each rule has a certificate that breaks it`() {
        let rest = Set(PathRule.allCases).subtracting(Self.faults.map(\.rule))
        #expect(rest == [.excludedWildcard])
    }

    // Rule: a wildcard covers no name that an authority excludes | names compared as they are | the wildcards over one
    @Test func `a wildcard over an excluded name is refused, for every purpose`() throws {
        let authority = try TestAuthority()
        try authority.key("bars")
        try authority.issue(
            "bars", by: "root",
            "\(Self.authority)\nnameConstraints=critical,excluded;DNS:b.wild.org,excluded;DNS:c.d.wild.org")
        let root = try authority.certificate("root")
        let bars = try authority.certificate("bars")
        for (name, isFit) in [
            ("*.wild.org", false), ("a.wild.org", true), ("*.a.wild.org", true), ("*.D.wild.org", false),
        ] {
            try authority.key("leaf")
            try authority.issue("leaf", by: "bars", "extendedKeyUsage=serverAuth\nsubjectAltName=DNS:\(name)")
            let chain = [try authority.certificate("leaf"), bars]
            for policy in [SecPolicyCreateSSL(true, nil), SecPolicyCreateBasicX509()] {
                let judged = try Judged(chain, [policy], anchors: [root])
                #expect(judged.isFit == isFit, "\(name): \(judged.message ?? "fit")")
                if !isFit { #expect(judged.code == errSecCertificateNameNotAllowed) }
            }
        }
    }

    // MARK: What stays fit

    @Test func `an anchor is trusted as it is, and so is a leaf that is an anchor`() throws {
        let authority = try TestAuthority()
        // As easy-rsa writes them: the issuer and its number beside the key.
        try authority.key("easy")
        let easy =
            "basicConstraints=CA:TRUE\nkeyUsage=keyCertSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid:always,issuer:always"
        try authority.issue("easy", by: "easy", easy, serial: "0")
        _ = try authority.leaf("of-easy", Self.leaf, by: "easy")
        #expect(
            try Judged([authority.certificate("of-easy")], [ssl], anchors: [authority.certificate("easy")]).isFit)
        // As `openssl req -x509` and development certificates are.
        try authority.key("own")
        try authority.issue(
            "own", by: "own",
            "basicConstraints=critical,CA:TRUE\nextendedKeyUsage=critical,serverAuth\nsubjectAltName=critical,DNS:example.org",
            subject: "/CN=localhost.localdomain", serial: "0")
        let own = try authority.certificate("own")
        let judged = try Judged([own], [ssl], anchors: [own])
        #expect(judged.isFit, "\(judged.message ?? "")")
        // An intermediate authority as the anchor.
        _ = try authority.leaf("leaf", Self.leaf)
        #expect(try Judged([authority.certificate("leaf")], [ssl], anchors: [authority.certificate("middle")]).isFit)
    }

    @Test func `Edwards curves and clients without a use are fit`() throws {
        let authority = try TestAuthority()
        try authority.key("edwards", ["-algorithm", "ED25519"])
        try authority.issue("edwards", by: "middle", Self.leaf)
        let middle = try authority.certificate("middle")
        let root = try authority.certificate("root")
        #expect(try Judged([authority.certificate("edwards"), middle], [ssl], anchors: [root]).isFit)
        let client = try authority.leaf("client", "subjectAltName=email:anna@example.org")
        #expect(try Judged([client, middle], [SecPolicyCreateSSL(false, nil)], anchors: [root]).isFit)
    }

    @Test func `every root that the system trusts stays an anchor`() throws {
        let authority = try TestAuthority()
        _ = try authority.leaf("leaf", Self.leaf)
        let leaf = try #require(CertificateFields(der: Array(authority.der("leaf"))))
        let store = (try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)) ?? ""
        var count = 0
        for pem in store.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst() {
            let text = pem.components(separatedBy: "-----END")[0].filter { !$0.isWhitespace }
            let der = try #require(Data(base64Encoded: text))
            let root = try #require(CertificateFields(der: Array(der)))
            let broken = PathRules.failures(of: [leaf, root], for: .server, host: "example.org")
            #expect(broken.isEmpty, "\(root.summary ?? ""): \(broken)")
            count += 1
        }
        if !store.isEmpty { #expect(count > 50) }
    }

    @Test func `a list of what was revoked has a number`() throws {
        let authority = try TestAuthority()
        _ = try authority.leaf("leaf", Self.leaf)
        try authority.openssl.write(Data(), to: "index.txt")
        try authority.openssl.write(
            Data("[ca]\ndefault_ca=a\n[a]\ndatabase=index.txt\ndefault_md=sha256\n".utf8), to: "ca.cnf")
        try authority.openssl.run(
            "ca", "-config", "ca.cnf", "-cert", "middle.pem", "-keyfile", "middle.key", "-gencrl", "-crldays", "7",
            "-out",
            "list.pem")
        var question = PathQuestion()
        question.certificates = [try authority.der("leaf"), try authority.der("middle")]
        question.anchors = [try authority.der("root")]
        question.usesSystemAnchors = false
        question.revocationLists = [try authority.openssl.run("crl", "-in", "list.pem", "-outform", "DER")]
        question.revocation = .considered
        #expect(SystemCrypto.check(question)?.failures.map(\.code) == [])
        question.revocation = .required
        #expect(SystemCrypto.check(question)?.failures.map(\.code) == [1002])
    }

    // MARK: Parts

    private var suffixes: String { "/usr/share/publicsuffix/public_suffix_list.dat" }

    private var ssl: SecPolicy { SecPolicyCreateSSL(true, "example.org" as CFString) }
}
