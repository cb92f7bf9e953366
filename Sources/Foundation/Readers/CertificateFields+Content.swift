// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

extension CertificateFields {
    /// The public key's bits: PKCS#1 of an RSA key, the point of an elliptic-curve key. nil when they can't be found.
    package var publicKeyBits: [UInt8]? { (try? publicKey).map { Array($0.bits) } }

    /// The subject's name in the form that is compared.
    package var normalizedSubject: [UInt8] { Self.normalized(subject) }

    /// The issuer's name in the form that is compared.
    package var normalizedIssuer: [UInt8] { Self.normalized(issuer) }

    /// A name that can't be read stays as it is.
    private static func normalized(_ name: [UInt8]) -> [UInt8] {
        DistinguishedName.normalizedContent(of: name) ?? name
    }

    /// The extension subjectKeyIdentifier (RFC 5280, 4.2.1.2).
    package var subjectKeyIdentifier: [UInt8]? {
        value(ofExtension: .subjectKeyIdentifier).flatMap { try? DER.parse($0).octets() }
    }

    /// The last common name of the subject.
    package var commonName: String? { subjectName?.last(.commonName) }

    /// Mail addresses of the subject alternative name, then those of the subject.
    package var emailAddresses: [String] {
        alternativeNames(1) + (subjectName?.all(.emailAddress) ?? [])
    }

    /// The subject in a few words: common name (with the description, where there is one), otherwise the unit, the
    /// organization, the description, a mail address, a host. nil when it has none of these.
    package var summary: String? {
        guard let name = subjectName else { return emailAddresses.first ?? alternativeNames(2).first }
        let description = name.last(.nameDescription)
        if let common = name.last(.commonName) { return description.map { "\(common) (\($0))" } ?? common }
        return name.last(.organizationalUnit) ?? name.last(.organization) ?? description ?? emailAddresses.first
            ?? alternativeNames(2).first
    }

    private var subjectName: DistinguishedName? { try? DistinguishedName(derEncoded: subject) }

    /// Names of one kind in subjectAltName (RFC 5280, 4.2.1.6): 1 mail addresses, 2 hosts.
    private func alternativeNames(_ number: UInt) -> [String] {
        guard let value = value(ofExtension: .subjectAlternativeName) else { return [] }
        return Self.names(inAlternativeName: value).filter { $0.kind == number }
            .compactMap { String(validUTF8: $0.bytes) }
    }

    /// The octets of the first extension of this kind.
    private func value(ofExtension type: ASN1ObjectIdentifier) -> ArraySlice<UInt8>? {
        extensions.lazy.compactMap { try? Extension(derEncoded: $0) }.first { $0.type == type }?.value
    }
}

// MARK: Parts of parts

extension CertificateFields {
    /// SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
    package struct PublicKey: Sendable, DERParseable {
        package let algorithm: ASN1ObjectIdentifier
        /// The curve of a key on an elliptic curve.
        package let curve: ASN1ObjectIdentifier?
        /// The key alone.
        package let bits: ArraySlice<UInt8>

        package init(derEncoded node: ASN1Node) throws {
            let parts = try node.parts(2...2)
            let identifier = try CertificateFields.algorithmParts(parts[0])
            algorithm = try ASN1ObjectIdentifier(derEncoded: identifier[0])
            curve = identifier.count > 1 ? try? ASN1ObjectIdentifier(derEncoded: identifier[1]) : nil
            let key = try ASN1BitString(derEncoded: parts[1])
            guard key.paddingBits == 0 else { throw ReadingError.malformed("a key of broken bytes") }
            bits = key.bytes
        }
    }

    package var publicKey: PublicKey { get throws { try PublicKey(derEncoded: subjectPublicKeyInfo) } }

    /// What an AlgorithmIdentifier names.
    package static func algorithm(_ encoded: ArraySlice<UInt8>) throws -> ASN1ObjectIdentifier {
        try ASN1ObjectIdentifier(derEncoded: algorithmParts(DER.parse(encoded))[0])
    }

    /// AlgorithmIdentifier (RFC 5280, 4.1.1.2): the identifier, and parameters of its own.
    fileprivate static func algorithmParts(_ node: ASN1Node) throws -> [ASN1Node] {
        guard node.identifier == .sequence else { throw ReadingError.malformed("an algorithm that is no sequence") }
        return try node.parts(1...2)
    }
}

extension ASN1ObjectIdentifier {
    package static let subjectKeyIdentifier: Self = [2, 5, 29, 14]
    static let subjectAlternativeName: Self = [2, 5, 29, 17]
}
#endif
