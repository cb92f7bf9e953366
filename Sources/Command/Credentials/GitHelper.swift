// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
package import Keychains
import Readers
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
/// An item that git stored has a description of its own. Any other item, one of an import for example, belongs to the
/// user: git is given its password and may replace it, but nothing else of the item is changed, and it is not removed.
/// The expiry that git stores with a password is a line in the comment of an item that git stored.
/// The token that renews it is a separate item of the same path and user, of authentication type `rfsh`.
package struct GitHelper {
    private let keychain: Keychain
    private let request: GitRequest
    private let place: Target
    /// The protocol's code in items.
    private let code: String

    /// The location that a credential is for.
    private struct Target {
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
        place = Target(
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
        guard let number = UInt16(port), number > 0, String(number).hasBytes(of: port) else { return nil }
        return (server, port)
    }

    /// Whether a request contains something to store.
    package static func stores(_ request: GitRequest) throws -> Bool {
        guard request.given("password") != nil, request.given("username") != nil, try isGivable(request) else {
            return false
        }
        return try GitHelper(Keychain(), request) != nil
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
    private static let tokenKind = "git refresh token"

    /// The credential stored for the location. The answer is empty if there is none. `now`: seconds since 1970.
    /// Throws if an item that would be preferred can't be read, or may be hidden before the first unlock.
    package func get(now: Int) throws -> HelperAnswer {
        var answer = HelperAnswer()
        let view = try look(reading: true)
        // Among hidden items there may be one of the very path, which counts more than one of another path.
        let given = passwords(in: view).filter { view.hiding == nil || isHere($0) }
        if let hiding = view.hiding, given.isEmpty { throw hiding }
        guard let found = given.max(by: Self.isOlder), let reference = found.persistentReference else { return answer }
        let account = found[.account] ?? ""
        guard Self.isLine(Array(account.utf8)) else {
            answer.message = "the account of that server's item has more than one line, which git can't be told"
            return answer
        }
        let ends = Self.expiry(of: found)
        let isValid = ends.map { $0 > now } ?? true
        let token = tokens(in: view, path: found[.path] ?? "", account: account).first
        // Without the token, which may be hidden, git would begin a new login.
        if let hiding = view.hiding, !isValid, token == nil { throw hiding }
        // If the user added the item without an account, git prompts for the user name.
        if !account.isEmpty || Self.isOwn(found) { try answer.append("username=\(account)\n") }
        if isValid {
            guard let secret = try keychain.record(reference, includingSecret: true).secret else {
                return HelperAnswer()
            }
            try append("password", secret, to: &answer)
        }
        if let ends { try answer.append("\(Self.expiry)=\(ends)\n") }
        if let reference = token?.persistentReference,
            let secret = try keychain.record(reference, includingSecret: true).secret
        {
            try append("oauth_refresh_token", secret, to: &answer)
        }
        return answer
    }

    /// Stores a credential that worked. One that is already stored is not written again.
    package func store() throws {
        guard let user = place.user, let password = request.given("password") else { return }
        let ends = try request.text(Self.expiry).flatMap { Int($0) }
        let path = try Self.repeating { try set(password, user, ends: ends) }
        guard let token = request.secret("oauth_refresh_token") else { return }
        try Self.repeating { try setToken(token, user, path: path) }
    }

    /// Removes a credential that did not work, if git stored it and it has the path that git named: of several
    /// passwords, only the one that was tried. The answer's message says which other items stay.
    /// Throws for an item that can't be read, and doesn't remove it.
    package func erase() throws -> HelperAnswer {
        let tried = request.given("password")
        let view = try look()
        var foreign: [PersistentReference] = []
        var distant: [PersistentReference] = []
        var removed: Set<PersistentReference> = []
        for record in passwords(in: view) {
            guard let reference = record.persistentReference, tried != nil || isHere(record) else { continue }
            let kept = try keychain.record(reference, includingSecret: true).secret
            if let tried, try kept?.isEqual(to: tried) != true { continue }
            if !Self.isOwn(record) {
                foreign.append(reference)
            } else if isHere(record) {
                try keychain.delete(reference)
            } else {
                distant.append(reference)
            }
            guard isHere(record) else { continue }
            for token in tokens(in: view, path: record[.path] ?? "", account: record[.account] ?? "") {
                guard Self.isOwn(token), let reference = token.persistentReference, removed.insert(reference).inserted
                else { continue }
                _ = try keychain.record(reference, includingSecret: true)
                try keychain.delete(reference)
            }
        }
        var answer = HelperAnswer()
        let reasons = [
            try stay(foreign, "was not stored by git"), try stay(distant, "has another path than git named"),
        ]
        let message = reasons.compactMap { $0 }.joined(separator: "; ")
        if !message.isEmpty { answer.message = message }
        return answer
    }

    /// What to say of items that an erase leaves, with the commands that remove them. Nil: there are none.
    private func stay(_ references: [PersistentReference], _ reason: String) throws -> String? {
        guard !references.isEmpty else { return nil }
        let keybag = try keychain.home.keybag
        let commands = references.map { keybag.command("keychain delete", "--reference \($0.digits)") }
        return "an item of \(place.server.printable) \(reason) and stays; to remove it: "
            + commands.joined(separator: "; ")
    }

    /// The items of a server, without their secrets: passwords and the tokens that renew them.
    private struct View {
        let records: [ItemRecord]
        /// The error that says why other items may be hidden. Nil: these are all.
        let hiding: KeychainError?
    }

    /// The items for this server, of any path.
    /// `reading`: before the first unlock, those that are readable suffice if there are any.
    private func look(reading: Bool = false) throws -> View {
        var query = ItemRecord(.internetPassword)
        try query.set(.server, place.server)
        if let user = place.user { try query.set(.account, user) }
        do throws(KeychainError) {
            let found = try keychain.records(matching: query)
            return View(records: found.filter(isOfServer), hiding: nil)
        } catch {
            guard reading, error.code == .locked else { throw error }
            let found = try keychain.records(matching: query, takingReadable: true)
            return View(records: found.filter(isOfServer), hiding: error)
        }
    }

    /// Whether an item has the port and the protocol that git named.
    /// An item that the user added without a protocol matches only https.
    private func isOfServer(_ record: ItemRecord) -> Bool {
        let (transport, port) = (record[.transport] ?? "", record[.port] ?? "0")
        return port.hasBytes(of: place.port)
            && (transport.hasBytes(of: code) || (transport.isEmpty && place.transport.hasBytes(of: "https")))
    }

    /// The passwords for this location.
    /// If git names no path and no item lacks one, items of any path match.
    /// By default git leaves out the path (`credential.useHttpPath`), and a browser's export contains the
    /// login page's path.
    private func passwords(in view: View) -> [ItemRecord] {
        let found = view.records.filter { !Self.isToken($0) }
        let here = found.filter(isHere)
        return here.isEmpty && place.path.isEmpty ? found : here
    }

    /// The tokens that renew the password of a path and an account.
    private func tokens(in view: View, path: String, account: String) -> [ItemRecord] {
        view.records.filter { record in
            Self.isToken(record) && (record[.account] ?? "").hasBytes(of: account)
                && Self.bare(record[.path] ?? "").hasBytes(of: Self.bare(path))
        }
    }

    private static func isToken(_ record: ItemRecord) -> Bool {
        (record[.authenticationType] ?? "").hasBytes(of: renewal)
    }

    /// Whether git stored the item.
    private static func isOwn(_ record: ItemRecord) -> Bool {
        (record[.description] ?? "").hasBytes(of: isToken(record) ? tokenKind : kind)
    }

    private static func isOlder(_ record: ItemRecord, than other: ItemRecord) -> Bool {
        (record.modificationDate ?? .distantPast) < (other.modificationDate ?? .distantPast)
    }

    /// Whether an item has the path that git named. A leading slash doesn't count, since git leaves it out.
    private func isHere(_ record: ItemRecord) -> Bool {
        Self.bare(record[.path] ?? "").hasBytes(of: Self.bare(place.path))
    }

    private static func bare(_ path: String) -> String { path.hasPrefix("/") ? String(path.dropFirst()) : path }

    /// Another process may add or remove the item between the look-up and the change.
    private static func repeating<Result>(_ change: () throws -> Result) throws -> Result {
        for _ in 1..<3 {
            do {
                return try change()
            } catch let error as KeychainError {
                guard [.duplicateItem, .itemNotFound].contains(error.code) else { throw error }
            }
        }
        return try change()
    }

    /// Stores a password. Returns the path of the item that has it now.
    private func set(_ password: Secret, _ user: String, ends: Int?) throws -> String {
        let known = passwords(in: try look()).filter { ($0[.account] ?? "").hasBytes(of: user) }
        let same = try known.first { try holds($0, password) }
        guard let record = same ?? known.filter(isHere).max(by: Self.isOlder),
            let reference = record.persistentReference
        else {
            try add(password, user, path: place.path, comment: Self.comment("", ends: ends), renewal: false)
            return place.path
        }
        let path = record[.path] ?? ""
        // An item for one path isn't replaced by a password for the whole server.
        guard isHere(record) else { return path }
        var changes = ItemRecord(.internetPassword)
        if Self.isOwn(record) {
            let old = record[.comment] ?? ""
            let new = Self.comment(old, ends: ends)
            if !new.hasBytes(of: old) { try changes.set(.comment, new) }
        }
        guard same == nil || !changes.isEmpty else { return path }
        if same == nil { changes.secret = password }
        try keychain.update(reference, with: changes)
        return path
    }

    private func setToken(_ token: Secret, _ user: String, path: String) throws {
        let known = tokens(in: try look(), path: path, account: user).first
        guard let known, let reference = known.persistentReference else {
            return try add(token, user, path: path, comment: "", renewal: true)
        }
        guard try !holds(known, token) else { return }
        var changes = ItemRecord(.internetPassword)
        changes.secret = token
        try keychain.update(reference, with: changes)
    }

    private func holds(_ record: ItemRecord, _ secret: Secret) throws -> Bool {
        guard let reference = record.persistentReference else { return false }
        return try keychain.record(reference, includingSecret: true).secret?.isEqual(to: secret) == true
    }

    private func add(_ secret: Secret, _ user: String, path: String, comment: String, renewal: Bool) throws {
        var record = ItemRecord(.internetPassword)
        try record.set(.server, place.server)
        try record.set(.transport, place.transport)
        try record.set(.port, place.port)
        try record.set(.path, path)
        try record.set(.account, user)
        try record.set(.label, "\(place.server) (\(user))")
        try record.set(.description, renewal ? Self.tokenKind : Self.kind)
        if renewal { try record.set(.authenticationType, Self.renewal) }
        if !comment.isEmpty { try record.set(.comment, comment) }
        record.secret = secret
        try keychain.add(record)
    }

    private func append(_ name: String, _ secret: Secret, to answer: inout HelperAnswer) throws {
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

    /// The expiry that git stored. In the comment of any other item such a line is the user's, and means nothing.
    private static func expiry(of record: ItemRecord) -> Int? {
        isOwn(record) ? lines(of: record[.comment] ?? "").compactMap { end(of: $0) }.first : nil
    }

    /// A comment with this expiry, or without one. Every other line stays as it is.
    private static func comment(_ old: String, ends: Int?) -> String {
        var kept: [String] = old.isEmpty ? [] : lines(of: old)
        let position = kept.firstIndex { end(of: $0) != nil }
        kept.removeAll { end(of: $0) != nil }
        if let ends { kept.insert("\(expiry)=\(ends)", at: position ?? kept.endIndex) }
        return kept.joined(separator: "\n")
    }

    /// The lines between line feeds. A carriage return before one is part of the line.
    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The expiry in a line that is exactly as git's is written. Nil: it is any other line.
    private static func end(of line: String) -> Int? {
        let name = "\(expiry)="
        let rest = String(decoding: line.utf8.dropFirst(name.utf8.count), as: UTF8.self)
        guard let number = Int(rest), "\(name)\(number)".hasBytes(of: line) else { return nil }
        return number
    }
}
