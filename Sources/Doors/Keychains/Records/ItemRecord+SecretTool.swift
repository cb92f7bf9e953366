// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

extension ItemRecord {
    /// An item of another secret store. `server` or `host` makes it an internet password; the attributes by which programs
    /// look their items up become fields, all others stay readable in the comment.
    ///
    /// Errors: `.parameter` for what can't be an item: locked, or without attributes.
    init(_ entry: SecretToolText.Entry) throws(KeychainError) {
        guard let bytes = entry.secret else {
            throw KeychainError(.parameter, "it has no secret; it was locked when it was listed, so add --unlock")
        }
        guard !entry.attributes.isEmpty else {
            throw KeychainError(
                .parameter, "it has no attributes; secret-tool prints them to standard error, so add 2>&1")
        }
        var rest = entry.attributes
        let server = Self.take(["server", "host"], from: &rest)
        self.init(server == nil ? .genericPassword : .internetPassword)
        if let server {
            try set(.server, server)
            try setNetworkFields(&rest)
        } else if let service = Self.take(["service"], from: &rest) {
            try set(.service, service)
        }
        if let account = Self.take(["account", "username", "user", "login"], from: &rest) {
            try set(.account, account)
        }
        if !entry.label.isEmpty { try set(.label, entry.label) }
        if !rest.isEmpty {
            try set(.comment, rest.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: "\n"))
        }
        do {
            secret = try Secret(copying: bytes)
        } catch {
            throw KeychainError(error)
        }
    }

    /// The names of the schema org.gnome.keyring.NetworkPassword. A value that the field doesn't take stays for the comment.
    private mutating func setNetworkFields(_ rest: inout [String: String]) throws(KeychainError) {
        let names: [(String, ItemField)] = [
            ("port", .port), ("protocol", .transport), ("object", .path), ("domain", .securityDomain),
            ("authtype", .authenticationType),
        ]
        for (name, field) in names {
            guard let value = rest[name] else { continue }
            do {
                try set(field, value)
                rest[name] = nil
            } catch  where error.code == .parameter {
                continue
            }
        }
    }

    private static func take(_ names: [String], from attributes: inout [String: String]) -> String? {
        for name in names {
            if let value = attributes.removeValue(forKey: name) { return value }
        }
        return nil
    }
}
