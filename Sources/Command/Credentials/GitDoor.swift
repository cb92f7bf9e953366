// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// What git asks a credential helper (gitcredentials(7), git-credential(1)): lines `name=value` up to an empty one. Names may occur several times (`wwwauth[]`); unknown ones
/// are passed over.
package struct GitRequest: Sendable {
    private let lines: [(name: String, value: Secret)]

    package init(_ input: Secret) throws {
        lines = try input.withSecretBytes { bytes in
            let count = bytes.count
            var found: [(String, Secret)] = []
            var begin = 0
            while begin < count {
                let (end, equals) = try bytes.withBytes { span in
                    var equals: Int?
                    var end = begin
                    while end < count, let byte = span.bigEndian(at: end, as: UInt8.self), byte != UInt8(ascii: "\n") {
                        if equals == nil, byte == UInt8(ascii: "=") { equals = end }
                        end += 1
                    }
                    return (end, equals)
                }
                guard end > begin else { break }
                if let equals, let name = try bytes.exposingBytes(begin..<equals),
                    let value = try bytes.part(equals + 1..<end)
                {
                    found.append((String(decoding: name, as: UTF8.self), Secret(value)))
                }
                begin = end + 1
            }
            return found
        }
    }

    /// The last value of a name; an empty one cancels those before it.
    func secret(_ name: String) -> Secret? {
        lines.last { $0.name == name }.flatMap { $0.value.count > 0 ? $0.value : nil }
    }

    func text(_ name: String) throws -> String? { try secret(name).flatMap { try String(exposing: $0) } }
}

