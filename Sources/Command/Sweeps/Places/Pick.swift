// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// One kind of secret in a program's file: which fields have it, and how it is named in the keychain.
struct Pick: Sendable {
    /// Patterns of a field's keys from the outside in, regardless of case: `*` is any part of a key, `**` any number
    /// of keys.
    let keys: [String]
    /// The second part of the rule's identifier.
    let name: String
    /// How the field becomes the secret, if not as it is written.
    let form: Reading
    /// The names in the keychain: `$1` is what the first `*` is in this field, and so on. Nil: the place's word.
    let service: String?
    let account: String

    enum Reading: Sendable, Equatable {
        case written
        case `is`(ClearSecret.Form)
        /// The password in a URL; the host and the user are service and account.
        case url
        /// The header `NAME: SCHEME SECRET`.
        case header
        /// The same, only if the name of the header means a secret.
        case secretHeader
        /// What comes behind `=` in `NAME=SECRET`.
        case afterEquals
        /// The last word.
        case lastWord
        /// The last word of a command that identifies with a service of IRC.
        case identify
        /// A secret in an argument of a program: `--token=SECRET`, `NAME: SECRET`, or a token by its form.
        case argument
        /// What comes behind the first colon of `USER:PASSWORD`, which is the account.
        case afterColon
    }

    /// Whether the last key has to mean a secret, as ``SecretName`` judges it.
    let onlySecretNames: Bool

    init(
        _ keys: String..., name: String, as form: Reading = .written, onlySecretNames: Bool = false,
        service: String? = nil, account: String = ""
    ) {
        (self.keys, self.name, self.form, self.service, self.account) = (keys, name, form, service, account)
        self.onlySecretNames = onlySecretNames
    }

    /// What the stars are; nil: the field has other keys.
    func captures(_ keys: [String]) -> [String]? {
        guard let found = Self.captures(self.keys[...], keys[...]) else { return nil }
        return onlySecretNames && SecretName.judged(keys.last ?? "") == nil ? nil : found
    }

    private static func captures(_ patterns: ArraySlice<String>, _ keys: ArraySlice<String>) -> [String]? {
        guard let pattern = patterns.first else { return keys.isEmpty ? [] : nil }
        if pattern == "**" {
            for count in 0...keys.count {
                if let rest = captures(patterns.dropFirst(), keys.dropFirst(count)) {
                    return [keys.prefix(count).joined(separator: ".")] + rest
                }
            }
            return nil
        }
        guard let key = keys.first, let own = Glob.captures(pattern, key),
            let rest = captures(patterns.dropFirst(), keys.dropFirst())
        else { return nil }
        return own + rest
    }

    /// A template with its captures.
    static func filled(_ template: String, _ captures: [String]) -> String {
        var text = ""
        var rest = Substring(template)
        while let character = rest.popFirst() {
            if character == "$", let digit = rest.first?.wholeNumberValue, digit >= 1, digit <= captures.count {
                text += captures[digit - 1]
                rest = rest.dropFirst()
            } else {
                text.append(character)
            }
        }
        return text
    }
}

/// Names with `*`.
enum Glob {
    /// What each `*` is, regardless of the case of ASCII; nil: no match. The work is at most the product of the counts.
    static func captures(_ pattern: String, _ text: String) -> [String]? {
        let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
        guard pattern.count <= 256, text.count <= 4096 else { return nil }
        let pieces = pattern.split(separator: 0x2A, omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, starts(text[...], first) else { return nil }
        if pieces.count == 1 { return first.count == text.count ? [] : nil }
        var found: [String] = []
        var at = first.count
        for piece in pieces.dropFirst().dropLast() {
            guard let next = (at...max(at, text.count)).first(where: { starts(text.dropFirst($0), piece) }) else {
                return nil
            }
            found.append(String(decoding: text[at..<next], as: UTF8.self))
            at = next + piece.count
        }
        let end = text.count - last.count
        guard end >= at, starts(text[end...], last) else { return nil }
        return found + [String(decoding: text[at..<end], as: UTF8.self)]
    }

    static func matches(_ pattern: String, _ text: String) -> Bool { captures(pattern, text) != nil }

    private static func starts(_ text: ArraySlice<UInt8>, _ piece: ArraySlice<UInt8>) -> Bool {
        text.count >= piece.count && zip(text, piece).allSatisfy { Byte.lower($0) == Byte.lower($1) }
    }
}

extension Place {
    /// A place whose file is of a known format.
    init(
        _ word: String, program: String, files: [String], variables: [(name: String, rest: String)] = [],
        names: [String] = [], rotation: String? = nil, move: Move, format: Format, _ picks: [Pick]
    ) {
        self.init(word, program: program, files: files, variables: variables, names: names, move: move) { bytes, path in
            try PlaceText(bytes: bytes, path: path, word: word, program: program, rotation: rotation)
                .secrets(format.fields(bytes), picks)
        }
    }

