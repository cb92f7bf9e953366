// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// The command `security` of macOS for passwords, certificates and identities.
/// It has the same arguments, output and exit statuses.
/// All items are in the home's only keychain.
package struct SecurityTool {
    /// The environment of the command.
    package struct Surroundings {
        /// Opens the keychain. With `true`, creates one if there is none.
        let open: (_ makesHome: Bool) throws -> Keychain
        /// Reads a password that was not given on the command line.
        let password: () throws -> Secret
        /// The path to print for the keychain.
        let path: String
        /// Whether the arguments may contain a password.
        let takesPasswords: Bool

        package init(
            path: String, takesPasswords: Bool, open: @escaping (_ makesHome: Bool) throws -> Keychain,
            password: @escaping () throws -> Secret
        ) {
            (self.path, self.takesPasswords, self.open, self.password) = (path, takesPasswords, open, password)
        }
    }

    /// The supported subcommands, for error messages.
    package static let subcommands = [
        "add-generic-password", "add-internet-password", "find-generic-password", "find-internet-password",
        "delete-generic-password", "delete-internet-password", "find-certificate", "find-identity", "list-keychains",
        "default-keychain",
    ]

    private let around: Surroundings

    package init(_ around: Surroundings) { self.around = around }

    /// Runs a subcommand. Errors: `SecurityFailure`, those of the keychain.
    package func answer(_ words: [String]) throws -> HelperAnswer {
        guard let subcommand = words.first else { throw SecurityFailure.usage("name a subcommand: \(Self.known)") }
        let rest = Array(words.dropFirst())
        switch subcommand {
        case "add-generic-password": return try add(.genericPassword, rest)
        case "add-internet-password": return try add(.internetPassword, rest)
        case "find-generic-password": return try find(.genericPassword, rest)
        case "find-internet-password": return try find(.internetPassword, rest)
        case "delete-generic-password": return try delete(.genericPassword, rest)
        case "delete-internet-password": return try delete(.internetPassword, rest)
        case "find-certificate": return try findCertificates(rest)
        case "find-identity": return try findIdentities(rest)
        case "list-keychains", "default-keychain", "login-keychain": return try keychains(subcommand, rest)
        default: throw SecurityFailure.usage("there is no \(subcommand) here; there are: \(Self.known)")
        }
    }

    private static let known = subcommands.joined(separator: ", ")

    /// The words of one line of `security -i`. Nil: a quote is not closed.
    package static func words(ofLine line: String) -> [String]? { SecurityWords.words(ofLine: line) }

    // MARK: Passwords

    /// The options that find and delete share.
    private static func letters(_ itemClass: ItemClass) -> String {
        itemClass == .genericPassword ? "a:c:C:D:G:j:l:s:" : "a:c:C:d:D:j:l:p:P:r:s:t:"
    }

    private static func code(_ letter: Character, _ itemClass: ItemClass) -> String? {
        let common: [Character: String] = [
            "a": "acct", "c": "crtr", "C": "type", "D": "desc", "j": "icmt", "l": "labl",
        ]
        if let code = common[letter] { return code }
        let own: [Character: String] =
            itemClass == .genericPassword
            ? ["G": "gena", "s": "svce"]
            : ["d": "sdmn", "p": "path", "P": "port", "r": "ptcl", "s": "srvr", "t": "atyp"]
        return own[letter]
    }

    private func record(_ itemClass: ItemClass, _ words: SecurityWords) throws -> ItemRecord {
        var record = ItemRecord(itemClass)
        for (letter, value) in words.values {
            guard let code = Self.code(letter, itemClass) else { continue }
            switch code {
            case "port":
                guard let port = UInt16(value) else { throw SecurityFailure.usage("\(value) is no port") }
                try record.set(code: code, .number(Int64(port)))
            case "crtr", "type", "ptcl":
                guard value.utf8.count == 4 || code == "ptcl" && value.utf8.count < 4, !value.isEmpty else {
                    throw SecurityFailure.usage("-\(letter) takes a code of four characters")
                }
                let padded = value + String(repeating: " ", count: 4 - value.utf8.count)
                let number = padded.utf8.reduce(Int64(0)) { $0 << 8 | Int64($1) }
                try record.set(code: code, code == "ptcl" ? .text(padded) : .number(number))
            default: try record.set(code: code, .text(value))
            }
        }
        return record
    }

    /// The first item that matches the options.
    private func first(_ itemClass: ItemClass, _ words: SecurityWords, _ keychain: Keychain) throws -> ItemRecord {
        try checkKeychains(words.rest)
        let wanted = try record(itemClass, words)
        guard let found = try keychain.records(matching: wanted, limit: 1).first else { throw SecurityFailure.absent }
        return found
    }

    private func find(_ itemClass: ItemClass, _ words: [String]) throws -> HelperAnswer {
        let words = try SecurityWords(words, letters: Self.letters(itemClass) + "gw")
        let keychain = try around.open(false)
        let found = try first(itemClass, words, keychain)
        guard words.has("w") || words.has("g"), let reference = found.persistentReference else {
            return try HelperAnswer(SecurityText.item(found, keychain: around.path))
        }
        let bytes = try keychain.record(reference, includingSecret: true).secret.map { try [UInt8](exposing: $0) } ?? []
        guard words.has("w") else {
            var answer = try HelperAnswer(SecurityText.item(found, keychain: around.path))
            answer.aside = try Secret(copying: Array("password: \(SecurityText.blob(bytes))\n".utf8))
            return answer
        }
        var answer = HelperAnswer()
        answer.output = [try Secret(copying: SecurityText.bare(bytes) + [UInt8(ascii: "\n")])]
        return answer
    }

    private func delete(_ itemClass: ItemClass, _ words: [String]) throws -> HelperAnswer {
        let words = try SecurityWords(words, letters: Self.letters(itemClass))
        guard try !record(itemClass, words).isEmpty else {
            throw SecurityFailure.usage("say which one, with -s and -a: without, it would be any")
        }
        let keychain = try around.open(false)
        let found = try first(itemClass, words, keychain)
        if let reference = found.persistentReference { try keychain.delete(reference) }
        var answer = try HelperAnswer(SecurityText.item(found, keychain: around.path))
        answer.aside = try Secret(copying: Array("password has been deleted.\n".utf8))
        return answer
    }

    private func add(_ itemClass: ItemClass, _ given: [String]) throws -> HelperAnswer {
        // The option -p is the password for generic passwords, and the path for internet passwords.
        let isGeneric = itemClass == .genericPassword
        let words = try SecurityWords(
            given, letters: Self.letters(itemClass) + "X:T:w:UA" + (isGeneric ? "p:" : ""), last: "w")
        try checkKeychains(words.rest)
        let named = words["X"] ?? words["w"] ?? (isGeneric ? words["p"] : nil)
        guard named == nil || around.takesPasswords else {
            throw SecurityFailure.usage(
                "a password among the words is seen by every program of this machine; put -w last and give it on standard input, or add --insecure-argv"
            )
        }
        var record = try record(itemClass, words)
        guard !record.isEmpty else { throw SecurityFailure.usage("say what the item is called, with -s and -a") }
        let place: ItemField = isGeneric ? .service : .server
        if record[.label] == nil, let name = record[place] { try record.set(.label, name) }
        if let hexadecimal = words["X"] {
            guard let bytes = Self.bytes(ofDigits: hexadecimal) else {
                throw SecurityFailure.usage("-X takes hexadecimal digits")
            }
            record.secret = try Secret(copying: bytes)
        } else if let named {
            record.secret = try Secret(copying: Array(named.utf8))
        } else {
            record.secret = words.has("w") ? try around.password() : nil
        }
        let keychain = try around.open(true)
        // Without a password a new item gets an empty one, and an existing item keeps its own.
        var new = record
        if new.secret == nil { new.secret = try Secret(copying: []) }
        do {
            try keychain.add(new)
        } catch {
            guard error.code == .duplicateItem else { throw error }
            guard words.has("U") else { throw SecurityFailure.present }
            try update(keychain, record)
        }
        guard words["T"] != nil || words.has("A") else { return HelperAnswer() }
        return try HelperAnswer(
            "", message: "-T and -A change nothing here: every program of this account may read the item")
    }

    /// Updates the item of the same identity with all attributes and the secret of the new one.
    private func update(_ keychain: Keychain, _ record: ItemRecord) throws {
        var wanted = ItemRecord(record.itemClass)
        for code in ItemRecord.passwordCodes where record[code: code] != nil { wanted.copy(code: code, of: record) }
        // An attribute that isn't given must be empty. It doesn't match any value.
        let found = try keychain.records(matching: wanted).first { known in
            ItemRecord.passwordCodes.allSatisfy { record[code: $0] != nil || Self.isNothing(known[code: $0]) }
        }
        guard let reference = found?.persistentReference else { throw SecurityFailure.present }
        try keychain.update(reference, with: record, keepingPastOf: found?[.group])
    }

    private static func isNothing(_ value: AttributeValue?) -> Bool {
        switch value {
        case nil, .number(0), .text(""), .data([]): true
        default: false
        }
    }

    private static func bytes(ofDigits digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard digits[index] != UInt8(ascii: "+"), digits[index] != UInt8(ascii: "-"),
                let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    // MARK: Keychains

    /// Checks the named keychains. There is only one. Scripts name it by its path here, or by the name
    /// of macOS's keychain.
    private func checkKeychains(_ words: [String]) throws {
        for word in words {
            let name = word.split(separator: "/").last.map(String.init) ?? word
            let isOurs = word == around.path || ["login.keychain", "login.keychain-db", "zamok"].contains(name)
            guard isOurs else { throw SecurityFailure.noKeychain }
        }
    }

    private func keychains(_ subcommand: String, _ words: [String]) throws -> HelperAnswer {
        let words = try SecurityWords(words, letters: "d:s")
        guard !words.has("s") else {
            throw SecurityFailure.usage("\(subcommand) -s: there is one keychain here, which can't be exchanged")
        }
        if let domain = words["d"], domain != "user" { return HelperAnswer() }
        return try HelperAnswer("    \"\(around.path)\"\n")
    }
}

extension SecurityTool {
    // MARK: Certificates

    private func findCertificates(_ words: [String]) throws -> HelperAnswer {
        let words = try SecurityWords(words, letters: "c:e:ampZ")
        try checkKeychains(words.rest)
        let keychain = try around.open(false)
        var found: [(record: ItemRecord, der: [UInt8])] = []
        for record in try keychain.records(matching: ItemRecord(.certificate)) {
            guard let reference = record.persistentReference,
                let secret = try keychain.record(reference, includingSecret: true).secret
            else { continue }
            let der = try [UInt8](exposing: secret)
            let facts = CertificateFacts(der)
            if let name = words["c"] {
                guard facts?.commonName?.contains(name) ?? record[.label]?.contains(name) == true else { continue }
            }
            if let mail = words["e"], facts?.mailAddresses.contains(mail) != true { continue }
            found.append((record, der))
            guard words.has("a") else { break }
        }
        guard !found.isEmpty || words.has("a") else { throw SecurityFailure.absent }
        var text = ""
        for (record, der) in found {
            if words.has("Z") {
                text += "SHA-256 hash: \(SecurityText.digits(CertificateFacts.sha256(der)))\n"
                text += "SHA-1 hash: \(SecurityText.digits(CertificateFacts.sha1(der)))\n"
            }
            if words.has("m") {
                for address in CertificateFacts(der)?.mailAddresses ?? [] {
                    text += "email addresses: \(Self.shown(address))\n"
                }
            }
            text += words.has("p") ? CertificateFacts.pem(der) : SecurityText.item(record, keychain: around.path)
        }
        return try HelperAnswer(text)
    }

    /// A name from a certificate, which any program may have made: it neither begins a line nor steers a terminal.
    private static func shown(_ name: String) -> String { String(printing: name.utf8) }

    /// Lists identities. Valid are those within their certificate's validity period.
    /// Nothing is trusted here, so no other check applies.
    private func findIdentities(_ words: [String]) throws -> HelperAnswer {
        let words = try SecurityWords(words, letters: "p:s:v")
        try checkKeychains(words.rest)
        let policies = [
            "basic": "X.509 Basic", "ssl-client": "SSL (client)", "ssl-server": "SSL (server)",
            "codesigning": "Code Signing", "smime": "S/MIME",
        ]
        guard let policy = policies[words["p"] ?? "basic"] else {
            throw SecurityFailure.usage("-p takes one of \(policies.keys.sorted().joined(separator: ", "))")
        }
        let keychain = try around.open(false)
        var all: [(line: String, isValid: Bool)] = []
        for record in try keychain.records(matching: ItemRecord(.identity)) {
            guard let reference = record.persistentReference,
                let der = try keychain.certificate(ofIdentity: reference).map({ try [UInt8](exposing: $0) })
            else { continue }
            let facts = CertificateFacts(der)
            let name = Self.shown(facts?.summary ?? record[.label] ?? "")
            let isExpired = facts?.validity.map { !$0.contains(Date()) } ?? false
            let line = "\(SecurityText.digits(CertificateFacts.sha1(der))) \"\(name)\""
            all.append((line + (isExpired ? " (CSSMERR_TP_CERT_EXPIRED)" : ""), !isExpired))
        }
        let valid = all.filter(\.isValid).map(\.line)
        func numbered(_ lines: [String]) -> String {
            lines.enumerated().map { "  \($0.offset + 1)) \($0.element)\n" }.joined()
        }
        let validText = numbered(valid) + "     \(valid.count) valid identities found\n"
        guard !words.has("v") else { return try HelperAnswer(validText) }
        let matching = "\nPolicy: \(policy)\n  Matching identities\n" + numbered(all.map(\.line))
        return try HelperAnswer(
            matching + "     \(all.count) identities found\n\n  Valid identities only\n" + validText)
    }
}
