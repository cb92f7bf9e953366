// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SecurityTypes
import TestSupport
import Testing

/// A certificate of version 3 with four extensions, made for these tests with openssl. Its key was not kept.
private let sample =
    Data(
        base64Encoded: """
            MIIB1TCCAXugAwIBAgIULfK5NDatOzxNQQVNEc+jWJr1krkwCgYIKoZIzj0EAwIwMjETMBEGA1UEAwwKWmFtb2sgdGVzdDEOMAwG\
            A1UECgwFWmFtb2sxCzAJBgNVBAYTAlJVMCAXDTI2MTEyMTA5MDgwOFoYDzIxMjYxMDI4MDkwODA4WjAyMRMwEQYDVQQDDApaYW1v\
            ayB0ZXN0MQ4wDAYDVQQKDAVaYW1vazELMAkGA1UEBhMCUlUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQVAXDv1eKGjI514Ghl\
            +FtD31+CFr74D3vn4zkJ75KguidxV0U9YM9WQJmN2/ggzV/PasvWkT+wQxA/VVrvSmQeo20wazAdBgNVHQ4EFgQUvhKadTdNWgfn\
            3pMbHLy+Sg/1P5wwHwYDVR0jBBgwFoAUvhKadTdNWgfn3pMbHLy+Sg/1P5wwDwYDVR0TAQH/BAUwAwEB/zAYBgNVHREEETAPgQ1h\
            QGV4YW1wbGUub3JnMAoGCCqGSM49BAMCA0gAMEUCIQC5mmPTKxE4Fi6vUcc95b8VA1EDv/ih1Yjfe+/1uv6usAIgTcNoYpPd+y6J\
            6NK5G0GTEViQ1JMSmKt9QX5uIvYyrG8=
            """) ?? Data()

@Suite struct SecCertificateTests {
    private func certificate(_ der: Data) -> SecCertificate? { SecCertificateCreateWithData(nil, der as CFData) }

    private func changed(at offset: Int, to byte: UInt8) -> Data {
        var der = sample
        der[offset] = byte
        return der
    }

    @Test func `a certificate gives back its own bytes`() throws {
        let made = try #require(certificate(sample))
        #expect(SecCertificateCopyData(made) as Data == sample)
        #expect(SecCertificateCreateWithData(kCFAllocatorDefault, sample as CFData) != nil)
    }

    @Test func `certificates of the same bytes are equal`() throws {
        let left = try #require(certificate(sample))
        let right = try #require(certificate(sample))
        #expect(left == right)
        #expect(left.hash == right.hash)
        #expect(!left.isEqual("certificate"))
        let other = try #require(certificate(changed(at: 472, to: 0x70)))
        #expect(left != other)
    }

    @Test func `its parts are those of the file`() throws {
        let fields = try #require(certificate(sample)).fields
        #expect(fields.version == 3)
        #expect(fields.serialNumber.count == 20)
        #expect(fields.serialNumber.prefix(4) == [0x2D, 0xF2, 0xB9, 0x34])
        #expect(fields.issuer == Array(sample[47..<99]))
        #expect(fields.subject == Array(sample[133..<185]))
        #expect(fields.subjectPublicKeyInfo == Array(sample[185..<276]))
        #expect(fields.extensions.count == 4)
    }

    @Test func `every shorter or longer run of bytes is none`() {
        for length in 0..<sample.count { #expect(certificate(sample.prefix(length)) == nil, "\(length)") }
        #expect(certificate(sample + [0]) == nil)
        #expect(certificate(sample + sample) == nil)
    }

    @Test(arguments: [
        (0, 0x31), (4, 0x31), (8, 0xA1), (12, 0x03), (12, 0xFF), (13, 0x04), (35, 0x31), (47, 0x31), (99, 0x31),
        (101, 0x04),
        (133, 0x31), (185, 0x31), (276, 0xA4), (387, 0x31), (399, 0x04),
    ])
    func `a part of another kind makes it none`(offset: Int, byte: Int) {
        #expect(certificate(changed(at: offset, to: UInt8(byte))) == nil)
    }

    @Test(arguments: [
        Data(), Data([0x30, 0x00]), Data("certificate".utf8), Data(repeating: 0x30, count: 4096),
        Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), Data([0x30, 0x80, 0x00, 0x00]),
    ])
    func `garbage is none`(garbage: Data) {
        #expect(certificate(garbage) == nil)
    }

    @Test func `hostile bytes are read or refused, and what is read is kept whole`() {
        let environment = ProcessInfo.processInfo.environment
        var mutator = Mutator(corpus: [Array(sample)], seed: FuzzBudget.seed(environment: environment))
        for _ in 0..<FuzzBudget.inputs(environment: environment, bounded: 20_000) {
            let bytes = Data(mutator.next())
            if let made = certificate(bytes) { #expect(SecCertificateCopyData(made) as Data == bytes) }
        }
    }
}
