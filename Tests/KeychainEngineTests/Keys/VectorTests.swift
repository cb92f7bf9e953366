// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SecurityTypes
import TestVectors
import Testing

@testable import KeychainEngine

/// The files of Tests/Vectors that Scripts/key-vectors writes: right ones and such with one fault each.
@Suite("Vectors of signatures, keys, certificates and PKCS#12 files") struct KeyVectorTests {
    private static func named(_ format: String) -> [String] {
        ((try? VectorFile.all(of: format)) ?? [:]).keys.sorted()
    }

    private func vector(_ format: String, _ name: String) throws -> VectorFile {
        let all = try VectorFile.all(of: format)
        return try #require(all[name])
    }

    private func data(_ vector: VectorFile, _ name: String) throws -> Data {
        let bytes = try #require(vector.files[name])
        return Data(bytes)
    }

    @Test func `there are vectors of each format`() throws {
        for (format, least) in [("Signature", 90), ("Key", 45), ("Certificate", 30), ("PKCS12", 45)] {
            let vectors = try VectorFile.all(of: format)
            #expect(vectors.count >= least, "\(format)")
            // A table of refusals alone would hold for a reader that refuses everything.
            #expect(vectors.keys.contains { $0.contains("good") } && vectors.keys.contains { !$0.contains("good") })
        }
    }

    @Test(arguments: named("Signature")) func `a signature is valid or is not`(name: String) throws {
        let vector = try vector("Signature", name)
        let family: KeyMaterial.Family = vector.header["family"] == "rsa" ? .rsa : .ec
        let key = try KeyMaterial(family, .public, externalRepresentation: try data(vector, "key"))
        let algorithm = try #require(KeyAlgorithm(vector.header["algorithm"] ?? ""))
        let isValid = try key.verify(
            try data(vector, "signature"), of: try data(vector, "message"), algorithm)
        #expect(isValid == (vector.header["expect"] == "valid"))
    }

    // Rule: a private key is of the curve that it names | without the look at the curve's name | `pkcs8-of-secp256k1`:
    //   read as a key of P-256
    // Rule: bytes behind an RSA key are a fault | without the check of the whole length | `pkcs1-trailing`: read, and
    //   given back one byte shorter
    @Test(arguments: named("Key")) func `a key is one or is not`(name: String) throws {
        let vector = try vector("Key", name)
        let bytes = try data(vector, "key")
        let family: KeyMaterial.Family = vector.header["family"] == "rsa" ? .rsa : .ec
        let role: KeyMaterial.Role = vector.header["role"] == "private" ? .private : .public
        let read: KeyMaterial? =
            switch (vector.header["form"], role) {
            case ("file", .private): try? KeyMaterial(privateKeyDER: bytes)
            case ("file", _): try? KeyMaterial(subjectPublicKeyInfo: bytes)
            default: try? KeyMaterial(family, role, externalRepresentation: bytes)
            }
        #expect((read != nil) == (vector.header["expect"] == "key"))
        if vector.header["form"] == "external", let read { #expect(read.externalRepresentation == bytes) }
        if let read { #expect(read.family == family && read.role == role) }
    }

    @Test(arguments: named("Certificate")) func `a certificate is one or is not`(name: String) throws {
        let vector = try vector("Certificate", name)
        let der = try data(vector, "der")
        let fields = CertificateFields(der: Array(der))
        #expect((fields != nil) == (vector.header["expect"] == "certificate"))
        guard let fields else { return }
        #expect((fields.summary ?? "-") == vector.header["summary"])
        #expect(VectorFile.text(fields.serialNumber) == vector.header["serial"])
    }

    // Rule: the HMAC over a PKCS#12 file is checked first | not checked | `mac-changed`, `mac-cut`, `mac-empty` and
    //   `passphrase-of-another` are read. A wrong passphrase of an encrypted file is noticed later all the same
    // Rule: rounds are bounded over all parts of a file | bounded for each part | `rounds-of-two-keys-above-limit`: two
    //   keys are read
    @Test(arguments: named("PKCS12")) func `a PKCS#12 file is read, or refused for its fault`(name: String) throws {
        let vector = try vector("PKCS12", name)
        let passphrase = try #require(vector.header["passphrase"])
        let file = try data(vector, "file")
        let answer: String
        do {
            let read = try PKCS12(file: file, passphrase: passphrase)
            answer = "keys \(read.keys.count), certificates \(read.certificates.count)"
        } catch {
            answer = "\(error)"
        }
        #expect(answer == vector.header["expect"])
    }
}
