// SPDX-License-Identifier: Apache-2.0

/// Readers that need a whole text: tables, manifests, lists of accounts.
enum WholeText {
    /// Those for a file. `count`: the bytes of the buffer that are its text.
    static func readers(_ path: String, _ kind: TextKind, _ bytes: [UInt8], _ count: Int) -> [([UInt8]) -> [Found]] {
        guard kind != .keys else { return [] }
        var readers: [([UInt8]) -> [Found]] = []
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if kind == .config || kind == .json, ManifestText.isOne(bytes, count: count) {
            readers.append(ManifestText.found)
        }
        if ending == "csv" || ending == "tsv" { readers.append(CSVText.found) }
        if kind == .prose || ["html", "htm", "xhtml"].contains(ending), TableText.isOne(bytes, count: count) {
            readers.append(TableText.found)
        }
        if kind == .prose || kind == .config, let accounts = AccountText.kind(path) {
            readers.append { AccountText.found(in: $0, accounts) }
        }
        return readers
    }
}

/// Texts in UTF-16 with a mark of the byte order, as Windows writes them.
enum UTF16Text {
    static func isOne(_ bytes: [UInt8], _ count: Int) -> Bool {
        guard count >= 4 else { return false }
        let (a, b) = (bytes[0], bytes[1])
        return a == 0xFF && b == 0xFE && (bytes[2] != 0 || bytes[3] != 0) || a == 0xFE && b == 0xFF
    }

    /// In UTF-8, without the mark.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let isLittle = bytes.first == 0xFF
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var decoder = UTF16()
        var units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map {
            UInt16(bytes[$0 + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[$0 + (isLittle ? 0 : 1)])
        }.makeIterator()
        while true {
            switch decoder.decode(&units) {
            case .scalarValue(let scalar): text += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case .error: text += Array(UTF8.encodedReplacementCharacter)
            case .emptyInput: return text
            }
        }
    }
}