    /// A place whose file has a reader of its own, which gives fields.
    init(
        _ word: String, program: String, files: [String], variables: [(name: String, rest: String)] = [],
        names: [String] = [], rotation: String? = nil, move: Move,
        fields: @escaping @Sendable ([UInt8]) -> [Field], _ picks: [Pick]
    ) {
        self.init(word, program: program, files: files, variables: variables, names: names, move: move) { bytes, path in
            try PlaceText(bytes: bytes, path: path, word: word, program: program, rotation: rotation)
                .secrets(fields(bytes), picks)
        }
    }
}

/// The text of a place's file, and what its secrets have in common.
struct PlaceText {
    let bytes: [UInt8]
    let path: String
    let word: String
    let program: String
    let rotation: String?

    func secrets(_ fields: [Field], _ picks: [Pick]) throws -> [ClearSecret] {
        var lines = LineCounter(bytes)
        return try fields.compactMap { field in
            for pick in picks {
                if let captures = pick.captures(field.keys), let secret = try secret(field, pick, captures, &lines) {
                    return secret
                }
            }
            return nil
        }
    }

    private func secret(
        _ field: Field, _ pick: Pick, _ captures: [String], _ lines: inout LineCounter
    ) throws -> ClearSecret? {
        var part = Part(range: field.range, form: field.form)
        part.service = pick.service.map { Pick.filled($0, captures) } ?? word
        part.account = Pick.filled(pick.account, captures)
        guard narrow(&part, pick.form) else { return nil }
        var value = part.form.decoded(bytes[part.range])
        defer { value.wipe() }
        guard !value.isEmpty, !Placeholder.isOne(value), !SecretValue.isExample(value),
            part.form != .base64 || !Placeholder.isOne(Array(bytes[part.range]))
        else { return nil }
        if !value.starts(with: Array("-----BEGIN".utf8)), SecretValue.isHash(String(decoding: value, as: UTF8.self)) {
            return nil
        }
        if pick.onlySecretNames, let meaning = SecretName.judged(field.keys.last ?? ""),
            !SecretValue.isOne(value, meaning == .weak ? .weak : .password, isQuoted: true, .config),
            meaning == .weak || !SecretValue.isPhrase(value)
                || meaning == .token && value.count(where: Byte.isDigit) < 2
        {
            return nil
        }
        return ClearSecret(
            rule: Rule(.place, "\(word)/\(pick.name)", issuer: program, rotation: rotation), path: path,
            line: lines.line(of: part.range.lowerBound), range: part.range, form: part.form,
            secret: try Secret(copying: value), service: part.service.isEmpty ? word : part.service,
            account: part.account)
    }

    private struct Part {
        var range: Range<Int>
        var form: ClearSecret.Form
        var service = ""
        var account = ""
    }

