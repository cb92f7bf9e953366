// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

/// The transport encryption of secrets between one client and this process.
struct SecretSession: Sendable {
    enum Algorithm: String {
        case plain
        case agreement = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
    }

    /// The client's name on the bus.
    let owner: String
    let path: String
    /// The shared key. Nil: secrets are sent in plaintext.
    private let key: Secret?

    private static let vectorCount = 16

    /// Opens a session. Returns it with the output for the client. Errors: `.notSupported`, `.arguments`.
    static func open(
        _ algorithm: String, _ input: BusValue, owner: String, path: String
    ) throws -> (session: SecretSession, output: BusValue) {
        switch Algorithm(rawValue: algorithm) {
        case .plain:
            guard input.text == "" else { throw BusFailure.arguments("a plain session begins with an empty text") }
            return (SecretSession(owner: owner, path: path, key: nil), .text(""))
        case .agreement:
            guard let peer = input.bytes, (1...128).contains(peer.count) else {
                throw BusFailure.arguments("the session begins with a public number of 1 to 128 bytes")
            }
            if let problem = SessionCrypto.problem { throw BusFailure.notSupported(problem) }
            guard let (own, key) = try SessionCrypto.agreement(with: peer) else {
                throw BusFailure.arguments("the public number is none of the group")
            }
            return (SecretSession(owner: owner, path: path, key: key), .bytes(try Secret(copying: own)))
        case nil: throw BusFailure.notSupported("sessions are plain or dh-ietf1024-sha256-aes128-cbc-pkcs7")
        }
    }

    /// Encodes a secret as the structure in which it is sent.
    func seal(_ secret: Secret, contentType: String) throws -> BusValue {
        guard let key else {
            return .structure([.path(path), .bytes(try Secret(copying: [])), .bytes(secret), .text(contentType)])
        }
        let vector = Secret(try SecretBytes.random(count: Self.vectorCount))
        guard let sealed = try SessionCrypto.cbc(encrypts: true, secret, key: key, vector: vector) else {
            throw BusFailure.failed
        }
        return .structure([.path(path), .bytes(vector), .bytes(sealed), .text(contentType)])
    }

    /// Decodes the parameters and value of such a structure. Errors: `.arguments`.
    func open(_ parameters: Secret, _ value: Secret) throws -> Secret {
        guard let key else {
            guard parameters.count == 0 else { throw BusFailure.arguments("a plain session has no parameters") }
            return value
        }
        guard let secret = try SessionCrypto.cbc(encrypts: false, value, key: key, vector: parameters) else {
            throw BusFailure.arguments("the secret was not encrypted for this session")
        }
        return secret
    }
}
