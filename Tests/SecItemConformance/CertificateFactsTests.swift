// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("What certificates say")
struct CertificateFactsTests {
    private func privateKeyObject() throws -> SecKey {
        try #require(try privateKey()[kSecValueRef] as? SecKey)
    }

    private func object(_ der: Data) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    @Test func `summary, common name and addresses`() throws {
        let leaf = try object(Material.leaf)
        #expect(SecCertificateCopySubjectSummary(leaf) as String? == "Anna")
        var name: CFString?
        #expect(unsafe SecCertificateCopyCommonName(leaf, &name) == errSecSuccess && name as String? == "Anna")
        var addresses: CFArray?
        #expect(unsafe SecCertificateCopyEmailAddresses(leaf, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["anna@example.org", "anna@example.com"])
    }

    @Test func `without a common name the unit is the summary`() throws {
        let leaf = try object(Material.rsaLeaf)
        #expect(SecCertificateCopySubjectSummary(leaf) as String? == "RSA")
        var name: CFString?
        #expect(unsafe SecCertificateCopyCommonName(leaf, &name) != errSecSuccess && name == nil)
    }

    @Test func `the serial number keeps its leading zero`() throws {
        let serial = SecCertificateCopySerialNumberData(try object(Material.leaf), nil)
        #expect(serial as Data? == Data([0x00, 0xF0, 0xA1, 0xB2, 0xC3]))
    }

    @Test func `a PrintableString is compared in capitals, its spaces folded`() throws {
        let name = try #require(SecCertificateCopyNormalizedSubjectSequence(try object(Material.authority)) as Data?)
        #expect(name.range(of: bytes("ZAMOK TESTS")) != nil && name.range(of: bytes("ZAMOK TEST AUTHORITY")) != nil)
        #expect(name.first == 0x30 && Int(name[1]) == name.count - 2)
        #expect(SecCertificateCopyNormalizedIssuerSequence(try object(Material.leaf)) as Data? == name)
    }

    @Test func `the key of a certificate is its private key's public half`() throws {
        let own = try #require(SecCertificateCopyKey(try object(Material.leaf)))
        let key = try privateKeyObject()
        #expect(SecKeyCopyPublicKey(key) == own)
        let rsa = try #require(SecCertificateCopyKey(try object(Material.rsaLeaf)))
        #expect(SecKeyGetBlockSize(rsa) == 256)
    }

    @Test func `a PKCS#12 file holds identity, chain, label and key identifier`() throws {
        let (status, items) = imported(Material.identityFile)
        #expect(status == errSecSuccess && items.count == 1)
        let item = try #require(items.first)
        #expect(item["label"] as? String == "Anna's key" && (item["keyid"] as? Data)?.count == 20)
        let chain = try #require(item["chain"] as? [SecCertificate])
        #expect(chain.map { SecCertificateCopyData($0) as Data } == [Material.leaf, Material.authority])
    }

    @Test func `a PKCS#12 file needs its passphrase`() {
        #expect(imported(Material.identityFile, "another").status == errSecPkcs12VerifyFailure)
        #expect(imported(Material.identityFile, nil).status == errSecPassphraseRequired)
    }

    #if !canImport(Darwin)
    @Test func `older encryption is read, garbage can't be decoded`() {
        #expect(imported(Material.olderFile).status == errSecSuccess)
        #expect(imported(bytes("no file")).status == errSecDecode)
        #expect(imported(Material.identityFile.dropLast()).status == errSecDecode)
    }
    #endif
}
