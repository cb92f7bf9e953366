// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// The name of an item that a move stores, in the form that its program looks it up by.
package struct MovedItem: Codable, Sendable, Hashable {
    /// What looks the item up.
    package enum Kind: String, Codable, Sendable {
        /// `zamok get`, `zamok run`: a generic password.
        case password
        /// `git-credential-zamok`: the service is `PROTOCOL://HOST[/PATH]`.
        case git
        /// `docker-credential-zamok`: the service is the registry.
        case docker
        /// `cargo-credential-zamok`: the service is the index's URL, the account the registry's name.
        case cargo
        /// `zamok agent`: the account is the key's name.
        case key
    }

    package var kind: Kind
    package var service, account: String
    /// Whether the move stored it; false: an item with this secret was there.
    package var isAdded = false
    /// Whether a file refers to it whose sealed copy was forgotten, so that no undo removes it. Nil: no.
    package var isForgotten: Bool?
    /// The size of its secret in bytes; the record of a move has the secret.
    var size = 0

    package init(_ kind: Kind, _ service: String, _ account: String) {
        (self.kind, self.service, self.account) = (kind, service, account)
    }

    /// Whether both name one item.
    package func isSame(as other: MovedItem) -> Bool {
        kind == other.kind && service == other.service && account == other.account
    }

    /// The name as `zamok get` takes it, which is one word of a shell too.
    package var name: String {
        let plain = account.isEmpty ? service : "\(service)/\(account)"
        guard Self.isPlain(plain), !account.contains("/") else {
            return ItemName.scheme + Self.encoded(service) + "/" + Self.encoded(account)
        }
        return plain
    }

    /// A text as a part of a name that needs no quotes anywhere: other characters become hyphens, but
    /// for those at its ends.
    static func word(_ text: String, besides more: String = "") -> String {
        let bytes = text.utf8.map { isUnreserved($0) || (":@+" + more).utf8.contains($0) ? $0 : UInt8(ascii: "-") }
        let isEnd = { (byte: UInt8) in "-/".utf8.contains(byte) }
        let begin = bytes.drop(while: isEnd)
        let end = begin.lastIndex { !isEnd($0) }.map { $0 + 1 } ?? begin.startIndex
        return String(decoding: begin[..<end], as: UTF8.self)
    }

    /// The name as a reference.
    package var reference: String { ItemName.scheme + Self.encoded(service) + "/" + Self.encoded(account) }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), !text.hasPrefix(ItemName.scheme) else {
            return false
        }
        return text.utf8.allSatisfy { isUnreserved($0) || "/:@+".utf8.contains($0) }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: text.utf8.flatMap { byte in
                isUnreserved(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }, as: UTF8.self)
    }
}

