// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Keychains
import Sealing
import SecretMemory

/// `ssh-add` with a file, and `ssh-add -s zamok` for keys of the keychain, each with `-t`, `-c` and `-h`.
extension SSHAgent {
    /// The name for the keychain that `ssh-add -s` takes in place of a token.
    static let provider = "zamok"

    /// Adds a private key. If the keychain offers it, only its constraints are taken.
    func add(_ reader: inout SSHReader, constrained: Bool, _ session: SSHAgentSession) throws -> Answer {
        let begin = reader.rest
        let key = try ClearedScope.run(depth: ClearedScope.depthOfMany) {
            let name = try reader.text()
            return try OpenSSHKey.privateKey(name, &reader)?.sshPublicKey
        }
        let fields = begin.dropLast(reader.rest.count)
        let comment = try reader.text()
        let constraints = try constrained ? SSHConstraints(&reader) : SSHConstraints()
        try reader.end()
        guard mayChange(session), let key else { return Self.failure }
        // A session can't loosen the constraints of a key that it isn't shown.
        guard isShown(key, session) else { return Self.failure }
        let isOffered = try offered(everyOne: true).contains { $0.key == key }
        let sealed = try isOffered ? nil : SSHAddedKeys.seal(fields, of: key, home.keybag)
        return put(key, entry(constraints, comment: String(comment.prefix(256)), sealed))
    }

    /// Applies constraints to the keychain's offered keys, including those that are added later.
    func addProvider(_ reader: inout SSHReader, constrained: Bool, _ session: SSHAgentSession) throws -> Answer {
        let name = try reader.text()
        _ = try reader.string()
        let constraints = try constrained ? SSHConstraints(&reader) : SSHConstraints()
        try reader.end()
        guard name == Self.provider, mayChange(session) else { return Self.failure }
        let keys = try offered(everyOne: true).filter { isShown($0.key, session) }
        guard !keys.isEmpty else { return Self.failure }
        for (key, name) in keys {
            guard case .now(let bytes) = put(key, entry(constraints, comment: name, nil)), bytes == Self.done else {
                return Self.failure
            }
        }
        constraintsOfAll = entry(constraints, comment: "", nil)
        return Self.success
    }

    func removeProvider(_ reader: inout SSHReader) throws -> Answer {
        let name = try reader.text()
        _ = try reader.string()
        try reader.end()
        guard name == Self.provider, !isLockedByWord else { return Self.failure }
        return try removeOffered()
    }

    /// False for a connection that another machine uses: it could loosen constraints that apply to it.
    private func mayChange(_ session: SSHAgentSession) -> Bool { !isClosed(session) && !session.isForwarded }

    private func entry(
        _ constraints: SSHConstraints, comment: String, _ sealed: SSHAddedKeys.Sealed?
    ) -> SSHAddedKeys.Entry {
        SSHAddedKeys.Entry(
            comment: comment, sealed: sealed, confirms: constraints.confirms, destinations: constraints.destinations,
            deadline: constraints.lifetime.map { now() + .seconds(Int64($0)) })
    }
}
