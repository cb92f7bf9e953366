// SPDX-License-Identifier: Apache-2.0

/// The members of a text's JSON object, by which one is added or removed and every other byte stays.
struct JSONMembers {
    private let bytes: [UInt8]
    /// From the brace that opens the object to the one that closes it.
    private var object = 0..<0
    /// From the quote of the name to the end of the value.
    private var members: [Range<Int>] = []

    /// Nil: the text has no object. It is taken to be JSON.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        var (depth, at, begin, end) = (0, 0, Int?.none, 0)
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""):
                if depth == 1, begin == nil { begin = at }
                at += 1
                while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
                    at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == 0 { object = at..<at }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                if depth == 1, let first = begin {
                    members.append(first..<end)
                    begin = nil
                }
                if byte != UInt8(ascii: ",") { depth -= 1 }
                if depth == 0 {
                    object = object.lowerBound..<at + 1
                    return
                }
            default: break
            }
            at += 1
            if !Self.isBlank(byte) { end = at }
        }
        return nil
    }

    /// The text with one member more, behind the others.
    func adding(_ name: String, _ value: String) -> String {
        let open = object.lowerBound + 1
        guard let first = members.first, let last = members.last else {
            return text(replacing: open..<object.upperBound - 1, by: Array("\n  \"\(name)\": \"\(value)\"\n".utf8))
        }
        let blanks = bytes[open..<first.lowerBound]
        let member = "\"\(name)\":\(blanks.isEmpty ? "" : " ")\"\(value)\""
        return text(replacing: last.upperBound..<last.upperBound, by: [UInt8(ascii: ",")] + blanks + Array(member.utf8))
    }

    /// The text without a member, and the comma that goes with it. Nil: it has none of this name.
    func removing(_ name: String) -> String? {
        let written = Array("\"\(name)\"".utf8)
        guard let index = members.firstIndex(where: { bytes[$0].starts(with: written) }) else { return nil }
        if index + 1 < members.count {
            return text(replacing: members[index].lowerBound..<members[index + 1].lowerBound, by: [])
        }
        guard index > 0 else { return text(replacing: object.lowerBound + 1..<object.upperBound - 1, by: []) }
        return text(replacing: members[index - 1].upperBound..<members[index].upperBound, by: [])
    }

    private func text(replacing range: Range<Int>, by new: [UInt8]) -> String {
        String(decoding: bytes[..<range.lowerBound] + new + bytes[range.upperBound...], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
