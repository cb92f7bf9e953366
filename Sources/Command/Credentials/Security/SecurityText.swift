// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Keychains
import Readers

/// Items in the output format of macOS's `security`.
/// It was checked against public transcripts of find-generic-password, find-internet-password and find-certificate.
/// Guessed are the escapes of quotes and backslashes, and that an empty attribute of an internet password is `<NULL>`.
enum SecurityText {
    /// The whole block of one item. `keychain`: the path to print.
    static func item(_ record: ItemRecord, keychain: String) -> String {
        let isCertificate = record.itemClass == .certificate
        let itemClass = isCertificate ? "0x80001000 " : "\"\(record.itemClass.rawValue)\""
        return "keychain: \(quoted(Array(keychain.utf8)))\nversion: 512\nclass: \(itemClass)\nattributes:\n"
            + (isCertificate ? certificate : password(record)).map { $0.line(record) }.joined()
    }

    /// `"text"`. If it contains bytes other than printable ASCII, hexadecimal digits precede the text.
    static func blob(_ bytes: [UInt8]) -> String {
        isPlain(bytes) ? quoted(bytes) : "0x\(digits(bytes))  \(quoted(bytes))"
    }

    /// The output of the option -w.
    static func bare(_ bytes: [UInt8]) -> [UInt8] { isPlain(bytes) ? bytes : Array(digits(bytes).lowercased().utf8) }

    static func digits(_ bytes: [UInt8]) -> String {
        String(hexadecimal: bytes).uppercased()
    }

    static func isPlain(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    private static func quoted(_ bytes: [UInt8]) -> String {
        "\"" + bytes.map(escaped).joined() + "\""
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x20..<0x7F: String(UnicodeScalar(byte))
        default: "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0) + String(byte, radix: 8)
        }
    }

    // MARK: Attributes

    private enum Kind: String {
        case blob, timedate, uint32, sint32
    }

    private struct Row {
        let name: String
        let kind: Kind
        let code: String

        /// `code`: Apple's code, if it differs from the name.
        init(_ name: String, _ kind: Kind, _ code: String? = nil) {
            self.code = code ?? name
            self.name = name.hasPrefix("0x") ? "\(name) " : "\"\(name)\""
            self.kind = kind
        }

        func line(_ record: ItemRecord) -> String {
            let value = text(kind, record[code: code]) ?? (code == "atyp" ? "\"dflt\"" : "<NULL>")
            return "    \(name)<\(kind.rawValue)>=\(value)\n"
        }
    }

    private static func text(_ kind: Kind, _ value: AttributeValue?) -> String? {
        switch (kind, value) {
        case (_, nil): nil
        case (.timedate, .date(let seconds)): blob(Array((time(seconds)).utf8) + [0])
        case (.blob, .text(let text)): text.isEmpty ? nil : blob(Array(text.utf8))
        case (.blob, .data(let bytes)): bytes.isEmpty ? nil : blob(bytes)
        case (.uint32, .text(let text)): quoted(Array(text.utf8))
        case (_, .number(let number)): number32(number, isCode: kind == .uint32)
        case (_, .text(let text)): quoted(Array(text.utf8))
        default: nil
        }
    }

    /// A number in hexadecimal, or a code of four letters in quotes.
    private static func number32(_ number: Int64, isCode: Bool) -> String {
        let word = UInt32(truncatingIfNeeded: number)
        let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        if isCode, word != 0, isPlain(bytes) { return quoted(bytes) }
        return "0x\(digits(bytes)) "
    }

    /// `20240710105314Z`
    private static func time(_ seconds: Double) -> String {
        let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        return text.filter { $0.isNumber } + "Z"
    }

    private static func password(_ record: ItemRecord) -> [Row] {
        let isGeneric = record.itemClass == .genericPassword
        var rows = [Row("0x00000007", .blob, "labl"), Row("0x00000008", .blob, "alis"), Row("acct", .blob)]
        if !isGeneric { rows.append(Row("atyp", .blob)) }
        rows += [
            Row("cdat", .timedate), Row("crtr", .uint32), Row("cusi", .sint32), Row("desc", .blob),
        ]
        if isGeneric { rows.append(Row("gena", .blob)) }
        rows += [Row("icmt", .blob), Row("invi", .sint32), Row("mdat", .timedate), Row("nega", .sint32)]
        if !isGeneric { rows += [Row("path", .blob), Row("port", .uint32)] }
        rows.append(Row("prot", .blob))
        if !isGeneric { rows.append(Row("ptcl", .uint32)) }
        rows.append(Row("scrp", .sint32))
        rows += isGeneric ? [Row("svce", .blob)] : [Row("sdmn", .blob), Row("srvr", .blob)]
        return rows + [Row("type", .uint32)]
    }

    private static let certificate = [
        Row("alis", .blob), Row("cenc", .uint32), Row("ctyp", .uint32), Row("hpky", .blob, "pkhh"),
        Row("issu", .blob, "issr"), Row("labl", .blob), Row("skid", .blob), Row("snbr", .blob, "slnr"),
        Row("subj", .blob),
    ]
}
