// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Finds secrets in text of any kind, in one pass.
package enum TextFinder {
    /// The most findings of one file. A file with more is cut there.
    package static let most = 1000

    /// The secrets of a whole text. Throws ``SecretMemoryError`` without memory.
    package static func secrets(in bytes: [UInt8], _ path: String, _ kind: TextKind) throws -> [ClearSecret] {
        var names = KnownNames()
        return try secrets(in: bytes, path, kind, &names)
    }

    /// The same, with what names of other texts mean.
    static func secrets(
        in bytes: [UInt8], _ path: String, _ kind: TextKind, _ names: inout KnownNames
    ) throws -> [ClearSecret] {
        var lines = LineCounter(bytes)
        return try found(in: bytes, 0..<bytes.count, end: bytes.count, kind, &names).compactMap {
            try $0.secret(bytes, path, line: lines.line(of: $0.range.lowerBound))
        }
    }

    /// What was found whose anchor is in `range` of the bytes up to `end`, in ascending order; nothing overlaps.
    static func found(
        in bytes: [UInt8], _ range: Range<Int>, end: Int, _ kind: TextKind, _ names: inout KnownNames
    ) -> [Found] {
        var scan = TextScan(bytes: bytes, end: end, kind: kind)
        swap(&scan.names, &names)
        defer { swap(&scan.names, &names) }
        let anchors = kind.hasCommands ? Anchors.commands : Anchors.shared
        anchors.search(bytes, in: range.lowerBound..<min(end, range.upperBound + Anchors.width - 1)) { kind, at in
            guard scan.found.count < most else { return at + 1 }
            return max(at + 1, scan.look(kind, at))
        }
        return scan.sorted()
    }
}

/// A secret that was found, before its bytes are taken.
struct Found: Ranked, Sendable, Equatable {
    let rule: Rule
    let range: Range<Int>
    let form: ClearSecret.Form
    var service: String
    var account: String

    /// Nil: the value is empty.
    func secret(_ bytes: [UInt8], _ path: String, line: Int) throws -> ClearSecret? {
        var value = form.decoded(bytes[range])
        defer { value.wipe() }
        guard !value.isEmpty else { return nil }
        return ClearSecret(
            rule: rule, path: path, line: line, range: range, form: form, secret: try Secret(copying: value),
            service: service.isEmpty ? path.split(separator: "/").last.map(String.init) ?? "file" : service,
            account: account)
    }
}

/// One pass over a text.
struct TextScan {
    let bytes: [UInt8]
    /// Where the known bytes end.
    let end: Int
    let kind: TextKind
    var found: [Found] = []
    /// Up to here no key ends, as a key before it showed.
    var endless = 0
    var names = KnownNames()
    /// The line that ``enter(_:)`` was last in; before the text if it is longer than ``line(_:)`` looks.
    private var current = -1..<(-1)
    /// The columns of tables of SQL that have secrets in some, by the table's name.
    var tables: [String: [String]] = [:]
    /// Up to here no `@` is, as a URL before it showed.
    var withoutAt = 0

    init(bytes: [UInt8], end: Int, kind: TextKind) {
        (self.bytes, self.end, self.kind) = (bytes, end, kind)
    }

    /// Looks at an anchor. Returns where the search goes on.
    mutating func look(_ anchor: Anchors.Kind, _ at: Int) -> Int {
        switch anchor {
        case .name: return kind.hasAssignments ? name(at) : at + 1
        case .token(let number): return mayBegin(number, at) ? token(Issuer.all[number], at) : at + 1
        case .privateKey: return privateKey(at)
        case .encodedKey: return encodedKey(at)
        case .url: return url(at + 1)
        case .header: return kind.hasAssignments ? header(at) : at + 1
        case .sql: return sql(at)
        case .command: return command(at)
        case .puttyKey: return puttyKey(at)
        case .dataSource: return dataSource(at)
        case .login: return login(at)
        case .directive(let number): return directive(number, at)
        case .short: return kind.hasAssignments ? shortName(at) : at + 1
        case .cookie: return kind.hasAssignments ? cookie(at) : at + 1
        case .oneTime: return oneTime(at)
        case .characters: return kind == .source ? characters(at) : at + 1
        case .table: return kind.hasAssignments ? table(at) : at + 1
        case .typed: return typed(at)
        case .option: return option(at)
        case .arguments: return kind == .source || kind == .script ? arguments(at) : at + 1
        case .tunnel: return tunnel(at)
        case .other(let other): return self.other(other, at)
        case .call(let argument): return kind.hasAssignments ? call(at, argument) : at + 1
        }
    }

    mutating func add(
        _ kind: Rule.Kind, _ identifier: String, _ issuer: String, _ range: Range<Int>,
        _ form: ClearSecret.Form = .plain,
        rotation: String? = nil, service: String? = nil, account: String = ""
    ) {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= end else { return }
        found.append(
            Found(
                rule: Rule(kind, identifier, issuer: issuer, rotation: rotation), range: range, form: form,
                service: service ?? issuer, account: account))
    }

    /// Without what overlaps something of a higher rank, or the same of an equal rank that came before.
    func sorted() -> [Found] { found.merged }

    private static let longestSide = 1024

    /// Notes the line of a place, for ``line(_:)``.
    mutating func enter(_ at: Int) {
        if current.lowerBound <= at, at <= current.upperBound { return }
        let least = max(0, at - Self.longestSide - 1)
        let before = bytes.last(in: least..<at) { $0 == 0x0A }
        guard let low = before.map({ $0 + 1 }) ?? (least == 0 ? 0 : nil), at - low <= Self.longestSide else { return }
        let most = min(end, low + Self.longestSide)
        guard let high = bytes.first(0x0A, in: at..<max(at, most)) ?? (most == end ? end : nil) else { return }
        current = low..<high
    }

    /// The beginning and the end of the line of a place; at most 1 KiB on each side.
    func line(_ at: Int) -> Range<Int> {
        var (low, high) = (at, at)
        if current.lowerBound <= at, at <= current.upperBound {
            (low, high) = (current.lowerBound, current.upperBound)
        } else {
            low = max(0, at - Self.longestSide)
            low = bytes.last(in: low..<at) { $0 == 0x0A }.map { $0 + 1 } ?? low
            if at < end {
                high = min(end, at + Self.longestSide)
                high = bytes.first(0x0A, in: at..<high) ?? high
            }
        }
        if high > low, bytes[high - 1] == 0x0D { high -= 1 }
        return low..<max(low, high)
    }
}
