// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

/// The output of `secret-tool search --all` (with `--unlock` or of an unlocked keyring), both its streams together:
///
///     [/org/freedesktop/secrets/collection/login/1]
///     label = A label, which may have several lines
///     secret = a secret, which may have several lines and any bytes
///     created = 2026-01-31 12:00:00
///     modified = 2026-01-31 12:00:00
///     schema = org.freedesktop.Secret.Generic
///     attribute.service = mail
///
/// Nothing in it is escaped. A secret ends before a line `created = ` and a time that is followed by a line `modified =
/// ` and a time.
struct SecretToolText {
    /// One item in the text.
    struct Entry {
        /// The line at which it begins, counted from 1.
        var line: Int
        var label = ""
        /// The secret; nil if none is written, because the item was locked.
        var secret: [UInt8]?
        var attributes: [String: String] = [:]
    }

    private var lines: TextLines
    /// The size of the current entry so far, in bytes.
    private var size = 0

    /// Whether a text that begins with this line is in this form.
    static func begins(with line: [UInt8]) -> Bool { line.starts(with: Array("[/".utf8)) }

    /// The next item. Lines before the first one are skipped.
    static func next(_ lines: inout TextLines) throws -> Entry? {
        var text = SecretToolText(lines: lines)
        defer { lines = text.lines }
        return try text.next()
    }

    private init(lines: TextLines) { self.lines = lines }

    private mutating func next() throws -> Entry? {
        while let line = try lines.peek(), !Self.isHeader(line) { _ = try lines.next() }
        guard try lines.next() != nil else { return nil }
        var entry = Entry(line: lines.number)
        entry.label = try label()
        entry.secret = try secret()
        if try isAtTimes() {
            _ = try lines.next()
            _ = try lines.next()
        }
        entry.attributes = try attributes()
        return entry
    }

    private mutating func label() throws -> String {
        guard var label = try value(of: "label") else { return "" }
        _ = try lines.next()
        while let line = try lines.peek(), try value(of: "secret") == nil, try !isAtTimes(), !Self.isHeader(line) {
            try append(line, to: &label)
        }
        return String(decoding: label, as: UTF8.self)
    }

    private mutating func secret() throws -> [UInt8]? {
        guard var secret = try value(of: "secret") else { return nil }
        _ = try lines.next()
        while let line = try lines.peek(), try !isAtTimes() { try append(line, to: &secret) }
        return secret
    }

    /// Reads attributes. A value continues over following lines that aren't attributes themselves.
    private mutating func attributes() throws -> [String: String] {
        var attributes: [String: String] = [:]
        var name: String?
        while let bytes = try lines.peek(), !Self.isHeader(bytes) {
            let line = String(decoding: bytes, as: UTF8.self)
            _ = try lines.next()
            try count(bytes)
            if line.hasPrefix("attribute."), let middle = line.firstRange(of: " = ") {
                let found = String(line[..<middle.lowerBound].dropFirst("attribute.".count))
                attributes[found] = String(line[middle.upperBound...])
                name = found
            } else if line.hasPrefix("schema = ") {
                name = nil
            } else if let name, try lines.peek() != nil {
                attributes[name, default: ""] += "\n" + line
            }
        }
        return attributes
    }

    /// Appends a line that continues the previous one.
    private mutating func append(_ line: [UInt8], to bytes: inout [UInt8]) throws {
        _ = try lines.next()
        try count(line)
        bytes.append(UInt8(ascii: "\n"))
        bytes += line
    }

    private mutating func count(_ line: [UInt8]) throws {
        size += line.count + 1
        try TextLines.refuse(moreThanLimit: size)
    }

    private static func isHeader(_ line: [UInt8]) -> Bool {
        begins(with: line) && line.last == UInt8(ascii: "]")
    }

    private mutating func value(of name: String, behind distance: Int = 0) throws -> [UInt8]? {
        let start = Array("\(name) = ".utf8)
        guard let line = try lines.peek(distance), line.starts(with: start) else { return nil }
        return Array(line.dropFirst(start.count))
    }

    private mutating func isAtTimes() throws -> Bool {
        guard try value(of: "created").map(Self.isTime) ?? false else { return false }
        return try value(of: "modified", behind: 1).map(Self.isTime) ?? false
    }

    /// Whether it is a time like `2026-01-31 12:00:00`.
    private static func isTime(_ text: [UInt8]) -> Bool {
        text.count == 19
            && zip(text, "dddd-dd-dd dd:dd:dd".utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == form
            }
    }
}

extension ItemRecord {
    /// An item of another secret store. `server` or `host` makes it an internet password. The attributes by which
    /// programs look up their items become fields. All others stay readable in the comment.
    ///
    /// Errors: `.parameter` if it can't be an item: it is locked, or has no attributes.
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

    /// Sets fields by the names of the schema org.gnome.keyring.NetworkPassword. A value that a field doesn't accept
    /// goes to the comment.
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
