// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Sealing

/// The SSH sessions that one connection to the agent is used for, as it declares them.
/// It uses the extension `session-bind@openssh.com` (OpenSSH's PROTOCOL.agent).
package struct SSHAgentSession: Sendable {
    private struct Binding: Sendable {
        let hostKey: SSHHostKey
        let identifier: [UInt8]
        let isForwarding: Bool
    }

    private var bindings: [Binding] = []
    /// Whether a declaration of the connection could not be verified.
    private var isUnclear = false

    /// The maximum number of sessions that a connection may be used for, as in OpenSSH: hops of forwarding.
    static let limit = 16

    /// The process that connected, if the system reports it.
    package let client: Int32?

    package init(client: Int32? = nil) { self.client = client }

    /// Whether another machine, to which the agent was forwarded, uses the connection, or may use it.
    /// It may if a declaration of the connection could not be verified.
    package var isForwarded: Bool { isUnclear || bindings.contains(where: \.isForwarding) }

    /// Adds a binding. Returns false if it can't be read, the host's signature is wrong, or it contradicts
    /// an earlier one.
    mutating func bind(_ reader: inout SSHReader) -> Bool {
        let isBound = (try? take(&reader)) ?? false
        if !isBound { isUnclear = true }
        return isBound
    }

    private mutating func take(_ reader: inout SSHReader) throws -> Bool {
        let (hostKey, identifier) = (Array(try reader.string()), Array(try reader.string()))
        let (signature, isForwarding) = (Array(try reader.string()), try reader.boolean())
        try reader.end()
        guard let host = try? SSHHostKey(hostKey), let key = try? KeyMaterial(sshPublicKey: host.plain),
            key.isSSHSignature(signature, of: Data(identifier))
        else { return false }
        // After a binding for a login the connection accepts no more, so no forwarded host can use it.
        guard bindings.allSatisfy(\.isForwarding) else { return false }
        if let known = bindings.first(where: { $0.identifier == identifier }) {
            return known.hostKey.bytes == hostKey && known.isForwarding == isForwarding
        }
        guard bindings.count < Self.limit else { return false }
        bindings.append(Binding(hostKey: host, identifier: identifier, isForwarding: isForwarding))
        return true
    }

    // MARK: Restricted keys

    /// Whether a restricted key is shown, as OpenSSH's agent decides it.
    /// Each hop from host to host must be allowed, and one hop further if the agent was forwarded to the last host.
    func shows(_ destinations: [SSHDestination], now: UInt64) -> Bool {
        guard !destinations.isEmpty, !isUnclear || !bindings.isEmpty else { return destinations.isEmpty }
        guard let last = bindings.last else { return true }
        guard allowsWay(destinations, as: nil, now) else { return false }
        return !last.isForwarding || destinations.contains { $0.allows(from: last.hostKey, to: nil, as: nil, now: now) }
    }

    /// Whether a restricted key may sign.
    /// It signs only for a login, in the session that was bound last and at the host that was bound with it.
    func allows(_ request: SSHLoginRequest, _ destinations: [SSHDestination], now: UInt64) -> Bool {
        guard let last = bindings.last, !isUnclear, !last.isForwarding, request.session == last.identifier else {
            return false
        }
        guard bindings.count == 1 || request.hostKey != nil else { return false }
        if let named = request.hostKey, named != last.hostKey.bytes { return false }
        return allowsWay(destinations, as: request.user, now)
    }

    private func allowsWay(_ destinations: [SSHDestination], as user: String?, _ now: UInt64) -> Bool {
        bindings.indices.allSatisfy { index in
            let isLast = index == bindings.count - 1
            guard isLast || bindings[index].isForwarding else { return false }
            let origin = index == 0 ? nil : bindings[index - 1].hostKey
            return destinations.contains {
                $0.allows(from: origin, to: bindings[index].hostKey, as: isLast ? user : nil, now: now)
            }
        }
    }
}
