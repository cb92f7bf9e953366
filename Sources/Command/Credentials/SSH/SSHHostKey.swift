// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Sealing

/// The key by which a host identifies itself: a plain key, or one in a certificate (OpenSSH's PROTOCOL.certkeys).
struct SSHHostKey: Sendable, Equatable {
    /// The key in SSH's encoding.
    let bytes: [UInt8]
    let certificate: Certificate?

    /// The authority that certifies a host, and the certified names.
    struct Certificate: Sendable, Equatable {
        /// The authority's key in SSH's encoding.
        let authority: [UInt8]
        let names: [String]
        let isOfHost: Bool
        /// Seconds since 1970. `to` is excluded.
        let valid: (from: UInt64, to: UInt64)

        static func == (left: Self, right: Self) -> Bool {
            left.authority == right.authority && left.names == right.names && left.isOfHost == right.isOfHost
                && left.valid == right.valid
        }
    }

    private static let ending = "-cert-v01@openssh.com"
    private static let hostType: UInt32 = 2
    private static let mostNames = 256

    /// Reads a key, and verifies the signature of a certificate. Throws `SSHFormatError` for anything else.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        var reader = SSHReader(bytes)
        let name = try reader.text()
        guard name.hasSuffix(Self.ending) else {
            certificate = nil
            _ = try KeyMaterial(sshPublicKey: bytes)
            return
        }
        _ = try Self.plainKey(name, &reader)
        _ = try reader.bytes(8)
        let type = try reader.number()
        _ = try reader.string()
        var list = SSHReader(try reader.string())
        var names: [String] = []
        while !list.isAtEnd {
            guard names.count < Self.mostNames else { throw SSHFormatError() }
            names.append(try list.text())
        }
        let valid = (from: try reader.time(), to: try reader.time())
        for _ in 0..<3 { _ = try reader.string() }
        let authority = Array(try reader.string())
        let signed = bytes.dropLast(reader.rest.count)
        let signature = Array(try reader.string())
        try reader.end()
        guard try KeyMaterial(sshPublicKey: authority).isSSHSignature(signature, of: Data(signed)) else {
            throw SSHFormatError()
        }
        certificate = Certificate(authority: authority, names: names, isOfHost: type == Self.hostType, valid: valid)
    }

    /// The key that signs for the host.
    var plain: [UInt8] {
        get throws {
            guard certificate != nil else { return bytes }
            var reader = SSHReader(bytes)
            return try Self.plainKey(try reader.text(), &reader)
        }
    }

    /// The plain key's fields, which follow a certificate's name and nonce.
    private static func plainKey(_ name: String, _ reader: inout SSHReader) throws -> [UInt8] {
        _ = try reader.string()
        let plain = String(name.dropLast(ending.count))
        var writer = ByteWriter()
        writer.prefixed(text: plain)
        for _ in 0..<(plain == SSHSignature.ed25519.rawValue ? 1 : 2) { writer.prefixed(Array(try reader.string())) }
        return writer.bytes
    }
}

extension SSHReader {
    /// `uint64`.
    fileprivate mutating func time() throws(SSHFormatError) -> UInt64 {
        try bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
