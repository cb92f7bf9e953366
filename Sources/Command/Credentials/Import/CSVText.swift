// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import Keychains
import Readers

/// Comma-separated records (RFC 4180). A quoted field may contain commas, line ends and doubled quotes.
package struct CSVText {
    /// The maximum number of fields of a record.
    private static let mostFields = 256

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// A leading byte order mark is skipped.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next record, and the number of its first line. Nil: there are no more.
    /// Errors: `.unsupportedFormat` if a field isn't UTF-8 text, a quote isn't closed, text follows a closing quote, or
    /// there are too many fields.
    package mutating func next() throws(KeychainError) -> (line: Int, fields: [String])? {
        guard position < bytes.count else { return nil }
        let start = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            guard fields.count <= Self.mostFields else {
                throw failure("a record has more than \(Self.mostFields) fields", start)
            }
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: ",") { continue }
            if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
                position += 1
            }
            line += 1
            break
        }
        return (start, fields)
    }

    /// Reads up to a comma or a line end, and leaves that unread.
    private mutating func field() throws(KeychainError) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            let end = bytes[position...].firstIndex(where: Self.ends) ?? bytes.count
            defer { position = end }
            return try text(bytes[position..<end])
        }
        let start = line
        position += 1
        var value: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte == UInt8(ascii: "\"") else {
                value.append(byte)
                continue
            }
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                value.append(byte)
                position += 1
                continue
            }
            guard position == bytes.count || Self.ends(bytes[position]) else {
                throw failure("there is text after a closing quote", start)
            }
            return try text(value[...])
        }
        throw failure("a quote is not closed", start)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(KeychainError) -> String {
        guard let text = String(validUTF8: bytes) else {
            throw KeychainError(
                .unsupportedFormat,
                "line \(line) is not text in UTF-8; nothing was added; save the file in that encoding, for example: iconv -f ISO-8859-1 -t UTF-8"
            )
        }
        return text
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private func failure(_ text: String, _ line: Int) -> KeychainError {
        KeychainError(.unsupportedFormat, "line \(line) is no record of a CSV file: \(text); nothing was added")
    }

    /// A record in written form, with quotes where they are needed.
    package static func record(_ fields: [String]) -> String {
        fields.map { field in
            let isPlain = field.utf8.allSatisfy { !ends($0) && $0 != UInt8(ascii: "\"") }
            return isPlain
                ? field
                : "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }
}

/// Passwords in a CSV file with a header line, as Chrome, 1Password, Firefox, Safari, Bitwarden and
/// KeePassXC export it.
package enum CSVListing {
    private enum Column {
        case title, address, user, password, notes, oneTimeCode, realm, kind, folder, tags, archived
        /// Marks, icons and times of the other program, which are ignored.
        case passed
    }

    private static let columns: [String: Column] = [
        "name": .title, "title": .title, "url": .address, "urls": .address, "website": .address, "login_uri": .address,
        "username": .user, "login_username": .user, "user name": .user, "login": .user, "password": .password,
        "login_password": .password, "note": .notes, "notes": .notes, "extra": .notes, "comments": .notes,
        "otpauth": .oneTimeCode, "totp": .oneTimeCode, "login_totp": .oneTimeCode, "one-time password": .oneTimeCode,
        "type": .kind, "folder": .folder, "group": .folder, "grouping": .folder, "tags": .tags, "archived": .archived,
        "httprealm": .realm, "favorite": .passed, "fav": .passed, "reprompt": .passed, "icon": .passed,
        "last modified": .passed, "created": .passed, "guid": .passed, "timecreated": .passed, "timelastused": .passed,
        "timepasswordchanged": .passed, "formactionorigin": .passed,
    ]

    /// A group's path without KeePassXC's root group. Nil: it is the root group.
    private static func folder(_ path: String) -> String? {
        path == "Root" ? nil : path.hasPrefix("Root/") ? String(path.dropFirst("Root/".count)) : path
    }

    /// Reads a file. Errors: `.unknownFormat` if the first line names no password column; `.unsupportedFormat`;
    /// `.dataTooLarge`.
    package static func listing(_ bytes: [UInt8]) throws(KeychainError) -> ItemListing {
        var text = CSVText(bytes)
        let head = (try text.next()?.fields ?? []).map { name in
            // Shortened, since a longer name matches no column and would be hashed again for each record.
            let name = ForeignEntry.shown(name.lowercased())
            return (name: name, column: columns[name])
        }
        guard head.contains(where: { $0.column == .password }) else {
            throw KeychainError(
                .unknownFormat, "the first line names no column of passwords, as name,url,username,password does")
        }
        var parts: [ItemListing.Part] = []
        var budget = ForeignBudget()
        while let (line, fields) = try text.next() {
            guard fields != [""] else { continue }
            var entry = ForeignEntry(line)
            var kind = ""
            for ((name, column), value) in zip(head, fields) where !value.isEmpty {
                let source = "the column \(name)"
                switch column {
                case .title: entry.put(value, \.title, from: source)
                case .address:
                    // Bitwarden joins several addresses by commas.
                    let addresses = name == "login_uri" ? BitwardenText.addresses(value) : [value]
                    entry.put(addresses.first ?? "", \.address, from: source)
                    entry.otherAddresses += addresses.dropFirst()
                case .user: entry.put(value, \.user, from: source)
                case .password: entry.put(value, \.password, from: source)
                case .notes: entry.put(value, \.notes, from: source)
                case .oneTimeCode: entry.put(value, \.oneTimeCode, from: source)
                case .realm: entry.put(value, \.realm, from: source)
                case .kind: kind = value
                case .folder: if let folder = folder(value) { entry.file("folder", folder) }
                case .tags: entry.file("tags", value)
                case .archived: if !["0", "false"].contains(value.lowercased()) { entry.file("archived", "") }
                case .passed: break
                case nil: entry.losses.append("the content of the column \(name)")
                }
            }
            try budget.take(entry)
            let isKnown = ["", "login", "note", "securenote"].contains(kind)
            let isWhole = fields.count == head.count
            parts += entry.parts(
                refusing: isWhole
                    ? isKnown ? nil : "entries of the type \(ForeignEntry.shown(kind)) are not taken over"
                    : "it has \(fields.count) fields, and the first line names \(head.count)")
        }
        return ItemListing(parts)
    }
}
