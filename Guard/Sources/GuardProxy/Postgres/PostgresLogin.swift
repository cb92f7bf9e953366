// SPDX-License-Identifier: Apache-2.0

/// The log-in to a server of PostgreSQL: by SCRAM-SHA-256, and by nothing else.
package struct PostgresLogin {
    package enum Step {
        /// Nothing is to be done until the next message.
        case wait
        case send([UInt8])
        /// The password has to be salted: ``answer(_:)`` is next.
        case salt(ScramClient.Challenge)
        case done
    }

    /// Bytes of a message of the log-in.
    package static let limit = 64 << 10

    private enum Stage { case began, asked, answered, verified }

    /// TLS's, as it is known before the server says whether it has one.
    private let binding: ScramClient.Binding
    private let nonce: String
    private var stage = Stage.began
    private var scram: ScramClient
    private var challenge: ScramClient.Challenge?
    private var bytes: [UInt8] = []

    /// `binding`: none without TLS, and with certificates for which no hash is specified.
    package init(_ binding: ScramClient.Binding, nonce: String = ScramClient.nonce()) {
        (self.binding, self.nonce) = (binding, nonce)
        scram = ScramClient(binding, nonce: nonce)
    }

    package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    /// Bytes behind the last message that was taken.
    package var rest: [UInt8] { bytes }

    /// Takes the next message. Nil: it is not whole. Errors: why there is no log-in.
    package mutating func next() throws(Refusal) -> Step? {
        guard bytes.count >= 5 else { return nil }
        let size = bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }
        guard (4...Self.limit).contains(size) else { throw Self.malformed }
        guard bytes.count > size else { return nil }
        let (kind, content) = (bytes[0], Array(bytes[5..<size + 1]))
        bytes.removeFirst(size + 1)
        switch kind {
        case UInt8(ascii: "R"): return try take(content)
        // A notice.
        case UInt8(ascii: "N"): return .wait
        case UInt8(ascii: "E"):
            throw Refusal(502, "the server says: \(PostgresMessage.text(content)?.prefix(500) ?? "")")
        default: throw Self.malformed
        }
    }

    private mutating func take(_ content: [UInt8]) throws(Refusal) -> Step {
        guard content.count >= 4 else { throw Self.malformed }
        let rest = Array(content[4...])
        switch (content[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }, stage) {
        case (10, .began): return try begin(rest)
        case (11, .asked):
            stage = .answered
            let challenge = try scram.challenge(rest)
            self.challenge = challenge
            return .salt(challenge)
        case (12, .answered):
            try scram.verify(rest)
            stage = .verified
            return .wait
        case (0, .verified): return .done
        case (0, _): throw Refusal(502, "the server asks for no password, and so does not show that it knows it")
        case (3, _):
            throw Refusal(502, "the server asks for the password in clear text; SCRAM-SHA-256 alone is permitted")
        case (5, _): throw Refusal(502, "the server asks for the password by MD5; SCRAM-SHA-256 alone is permitted")
        default: throw Refusal(502, "the server asks for a log-in other than by SCRAM-SHA-256")
        }
    }

    private mutating func begin(_ list: [UInt8]) throws(Refusal) -> Step {
        let names = list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let (plain, bound) = ("SCRAM-SHA-256", "SCRAM-SHA-256-PLUS")
        let name: String
        if case .certificate = binding, names.contains(bound) {
            name = bound
        } else {
            guard names.contains(plain) else {
                throw Refusal(502, "the server has no SCRAM-SHA-256: \(names.joined(separator: ", ").prefix(200))")
            }
            name = plain
            if case .certificate = binding { scram = ScramClient(.notOffered, nonce: nonce) }
        }
        stage = .asked
        let first = scram.first
        return .send(
            PostgresMessage.framed(
                UInt8(ascii: "p"),
                Array(name.utf8) + [0] + PostgresMessage.integer(UInt32(truncatingIfNeeded: first.count)) + first))
    }

    /// The client's answer to the challenge. `salted`: the salted password.
    package mutating func answer(_ salted: [UInt8]) throws(Refusal) -> [UInt8] {
        guard let challenge, stage == .answered else { throw Self.malformed }
        return PostgresMessage.framed(UInt8(ascii: "p"), scram.final(challenge, salted))
    }

    private static let malformed = Refusal(502, "the server's log-in is not PostgreSQL's")
}
