// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Readers
import SecurityTypes
import SwiftASN1

/// A certificate request (PKCS#10, RFC 2986): a name and a public key, signed by the private key.
package struct CertificateRequest: Sendable {
    /// The parts of a name: openssl's keyword and the type.
    private static let types: [String: ASN1ObjectIdentifier] = [
        "CN": [2, 5, 4, 3], "C": [2, 5, 4, 6], "L": [2, 5, 4, 7], "ST": [2, 5, 4, 8], "O": [2, 5, 4, 10],
        "OU": [2, 5, 4, 11], "emailAddress": [1, 2, 840, 113549, 1, 9, 1],
    ]

    private let subject: [(type: ASN1ObjectIdentifier, value: String)]
    private let hosts: [String]

    /// Bytes of the longest value of a name. RFC 5280, appendix A.1, allows 64 characters for a common name, and more
    /// for others.
    private static let valueLimit = 256
    private static let hostLimit = 253

    /// Whether a text can be a host name (RFC 1123, 2.1): labels of letters, digits and hyphens, the last one not
    /// a number.
    /// Underscores are allowed too, and an asterisk as the first label.
    private static func isHost(_ text: String) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels[0] == "*" { labels.removeFirst() }
        guard text.utf8.count <= hostLimit, let last = labels.last, !last.allSatisfy(\.isNumber) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        }
    }

    /// The parts between slashes, as openssl reads them. A backslash escapes the next character.
    private static func parts(of subject: String) throws(KeychainError) -> [String] {
        guard subject.first == "/" else {
            throw KeychainError(.parameter, "a subject looks like /O=Zamok/CN=example.com")
        }
        var parts = [""]
        var isEscaped = false
        for character in subject.dropFirst() {
            switch character {
            case _ where isEscaped:
                parts[parts.count - 1].append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "/": parts.append("")
            case "+":
                throw KeychainError(
                    .parameter,
                    "a + joins two parts of a name to one, which isn't done here; for the sign itself write \\+")
            default: parts[parts.count - 1].append(character)
            }
        }
        guard !isEscaped else { throw KeychainError(.parameter, "the subject ends with a backslash") }
        return parts
    }

    /// Whether a text has no control character, and none that changes the direction of the following text.
    private static func isPlain(_ text: String) -> Bool {
        !text.unicodeScalars.contains {
            [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
    }

    /// `subject` in openssl's form: `/O=Zamok/CN=client`. `hosts`: host names and addresses for the subject's
    /// alternative name. Errors: `.parameter`.
    package init(subject: String, hosts: [String]) throws(KeychainError) {
        var parts: [(type: ASN1ObjectIdentifier, value: String)] = []
        for part in try Self.parts(of: subject) {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let type = Self.types[pair[0]], pair[1].utf8.count <= Self.valueLimit,
                Self.isPlain(pair[1]),
                pair[0] != "C" || pair[1].utf8.count == 2 && pair[1].allSatisfy({ $0.isASCII && $0.isLetter }),
                pair[0] != "CN" || pair[1].unicodeScalars.count <= 64,
                pair[0] != "emailAddress" || pair[1].allSatisfy(\.isASCII)
            else {
                throw KeychainError(
                    .parameter,
                    "a subject has parts like /CN=example.com, of \(Self.types.keys.sorted().joined(separator: ", ")); C has two letters, CN at most 64"
                )
            }
            parts.append((type, pair[1]))
        }
        for host in hosts where Self.address(host) == nil && !Self.isHost(host) {
            throw KeychainError(
                .parameter,
                "a host is a name in ASCII or an address, without a port, brackets or a zone; write others in Punycode (xn--)"
            )
        }
        (self.subject, self.hosts) = (parts, hosts)
    }

    /// The request in PEM. Errors: `.parameter` for keys that can't sign.
    package func pem(signedBy key: KeyMaterial) throws -> String {
        guard let algorithm = key.certificateSignature, let publicKey = key.publicKey else {
            throw KeychainError(.parameter, "keys of this type don't sign; name another one")
        }
        let body = DERBytes.sequence([
            DERBytes.value(0x02, [0]), name, Array(publicKey.interchangeRepresentation), attributes,
        ])
        return PEMBlock("CERTIFICATE REQUEST", Data(try Self.signed(body, algorithm, key))).text
    }

    /// A self-signed certificate (RFC 5280), in DER: for servers and clients, not for signing other certificates.
    /// `seconds`: the period of validity, since 2001.
    /// Errors: `.parameter` for keys that can't sign, and for times that certificates can't represent.
    package func certificate(signedBy key: KeyMaterial, seconds: ClosedRange<Double>) throws -> [UInt8] {
        guard let algorithm = key.certificateSignature, let publicKey = key.publicKey,
            let hash = publicKey.publicKeyHash
        else { throw KeychainError(.parameter, "keys of this type don't sign; name another one") }
        guard let first = Self.time(seconds.lowerBound), let last = Self.time(seconds.upperBound) else {
            throw KeychainError(.parameter, "a certificate holds from 1950 to 9999")
        }
        // A positive number of 16 bytes.
        let serial = [UInt8.random(in: 0x40...0x7F)] + (0..<15).map { _ in UInt8.random(in: 0...255) }
        let uses = [[1, 3, 6, 1, 5, 5, 7, 3, 1], [1, 3, 6, 1, 5, 5, 7, 3, 2]] as [ASN1ObjectIdentifier]
        var extensions = [
            Self.extension([2, 5, 29, 19], isCritical: true, DERBytes.sequence([])),
            // `digitalSignature`.
            Self.extension([2, 5, 29, 15], isCritical: true, [0x03, 2, 7, 0x80]),
            Self.extension([2, 5, 29, 37], DERBytes.sequence(uses.map { DERBytes.identifier($0) })),
            Self.extension([2, 5, 29, 14], DERBytes.value(0x04, hash)),
        ]
        if !hosts.isEmpty { extensions.append(alternative) }
        let body = DERBytes.sequence([
            DERBytes.value(0xA0, DERBytes.value(0x02, [2])), DERBytes.integer(serial), algorithm, name,
            DERBytes.sequence([first, last]), name, Array(publicKey.interchangeRepresentation),
            DERBytes.value(0xA3, DERBytes.sequence(extensions)),
        ])
        return try Self.signed(body, algorithm, key)
    }

    private static func signed(_ body: [UInt8], _ algorithm: [UInt8], _ key: KeyMaterial) throws -> [UInt8] {
        let signature = try key.signCertificate(Data(body))
        return DERBytes.sequence([body, algorithm, DERBytes.value(0x03, [0] + Array(signature))])
    }

    private var name: [UInt8] {
        DERBytes.sequence(
            subject.map { part in
                DERBytes.value(0x31, DERBytes.sequence([DERBytes.identifier(part.type), Self.text(part)]))
            })
    }

    /// UTCTime up to 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5); nil if neither can represent it.
    private static func time(_ seconds: Double) -> [UInt8]? {
        guard let digits = CalendarTime.digits(of: seconds), digits >= "1950" else { return nil }
        return digits < "2050"
            ? DERBytes.value(0x17, Array(digits.dropFirst(2).utf8)) : DERBytes.value(0x18, Array(digits.utf8))
    }

    private static func `extension`(
        _ type: ASN1ObjectIdentifier, isCritical: Bool = false, _ value: [UInt8]
    ) -> [UInt8] {
        DERBytes.sequence(
            [DERBytes.identifier(type)] + (isCritical ? [[0x01, 1, 0xFF]] : []) + [DERBytes.value(0x04, value)])
    }

    /// The subjectAltName of the hosts.
    private var alternative: [UInt8] {
        let names = DERBytes.sequence(
            hosts.map { host in
                Self.address(host).map { DERBytes.value(0x87, $0) } ?? DERBytes.value(0x82, Array(host.utf8))
            })
        return Self.extension([2, 5, 29, 17], names)
    }

    /// [0], with the requested extensions.
    private var attributes: [UInt8] {
        guard !hosts.isEmpty else { return DERBytes.value(0xA0, []) }
        let request: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 14]
        return DERBytes.value(
            0xA0,
            DERBytes.sequence([
                DERBytes.identifier(request), DERBytes.value(0x31, DERBytes.sequence([alternative])),
            ]))
    }

    private static func text(_ part: (type: ASN1ObjectIdentifier, value: String)) -> [UInt8] {
        let tag: UInt8 = part.type == types["C"] ? 0x13 : part.type == types["emailAddress"] ? 0x16 : 0x0C
        return DERBytes.value(tag, Array(part.value.utf8))
    }

    /// The bytes of a numeric address; nil for other texts. Numbers with a leading zero are refused, because some
    /// programs read them as octal.
    private static func address(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.allSatisfy(\.isASCII) && part.first != "+" && (part.count == 1 || part.first != "0")
                ? UInt8(part) : nil
        }
        if parts.count == 4, bytes.count == 4 { return bytes }
        return text.contains(":") ? longAddress(text) : nil
    }

    private static func longAddress(_ text: String) -> [UInt8]? {
        let halves = text.components(separatedBy: "::")
        guard halves.count <= 2 else { return nil }
        var groups: [[UInt8]] = []
        for half in halves {
            var bytes: [UInt8] = []
            for group in half.isEmpty ? [] : half.components(separatedBy: ":") {
                guard (1...4).contains(group.utf8.count), group.first != "+", let number = UInt16(group, radix: 16)
                else { return nil }
                bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
            }
            groups.append(bytes)
        }
        let count = groups.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? count <= 14 : count == 16 else { return nil }
        return groups[0] + [UInt8](repeating: 0, count: 16 - count) + (halves.count == 2 ? groups[1] : [])
    }
}

