// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Reads files in windows of one buffer, which is wiped at the end.
struct FileScan {
    /// The most bytes of one file that are read.
    static let mostBytes = 64 << 20
    private static let window = 1 << 20
    /// What of a window is looked at with the next one, so that a secret at its end is whole.
    private static let margin = 48 << 10
    private static let context = 16 << 10
    /// What is read first: enough to tell binary files.
    private static let head = 64 << 10

    private var buffer = [UInt8](repeating: 0, count: window + margin)
    private var names = KnownNames()

    struct Outcome {
        var secrets: [ClearSecret] = []
        var isBinary = false
        var bytes = 0
        /// The file has more bytes than were read, or more secrets than are told.
        var cut: String?
    }

    mutating func wipe() { buffer.wipe() }

    /// The secrets of a file. `place`: what it is known as.
    mutating func scan(_ file: OpenFile, _ status: FileStatus, path: String, place: Place?) throws -> Outcome {
        var outcome = Outcome()
        let kind = TextKind.of(path)
        var count = try file.read(into: &buffer, count: min(Self.head, buffer.count), at: 0)
        outcome.bytes = count
        if KeyContainer.isOne(buffer, count), status.size <= KeyContainer.largest {
            outcome.secrets = try KeyContainer.secrets(in: try file.read(count: KeyContainer.largest), path)
            outcome.isBinary = outcome.secrets.isEmpty
            return outcome
        }
        if UTF16Text.isOne(buffer, count), status.size <= Place.largestFile {
            return try scan(try file.read(count: Place.largestFile), path, kind, place)
        }
        if place == nil || place?.move.isMask == true, Self.isBinary(buffer, count) {
            outcome.isBinary = true
            return outcome
        }
        if let place, status.size <= Place.largestFile {
            var whole =
                count < Self.head
                ? Array(buffer[..<count]) : try file.read(count: min(Place.largestFile, Int(status.size) + 1))
            defer { whole.wipe() }
            outcome.bytes = whole.count
            let found = kind == .keys ? [] : try TextFinder.secrets(in: whole, path, kind, &names)
            let others = Self.withoutCommands(found, in: whole)
            // A text of the file's own kind has nothing more as a place: a mark of the byte order aside.
            let isRead =
                kind != .keys && place.text == kind && whole.first != 0xEF && others.count == found.count
            outcome.secrets = ((isRead ? [] : try place.read(whole, path)) + others).merged
            if outcome.secrets.count >= TextFinder.most {
                outcome.cut = "it has \(TextFinder.most) findings or more; the rest was not looked at"
            }
            return outcome
        }
        var (start, line, next, isAtEnd) = (0, 1, 0, count < Self.head)
        while true {
            if !isAtEnd {
                let more = try read(file, from: start + count, into: count)
                isAtEnd = count + more < buffer.count
                count += more
                outcome.bytes = start + count
            }
            let stop = isAtEnd ? count : count - Self.margin
            try take(next..<stop, count, kind, path, start, line, &outcome)
            guard !isAtEnd, outcome.cut == nil else { break }
            if start + count >= Self.mostBytes {
                outcome.cut = "only the first \(start + stop) of \(status.size) bytes were read"
                break
            }
            let kept = max(0, stop - Self.context)
            line += buffer[..<kept].count { $0 == 0x0A }
            buffer.moveDown(from: kept, count: count - kept)
            (start, count, next) = (start + kept, count - kept, stop - kept)
        }
        if start == 0 {
            for read in WholeText.readers(path, kind, buffer, count) { outcome.secrets += try whole(count, path, read) }
        }
        outcome.secrets = outcome.secrets.merged
        return outcome
    }

    /// A command that prints the secret has words beside names, and is none.
    private static func withoutCommands(_ found: [ClearSecret], in bytes: [UInt8]) -> [ClearSecret] {
        let text = FileText(bytes: bytes)
        return found.filter { !text.asksZamok(at: $0.range.lowerBound) }
    }

    /// The secrets of a text in UTF-16; their ranges are those of the text in UTF-8.
    private mutating func scan(
        _ bytes: [UInt8], _ path: String, _ kind: TextKind, _ place: Place?
    ) throws -> Outcome {
        var (raw, outcome) = (bytes, Outcome(bytes: bytes.count))
        var text = UTF16Text.utf8(raw)
        defer {
            raw.wipe()
            text.wipe()
        }
        var lines = LineCounter(text)
        outcome.secrets = try place?.read(text, path) ?? []
        if kind != .keys { outcome.secrets += try TextFinder.secrets(in: text, path, kind, &names) }
        for read in WholeText.readers(path, kind, text, text.count) {
            outcome.secrets += try read(text).compactMap {
                try $0.secret(text, path, line: lines.line(of: $0.range.lowerBound))
            }
        }
        outcome.secrets = Array(outcome.secrets.merged.prefix(TextFinder.most))
        return outcome
    }

    /// What a reader of whole files finds in the buffer.
    private func whole(_ count: Int, _ path: String, _ read: ([UInt8]) -> [Found]) throws -> [ClearSecret] {
        var whole = Array(buffer[..<count])
        defer { whole.wipe() }
        var lines = LineCounter(whole)
        return try read(whole).compactMap {
            try $0.secret(whole, path, line: lines.line(of: $0.range.lowerBound))
        }
    }

    private mutating func read(_ file: OpenFile, from offset: Int, into index: Int) throws -> Int {
        guard index < buffer.count else { return 0 }
        return try file.read(into: &buffer, from: index, at: offset)
    }

    /// The secrets whose anchors are in a range of the buffer, which begins at `start` of the file.
    private mutating func take(
        _ range: Range<Int>, _ count: Int, _ kind: TextKind, _ path: String, _ start: Int, _ line: Int,
        _ outcome: inout Outcome
    ) throws {
        guard range.lowerBound < range.upperBound else { return }
        var lines = LineCounter(buffer)
        let all = TextFinder.found(in: buffer, range, end: count, kind, &names)
        if outcome.secrets.count + all.count >= TextFinder.most {
            outcome.cut = "it has \(TextFinder.most) findings or more; the rest was not looked at"
        }
        for found in all.prefix(TextFinder.most - outcome.secrets.count) {
            let secret = try found.secret(buffer, path, line: line - 1 + lines.line(of: found.range.lowerBound))
            if let secret { outcome.secrets.append(secret.moved(by: start)) }
        }
    }

    /// A byte of zero, or many control characters, in the beginning.
    static func isBinary(_ bytes: [UInt8], _ count: Int) -> Bool {
        let head = 0..<min(count, 4096)
        return bytes.first(0, in: head) != nil || bytes.controls(in: head) * 50 > head.count
    }
}

extension Move {
    /// Whether the place is text of any kind.
    var isMask: Bool { if case .mask = self { true } else { false } }
}
