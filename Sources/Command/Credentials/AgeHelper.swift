// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// `age-plugin-zamok`, by age's plugin protocol (C2SP age-plugin.md, version 1): identities that are items
/// of the keychain.
/// Files encrypted to them are ordinary X25519 files, so only decryption needs the plugin.
/// An identity file contains only the item's name, which isn't a secret.
package struct AgeHelper {
    private static let prefix = "age-plugin-zamok-"
    /// The full length of a line in a stanza's body. A shorter line ends the body.
    private static let columns = 64

    private let keychain: () throws -> Keychain
    private let read: () throws -> Secret?
    private let write: (Secret) throws -> Void

    /// `keychain` opens the keychain when it is needed. `read` returns age's next line, nil at the end.
    package init(
        _ keychain: @escaping () throws -> Keychain, read: @escaping () throws -> Secret?,
        write: @escaping (Secret) throws -> Void
    ) {
        (self.keychain, self.read, self.write) = (keychain, read, write)
    }

    /// The identity file for an item: a comment with the recipient, and the identity.
    /// With `making`, stores a new key under the name first.
    package static func identityFile(_ name: ItemName, in keychain: Keychain, making: Bool) throws -> String {
        if making {
            guard try name.all(in: keychain).isEmpty else {
                throw KeychainError(.duplicateItem, "there is an item \(name.shown) already; nothing was changed")
            }
            var record = try name.newRecord()
            try record.set(.description, "age identity")
            record.secret = try AgeKey().text()
            try keychain.add(record)
        }
        let key = try key(name, in: keychain)
        let identity = Bech32.encode(prefix, Array(name.shown.utf8)).uppercased()
        return "# public key: \(key.recipient)\n\(identity)\n"
    }

    private static func key(_ name: ItemName, in keychain: Keychain) throws -> AgeKey {
        guard let key = try AgeKey(text: try References(keychain).secret(of: name)) else {
            throw KeychainError(.parameter, "\(name.shown): the secret is not an age identity (AGE-SECRET-KEY-1...)")
        }
        return key
    }

    /// Runs one of age's state machines. Returns false if it isn't supported.
    package func run(_ state: String) throws -> Bool {
        switch state {
        case "identity-v1": try unwrap()
        case "recipient-v1": try wrap()
        default: return false
        }
        return true
    }

    // MARK: The two state machines

    private func unwrap() throws {
        var identities: [String] = []
        var files: [(number: String, stanza: AgeStanza)] = []
        while let stanza = try next(), stanza.words.first != "done" {
            switch (stanza.words.first, stanza.words.count) {
            case ("add-identity", 2): identities.append(stanza.words[1])
            case ("recipient-stanza", 3...):
                files.append(
                    (stanza.words[1], AgeStanza(words: Array(stanza.words.dropFirst(2)), body: stanza.body)))
            default: continue
            }
        }
        var opened: Set<String> = []
        for (index, identity) in identities.enumerated() {
            guard let key = try answering("identity", index, { try self.key(identity) }) else { break }
            for (number, stanza) in files where !opened.contains(number) {
                guard let fileKey = try key.unwrapped(stanza) else { continue }
                opened.insert(number)
                guard try say(AgeStanza(words: ["file-key", number], body: fileKey)) else { return }
            }
        }
        try send(AgeStanza(words: ["done"]))
    }

    private func wrap() throws {
        var identities: [String] = []
        var recipients = 0
        var fileKeys: [[UInt8]] = []
        while let stanza = try next(), stanza.words.first != "done" {
            switch (stanza.words.first, stanza.words.count) {
            case ("add-identity", 2): identities.append(stanza.words[1])
            case ("add-recipient", 2): recipients += 1
            case ("wrap-file-key", 1): fileKeys.append(stanza.body)
            default: continue
            }
        }
        if recipients > 0 {
            let message = "encrypt to the identity's recipient (age1...), printed by: zamok credential age NAME"
            _ = try say(AgeStanza(words: ["error", "recipient", "0"], body: Array(message.utf8)))
            return try send(AgeStanza(words: ["done"]))
        }
        var keys: [AgeKey] = []
        for (index, identity) in identities.enumerated() {
            guard let key = try answering("identity", index, { try self.key(identity) }) else {
                return try send(AgeStanza(words: ["done"]))
            }
            keys.append(key)
        }
        for (number, fileKey) in fileKeys.enumerated() {
            for key in keys {
                var stanza = try key.wrapped(fileKey)
                stanza.words = ["recipient-stanza", "\(number)"] + stanza.words
                guard try say(stanza) else { return }
            }
        }
        try send(AgeStanza(words: ["done"]))
    }

    private func key(_ identity: String) throws -> AgeKey {
        guard let (prefix, bytes) = Bech32.decode(identity), prefix == Self.prefix,
            let name = String(validUTF8: bytes)
        else { throw KeychainError(.parameter, "the identity is not one of zamok's") }
        return try Self.key(ItemName(name), in: try keychain())
    }

    /// The result of `body`. If it throws, sends age the error's text and returns nil.
    /// Locked, absent and damaged items have distinct texts.
    private func answering<R>(_ kind: String, _ index: Int, _ body: () throws -> R) throws -> R? {
        do { return try body() } catch {
            let message = HelperFailure.text(error) ?? "\(error)"
            _ = try say(AgeStanza(words: ["error", kind, "\(index)"], body: Array(message.utf8)))
            return nil
        }
    }

    // MARK: Stanzas

    /// The next stanza. Nil: the input ended, or the next line begins no stanza.
    private func next() throws -> AgeStanza? {
        guard let head = try line(), head.starts(with: Array("-> ".utf8)) else { return nil }
        let words = String(decoding: head.dropFirst(3), as: UTF8.self).split(separator: " ").map(String.init)
        var text = ""
        while let line = try line() {
            text += String(decoding: line, as: UTF8.self)
            if line.count < Self.columns { break }
        }
        return AgeText.bytes(text).map { AgeStanza(words: words, body: $0) }
    }

    private func line() throws -> [UInt8]? { try read().map { try [UInt8](exposing: $0) } }

    /// Sends a stanza. Returns whether age accepted it.
    private func say(_ stanza: AgeStanza) throws -> Bool {
        try send(stanza)
        return try next()?.words.first == "ok"
    }

    private func send(_ stanza: AgeStanza) throws {
        var text = "-> \(stanza.words.joined(separator: " "))\n"
        var rest = AgeText.base64(stanza.body)[...]
        while rest.utf8.count >= Self.columns {
            text += rest.prefix(Self.columns) + "\n"
            rest = rest.dropFirst(Self.columns)
        }
        try write(try Secret(copying: Array("\(text)\(rest)\n".utf8)))
    }
}
