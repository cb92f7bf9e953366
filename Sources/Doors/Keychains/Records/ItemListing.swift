// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SecretMemory

/// Items that another program wrote down as text, read one by one: only one of them and a piece of the text are in memory.
package final class ItemListing {
    /// How they are written down.
    package enum Form: String, Sendable, CaseIterable {
        /// One JSON object a line (``ItemRecord/init(json:)``); empty lines don't count.
        case jsonLines = "json-lines"
        /// What `secret-tool search --all ATTRIBUTE VALUE 2>&1` prints.
        case secretTool = "secret-tool"
    }

    /// An entry that can't become an item.
    package struct Refusal: Sendable, Equatable {
        /// Where it begins, counted from 1.
        package let line: Int
        /// Why; contains no secret, account or service.
        package let reason: String
        /// Whether a part of it was left out, and the item added.
        package var isPart = false
    }

    /// An entry that somebody else has read.
    package struct Part: Sendable {
        fileprivate let line: Int
        fileprivate let record: ItemRecord?
        fileprivate let refusals: [Refusal]

        /// One that becomes an item. `losses`: what of it doesn't.
        package init(_ line: Int, _ record: ItemRecord, losses: [String] = []) {
            self.line = line
            self.record = record
            refusals = losses.map { Refusal(line: line, reason: $0, isPart: true) }
        }

        /// One that becomes none.
        package init(_ line: Int, refused reason: String) {
            self.line = line
            record = nil
            refusals = [Refusal(line: line, reason: reason)]
        }
    }

    /// What was refused so far.
    package private(set) var refusals: [Refusal] = []
    private var refusalBytes = 0
    /// The line at which the last item read begins.
    package private(set) var line = 0

    /// What places are numbers of: lines or entries.
    package let place: String
    private let form: Form?
    private let start: TextLines
    private var lines: TextLines
    /// Those that were read by somebody else, and the one that comes next.
    private let parts: [Part]
    private var nextPart = 0

    /// Entries that were read already.
    package init(_ parts: [Part], place: String = "line") {
        self.parts = parts
        self.place = place
        form = nil
        start = TextLines { _, _ in [] }
        lines = start
    }

    /// The items in a text, any part of which `read` returns as often as it is called: at most `count` bytes, and none only at the end.
    ///
    /// - Parameter form: nil: the first character decides.
    ///
    /// Errors: `.unknownFormat` when the text is of neither form; what `read` throws.
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
        place = "line"
    }

    /// The next item; nil after the last one. Entries that can't become items are refused one by one; the others are read.
    ///
    /// Errors: `.dataTooLarge` for an entry of more than 256 MiB; what reading throws.
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
            while nextPart < parts.count {
                defer { nextPart += 1 }
                line = parts[nextPart].line
                try refuse(parts[nextPart].refusals)
                if let record = parts[nextPart].record { return record }
            }
        case .secretTool:
            while let entry = try SecretToolText.next(&lines) {
                if let record = try record(entry.line, { () throws(KeychainError) in try ItemRecord(entry) }) {
                    return record
                }
            }
        }
        return nil
    }

    /// Begins again.
    package func rewind() {
        lines = start
        nextPart = 0
        refusals = []
        refusalBytes = 0
    }

    /// A text of which nearly nothing is an item is none of items, and each of its lines would become a sentence.
    private static let mostRefusals = 100_000
    private static let mostRefusalBytes = 64 << 20

    /// Errors: `.dataTooLarge`.
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

/// The lines of a text, without their ends; after a last end there is an empty one.
struct TextLines {
    /// The most bytes that a line, or what is put together from several, may have.
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
