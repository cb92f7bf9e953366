// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Sealing
import TestSupport

@testable import Credentials

/// `zamok p11`, asked as p11-kit asks it (Documentation/Formats/TokenMessages.md).
final class TokenProcess {
    struct Refused: Error { let code: UInt64 }

    private let child: Child
    private(set) var session: UInt64 = 0

    var id: Int32 { child.id }

    /// With a session.
    init(environment: [String: String]) throws {
        child = try Child(Stage.binary, ["p11"], environment: environment)
        try child.send([PKCS11Server.version])
        _ = try child.bytes(1)
        _ = try ask(.initialize) {
            $0.append([1])
            $0.prefixed(text: "PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1")
            $0.append([0, 1, 0, 0, 0, 0])
        }
        var answer = try ask(.openSession, 1, 6)
        session = try answer.number()
    }

    /// What follows an answer's head.
    func ask(_ call: PKCS11Call, _ parts: (inout ByteWriter) -> Void) throws -> PKCS11Reader {
        var message = ByteWriter()
        message.integer(call.rawValue)
        message.prefixed(text: call.parts.request)
        parts(&message)
        var head = ByteWriter()
        for number in [7, 0, UInt32(message.bytes.count)] { head.integer(number) }
        try child.send(head.bytes + message.bytes)
        let count = try child.bytes(12).suffix(4).reduce(0) { $0 << 8 | Int($1) }
        var reader = PKCS11Reader(try child.bytes(count))
        let number = try reader.word()
        _ = try reader.array()
        guard number != 0 else { throw Refused(code: try reader.number()) }
        return reader
    }

    func ask(_ call: PKCS11Call, _ numbers: UInt64...) throws -> PKCS11Reader {
        try ask(call) { for number in numbers { $0.integer(number) } }
    }

    /// Its private keys.
    func privateKeys() throws -> [UInt64] {
        _ = try ask(.findObjectsInit) {
            $0.integer(session)
            $0.append([0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 8])
            $0.integer(PKCS11Object.Kind.privateKey.rawValue)
        }
        var found = try ask(.findObjects) {
            $0.integer(session)
            $0.integer(UInt32(100))
        }
        _ = try ask(.findObjectsFinal, session)
        _ = try found.byte()
        return try (0..<(try found.word())).map { _ in try found.number() }
    }

    /// What a key makes of data: `begin` and `end` are signInit and sign, or decryptInit and decrypt.
    func use(
        _ begin: PKCS11Call, _ end: PKCS11Call, _ mechanism: UInt32, _ key: UInt64, _ data: [UInt8]
    ) throws -> [UInt8] {
        _ = try ask(begin) {
            $0.integer(session)
            $0.integer(mechanism)
            $0.integer(key)
        }
        var made = try ask(end) {
            $0.integer(session)
            $0.append([1])
            $0.prefixed(data)
            $0.integer(UInt32(4096))
        }
        return Array(try made.bytes() ?? [])
    }
}

extension ByteWriter {
    /// What C_DeriveKey is asked: ECDH with `point`, of `count` bytes if that is said.
    mutating func exchange(
        _ session: UInt64, _ own: UInt64, _ derivation: UInt64, _ shared: [UInt8], _ point: [UInt8], _ count: Int?
    ) {
        integer(session)
        append([0, 0, 0x10, 0x50, 1])
        integer(derivation)
        prefixed(shared)
        prefixed(point)
        integer(own)
        integer(UInt32(count == nil ? 0 : 1))
        guard let count else { return }
        append([0, 0, 1, 0x61, 1, 0, 0, 0, 8])
        integer(UInt64(count))
    }
}
