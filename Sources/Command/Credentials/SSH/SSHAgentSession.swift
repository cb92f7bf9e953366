// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine

/// What one connection to the agent has said of itself: for which SSH sessions it is used (extension `session-bind@openssh.com`, OpenSSH's PROTOCOL.agent).
package struct SSHAgentSession: Sendable {
    private struct Binding: Sendable {
        let hostKey: [UInt8]
        let identifier: [UInt8]
        let isForwarding: Bool
    }

    private var bindings: [Binding] = []

    /// Sessions that one connection may be used for, as in OpenSSH: hops of forwarding.
    static let limit = 16

    package init() {}

    /// Whether another machine asks, to which the agent was forwarded.
    package var isForwarded: Bool { bindings.contains(where: \.isForwarding) }

    /// Takes a binding; false: the host's signature is not right, or it contradicts an earlier one.
    mutating func bind(_ reader: inout SSHReader) throws -> Bool {
        let (hostKey, identifier) = (Array(try reader.string()), Array(try reader.string()))
        let (signature, isForwarding) = (Array(try reader.string()), try reader.boolean())
        try reader.end()
        guard let key = try? KeyMaterial(sshPublicKey: hostKey), key.isSSHSignature(signature, of: Data(identifier))
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
}
