// SPDX-License-Identifier: Apache-2.0

extension XMLText {
    /// As ``fields(_:)``, but `<add key="NAME" value="..."/>` and its like have NAME in place of the element's name and
    /// of `@value`.
    static func named(_ bytes: [UInt8]) -> [Field] {
        var name: (keys: [String], text: String)?
        return fields(bytes).map { field in
            guard let last = field.keys.last else { return field }
            let element = Array(field.keys.dropLast())
            if ["@key", "@name"].contains(last.lowercased()) {
                name = (element, bytes.text(field.range))
            } else if last.lowercased() == "@value", let name, name.keys == element {
                return Field(element.dropLast() + [name.text], field.range, field.form)
            }
            return field
        }
    }

    /// As ``fields(_:)``, but text of an element with `encoding="..."` has the encoding as one more key.
    static func withEncodings(_ bytes: [UInt8]) -> [Field] {
        var encoded: [String]?
        var encoding = ""
        return fields(bytes).map { field in
            if field.keys.last == "@encoding" {
                encoded = field.keys.dropLast()
                encoding = bytes.text(field.range)
            } else if field.keys == encoded {
                encoded = nil
                return Field(field.keys + [encoding], field.range, field.form)
            } else if encoded.map({ field.keys.count < $0.count }) == true {
                encoded = nil
            }
            return field
        }
    }
}

extension LineText {
    /// The first line with content: the password in a file of its own.
    static func password(_ bytes: [UInt8]) -> [Field] {
        // A script that prints the password, or a text that is encrypted itself.
        guard !bytes.starts(with: Array("#!".utf8)), !bytes.starts(with: Array("$ANSIBLE".utf8)) else { return [] }
        return Array(whole(bytes).prefix(1))
    }
}

extension WordText {
    /// The third word of each line, by the first two.
    static func thirdWords(_ bytes: [UInt8]) -> [Field] {
        bytes.lines(in: 0..<bytes.count).compactMap { line in
            let words = words(bytes, line)
            guard words.count >= 3, bytes[words[0].range].first != 0x23 else { return nil }
            return Field([bytes.text(words[0].range), bytes.text(words[1].range)], words[2].range, words[2].form)
        }
    }

    /// Each word, with the one before it as its key.
    static func pairs(_ bytes: [UInt8]) -> [Field] {
        var fields: [Field] = []
        var before = ""
        for line in bytes.lines(in: 0..<bytes.count) {
            guard bytes[bytes.trimmed(line)].first != 0x23 else { continue }
            for word in words(bytes, line) {
                var range = word.range
                // A comma or semicolon behind the word is not part of it.
                while let last = bytes[range].last, last == 0x2C || last == 0x3B {
                    range = range.lowerBound..<range.upperBound - 1
                }
                let text = bytes.text(range)
                if text == "is" || text == "=" { continue }
                fields.append(Field([before], range, word.form))
                before = text
                if fields.count >= Format.mostFields { return fields }
            }
        }
        return fields
    }

    /// `NAME = "VALUE"` wherever it is, several on a line.
    static func assignments(_ bytes: [UInt8]) -> [Field] {
        var fields: [Field] = []
        for line in bytes.lines(in: 0..<bytes.count) {
            guard bytes[bytes.trimmed(line)].first != 0x23 else { continue }
            var at = line.lowerBound
            while let equals = bytes.first(0x3D, in: at..<line.upperBound) {
                at = equals + 1
                let value = bytes.trimmed(at..<line.upperBound)
                guard let quoted = QuotedText.range(bytes, value) else { continue }
                let name = bytes.trimmed(line.lowerBound..<equals)
                var start = name.upperBound
                while start > name.lowerBound, Byte.isWord(bytes[start - 1]) || bytes[start - 1] == 0x2D { start -= 1 }
                at = quoted.upperBound + 1
                guard start < name.upperBound, !quoted.isEmpty else { continue }
                fields.append(
                    Field(
                        [bytes.text(start..<name.upperBound)], quoted,
                        QuotedText.form(bytes, quoted, by: bytes[value.lowerBound])))
            }
            if fields.count >= Format.mostFields { break }
        }
        return fields
    }
}

/// The cache of Subversion: `K 8`, a name, `V 6`, a value.
enum SubversionText {
    static func fields(_ bytes: [UInt8]) -> [Field] {
        let lines = bytes.lines(in: 0..<bytes.count).prefix(1000).map { $0 }
        var fields: [Field] = []
        var at = 0
        while at + 3 < lines.count {
            guard bytes[lines[at]].starts(with: [0x4B, 0x20]), bytes[lines[at + 2]].starts(with: [0x56, 0x20]) else {
                at += 1
                continue
            }
            if !lines[at + 3].isEmpty { fields.append(Field([bytes.text(lines[at + 1])], lines[at + 3])) }
            at += 4
        }
        // Passwords in a form that only a keyring opens have another type.
        let type = fields.first { $0.keys == ["passtype"] }.map { bytes.text($0.range) }
        return type == nil || type == "simple" ? fields : []
    }
}

/// Keywords and strings of Clojure: `:password "..."`.
enum ClojureText {
    static func fields(_ bytes: [UInt8]) -> [Field] {
        var fields: [Field] = []
        var key = ""
        for line in bytes.lines(in: 0..<bytes.count) {
            for word in WordText.words(bytes, line) {
                let text = bytes.text(word.range)
                if text.hasPrefix(":") {
                    key = String(text.dropFirst())
                } else if !key.isEmpty {
                    if word.range.lowerBound > 0, bytes[word.range.lowerBound - 1] == 0x22 {
                        fields.append(Field([key], word.range, word.form))
                    }
                    key = ""
                }
            }
        }
        return fields
    }
}

/// A private key of GnuPG's agent that no passphrase protects: `(private-key ...)`, in the extended form `Key:`.
enum GnuPGText {
    static func fields(_ bytes: [UInt8]) -> [Field] {
        let head = bytes.text(0..<min(bytes.count, 512))
        guard head.contains("private-key"), !head.contains("protected-private-key"),
            !head.contains("shadowed-private-key")
        else {
            return []
        }
        return [Field(["key"], 0..<bytes.count, .block)]
    }
}
