// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Readers
import SwiftASN1

@testable import KeychainEngine

/// A PKCS#12 file with a right HMAC around any contents, as an attacker with the passphrase can write it.
enum AuthenticatedFile {
    /// The authenticated safe of a file; nil where it is not in one piece.
    static func content(of file: [UInt8]) -> [UInt8]? {
        try? ASN1Reading.value(in: file[...], .ber, limit: 1000).parts()[1].parts()[1].explicit(0).octets()
    }

    static func file(around safe: Data, _ passphrase: String) throws -> Data {
        let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let units = passphrase.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let spelled = units + [0, 0]
        let key = SymmetricKey(data: MacData.derivedKey(spelled, salt: salt, rounds: 1, SHA256.self))
        let code = Array(HMAC<SHA256>.authenticationCode(for: safe, using: key))
        let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
        let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
        return try sequence { file in
            try file.serialize(3)
            try file.appendConstructedNode(identifier: .sequence) { info in
                try info.serialize(data)
                try info.serialize(
                    ASN1OctetString(contentBytes: Array(safe)[...]), explicitlyTaggedWithTagNumber: 0,
                    tagClass: .contextSpecific)
            }
            try file.appendConstructedNode(identifier: .sequence) { mac in
                try mac.appendConstructedNode(identifier: .sequence) { digest in
                    try digest.appendConstructedNode(identifier: .sequence) { try $0.serialize(sha256) }
                    try digest.serialize(ASN1OctetString(contentBytes: code[...]))
                }
                try mac.serialize(ASN1OctetString(contentBytes: salt[...]))
            }
        }
    }

    /// One sequence.
    static func sequence(_ body: (inout DER.Serializer) throws -> Void) throws -> Data {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence, body)
        return Data(serializer.serializedBytes)
    }

    /// Whether anything in these contents names PBES2, so that a wrong passphrase can be an honest answer.
    static func mayHoldCiphertext(_ safe: Data) -> Bool {
        safe.range(of: Data([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D])) != nil
    }
}