/// `git-credential-zamok`: passwords of web servers, as internet passwords. Beside the password stands what git keeps with it: when it expires (in the comment), and the token
/// that renews it (an item of its own, of authentication type `rfsh`).
package struct GitDoor {
    private let keychain: Keychain
    private let request: GitRequest
    private let place: Place
    /// The protocol's code in items.
    private let code: String

    /// Where a credential is for.
    private struct Place {
        var transport: String
        var server: String
        var port: String
        var path: String
        var user: String?
    }

    /// Nil: git asks for what no internet password is for, a certificate's passphrase for example.
    package init?(_ keychain: Keychain, _ request: GitRequest) throws {
        guard let transport = try request.text("protocol"), let host = try request.text("host") else { return nil }
        var record = ItemRecord(.internetPassword)
        guard (try? record.set(.transport, transport)) != nil else { return nil }
        code = record[.transport] ?? transport
        // [::1]:8080
        let colon = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
        let port = colon.map { String(host[host.index(after: $0)...]) } ?? "0"
        guard UInt16(port) != nil else { return nil }
        // No item was stored under what is not text here, and it is not the same as an absent value.
        for name in ["path", "username"] where request.secret(name) != nil {
            guard try request.text(name) != nil else { return nil }
        }
        place = Place(
            transport: transport, server: String(host[..<(colon ?? host.endIndex)]), port: port,
            path: try request.text("path") ?? "", user: try request.text("username"))
        self.keychain = keychain
        self.request = request
    }

    /// Whether there is something in a request to be stored.
    package static func stores(_ request: GitRequest) throws -> Bool {
        try request.secret("password") != nil && request.text("username") != nil
            && GitDoor(Keychain(), request) != nil
    }

    private static let expiry = "password_expiry_utc"
    private static let renewal = "rfsh"

    /// What is known of the place; empty where nothing is known. `now`: seconds since 1970.
    package func get(now: Int) throws -> DoorAnswer {
        var answer = DoorAnswer()
        func date(_ record: ItemRecord) -> Date { record.modificationDate ?? .distantPast }
        guard let found = try records(reading: true).max(by: { date($0) < date($1) }),
            let reference = found.persistentReference
        else { return answer }
        let account = found[.account] ?? ""
        guard Self.isLine(Array(account.utf8)) else {
            answer.message = "the account of that server's item has more than one line, which git can't be told"
            return answer
        }
        let ends = Self.expiry(of: found)
        let renewal = try records(renewal: true, reading: true).first { ($0[.account] ?? "") == account }
        if !account.isEmpty { try answer.append("username=\(account)\n") }
        if ends.map({ $0 > now }) ?? true {
            guard let secret = try keychain.record(reference, includingSecret: true).secret else { return DoorAnswer() }
            try append("password", secret, to: &answer)
        }
        if let ends { try answer.append("\(Self.expiry)=\(ends)\n") }
        if let reference = renewal?.persistentReference,
            let token = try keychain.record(reference, includingSecret: true).secret
        {
            try append("oauth_refresh_token", token, to: &answer)
        }
        return answer
    }

    /// Stores what worked. What is stored already is not written again.
    package func store() throws {
        guard let user = place.user, let password = request.secret("password") else { return }
        let ends = try request.text(Self.expiry).flatMap { Int($0) }
        try set(password, user, comment: ends.map { "\(Self.expiry)=\($0)" } ?? "", renewal: false)
        if let token = request.secret("oauth_refresh_token") { try set(token, user, comment: "", renewal: true) }
    }

    /// Removes what did not work: of several passwords, the one that was tried. What can't be read is not removed.
    package func erase() throws {
        let tried = request.secret("password")
        for record in try records() {
            guard let reference = record.persistentReference else { continue }
            let kept = try keychain.record(reference, includingSecret: true).secret
            if let tried, try kept?.isEqual(to: tried) != true { continue }
            try keychain.delete(reference)
            let account = record[.account]
            for token in try records(renewal: true) where token[.account] == account {
                guard let reference = token.persistentReference else { continue }
                _ = try keychain.record(reference, includingSecret: true)
                try keychain.delete(reference)
            }
        }
    }

    /// Those that are for this place, without their secrets. One that a person added without protocol, port or path is for https alone.
    private func records(renewal: Bool = false, reading: Bool = false) throws -> [ItemRecord] {
        var query = ItemRecord(.internetPassword)
        try query.set(.server, place.server)
        if let user = place.user { try query.set(.account, user) }
        return try keychain.records(matching: query, takingReadable: reading).filter { record in
            let (transport, port) = (record[.transport] ?? "", record[.port] ?? "0")
            let isRenewal = record[.authenticationType] == Self.renewal
            return isRenewal == renewal && (record[.path] ?? "") == place.path && port == place.port
                && (transport == code || (transport.isEmpty && place.transport == "https"))
        }
    }

    private func set(_ secret: Secret, _ user: String, comment: String, renewal: Bool) throws {
        let known = try records(renewal: renewal).first { $0[.account] == user }
        if let known, let reference = known.persistentReference {
            let isSame = try keychain.record(reference, includingSecret: true).secret?.isEqual(to: secret) == true
            guard !isSame || (known[.comment] ?? "") != comment else { return }
            var changes = ItemRecord(.internetPassword)
            changes.secret = secret
            try changes.set(.comment, comment)
            return try keychain.update(reference, with: changes)
        }
        var record = ItemRecord(.internetPassword)
        try record.set(.server, place.server)
        try record.set(.transport, place.transport)
        try record.set(.port, place.port)
        try record.set(.path, place.path)
        try record.set(.account, user)
        try record.set(.label, "\(place.server) (\(user))")
        try record.set(.description, renewal ? "git refresh token" : "git password")
        if renewal { try record.set(.authenticationType, Self.renewal) }
        if !comment.isEmpty { try record.set(.comment, comment) }
        record.secret = secret
        try keychain.add(record)
    }

    private func append(_ name: String, _ secret: Secret, to answer: inout DoorAnswer) throws {
        guard Self.isLine(try [UInt8](exposing: secret)) else {
            throw KeychainError(.invalidEncoding, "the secret has more than one line, which git can't be told")
        }
        try answer.append("\(name)=")
        answer.output.append(secret)
        try answer.append("\n")
    }

    /// A line end would begin a line that nobody stored, and git takes a carriage return for one, or for an attack.
    private static func isLine(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0 }
    }

    private static func expiry(of record: ItemRecord) -> Int? {
        (record[.comment] ?? "").split(separator: "\n").first { $0.hasPrefix("\(expiry)=") }
            .flatMap { Int($0.dropFirst(expiry.count + 1)) }
    }
}