extension KeyMaterial {
    /// The AlgorithmIdentifier of its signatures in certificates and requests: SHA-2 of a length that matches the key.
    /// Nil if the key can't sign.
    fileprivate var certificateSignature: [UInt8]? {
        switch self {
        case .p256, .tpm: DERBytes.sequence([DERBytes.identifier([1, 2, 840, 10045, 4, 3, 2])])
        case .p384: DERBytes.sequence([DERBytes.identifier([1, 2, 840, 10045, 4, 3, 3])])
        case .p521: DERBytes.sequence([DERBytes.identifier([1, 2, 840, 10045, 4, 3, 4])])
        case .rsa:
            DERBytes.sequence([DERBytes.identifier([1, 2, 840, 113549, 1, 1, 11]), DERBytes.value(0x05, [])])
        case .ed25519: DERBytes.sequence([DERBytes.identifier([1, 3, 101, 112])])
        default: nil
        }
    }

    fileprivate func signCertificate(_ body: Data) throws -> Data {
        if case .ed25519(let key) = self { return try key.signature(for: body) }
        let hash = [256: "SHA256", 384: "SHA384", 521: "SHA512"][sizeInBits] ?? "SHA256"
        let words = family == .rsa ? "algid:sign:RSA:message-PKCS1v15:SHA256" : "algid:sign:ECDSA:message-X962:\(hash)"
        guard let algorithm = KeyAlgorithm(words) else { throw KeyMaterialError.unsupported }
        return try sign(body, algorithm)
    }
}
