// SPDX-License-Identifier: Apache-2.0

package import Foundation
import KeychainEngine
import Readers
package import Sealing
package import SecretMemory

/// A generator of one-time codes: an `otpauth://` URI, as QR codes contain it.
/// Its codes depend on the time (RFC 6238) or on a counter (RFC 4226).
package struct OneTimeCode: Sendable {
    /// The value that a code depends on besides the key.
    package enum Moment: Equatable, Sendable {
        /// The time. `period`: the number of seconds that a code is valid.
        case time(period: Int)
        /// The number of codes made so far.
        case counter(UInt64)
    }

    private static let scheme = Array("otpauth://".utf8)

    package let moment: Moment
    package let digits: Int
    /// The issuer and the account, for display. May be empty.
    package let label: String
    private let hash: OneTimeHash
    private let key: Secret
    /// The position of the counter's digits in the URI.
    private let counterPlace: Range<Int>?

    /// Reads a URI. Errors: `.parameter`, whose message shows nothing of the URI.
    package init(_ uri: Secret) throws {
        guard let text = try Self.text(uri) else { throw Self.refused("it is not an otpauth:// URI") }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1)
        let place = (parts.first ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = place.first?.lowercased()
        // The values are still percent-encoded.
        let fields = (parts.count < 2 ? "" : parts[1].prefix { $0 != "#" }).split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            return (name: (name.removingPercentEncoding ?? name).lowercased(), value: pair.count > 1 ? pair[1] : "")
        }
        func raw(_ name: String) -> Substring? { fields.first { $0.name == name }?.value }
        func field(_ name: String) -> String? { raw(name).map { $0.removingPercentEncoding ?? String($0) } }
        guard let hash = OneTimeHash(rawValue: field("algorithm")?.uppercased() ?? "SHA1") else {
            throw Self.refused("its algorithm is not SHA1, SHA256 or SHA512")
        }
        guard let digits = Int(field("digits") ?? "6"), (6...8).contains(digits) else {
            throw Self.refused("its digits are not 6, 7 or 8")
        }
        guard let key = field("secret").flatMap(Base32.bytes), !key.isEmpty else {
            throw Self.refused("its secret is missing, or is not Base32")
        }
        switch kind {
        case "totp":
            guard let period = Int(field("period") ?? "30"), (1...86_400).contains(period) else {
                throw Self.refused("its period is not a number of seconds up to a day")
            }
            moment = .time(period: period)
            counterPlace = nil
        case "hotp":
            guard let digits = raw("counter"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let counter = UInt64(digits)
            else { throw Self.refused("its counter is missing, or not a number in plain digits") }
            moment = .counter(counter)
            let begin = text.utf8.distance(from: text.startIndex, to: digits.startIndex)
            counterPlace = begin..<begin + digits.utf8.count
        default: throw Self.refused("it is neither totp nor hotp")
        }
        self.hash = hash
        self.digits = digits
        self.key = try Secret(copying: key)
        let name = place.count > 1 ? String(place[1]) : ""
        label = name.removingPercentEncoding ?? name
    }

    /// Whether a secret begins like an `otpauth://` URI.
    package static func isOne(_ secret: Secret) throws -> Bool { try text(secret) != nil }

    /// The code at this time. Codes by counter ignore the time.
    package func code(at date: Date) throws -> String {
        try key.withSecretBytes { try Self.code(try number(date), hash: hash, digits: digits, key: $0) }
    }

    /// Seconds until the next code. Nil for codes by counter.
    package func secondsLeft(at date: Date) -> Int? {
        guard case .time(let period) = moment else { return nil }
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        return period - seconds % period
    }

    /// The URI with the counter incremented, to be stored before a code is shown. Nil for codes by time.
    /// Errors: `.parameter` if the counter is at its maximum.
    package func next(_ uri: Secret) throws -> Secret? {
        guard case .counter(let counter) = moment, let place = counterPlace else { return nil }
        guard counter < .max else { throw Self.refused("its counter has come to its end") }
        let bytes = try [UInt8](exposing: uri)
        return try Secret(
            copying: bytes[..<place.lowerBound] + Array("\(counter + 1)".utf8) + bytes[place.upperBound...])
    }

    private func number(_ date: Date) throws -> UInt64 {
        switch moment {
        case .counter(let counter): return counter
        case .time(let period):
            guard let seconds = UInt64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
                throw Self.refused("the clock is set to a time before 1970")
            }
            return seconds / UInt64(period)
        }
    }

    /// The truncation of RFC 4226, section 5.3.
    package static func code(
        _ number: UInt64, hash: OneTimeHash, digits: Int, key: borrowing SecretBytes
    ) throws -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let code = try hash.code(for: message, under: key)
        let offset = Int((code.last ?? 0) & 15)
        let word = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let limit: UInt32 = (0..<digits).reduce(1) { limit, _ in limit * 10 }
        let text = String(word % limit)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The URI as text. Nil: the secret isn't such a URI.
    private static func text(_ secret: Secret) throws -> String? {
        guard secret.count > scheme.count, secret.count <= 8192 else { return nil }
        let begins = try secret.withBytes { span in
            scheme.indices.allSatisfy { (span.bigEndian(at: $0, as: UInt8.self) ?? 0) | 0x20 == scheme[$0] | 0x20 }
        }
        guard begins, let text = try String(exposing: secret) else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func refused(_ why: String) -> KeychainError {
        KeychainError(.parameter, "the item makes no one-time codes: \(why)")
    }
}

/// Base32 (RFC 4648, section 6) as users type it. Accepts lower case, spaces, hyphens and missing padding.
enum Base32 {
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bits) = (UInt32(0), 0)
        for scalar in text.unicodeScalars where scalar != " " && scalar != "-" && scalar != "=" {
            let value: UInt32
            switch scalar {
            case "A"..."Z": value = scalar.value - 65
            case "a"..."z": value = scalar.value - 97
            case "2"..."7": value = scalar.value - 24
            default: return nil
            }
            buffer = buffer << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= (1 << UInt32(bits)) - 1
            }
        }
        return bytes
    }
}
