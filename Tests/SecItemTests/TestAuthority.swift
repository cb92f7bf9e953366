// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenSSLTool
import SecItem
import Testing

/// Certificates made by openssl: a root, an intermediate authority, and leaves with one fault each.
struct TestAuthority: ~Copyable {
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

    /// A key of P-256, or as the arguments of genpkey say.
    func key(_ name: String, _ kind: [String] = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
        try openssl.run(["genpkey"] + kind + ["-out", "\(name).key"])
    }

    /// NAME.pem, of NAME.key.
    func issue(
        _ name: String, by issuer: String, _ extensions: String, days: Int = 3650, digest: String = "sha256"
    ) throws {
        try openssl.write(Data(extensions.utf8), to: "\(name).ext")
        try openssl.run(
            "req", "-new", "-key", "\(name).key", "-subj", "/O=Zamok/CN=\(name)", "-out", "\(name).csr")
        try openssl.run(
            "x509", "-req", "-in", "\(name).csr", "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key", "-days",
            "\(days)", "-\(digest)", "-set_serial", "\(Int.random(in: 1...(.max)))", "-extfile", "\(name).ext", "-out",
            "\(name).pem")
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
