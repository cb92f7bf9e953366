// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import TestSupport
import Testing

/// Certificates made by openssl: a root, an intermediate authority, and leaves with one fault each.
final class TestAuthority {
    let openssl: OpenSSL

    init() throws {
        openssl = try OpenSSL()
        try key("root")
        try openssl.run(
            "req", "-x509", "-key", "root.key", "-subj", "/CN=Root", "-days", "10000", "-out", "root.pem", "-addext",
            "keyUsage=critical,keyCertSign,cRLSign")
        try key("middle")
        try issue("middle", by: "root", "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign", days: 9000)
    }

    /// Certificates by their names, made once for all tests.
    static func made(_ names: String...) throws -> [SecCertificate] {
        try names.map { try #require(try all.get()[$0]) }
    }

    private static let all = Result {
        let authority = try TestAuthority()
        var all = ["root": try authority.certificate("root"), "middle": try authority.certificate("middle")]
        func add(_ name: String, by issuer: String = "middle", _ extensions: String, digest: String = "sha256") throws {
            if name != "short" { try authority.key(name) }
            try authority.issue(name, by: issuer, extensions, digest: digest)
            all[name] = try authority.certificate(name)
        }
        for name in ["leaf", "other"] { try add(name, server) }
        try add("weak", server, digest: "sha1")
        try authority.key("short", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"])
        try add("short", server)
        try add("of-clients", "extendedKeyUsage=clientAuth\nsubjectAltName=DNS:example.org")
        try add("critical", "subjectAltName=DNS:example.org\n1.2.3.4=critical,DER:0500")
        try add("nameless", "extendedKeyUsage=serverAuth")
        let authorities = [
            "no-authority": "basicConstraints=CA:FALSE",
            "no-signer": "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature",
            "of-names": "basicConstraints=critical,CA:TRUE\nnameConstraints=critical,permitted;DNS:example.com",
            "short-path": "basicConstraints=critical,CA:TRUE,pathlen:0",
        ]
        for (name, extensions) in authorities {
            try add(name, extensions)
            if name != "short-path" { try add("leaf of \(name)", by: name, server) }
        }
        try add("below", by: "short-path", "basicConstraints=critical,CA:TRUE")
        try add("leaf of below", by: "below", server)
        return all
    }

    /// A key of P-256, or as the arguments of genpkey say.
    func key(_ name: String, _ kind: [String] = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
        try openssl.run(["genpkey"] + kind + ["-out", "\(name).key"])
    }

    /// NAME.pem, of NAME.key; signed by itself where its issuer has its name.
    func issue(
        _ name: String, by issuer: String, _ extensions: String, days: Int = 3650, digest: String = "sha256",
        subject: String? = nil, serial: String = "\(Int.random(in: 1...(.max)))"
    ) throws {
        try openssl.write(Data(extensions.utf8), to: "\(name).ext")
        try openssl.run(
            "req", "-new", "-key", "\(name).key", "-subj", subject ?? "/O=Zamok/CN=\(name)", "-out", "\(name).csr")
        let signer =
            issuer == name ? ["-signkey", "\(name).key"] : ["-CA", "\(issuer).pem", "-CAkey", "\(issuer).key"]
        try openssl.run(
            ["x509", "-req", "-in", "\(name).csr"] + signer + [
                "-days", "\(days)", "-\(digest)", "-set_serial", serial, "-extfile", "\(name).ext", "-out",
                "\(name).pem",
            ])
    }

    /// A leaf of the intermediate authority.
    func leaf(_ name: String, _ extensions: String = server, by issuer: String = "middle") throws -> SecCertificate {
        try key(name)
        try issue(name, by: issuer, extensions)
        return try certificate(name)
    }

    func der(_ name: String) throws -> Data { try openssl.run("x509", "-in", "\(name).pem", "-outform", "DER") }

    func certificate(_ name: String) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, try der(name) as CFData))
    }

    /// Extensions of a server's certificate.
    static let server = """
        basicConstraints=CA:FALSE
        extendedKeyUsage=serverAuth
        subjectAltName=DNS:example.org,DNS:*.wild.org,IP:192.0.2.1,IP:2001:db8::1,DNS:xn--bcher-kva.example
        """
}

/// What an evaluation of these says.
struct Judged {
    let trust: SecTrust
    let isFit: Bool
    let code: OSStatus?
    let message: String?

    init(
        _ certificates: [SecCertificate], _ policies: [SecPolicy], anchors: [SecCertificate]?, date: Date? = nil,
        _ change: (SecTrust) -> Void = { _ in }
    ) throws {
        var made: SecTrust?
        try #require(
            unsafe SecTrustCreateWithCertificates(certificates as CFArray, policies as CFArray, &made) == errSecSuccess)
        trust = try #require(made)
        if let anchors { SecTrustSetAnchorCertificates(trust, anchors as CFArray) }
        if let date { SecTrustSetVerifyDate(trust, date as CFDate) }
        change(trust)
        var error: CFError?
        isFit = unsafe SecTrustEvaluateWithError(trust, &error)
        code = error.map { OSStatus(CFErrorGetCode($0)) }
        message = error?.localizedDescription
    }

    var result: SecTrustResultType {
        var result = SecTrustResultType.invalid
        unsafe SecTrustGetTrustResult(trust, &result)
        return result
    }
}
