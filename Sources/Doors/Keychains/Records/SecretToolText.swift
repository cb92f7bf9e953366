// SPDX-License-Identifier: Apache-2.0

/// What `secret-tool search --all` prints (with `--unlock` or of an unlocked keyring), both its outputs together:
///
///     [/org/freedesktop/secrets/collection/login/1]
///     label = A label, which may have several lines
///     secret = a secret, which may have several lines and any bytes
///     created = 2026-01-31 12:00:00
///     modified = 2026-01-31 12:00:00
///     schema = org.freedesktop.Secret.Generic
///     attribute.service = mail
///
/// Nothing in it is escaped. A secret ends at the first line that begins with `created = ` and a time and has one below it that
/// begins with `modified = ` and a time.
struct SecretToolText {
    /// One item as it is written down.
    struct Entry {
        /// Where it begins, counted from 1.
        var line: Int
        var label = ""
        /// nil: none is written, because the item was locked.
        var secret: ArraySlice<UInt8>?
        var attributes: [String: String] = [:]
    }

    private let bytes: ArraySlice<UInt8>
    private let lines: [ArraySlice<UInt8>]
    private var position = 0

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// Whether it looks like such a text.
    static func isRecognised(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.prefix { $0 != UInt8(ascii: "\n") }.starts(with: Array("[/".utf8))
    }

    /// The items in it. Lines before the first are left out.
    static func entries(of bytes: ArraySlice<UInt8>) -> [Entry] {
        var text = SecretToolText(bytes)
        var entries: [Entry] = []
        while let entry = text.next() { entries.append(entry) }
        return entries
    }

    private mutating func next() -> Entry? {
        while position < lines.count, !isHeader(position) { position += 1 }
        guard position < lines.count else { return nil }
        var entry = Entry(line: position + 1)
        position += 1
        entry.label = label()
        entry.secret = secret()
        position += isTimes(position) ? 2 : 0
        entry.attributes = attributes()
        return entry
    }

    private mutating func label() -> String {
        guard let first = value(of: "label", at: position) else { return "" }
        let start = first.startIndex
        position += 1
        while position < lines.count, value(of: "secret", at: position) == nil, !isTimes(position), !isHeader(position)
        {
            position += 1
        }
        return String(decoding: bytes[start..<end(of: position - 1)], as: UTF8.self)
    }

    private mutating func secret() -> ArraySlice<UInt8>? {
        guard let first = value(of: "secret", at: position) else { return nil }
        position += 1
        while position < lines.count, !isTimes(position) { position += 1 }
        return bytes[first.startIndex..<end(of: position - 1)]
    }

    /// An attribute's value goes on over the lines that are none themselves.
    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        var name: String?
        while position < lines.count, !isHeader(position) {
            let line = String(decoding: lines[position], as: UTF8.self)
            position += 1
            if line.hasPrefix("attribute."), let middle = line.firstRange(of: " = ") {
                let found = String(line[..<middle.lowerBound].dropFirst("attribute.".count))
                attributes[found] = String(line[middle.upperBound...])
                name = found
            } else if line.hasPrefix("schema = ") {
                name = nil
            } else if let name, position < lines.count {
                attributes[name, default: ""] += "\n" + line
            }
        }
        return attributes
    }

    private func isHeader(_ index: Int) -> Bool {
        let line = lines[index]
        return line.starts(with: Array("[/".utf8)) && line.last == UInt8(ascii: "]")
    }

    private func value(of name: String, at index: Int) -> ArraySlice<UInt8>? {
        let start = Array("\(name) = ".utf8)
        guard index < lines.count, lines[index].starts(with: start) else { return nil }
        return lines[index].dropFirst(start.count)
    }

    private func isTimes(_ index: Int) -> Bool {
        value(of: "created", at: index).map(isTime) ?? false
            && value(of: "modified", at: index + 1).map(isTime) ?? false
    }

    /// `2026-01-31 12:00:00`
    private func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 19
            && zip(text, "dddd-dd-dd dd:dd:dd".utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == form
            }
    }

    private func end(of index: Int) -> Int { lines[index].endIndex }
}