    /// Narrows a field to the secret in it. False: there is none.
    private func narrow(_ part: inout Part, _ reading: Pick.Reading) -> Bool {
        let range = part.range
        switch reading {
        case .written: return true
        case .is(let other):
            if other == .basic {
                guard let (user, _) = ClearSecret.Form.userAndPassword(bytes[range]) else { return false }
                part.account = String(decoding: user, as: UTF8.self)
            }
            part.form = other
        case .url:
            guard let url = PlaceURL(bytes, range) else { return false }
            (part.range, part.form, part.service, part.account) = (url.password, url.form, url.host, url.user)
        case .afterColon, .afterEquals:
            let separator: UInt8 = reading == .afterColon ? 0x3A : 0x3D
            guard let colon = bytes.first(separator, in: range), colon + 1 < range.upperBound else { return false }
            part.account = bytes.text(range.lowerBound..<colon)
            part.range = colon + 1..<range.upperBound
        case .secretHeader:
            guard let colon = bytes.first(0x3A, in: range) else { return false }
            let name = bytes.text(range.lowerBound..<colon).lowercased()
            guard name.hasSuffix("authorization") || SecretName.judged(name) != nil else { return false }
            return narrow(&part, .header)
        case .header:
            guard let header = HeaderText.credential(bytes, range) else { return false }
            (part.range, part.form) = (header.range, header.form)
        case .lastWord, .identify:
            let text = bytes.text(range).lowercased()
            guard reading == .lastWord || text.contains("identify") || text.contains("nickserv"),
                text.contains("identify") || text.contains("auth") || text.contains("nickserv"),
                let blank = bytes[range].lastIndex(of: 0x20)
            else { return false }
            var end = range.upperBound
            while end > blank + 1, [0x3B, 0x22, 0x27].contains(bytes[end - 1]) { end -= 1 }
            part.range = blank + 1..<end
        case .argument: return narrowArgument(&part)
        }
        return true
    }

    private func narrowArgument(_ part: inout Part) -> Bool {
        let range = part.range
        if let separator = range.first(where: { bytes[$0] == 0x3D || bytes[$0] == 0x3A }),
            separator + 1 < range.upperBound
        {
            let name = bytes.text(range.lowerBound..<separator).lowercased()
            if name.hasSuffix("authorization") || SecretName.judged(name) != nil {
                guard bytes[separator] == 0x3A else {
                    part.range = separator + 1..<range.upperBound
                    return true
                }
                return narrow(&part, .header)
            }
        }
        return narrow(&part, .url)
    }
}

/// The password of the first URL in a range.
struct PlaceURL {
    let password: Range<Int>
    let form: ClearSecret.Form
    let host, user: String

    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        guard
            let colon = range.first(where: { bytes.matches("://", at: $0, end: range.upperBound) }),
            let parts = URLText.parts(bytes, colon: colon, in: range)
        else { return nil }
        password = parts.password
        form = bytes[parts.password].contains(0x25) ? .percent : .plain
        host = bytes.text(parts.host)
        let written: ClearSecret.Form = .percent
        user = String(decoding: written.decoded(bytes[parts.user]), as: UTF8.self)
    }
}

/// `Authorization: Basic dXNlcjpwYXNz`, with or without the name.
enum HeaderText {
    static func credential(_ bytes: [UInt8], _ range: Range<Int>) -> (range: Range<Int>, form: ClearSecret.Form)? {
        var rest = bytes.trimmed(range)
        if let colon = bytes.first(0x3A, in: rest), !bytes[rest.lowerBound..<colon].contains(0x20) {
            rest = bytes.trimmed(colon + 1..<rest.upperBound)
        }
        for scheme in ["basic ", "bearer ", "token ", "apikey "] as [StaticString] {
            guard bytes.matches(scheme, at: rest.lowerBound, end: rest.upperBound) else { continue }
            let value = bytes.trimmed(rest.lowerBound + scheme.utf8CodeUnitCount..<rest.upperBound)
            if scheme.description == "basic ", ClearSecret.Form.userAndPassword(bytes[value]) != nil {
                return (value, .basic)
            }
            return value.isEmpty ? nil : (value, .plain)
        }
        return rest.isEmpty ? nil : (rest, .plain)
    }
}

/// The numbers of lines, for places in ascending order at best.
struct LineCounter {
    private let bytes: [UInt8]
    private var known = (offset: 0, line: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func line(of offset: Int) -> Int {
        if offset < known.offset { known = (0, 1) }
        known.line += bytes[known.offset..<offset].count { $0 == 0x0A }
        known.offset = offset
        return known.line
    }
}
