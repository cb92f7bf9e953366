// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

/// Items that another program exported as text, read one by one. Only one item and a piece of the text are in memory.
package final class ItemListing {
    /// The form of the text.
    package enum Form: String, Sendable, CaseIterable {
        /// One JSON object per line (``ItemRecord/init(json:)``). Empty lines are skipped.
        case jsonLines = "json-lines"
        /// The output of `secret-tool search --all ATTRIBUTE VALUE 2>&1`.
        case secretTool = "secret-tool"
    }

    /// An entry that can't become an item.
    package struct Refusal: Sendable, Equatable {
        /// The line or entry at which it begins, counted from 1.
        package let line: Int
        /// The reason; contains no secret, account or service.
        package let reason: String
        /// Whether only a part of the entry was left out, and the item added.
        package var isPart = false
    }

    /// An entry that was already parsed elsewhere.
    package struct Part: Sendable {
        fileprivate let line: Int
        fileprivate let record: ItemRecord?
        fileprivate let refusals: [Refusal]

        /// An entry that becomes an item. `losses`: the parts that the item lacks.
        package init(_ line: Int, _ record: ItemRecord, losses: [String] = []) {
            self.line = line
            self.record = record
            refusals = losses.map { Refusal(line: line, reason: $0, isPart: true) }
        }

        /// An entry that doesn't become an item.
        package init(_ line: Int, refused reason: String) {
            self.line = line
            record = nil
            refusals = [Refusal(line: line, reason: reason)]
        }
    }

    /// Entries of a document that are read when they are needed.
    package protocol PartSource {
        /// How many there are.
        var count: Int { get }
        /// The parts of an entry, and the kinds of its credentials that are only kept. It is called in the order of
        /// the entries; 0 begins again. Errors: those that concern the whole document.
        func entry(_ number: Int) throws -> (parts: [Part], kept: [String])
    }

    /// The refusals so far.
    package private(set) var refusals: [Refusal] = []
    private var refusalBytes = 0
    /// The line at which the last item read begins.
    package private(set) var line = 0

    /// What positions count: lines or entries.
    package let place: String
    private let form: Form?
    private let start: TextLines
    private var lines: TextLines
    /// Entries that were parsed elsewhere, and the index of the next one.
    private var parts: [Part]
    private var nextPart = 0
    /// Makes the parts of one entry after the other. Nil: all parts are there already.
    private let source: (any PartSource)?
    private var nextEntry = 0
    /// The credentials, by their kind, that became no item of their own and are kept for an export. Of the entries
    /// read so far.
    package private(set) var kept: [String: Int] = [:]

    /// A listing of entries that are already parsed.
    package init(_ parts: [Part], place: String = "line") {
        self.parts = parts
        self.place = place
        source = nil
        form = nil
        start = TextLines { _, _ in [] }
        lines = start
    }

    /// A listing of entries that `source` reads one by one, as often as it is asked.
    package init(_ source: some PartSource, place: String) {
        parts = []
        self.place = place
        self.source = source
        form = nil
        start = TextLines { _, _ in [] }
        lines = start
    }

    /// The items in a text. `read` returns any part of the text, as often as it is called: at most `count` bytes, and
    /// none only at the end.
    ///
    /// - Parameter form: The form; nil: the first character decides.
    ///
    /// Errors: `.unknownFormat` if the text is in neither form; errors of `read`.
    package init(form: Form? = nil, read: @escaping (_ count: Int, _ offset: Int) throws -> [UInt8]) throws {
        start = TextLines(read)
        lines = start
        guard let form = try form ?? Self.form(of: start) else {
            throw KeychainError(
                .unknownFormat,
                "these are neither JSON lines nor the output of secret-tool search --all; another form is named: zamok keychain import --format csv, for example"
            )
        }
        self.form = form
        parts = []
        source = nil
        place = "line"
    }

    /// The next item; nil after the last one. An entry that can't become an item is refused, and reading continues.
    ///
    /// Errors: `.dataTooLarge` for an entry of more than 256 MiB, or for too many refusals; errors of `read`.
    package func next() throws -> ItemRecord? {
        switch form {
        case .jsonLines:
            while let line = try lines.next() {
                guard !line.allSatisfy(Self.isSpace) else { continue }
                let found = try record(lines.number) { () throws(KeychainError) in
                    let record = try ItemRecord(json: line)
                    // A listing without secrets is not a copy of the items.
                    guard record.secret != nil || record.itemClass == .identity else {
                        throw KeychainError(
                            .parameter, "it has no secret; a listing to be imported is made with --value")
                    }
                    return record
                }
                if let found { return found }
            }
        case nil:
            repeat {
                while nextPart < parts.count {
                    defer { nextPart += 1 }
                    line = parts[nextPart].line
                    try refuse(parts[nextPart].refusals)
                    if let record = parts[nextPart].record { return record }
                }
            } while try readEntry()
        case .secretTool:
            while let entry = try SecretToolText.next(&lines) {
                if let record = try record(entry.line, { () throws(KeychainError) in try ItemRecord(entry) }) {
                    return record
                }
            }
        }
        return nil
    }

    /// Reads the next entry of the source. False: there is none.
    private func readEntry() throws -> Bool {
        guard let source, nextEntry < source.count else { return false }
        let entry = try source.entry(nextEntry)
        (parts, nextPart, nextEntry) = (entry.parts, 0, nextEntry + 1)
        for kind in entry.kept {
            // A document may have a kind for each credential.
            kept[kept[kind] == nil && kept.count >= Self.mostKinds ? "more kinds" : kind, default: 0] += 1
        }
        return true
    }

    /// Restarts at the beginning.
    package func rewind() {
        lines = start
        nextPart = 0
        if source != nil { (parts, nextEntry, kept) = ([], 0, [:]) }
        refusals = []
        refusalBytes = 0
    }

    /// Limits for refusals: a text in which nearly nothing is an item is no listing, and each line would
    /// become a sentence.
    private static let mostRefusals = 100_000
    private static let mostRefusalBytes = 64 << 20
    /// How many kinds of kept credentials are counted by their name.
    private static let mostKinds = 32

    /// Records refusals. Errors: `.dataTooLarge`.
    private func refuse(_ more: [Refusal]) throws(KeychainError) {
        refusalBytes += more.reduce(0) { $0 + $1.reason.utf8.count }
        guard refusals.count + more.count <= Self.mostRefusals, refusalBytes <= Self.mostRefusalBytes else {
            throw KeychainError(
                .dataTooLarge,
                "too much of the text is no item, up to \(place) \(more.last?.line ?? line); nothing was added")
        }
        refusals += more
    }

    private func record(
        _ line: Int, _ make: () throws(KeychainError) -> ItemRecord
    ) throws(KeychainError) -> ItemRecord? {
        do throws(KeychainError) {
            let record = try make()
            self.line = line
            return record
        } catch {
            try refuse([Refusal(line: line, reason: error.message)])
            return nil
        }
    }

    private static func form(of text: TextLines) throws -> Form? {
        var text = text
        guard var line = try text.next() else { return nil }
        if SecretToolText.begins(with: line) { return .secretTool }
        while line.allSatisfy(isSpace) {
            guard let next = try text.next() else { return nil }
            line = next
        }
        return line.first { !isSpace($0) } == UInt8(ascii: "{") ? .jsonLines : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
}

/// The lines of a text, without their ends. After a final line end comes an empty line.
struct TextLines {
    /// The maximum length in bytes of a line, or of an entry of several lines.
    static let limit = 256 << 20
    private static let piece = 65_536

    private let read: (_ count: Int, _ offset: Int) throws -> [UInt8]
    private var bytes: [UInt8] = []
    /// The position in `bytes` of the first byte that belongs to no line yet.
    private var position = 0
    /// The offset in the text after `bytes`.
    private var offset = 0
    private var isAtEnd = false
    private var ahead: [[UInt8]] = []
    /// The number of the line that was taken last, counted from 1.
    private(set) var number = 0

    init(_ read: @escaping (_ count: Int, _ offset: Int) throws -> [UInt8]) { self.read = read }

    /// Takes the next line; nil if there is none.
    mutating func next() throws -> [UInt8]? {
        guard let line = try peek() else { return nil }
        ahead.removeFirst()
        number += 1
        return line
    }

    /// The line after `distance` others, without taking it.
    mutating func peek(_ distance: Int = 0) throws -> [UInt8]? {
        while ahead.count <= distance {
            guard let line = try cut() else { return nil }
            ahead.append(line)
        }
        return ahead[distance]
    }

    private mutating func cut() throws -> [UInt8]? {
        var line: [UInt8] = []
        while !isAtEnd {
            if let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
                line += bytes[position..<end]
                position = end + 1
                return line
            }
            line += bytes[position...]
            try Self.refuse(moreThanLimit: line.count)
            bytes = try read(Self.piece, offset)
            (position, offset, isAtEnd) = (0, offset + bytes.count, bytes.isEmpty)
            if isAtEnd { return line }
        }
        return nil
    }

    static func refuse(moreThanLimit count: Int) throws {
        guard count > limit else { return }
        throw KeychainError(.dataTooLarge, "an entry of the text is larger than 256 MiB; nothing was added")
    }
}
