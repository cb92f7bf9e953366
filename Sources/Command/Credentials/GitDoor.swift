// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// A request that git sends to a credential helper (gitcredentials(7), git-credential(1)).
/// It consists of lines `name=value` up to an empty line. Names may repeat (`wwwauth[]`). Unknown names are ignored.
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

    /// The last value of a name. Nil: it is absent or empty.
    func secret(_ name: String) -> Secret? { given(name).flatMap { $0.count > 0 ? $0 : nil } }

    /// The last value of a name, which may be empty.
    /// An empty user and an empty password mean, for example, a login by Kerberos.
    func given(_ name: String) -> Secret? { lines.last { $0.name.hasBytes(of: name) }?.value }

    func text(_ name: String) throws -> String? { try secret(name).flatMap { try String(exposing: $0) } }
}

/// `git-credential-zamok`: passwords of web servers, as internet passwords.
/// The item's comment contains the expiry that git stores with a password.
/// The token that renews it is a separate item, of authentication type `rfsh`.
package struct GitDoor {
    private let keychain: Keychain
    private let request: GitRequest
    private let place: Place
    /// The protocol's code in items.
    private let code: String

    /// The location that a credential is for.
    private struct Place {
        var transport: String
        var server: String
        var port: String
        var path: String
        var user: String?
    }

    /// Nil: no internet password can match the request. A certificate's passphrase is an example.
    package init?(_ keychain: Keychain, _ request: GitRequest) throws {
        guard let transport = try request.text("protocol"), let host = try request.text("host") else { return nil }
        var record = ItemRecord(.internetPassword)
        // An item's protocol code that isn't a URL scheme would otherwise be taken for one.
        guard (try? record.set(.transport, transport)) != nil,
            !["htps", "imps", "ldps", "pops", "teln"].contains(transport)
        else { return nil }
        code = record[.transport] ?? transport
        guard let (server, port) = Self.divided(host) else { return nil }
        // A value that isn't text matches no stored item, and isn't the same as an absent value.
        for name in ["path", "username"] where request.secret(name) != nil {
            guard try request.text(name) != nil else { return nil }
        }
        place = Place(
            transport: transport, server: server, port: port, path: try request.text("path") ?? "",
            user: try request.given("username").flatMap { try String(exposing: $0) })
        self.keychain = keychain
        self.request = request
    }

    /// The message for a password that git passes and that can't be stored here.
    /// Nil: it can be stored, or the request has no user or no password.
    package static func reasonNotToStore(_ request: GitRequest) throws -> String? {
        guard request.given("password") != nil, request.given("username") != nil, try !stores(request) else {
            return nil
        }
        guard request.secret("host") != nil else { return "git names no host" }
        guard try isGivable(request) else {
            return "the user or the password has a line end, which git would not take back"
        }
        return
            "the address is of a protocol that the keychain doesn't know, or its host, path or user is not written as it is looked up"
    }

    /// Parses `HOST[:PORT]`. Nil: it has another form, or other programs may read it differently.
    /// Names are compared by their bytes: another case, a trailing dot or another Unicode form is another host.
    private static func divided(_ text: String) -> (server: String, port: String)? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/\\@?#%\"'<>`".utf8.contains($0) }) else {
            return nil
        }
        // [::1]:8080
        let colon = text.lastIndex(of: ":").flatMap { text[$0...].contains("]") ? nil : $0 }
        let server = String(text[..<(colon ?? text.endIndex)])
        guard !server.isEmpty, server.hasPrefix("[") || !server.contains(":") else { return nil }
        guard let colon else { return (server, "0") }
        let port = String(text[text.index(after: colon)...])
        guard let number = UInt16(port), String(number).hasBytes(of: port) else { return nil }
        return (server, port)
    }

    /// Whether a request contains something to store.
    package static func stores(_ request: GitRequest) throws -> Bool {
        guard request.given("password") != nil, request.given("username") != nil, try isGivable(request) else {
            return false
        }
        return try GitDoor(Keychain(), request) != nil
    }

    /// Whether git would accept these values in an answer.
    private static func isGivable(_ request: GitRequest) throws -> Bool {
        try ["username", "password"].allSatisfy { name in
            try request.given(name).map { isLine(try [UInt8](exposing: $0)) } ?? true
        }
    }

    private static let expiry = "password_expiry_utc"
    private static let renewal = "rfsh"
    private static let kind = "git password"

    /// The credential stored for the location. The answer is empty if there is none. `now`: seconds since 1970.
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
        let renewal = try records(renewal: true, reading: true).first { ($0[.account] ?? "").hasBytes(of: account) }
        // If the user added the item without an account, git prompts for the user name.
        if !account.isEmpty || found[.description] == Self.kind { try answer.append("username=\(account)\n") }
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

    /// Stores a credential that worked. One that is already stored is not written again.
    package func store() throws {
        guard let user = place.user, let password = request.given("password") else { return }
        let ends = try request.text(Self.expiry).flatMap { Int($0) }
        try set(password, user, comment: ends.map { "\(Self.expiry)=\($0)" } ?? "", renewal: false)
        if let token = request.secret("oauth_refresh_token") { try set(token, user, comment: "", renewal: true) }
    }

    /// Removes a credential that did not work: of several passwords, only the one that was tried. Without a password
    /// from git, an item of another path stays.
    /// Throws for an item that can't be read, and doesn't remove it.
    package func erase() throws {
        let tried = request.given("password")
        for record in try records() {
            guard let reference = record.persistentReference, tried != nil || isHere(record) else { continue }
            let kept = try keychain.record(reference, includingSecret: true).secret
            if let tried, try kept?.isEqual(to: tried) != true { continue }
            try keychain.delete(reference)
            let account = record[.account] ?? ""
            for token in try records(renewal: true) where (token[.account] ?? "").hasBytes(of: account) {
                guard let reference = token.persistentReference else { continue }
                _ = try keychain.record(reference, includingSecret: true)
                try keychain.delete(reference)
            }
        }
    }

    /// The items for this location, without their secrets.
    /// An item that the user added without a protocol matches only https.
    /// If git names no path and no item lacks one, items of any path match.
    /// By default git leaves out the path (`credential.useHttpPath`), and a browser's export contains the
    /// login page's path.
    private func records(renewal: Bool = false, reading: Bool = false) throws -> [ItemRecord] {
        var query = ItemRecord(.internetPassword)
        try query.set(.server, place.server)
        if let user = place.user { try query.set(.account, user) }
        let found = try keychain.records(matching: query, takingReadable: reading).filter { record in
            let (transport, port) = (record[.transport] ?? "", record[.port] ?? "0")
            let isRenewal = record[.authenticationType] == Self.renewal
            return isRenewal == renewal && port.hasBytes(of: place.port)
                && (transport.hasBytes(of: code) || (transport.isEmpty && place.transport.hasBytes(of: "https")))
        }
        let here = found.filter(isHere)
        return here.isEmpty && place.path.isEmpty ? found : here
    }

    /// Whether an item has the path that git named. A leading slash doesn't count, since git leaves it out.
    private func isHere(_ record: ItemRecord) -> Bool {
        func bare(_ path: String) -> String { path.hasPrefix("/") ? String(path.dropFirst()) : path }
        return bare(record[.path] ?? "").hasBytes(of: bare(place.path))
    }

    private func set(_ secret: Secret, _ user: String, comment: String, renewal: Bool) throws {
        let known = try records(renewal: renewal).first { ($0[.account] ?? "").hasBytes(of: user) }
        if let known, let reference = known.persistentReference {
            let isSame = try keychain.record(reference, includingSecret: true).secret?.isEqual(to: secret) == true
            let isHere = isHere(known)
            guard !isSame || isHere && (known[.comment] ?? "") != comment else { return }
            // An item for one path isn't replaced by a password for the whole server.
            guard isHere else { return try add(secret, user, comment: comment, renewal: renewal) }
            var changes = ItemRecord(.internetPassword)
            changes.secret = secret
            try changes.set(.comment, comment)
            return try keychain.update(reference, with: changes)
        }
        try add(secret, user, comment: comment, renewal: renewal)
    }

    private func add(_ secret: Secret, _ user: String, comment: String, renewal: Bool) throws {
        var record = ItemRecord(.internetPassword)
        try record.set(.server, place.server)
        try record.set(.transport, place.transport)
        try record.set(.port, place.port)
        try record.set(.path, place.path)
        try record.set(.account, user)
        try record.set(.label, "\(place.server) (\(user))")
        try record.set(.description, renewal ? "git refresh token" : Self.kind)
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

    /// A line end would begin a line that was never stored.
    /// Git takes a carriage return for a line end, or for an attack.
    private static func isLine(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0 }
    }

    private static func expiry(of record: ItemRecord) -> Int? {
        (record[.comment] ?? "").split(separator: "\n").first { $0.hasPrefix("\(expiry)=") }
            .flatMap { Int($0.dropFirst(expiry.count + 1)) }
    }
}
