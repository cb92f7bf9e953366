// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import TestSupport
import TestVectors
import Testing

@testable import KeychainEngine

/// Variants of every vector, good and broken: nothing traps, hangs or is taken for something else. By hand:
/// CONTRIBUTING.md.
@Suite("Hostile DER, PEM and PKCS#12") struct HostileBytesTests {
    private static func corpus(
        _ format: String, where isWanted: (VectorFile) -> Bool = { _ in true }
    ) throws -> [[UInt8]] {
        let vectors = try VectorFile.all(of: format).sorted { $0.key < $1.key }.map(\.value).filter(isWanted)
        return vectors.flatMap { $0.files.sorted { $0.key < $1.key }.map(\.value) }
    }

    @Test func `keys in DER and in Apple's representation are read or refused`() throws {
        let run = FuzzRun.tried("keys", corpus: try Self.corpus("Key"), bounded: 5_000) { bytes in
            let readers: [(Data) throws -> KeyMaterial] = [
                { try KeyMaterial(privateKeyDER: $0) }, { try KeyMaterial(subjectPublicKeyInfo: $0) },
                { try KeyMaterial(.ec, .private, externalRepresentation: $0) },
                { try KeyMaterial(.ec, .public, externalRepresentation: $0) },
                { try KeyMaterial(.rsa, .private, externalRepresentation: $0) },
                { try KeyMaterial(.rsa, .public, externalRepresentation: $0) },
            ]
            let keys = readers.compactMap { try? $0(bytes) }
            for key in keys {
                let again = try KeyMaterial(key.family, key.role, externalRepresentation: key.externalRepresentation)
                #expect(again.publicKeyHash == key.publicKeyHash)
            }
            return !keys.isEmpty
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    @Test func `certificates are read or refused, and every part of what is read can be asked for`() throws {
        let corpus = try Self.corpus("Certificate")
        let run = FuzzRun.tried("certificates", corpus: corpus, bounded: 10_000) { bytes in
            guard let fields = CertificateFields(der: Array(bytes)) else { return false }
            _ = (fields.summary, fields.commonName, fields.emailAddresses, fields.itemAttributes, fields.validity)
            _ = try? KeyMaterial(subjectPublicKeyInfo: Data(fields.subjectPublicKeyInfo))
            return true
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    @Test func `files of a certificate or key are read or refused`() throws {
        let sealed = try Self.corpus("PKCS12") { $0.header["expect"] == "keys 1, certificates 1" }
        var corpus = try Self.corpus("Key").map { PEMBlock("PRIVATE KEY", Data($0)) }
        corpus += try Self.corpus("Certificate").map { PEMBlock("CERTIFICATE", Data($0)) }
        corpus += sealed.map { PEMBlock("ENCRYPTED PRIVATE KEY", Data($0)) }
        let several = [corpus[0], corpus[corpus.count / 2], corpus[corpus.count - 1]].map(\.text).joined(
            separator: "x\r\n")
        let texts = corpus.map { Array($0.text.utf8) } + [Array(several.utf8)]
        let run = FuzzRun.tried("PEM", corpus: texts, bounded: 2_000) { bytes in
            let certificate = try? KeyFile.certificate(bytes)
            let key = try? KeyFile.key(bytes, passphrase: "päss")
            return certificate != nil || key != nil
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    /// Files that take no time, whose rounds have not been made many.
    private static func quickFiles() throws -> [[UInt8]] {
        try corpus("PKCS12") { $0.header["expect"]?.hasPrefix("keys") == true }
    }

    @Test func `PKCS#12 files are read or refused`() throws {
        let run = FuzzRun.tried("PKCS#12", corpus: try Self.quickFiles(), bounded: 5_000) { bytes in
            _ = try PKCS12(file: bytes, passphrase: "päss")
            return true
        }
        #expect(run.isBounded && run.refused > run.inputs / 2)
    }

    @Test func `PKCS#12 files with a right code over hostile contents are read or refused`() throws {
        let safes = try Self.quickFiles().compactMap { AuthenticatedFile.content(of: $0) }
        #expect(safes.count > 3)
        var taken = 0
        let run = FuzzRun.tried("PKCS#12 behind the code", corpus: safes, bounded: 5_000) { safe in
            do {
                taken += try PKCS12(file: AuthenticatedFile.file(around: safe, "päss"), passphrase: "päss").keys.count
                return true
            } catch PKCS12Error.wrongPassphrase where !AuthenticatedFile.mayHoldCiphertext(safe) {
                Issue.record("the code over these contents is right")
                return false
            }
        }
        #expect(run.isBounded && taken > 0 && run.refused > 0)
    }
}
