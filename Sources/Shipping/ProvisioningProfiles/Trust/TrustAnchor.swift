// SPDX-License-Identifier: Apache-2.0

import Readers

/// A pinned root. Only these can end a chain.
struct TrustAnchor: Sendable {
    /// Nil if the bytes are not a certificate or don't match the fingerprint; then nothing verifies under it.
    let certificate: Certificate?
    /// Whether SHA-1 is accepted below this root, if the envelope's rule accepts it too.
    let allowsSHA1: Bool

    init(encoded: [UInt8], fingerprint: String, allowsSHA1: Bool) {
        let read = try? Certificate(encoded: encoded)
        certificate = read.flatMap { String(hexadecimal: $0.fingerprint) == fingerprint ? $0 : nil }
        self.allowsSHA1 = allowsSHA1
    }

    init(_ certificate: Certificate, allowsSHA1: Bool) {
        self.certificate = certificate
        self.allowsSHA1 = allowsSHA1
    }
}

/// The roots for each of the three signed parts.
struct TrustAnchors: Sendable {
    let envelope: [TrustAnchor]
    let derCopy: [TrustAnchor]
    let code: [TrustAnchor]

    /// Apple's. The DER copy must end at G3.
    static let apple = TrustAnchors(
        envelope: [AppleRoots.rootCA, AppleRoots.rootCAG3], derCopy: [AppleRoots.rootCAG3],
        code: [AppleRoots.rootCA, AppleRoots.rootCAG3])
}

/// Custom roots, for profiles made for tests. What verifies under them is a ``CustomVerifiedProfile``, never a
/// ``VerifiedProfile``. All rules but the pinned roots stay: names, marker extensions, key usage and algorithms.
public struct CustomAnchor: Sendable {
    let anchors: TrustAnchors

    /// One set of roots for everything.
    public init(roots: [Certificate]) { self.init(envelopeRoots: roots, derCopyRoots: roots, codeRoots: roots) }

    /// Separate roots for each signed part.
    ///
    /// - Parameters:
    ///   - envelopeRoots: for the outer envelope; SHA-1 is accepted under them, as it is under Apple Root CA.
    ///   - strongEnvelopeRoots: for the outer envelope too; SHA-1 is refused under them, as under Apple Root CA - G3.
    ///   - derCopyRoots: for the DER copy.
    ///   - codeRoots: for code signatures.
    public init(
        envelopeRoots: [Certificate], strongEnvelopeRoots: [Certificate] = [], derCopyRoots: [Certificate],
        codeRoots: [Certificate]
    ) {
        anchors = TrustAnchors(
            envelope: envelopeRoots.map { TrustAnchor($0, allowsSHA1: true) }
                + strongEnvelopeRoots.map { TrustAnchor($0, allowsSHA1: false) },
            derCopy: derCopyRoots.map { TrustAnchor($0, allowsSHA1: false) },
            code: codeRoots.map { TrustAnchor($0, allowsSHA1: false) })
    }

    /// The certificates of a PEM file.
    ///
    /// - Throws: ``ProfileError`` with code `io`, `tooLarge` or `certificate`.
    public init(contentsOf path: String) throws(ProfileError) {
        let bytes = try FileBytes(path).readAll(limit: Certificate.maximumSize, "a file of roots")
        try self.init(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// The certificates of a PEM text.
    ///
    /// - Throws: ``ProfileError`` with code `certificate` if it contains none or one that can't be read.
    public init(pem: String) throws(ProfileError) {
        let encoded = PEMReader.certificates(pem)
        guard !encoded.isEmpty else { throw ProfileError(.certificate, "no certificate between PEM lines") }
        var roots: [Certificate] = []
        for bytes in encoded { roots.append(try Certificate(encoded: bytes)) }
        self.init(roots: roots)
    }
}

private enum PEMReader {
    static func certificates(_ text: String) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN CERTIFICATE-----") {
                body = ""
            } else if line.hasPrefix("-----END CERTIFICATE-----") {
                if let body { found.append(Base64Reader.decode(body.utf8)) }
                body = nil
            } else {
                body?.append(contentsOf: line)
            }
        }
        return found
    }
}
