// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Readers
import SwiftASN1

/// MacData (RFC 7292, 4): the HMAC over the authenticated safe, keyed by the key derivation of appendix B.
struct MacData {
    private enum Hash { case sha1, sha256, sha384, sha512 }

    private let hash: Hash
    private let code: [UInt8]
    private let salt: [UInt8]
    let rounds: Int

    init(_ node: ASN1Node) throws {
        let parts = try node.parts(2...3)
        let digestInfo = try parts[0].parts(2...2)
        hash =
            switch try digestInfo[0].parts(1...2)[0].objectIdentifier() {
            // Older programs write SHA-1. In an HMAC it is still secure.
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            default: throw PKCS12Error.unsupportedEncryption
            }
        code = try digestInfo[1].octets()
        salt = try parts[1].octets()
        rounds = parts.count > 2 ? try parts[2].integer() : 1
        guard (1...PBES2.roundsLimit).contains(rounds), salt.count <= 1024 else { throw PKCS12Error.malformed }
    }

    /// Refuses bytes with another HMAC.
    func check(_ content: [UInt8], passphrase: String) throws {
        // For an empty passphrase some programs use two zero bytes, others none.
        var spelled: [UInt8] = []
        for unit in passphrase.utf16 { spelled += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        spelled += [0, 0]
        if isValid(content, spelled) { return }
        if passphrase.isEmpty, isValid(content, []) { return }
        throw PKCS12Error.wrongPassphrase
    }

    private func isValid(_ content: [UInt8], _ passphrase: [UInt8]) -> Bool {
        switch hash {
        case .sha1: isValid(content, passphrase: passphrase, Insecure.SHA1.self)
        case .sha256: isValid(content, passphrase: passphrase, SHA256.self)
        case .sha384: isValid(content, passphrase: passphrase, SHA384.self)
        case .sha512: isValid(content, passphrase: passphrase, SHA512.self)
        }
    }

    private func isValid<H: HashFunction>(_ content: [UInt8], passphrase: [UInt8], _: H.Type) -> Bool {
        let key = SymmetricKey(data: Self.derivedKey(passphrase, salt: salt, rounds: rounds, H.self))
        return HMAC<H>.isValidAuthenticationCode(code, authenticating: content, using: key)
    }

    /// Appendix B.2 with ID 3 and as many bytes as the hash has. That is one block, so the carry of step 6C is
    /// never needed.
    static func derivedKey<H: HashFunction>(_ passphrase: [UInt8], salt: [UInt8], rounds: Int, _: H.Type) -> [UInt8] {
        let block = H.blockByteCount
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            guard !bytes.isEmpty else { return [] }
            let count = (bytes.count + block - 1) / block * block
            return (0..<count).map { bytes[$0 % bytes.count] }
        }
        var digest = Array(H.hash(data: [UInt8](repeating: 3, count: block) + filled(salt) + filled(passphrase)))
        for _ in 1..<max(rounds, 1) { digest = Array(H.hash(data: digest)) }
        return digest
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let sha1: Self = [1, 3, 14, 3, 2, 26]
    fileprivate static let sha256: Self = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    fileprivate static let sha384: Self = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    fileprivate static let sha512: Self = [2, 16, 840, 1, 101, 3, 4, 2, 3]
}
