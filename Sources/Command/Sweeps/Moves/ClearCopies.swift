// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Looks for secrets that moved among the bytes of a file: in comments, under other names.
struct ClearCopies {
    /// The shortest secret that is looked for, in bytes. A shorter one may be a word of the file.
    static let shortest = 8

    private struct Told: Hashable {
        let line: Int
        let masked: String
    }

    /// What is shown of each, by its first eight bytes, its size and its bytes: tokens may begin alike.
    private var known: [UInt64: [Int: [ArraySlice<UInt8>: String]]] = [:]

    /// What the edits take out of a file: the secrets, and their written forms.
    init(_ edits: [MovePlanner.Edit], in bytes: [UInt8]) throws {
        var seen: Set<[UInt8]> = []
        for edit in edits {
            let forms = [try [UInt8](exposing: edit.secret.secret), Array(bytes[edit.secret.range])]
            for form in forms where form.count >= Self.shortest && seen.insert(form).inserted {
                // A value of letters alone, as a name of a user or a database, is a word of the file.
                guard form.count > 11 || form.contains(where: { !Self.isLetter($0) }) else { continue }
                let masked = try MaskedSecret.text(edit.secret.secret)
                known[Self.head(form[..<Self.shortest]), default: [:]][form.count, default: [:]][form[...]] = masked
            }
        }
    }

    /// Whether it looks for these bytes.
    func looks(for bytes: [UInt8]) -> Bool {
        guard bytes.count >= Self.shortest else { return false }
        return known[Self.head(bytes[..<Self.shortest])]?[bytes.count]?[bytes[...]] != nil
    }

    /// The lines that have one, each line once for each secret. The first line is 1.
    func lines(in bytes: [UInt8]) -> [(line: Int, masked: String)] {
        guard !known.isEmpty else { return [] }
        var found: [(line: Int, masked: String)] = []
        var told: Set<Told> = []
        var (head, line, begin) = (UInt64(0), 1, 1)
        for (index, byte) in bytes.enumerated() {
            head = head << 8 | UInt64(byte)
            if index >= Self.shortest - 1, let candidates = known[head] {
                let start = index + 1 - Self.shortest
                for (count, texts) in candidates where count <= bytes.count - start {
                    guard let masked = texts[bytes[start..<start + count]] else { continue }
                    // The first byte is in this line, or before a line end that is in the secret.
                    begin = line - bytes[start..<index].count { $0 == 10 }
                    if told.insert(Told(line: begin, masked: masked)).inserted {
                        found.append((begin, masked))
                    }
                }
            }
            if byte == 10 { line += 1 }
        }
        return found.sorted { ($0.line, $0.masked) < ($1.line, $1.masked) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func head(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
