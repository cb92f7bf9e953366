// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Sealing

/// What one connection to the agent has said of itself: for which SSH sessions it is used (extension `session-bind@openssh.com`, OpenSSH's PROTOCOL.agent).
package struct SSHAgentSession: Sendable {
    private struct Binding: Sendable {
        let hostKey: [UInt8]
        let identifier: [UInt8]
        let isForwarding: Bool
    }

    private var bindings: [Binding] = []
    /// Whether it said something of itself that could not be verified.
    private var isUnclear = false

    /// Sessions that one connection may be used for, as in OpenSSH: hops of forwarding.
    static let limit = 16

    package init() {}

    /// Whether another machine asks, to which the agent was forwarded, or may ask: what a connection says of itself and can't be verified counts as that.
    package var isForwarded: Bool { isUnclear || bindings.contains(where: \.isForwarding) }

    /// Takes a binding; false: it can't be read, the host's signature is not right, or it contradicts an earlier one.
    mutating func bind(_ reader: inout SSHReader) -> Bool {
        let isBound = (try? take(&reader)) ?? false
        if !isBound { isUnclear = true }
        return isBound
    }

    private mutating func take(_ reader: inout SSHReader) throws -> Bool {
        let (hostKey, identifier) = (Array(try reader.string()), Array(try reader.string()))
        let (signature, isForwarding) = (Array(try reader.string()), try reader.boolean())
        try reader.end()
        guard let key = try? KeyMaterial(sshPublicKey: Self.plainKey(hostKey)),
            key.isSSHSignature(signature, of: Data(identifier))
        else { return false }
        // Once it was used to log in, nobody behind a forwarding may use it.
        guard bindings.allSatisfy(\.isForwarding) else { return false }
        if let known = bindings.first(where: { $0.identifier == identifier }) {
            return known.hostKey == hostKey && known.isForwarding == isForwarding
        }
        guard bindings.count < Self.limit else { return false }
        bindings.append(Binding(hostKey: hostKey, identifier: identifier, isForwarding: isForwarding))
        return true
    }

    /// The key in a host's certificate (OpenSSH's PROTOCOL.certkeys), which signs for it; anything else as it is. Who certified it is ssh's business: a
    /// binding only says which host holds the key.
    private static func plainKey(_ hostKey: [UInt8]) throws -> [UInt8] {
        var reader = SSHReader(hostKey)
        let name = try reader.text()
        let ending = "-cert-v01@openssh.com"
        guard name.hasSuffix(ending) else { return hostKey }
        // Behind the nonce stand the fields of the plain key.
        _ = try reader.string()
        let plain = String(name.dropLast(ending.count))
        var writer = ByteWriter()
        writer.prefixed(text: plain)
        for _ in 0..<(plain == "ssh-ed25519" ? 1 : 2) { writer.prefixed(Array(try reader.string())) }
        return writer.bytes
    }
}