/// The items of moves, in the keychain. All calls throw `KeychainError`; `.locked` before anything is changed.
package struct MovedItems {
    private let known: Keychain?

    /// Nil: there is no home yet, and so there are no items; nothing can be stored.
    package init(_ keychain: Keychain?) { known = keychain }

    private var keychain: Keychain {
        get throws {
            guard let known else { throw Refusal(message: "there is no home; nothing was stored") }
            return known
        }
    }

    /// Why an item can't be stored under its name.
    package struct Refusal: Error {
        package let message: String
    }

    /// The secret that the program would be given for this name. Nil: there is no item of the name.
    func current(_ item: MovedItem, like secret: Secret? = nil) throws -> Secret? {
        guard known != nil else { return nil }
        switch item.kind {
        case .password:
            guard let reference = try records(item).first?.persistentReference else { return nil }
            return try keychain.record(reference, includingSecret: true).secret
        case .git:
            // For an address without a path the helper gives the password of any path.
            guard let helper = try git(item, password: nil), try isWithPath(item) || hasPathless(item) else {
                return nil
            }
            return try Self.line("password", of: try helper.get(now: Int(Date().timeIntervalSince1970)))
        case .docker:
            let answer = try DockerHelper(keychain).answer("get", Secret(copying: Array(item.service.utf8)))
            guard answer.status == 0, let given: Docker = try Self.decoded(answer) else { return nil }
            // Docker has one user for each registry.
            return try Secret(copying: Array((given.Username == item.account ? given.Secret : "").utf8))
        case .cargo:
            guard let given: Cargo = try Self.decoded(try cargo(item, "get")) else { return nil }
            return try given.Ok?.token.map { try Secret(copying: Array($0.utf8)) }
        case .key:
            guard let secret, let pair = try pair(of: secret) else { return nil }
            return try KeyPairs(keychain).open(pair).secret == nil ? nil : secret
        }
    }

    /// The name under which the secret can be stored: the item's own, or one with a number if another secret has it.
    /// Errors: ``Refusal`` where the program looks for one name alone.
    package func free(
        _ item: MovedItem, for secret: Secret, isTaken: (MovedItem) throws -> Bool = { _ in false }
    ) throws -> MovedItem {
        var next = item
        for number in 2...1000 {
            let known = try current(next, like: secret)
            if try known?.isEqual(to: secret) ?? !isTaken(next), try !isAmbiguous(next) { return next }
            guard item.kind == .password || item.kind == .key else { break }
            if item.account.isEmpty {
                next.service = "\(item.service)-\(number)"
            } else {
                next.account = "\(item.account)-\(number)"
            }
        }
        throw Refusal(
            message:
                "the keychain has another secret for \(item.account.isEmpty ? item.service : "\(item.service), \(item.account)"); it stays, and so does the file"
        )
    }

    /// Stores a secret, unless the item has it, and reads it back. Never replaces another secret. Returns the item,
    /// with whether it was added.
    func store(_ secret: Secret, as item: MovedItem) throws -> MovedItem {
        var item = item
        item.size = secret.count
        if let known = try current(item, like: secret) {
            guard try known.isEqual(to: secret) else {
                throw Refusal(
                    message: "the keychain got another secret for \(item.name) meanwhile; nothing was changed")
            }
            item.isAdded = false
            return item
        }
        try add(secret, item)
        item.isAdded = true
        guard try current(item, like: secret)?.isEqual(to: secret) == true else {
            throw Refusal(message: "\(item.name) does not read back as it was stored; nothing was changed")
        }
        return item
    }

    /// Removes the item if it still has this secret. Returns whether it is gone.
    func remove(_ item: MovedItem, having secret: Secret) throws -> Bool {
        guard let known = try current(item, like: secret) else { return true }
        guard try known.isEqual(to: secret) else { return false }
        switch item.kind {
        case .password:
            guard let reference = try records(item).first?.persistentReference else { return true }
            try keychain.delete(reference)
        case .git: _ = try git(item, password: secret)?.erase()
        case .docker: _ = try DockerHelper(keychain).answer("erase", Secret(copying: Array(item.service.utf8)))
        case .cargo: _ = try cargo(item, "logout")
        case .key:
            guard let pair = try pair(of: secret) else { return true }
            try KeyPairs(keychain).remove(pair)
        }
        return try current(item, like: secret) == nil
    }

    private func add(_ secret: Secret, _ item: MovedItem) throws {
        switch item.kind {
        case .password:
            var record = try ItemName(item.service, account: item.account).newRecord()
            record.secret = secret
            try keychain.add(record)
        case .git:
            guard let helper = try git(item, password: secret) else {
                throw Refusal(message: "\(item.service) is no address that git's helper can store; nothing was changed")
            }
            try helper.store()
        case .docker:
            let parts = [
                ("ServerURL", try Secret(copying: Array(item.service.utf8))),
                ("Username", try Secret(copying: Array(item.account.utf8))), ("Secret", secret),
            ]
            _ = try DockerHelper(keychain).answer("store", try Self.object(parts))
        case .cargo: _ = try cargo(item, "login", secret)
        case .key:
            let pairs = KeyPairs(try keychain)
            var wish = KeyPairs.Wish()
            (wish.name, wish.isOffered) = (item.account, true)
            let key = try KeyItem(Data(exposing: secret))
            let wanted = try key.material()?.publicKey?.sshPublicKey
            if let known = try pairs.all().first(where: { $0.publicKey?.sshPublicKey == wanted && wanted != nil }) {
                return try pairs.offer(known, true)
            }
            _ = try pairs.add(key, wish)
        }
    }

    // MARK: Passwords

    private func records(_ item: MovedItem) throws -> [ItemRecord] {
        var query = ItemRecord(.genericPassword)
        try query.set(.service, item.service)
        try query.set(.account, item.account)
        return try keychain.records(matching: query)
    }

    /// Whether `zamok get` would find more than this item by its name.
    private func isAmbiguous(_ item: MovedItem) throws -> Bool {
        guard known != nil, item.kind == .password, let name = ItemName(word: item.name) else { return false }
        return try name.all(in: keychain).count > (records(item).isEmpty ? 0 : 1)
    }

    // MARK: Helpers' own protocols

    private func isWithPath(_ item: MovedItem) -> Bool {
        item.service.range(of: "://").map { item.service[$0.upperBound...].contains("/") } ?? false
    }

    /// Whether there is an item for a server of git's as a whole.
    private func hasPathless(_ item: MovedItem) throws -> Bool {
        guard let scheme = item.service.range(of: "://") else { return false }
        let host = item.service[scheme.upperBound...]
        let colon = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
        var query = ItemRecord(.internetPassword)
        try query.set(.server, String(host[..<(colon ?? host.endIndex)]))
        try query.set(.account, item.account)
        return try keychain.records(matching: query).contains { ["", "/"].contains($0[.path] ?? "") }
    }

    private struct Docker: Decodable {
        let Username, Secret: String
    }

    private struct Cargo: Decodable {
        struct Answer: Decodable { let token: String? }
        let Ok: Answer?
    }

    private func git(_ item: MovedItem, password: Secret?) throws -> GitHelper? {
        // The protocol has a name a line.
        guard let scheme = item.service.range(of: "://"), !Self.hasControl(item.service + item.account) else {
            return nil
        }
        let rest = item.service[scheme.upperBound...]
        let (host, path) = (rest.prefix { $0 != "/" }, rest.drop { $0 != "/" }.dropFirst())
        let lines = ["protocol=\(item.service[..<scheme.lowerBound])", "host=\(host)", "path=\(path)"]
        var text = Array((lines + ["username=\(item.account)"]).joined(separator: "\n").utf8)
        defer { text.wipe() }
        if let password {
            var bytes = try [UInt8](exposing: password)
            defer { bytes.wipe() }
            guard !bytes.contains(where: { [0, 10, 13].contains($0) }) else { return nil }
            text += Array("\npassword=".utf8) + bytes
        }
        return try GitHelper(keychain, try GitRequest(try Secret(copying: text + [10, 10])))
    }

    private func cargo(_ item: MovedItem, _ kind: String, _ token: Secret? = nil) throws -> HelperAnswer {
        let quoted = try [item.service, item.account].map {
            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
        }
        let registry = "{\"index-url\":\(quoted[0]),\"name\":\(quoted[1])}"
        var line = Array("{\"v\":1,\"registry\":\(registry),\"kind\":\"\(kind)\"".utf8)
        defer { line.wipe() }
        if let token {
            line += Array(",\"token\":".utf8) + (try [UInt8](JSONEncoder().encode(String(exposing: token) ?? "")))
        }
        let helper = CargoHelper({ _ in try keychain }, ask: { _ in throw Refusal(message: "there is no token") })
        return try helper.answer(try Secret(copying: line + [UInt8(ascii: "}")]))
    }

    /// Whether a text has what ends a line, or another character that none has.
    static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
    }

    private func pair(of secret: Secret) throws -> KeyPair? {
        guard let key = try KeyItem(Data(exposing: secret)).material()?.publicKey else { return nil }
        do { return try KeyPairs(keychain).offered(key) } catch let error as KeychainError {
            guard error.code == .itemNotFound else { throw error }
            return nil
        }
    }

    private static func text(_ secret: Secret) throws -> String { try String(exposing: secret) ?? "" }

    private static func object(_ members: [(String, Secret)]) throws -> Secret {
        var object: [String: String] = [:]
        for (name, value) in members { object[name] = try text(value) }
        return try Secret(copying: [UInt8](JSONEncoder().encode(object)))
    }

    private static func decoded<R: Decodable>(_ answer: HelperAnswer) throws -> R? {
        let bytes = try answer.output.flatMap { try [UInt8](exposing: $0) }
        return try? JSONDecoder().decode(R.self, from: Data(bytes))
    }

    private static func line(_ name: String, of answer: HelperAnswer) throws -> Secret? {
        let bytes = try answer.output.flatMap { try [UInt8](exposing: $0) }
        for line in bytes.split(separator: 10) where line.starts(with: Array("\(name)=".utf8)) {
            return try Secret(copying: line.dropFirst(name.utf8.count + 1))
        }
        return nil
    }
}
