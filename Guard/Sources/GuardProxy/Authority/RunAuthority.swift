// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import NIOSSL
import SwiftASN1
package import X509

/// The authority of one run, in this process's memory alone. It can sign for the opened hosts and for no others: its
/// certificate says so in critical name constraints, which clients check.
package final class RunAuthority {
    package let certificate: Certificate
    private let key: Certificate.PrivateKey
    private let now: () -> Date
    private var contexts: [String: (context: NIOSSLContext, until: Date)] = [:]

    /// `names`: names of hosts, or addresses.
    package init(_ names: [String], now: @escaping () -> Date = { Date() }) throws {
        self.now = now
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        self.key = key
        let addresses = names.compactMap(Address.init(text:))
        let constraints = NameConstraints(
            permittedDNSDomains: names.filter { Address(text: $0) == nil }.sorted(),
            permittedIPRanges: addresses.map { address in
                ASN1OctetString(
                    contentBytes: (address.bytes + [UInt8](repeating: 0xFF, count: address.bytes.count))[...])
            })
        let subject = try DistinguishedName { CommonName("zamok guard, this run") }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: now().addingTimeInterval(-3600), notValidAfter: now().addingTimeInterval(400 * 86400),
            issuer: subject, subject: subject,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                Critical(constraints)
                SubjectKeyIdentifier(hash: key.publicKey)
            }, issuerPrivateKey: key)
    }

    package var pem: String { get throws { try certificate.serializeAsPEM().pemString + "\n" } }

    /// A certificate for one host, valid for two days.
    package func leaf(for name: String, _ leafKey: Certificate.PublicKey) throws -> Certificate {
        let alternative: GeneralName =
            Address(text: name).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(name)
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: leafKey,
            notValidBefore: now().addingTimeInterval(-3600), notValidAfter: now().addingTimeInterval(2 * 86400),
            issuer: certificate.subject, subject: try DistinguishedName { CommonName("zamok guard") },
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([alternative])
                SubjectKeyIdentifier(hash: leafKey)
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
            }, issuerPrivateKey: key)
    }

    /// How the proxy speaks as one host. Kept for a day.
    func context(for name: String) throws -> NIOSSLContext {
        if let known = contexts[name], known.until > now() { return known.context }
        let leafKey = P256.Signing.PrivateKey()
        let chain = try [leaf(for: name, Certificate.PrivateKey(leafKey).publicKey), certificate].map { one in
            var serializer = DER.Serializer()
            try serializer.serialize(one)
            return NIOSSLCertificateSource.certificate(
                try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(leafKey.derRepresentation), format: .der)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        contexts[name] = (context, now().addingTimeInterval(86400))
        return context
    }
}
