// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1
import TestSupport
import TestVectors
import Testing

@testable import KeychainEngine

/// Files that are small for what they would cost: each limit is held before the cost arises.
@Suite("What a hostile file may cost") struct HostileCostTests {
    private static let null: [UInt8] = [0x05, 0x00]

    private func nothings(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in Self.null } }

    private func refusal(_ file: Data) -> PKCS12Error? {
        do { _ = try PKCS12(file: file, passphrase: "word") } catch { return error }
        return nil
    }

    @Test func `values are counted as the parser would build them`() throws {
        let many = try AuthenticatedFile.sequence { $0.serializeRawBytes(nothings(99)) }
        #expect(ASN1Values.areFew(in: Array(many)[...], limit: 100))
        #expect(!ASN1Values.areFew(in: Array(many)[...], limit: 99))
        #expect(ASN1Values.areFew(in: [], limit: 0))
        for cut: [UInt8] in [[0x30], [0x1F, 0x81], [0x30, 0x85], [0x05, 0x88, 0xFF], [0x04, 0x05, 0x00]] {
            #expect(ASN1Values.areFew(in: cut[...], limit: 2))
        }
        // A length with leading zeros, or none, must not hide the values behind it.
        let padded = [0x24, 0x88, 0, 0, 0, 0, 0, 0, 0, 0xFF] + nothings(50)
        #expect(!ASN1Values.areFew(in: padded[...], limit: 50))
        #expect(!ASN1Values.areFew(in: ([0x30, 0x80] + nothings(50))[...], limit: 50))
    }

    // Rule: values of DER are counted before a node is built for each | limit times 1,000
    // Rule: keys have at most 64 KiB of DER, certificates 65,536 values, files 10,000 certificates | each limit times
    //   1,000 | keys; also "a certificate of more values than any has is none", "ten thousand certificates are the
    //   most"
    @Test func `nothing but small values is refused before it is built`() throws {
        let many = try AuthenticatedFile.sequence { $0.serializeRawBytes(nothings(400_000)) }
        #expect(refusal(many) == .tooLarge)
        #expect(refusal(try AuthenticatedFile.file(around: many, "word")) == .tooLarge)
        #expect(throws: KeyMaterialError.tooLarge) { try KeyMaterial(privateKeyDER: many) }
        #expect(throws: KeyMaterialError.tooLarge) { try KeyMaterial(subjectPublicKeyInfo: many) }
        #expect(throws: KeyMaterialError.tooLarge) { try KeyMaterial(.rsa, .public, externalRepresentation: many) }
    }

    /// Of the shape of a certificate, with this many extensions.
    private func certificate(extensions count: Int) throws -> [UInt8] {
        let empty: [UInt8] = [0x30, 0x00]
        let algorithm: [UInt8] = [0x30, 0x03, 0x06, 0x01, 0x2A]
        let other: [UInt8] = [0x30, 0x06, 0x06, 0x02, 0x2A, 0x03, 0x04, 0x00]
        let date: [UInt8] = [0x17, 0x0D] + Array("261121000000Z".utf8)
        let bits: [UInt8] = [0x03, 0x01, 0x00]
        return Array(
            try AuthenticatedFile.sequence { certificate in
                certificate.appendConstructedNode(identifier: .sequence) { body in
                    body.serializeRawBytes([0xA0, 0x03, 0x02, 0x01, 0x02, 0x02, 0x01, 0x01] + algorithm + empty)
                    body.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(date + date) }
                    body.serializeRawBytes(empty + [0x30, 0x08] + algorithm + bits)
                    body.appendConstructedNode(identifier: .init(tagWithNumber: 3, tagClass: .contextSpecific)) { tag in
                        tag.appendConstructedNode(identifier: .sequence) { extensions in
                            for _ in 0..<count { extensions.serializeRawBytes(other) }
                        }
                    }
                }
                certificate.serializeRawBytes(algorithm + bits)
            })
    }

    @Test func `a certificate of more values than any has is none`() throws {
        #expect(CertificateFields(der: try certificate(extensions: 1000))?.extensions.count == 1000)
        #expect(CertificateFields(der: try certificate(extensions: 65_536)) == nil)
    }

    /// A safe of bags: each a type and a value.
    private func file(of bags: [(ASN1ObjectIdentifier, Data)]) throws -> Data {
        let contents = try AuthenticatedFile.sequence { sequence in
            for (type, value) in bags {
                try sequence.appendConstructedNode(identifier: .sequence) { bag in
                    try bag.serialize(type)
                    bag.appendConstructedNode(identifier: .init(tagWithNumber: 0, tagClass: .contextSpecific)) {
                        $0.serializeRawBytes(value)
                    }
                }
            }
        }
        let safe = try AuthenticatedFile.sequence { safe in
            try safe.appendConstructedNode(identifier: .sequence) { info in
                try info.serialize([1, 2, 840, 113549, 1, 7, 1] as ASN1ObjectIdentifier)
                try info.serialize(
                    ASN1OctetString(contentBytes: Array(contents)[...]), explicitlyTaggedWithTagNumber: 0,
                    tagClass: .contextSpecific)
            }
        }
        return try AuthenticatedFile.file(around: safe, "word")
    }

    private static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    private static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]

    private func certificate(_ der: Data) throws -> Data {
        try AuthenticatedFile.sequence { bag in
            try bag.serialize([1, 2, 840, 113549, 1, 9, 22, 1] as ASN1ObjectIdentifier)
            try bag.serialize(
                ASN1OctetString(contentBytes: Array(der)[...]), explicitlyTaggedWithTagNumber: 0,
                tagClass: .contextSpecific)
        }
    }

    // Rule: a key that occurs in a file twice is one key | as often as it occurs there
    @Test func `a key that occurs in a file several times counts once, and a thousand keys are too many`() throws {
        let key = Data(try #require(VectorFile.all(of: "Key")["pkcs8-good"]?.files["key"]))
        // The code over the contents is the thousandth part that costs something.
        let copies = try PKCS12(file: try file(of: (0..<999).map { _ in (Self.keyBag, key) }), passphrase: "word")
        #expect(copies.keys.count == 1)
        #expect(refusal(try file(of: (0..<1000).map { _ in (Self.keyBag, key) })) == .malformed)
    }

    @Test func `ten thousand certificates are the most`() throws {
        let value = try certificate(Data([0x30, 0x00]))
        let most = 10_000
        let read = try PKCS12(
            file: try file(of: (0..<most).map { _ in (Self.certificateBag, value) }), passphrase: "word")
        #expect(read.certificates.count == most)
        #expect(refusal(try file(of: (0...most).map { _ in (Self.certificateBag, value) })) == .tooLarge)
    }
}
