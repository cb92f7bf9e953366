// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GuardProxy
import SwiftASN1
import Testing
import X509

@Suite("The names of a server's certificate") struct CertificateNameTests {
    /// A certificate with a common name, and with others if there are any.
    private static func certificate(_ commonName: String, _ names: [GeneralName]) throws -> [UInt8] {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let subject = try DistinguishedName { CommonName(commonName) }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: Date(),
            notValidAfter: Date().addingTimeInterval(60), issuer: subject, subject: subject,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                if !names.isEmpty { SubjectAlternativeNames(names) }
            }, issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    // Rule: a certificate counts for the granted name alone | an address and a common name counted as a name | 4 of 4
    //   were taken
    @Test func `an address or a common name is no name`() throws {
        let address = GeneralName.ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 7]))
        let written = GeneralName.dnsName("192.0.2.7")
        for names in [[], [address], [address, .dnsName("other.example")], [address, written]] {
            let certificate = try Self.certificate("api.example.com", names)
            #expect(!CertificateName.isIn(certificate, "api.example.com"), "\(names)")
        }
        let right = try Self.certificate("other.example", [.dnsName("other.example"), .dnsName("API.example.com")])
        #expect(CertificateName.isIn(right, "api.example.com"))
        #expect(CertificateName.isIn(try Self.certificate("other.example", [address]), "192.0.2.7"))
        for names in [[], [written], [GeneralName.ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 8]))]] {
            #expect(!CertificateName.isIn(try Self.certificate("192.0.2.7", names), "192.0.2.7"), "\(names)")
        }
        #expect(!CertificateName.isIn([], "api.example.com"))
    }

    @Test func `names and wildcards`() {
        for (pattern, host) in [
            ("api.example.com", "api.example.com"), ("API.Example.COM", "api.example.com"),
            ("*.example.com", "api.example.com"), ("api.example.com", "api.example.com."),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("*.example.com", "xn--bcher-kva.example.com"),
            ("localhost", "localhost"),
        ] { #expect(CertificateName.matches(Array(pattern.utf8), host), "\(pattern) \(host)") }
        for (pattern, host) in [
            ("*.example.com", "a.b.example.com"), ("*.example.com", "example.com"), ("*.com", "example.com"),
            ("*", "localhost"), ("a*.example.com", "api.example.com"), ("*i.example.com", "api.example.com"),
            ("api.*.com", "api.example.com"), ("*.*.com", "api.example.com"), ("*.example.com", ".example.com"),
            ("api.example.com\0.evil.org", "api.example.com"), ("api.example.com\0", "api.example.com"),
            ("api.example.com.", "api.example.com"), ("bücher.example", "xn--bcher-kva.example"), ("", ""),
            ("", "api.example.com"), ("example.com", "api.example.com"), ("api.example.com", "example.com"),
        ] { #expect(!CertificateName.matches(Array(pattern.utf8), host), "\(pattern) \(host)") }
    }
}
