// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GuardProxy
import SwiftASN1
import Testing
import X509

@Suite("The authority of a run") struct AuthorityTests {
    private let authority: RunAuthority

    init() throws { authority = try RunAuthority(["api.example.com", "192.0.2.7"]) }

    /// Whether a client that trusts the authority takes a certificate for the name.
    private func isTaken(_ name: String) async throws -> Bool {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let leaf = try authority.leaf(for: name, key.publicKey)
        var verifier = Verifier(rootCertificates: CertificateStore([authority.certificate])) {
            RFC5280Policy()
            if let address = Address(text: name) {
                ServerIdentityPolicy(
                    serverHostname: nil, serverIP: address.bytes.map(String.init).joined(separator: "."))
            } else {
                ServerIdentityPolicy(serverHostname: name, serverIP: nil)
            }
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([]))
        if case .validCertificate = result { return true }
        return false
    }

    // Rule: the authority signs for its hosts alone | the constraints were left out | evil.example.com was taken
    @Test func `only its hosts' certificates are taken`() async throws {
        #expect(try await isTaken("api.example.com"))
        for name in ["evil.example.com", "example.com", "192.0.2.8", "api.example.com.evil.org"] {
            #expect(try await !isTaken(name), "\(name)")
        }
    }

    @Test func `the certificate says what it is`() throws {
        let certificate = authority.certificate
        #expect(
            try certificate.extensions.nameConstraints?.permittedDNSDomains.elementsEqual(["api.example.com"]) == true)
        #expect(certificate.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
        #expect(try certificate.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(try authority.pem.hasPrefix("-----BEGIN CERTIFICATE-----"))
    }
}
