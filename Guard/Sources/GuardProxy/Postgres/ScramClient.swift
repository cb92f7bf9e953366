// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), with the channel binding tls-server-end-point (RFC 5929)
/// where TLS and the server have it. One log-in.
package struct ScramClient {
    package enum Binding: Equatable, Sendable {
        /// No TLS.
        case none
        /// TLS, but the server, which was asked, has no channel binding.
        case notOffered
        /// The hash of the server's certificate.
        case certificate([UInt8])

        /// The header of GSS (RFC 5801).
        var header: String {
            switch self {
            case .none: "n,,"
            case .notOffered: "y,,"
            case .certificate: "p=tls-server-end-point,,"
            }
        }

        fileprivate var bytes: [UInt8] {
            guard case .certificate(let hash) = self else { return Array(header.utf8) }
            return Array(header.utf8) + hash
        }
    }

    /// A log-in with fewer rounds would let its server, or a program that reads along, try passwords fast (RFC 7677:
    /// at least 4,096). More than these would only take time.
    package static let rounds = 4096...1_000_000

    private let binding: Binding
    private let bare: String
    private let nonce: String
    private var signature: [UInt8] = []

    /// `user`: PostgreSQL takes it from the start of the session, and wants none here.
    package init(_ binding: Binding, nonce: String, user: String = "") {
        (self.binding, self.nonce, bare) = (binding, nonce, "n=\(user),r=\(nonce)")
    }

    /// 144 random bits.
    package static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64((0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    package var first: [UInt8] { Array((binding.header + bare).utf8) }

    /// What the server asks for: all of its first message, the nonce of both, the salt, and the rounds.
    package struct Challenge: Sendable {
        fileprivate let text: String
        fileprivate let nonce: String
        package let salt: [UInt8]
        package let rounds: Int
    }

    /// Reads the server's first message. Errors: it breaks the protocol, or asks for a number of rounds that is
    /// refused.
    package func challenge(_ bytes: [UInt8]) throws(Refusal) -> Challenge {
        guard let text = String(validating: bytes, as: UTF8.self), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Self.malformed }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].hasPrefix("r="), parts[1].hasPrefix("s="), parts[2].hasPrefix("i="),
            parts[0].dropFirst(2).hasPrefix(nonce), parts[0].utf8.count > nonce.utf8.count + 2,
            let salt = Self.bytes(String(parts[1].dropFirst(2))), !salt.isEmpty,
            parts[2].utf8.dropFirst(2).allSatisfy({ (48...57).contains($0) }), let rounds = Int(parts[2].dropFirst(2))
        else { throw Self.malformed }
        guard Self.rounds.contains(rounds) else {
            throw Refusal(
                502,
                "the server asks for \(rounds) rounds of SCRAM; \(Self.rounds.lowerBound) to \(Self.rounds.upperBound) are taken"
            )
        }
        return Challenge(text: text, nonce: String(parts[0].dropFirst(2)), salt: salt, rounds: rounds)
    }

    /// Hi of RFC 5802. The caller overwrites it.
    package static func salted(_ password: [UInt8], _ challenge: Challenge) -> [UInt8] {
        let key = SymmetricKey(data: password)
        let begun = HMAC<SHA256>(key: key)
        var mac = begun
        mac.update(data: challenge.salt + [0, 0, 0, 1])
        var last = Array(mac.finalize())
        var result = last
        for _ in 1..<challenge.rounds {
            mac = begun
            mac.update(data: last)
            last = Array(mac.finalize())
            for index in result.indices { result[index] ^= last[index] }
        }
        last.wipe()
        return result
    }

    /// The client's last message.
    package mutating func final(_ challenge: Challenge, _ salted: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: salted)
        let mac = { (text: String) in Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)) }
        let without = "c=\(Self.base64(binding.bytes)),r=\(challenge.nonce)"
        let signed = Array("\(bare),\(challenge.text),\(without)".utf8)
        var clientKey = mac("Client Key")
        var serverKey = mac("Server Key")
        let stored = SymmetricKey(data: Array(SHA256.hash(data: clientKey)))
        let proof = zip(clientKey, HMAC<SHA256>.authenticationCode(for: signed, using: stored)).map { $0 ^ $1 }
        signature = Array(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: serverKey)))
        clientKey.wipe()
        serverKey.wipe()
        return Array("\(without),p=\(Self.base64(proof))".utf8)
    }

    /// Checks that the server knows the password, too. Errors: it doesn't.
    package func verify(_ bytes: [UInt8]) throws(Refusal) {
        guard !signature.isEmpty, bytes == Array("v=\(Self.base64(signature))".utf8) else {
            throw Refusal(502, "the server does not show that it knows the password")
        }
    }

    private static let malformed = Refusal(502, "the server speaks SCRAM in another way than RFC 5802")

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func bytes(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
