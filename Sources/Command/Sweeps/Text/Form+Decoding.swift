// SPDX-License-Identifier: Apache-2.0

import Readers

extension ClearSecret.Form {
    /// The value that the written bytes stand for. Bytes that aren't of the form stay as they are.
    package func decoded(_ written: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .plain, .block: Array(written)
        case .json: Self.unescaped(written, isJSON: true)
        case .backslashed: Self.unescaped(written, isJSON: false)
        case .xml: XMLText.unescaped(written)
        case .percent: Self.unpercented(written)
        case .basic: Self.password(ofBasic: written) ?? Array(written)
        case .base64: Base64Reader.decode(written)
        }
    }

    /// The user and the password of `USER:PASSWORD` in Base64; nil: it is no such text.
    static func userAndPassword(_ written: ArraySlice<UInt8>) -> (user: [UInt8], password: [UInt8])? {
        guard written.allSatisfy({ Byte.isWord($0) || [0x2B, 0x2F, 0x3D, 0x2D].contains($0) }) else { return nil }
        let bytes = Base64Reader.decode(
            written.lazy.map { $0 == 0x2D ? UInt8(ascii: "+") : $0 == 0x5F ? UInt8(ascii: "/") : $0 })
        guard let colon = bytes.firstIndex(of: 0x3A), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return (Array(bytes[..<colon]), Array(bytes[(colon + 1)...]))
    }

    private static func password(ofBasic written: ArraySlice<UInt8>) -> [UInt8]? {
        userAndPassword(written)?.password
    }

    private static func unpercented(_ written: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2, let high = Byte.hexValue(rest[rest.startIndex]),
                let low = Byte.hexValue(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// `\n`, `\t`, `\uXXXX` and so on. Another character after a backslash is itself.
    private static func unescaped(_ written: ArraySlice<UInt8>, isJSON: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "b") where isJSON: bytes.append(0x08)
            case UInt8(ascii: "f") where isJSON: bytes.append(0x0C)
            case UInt8(ascii: "u"):
                guard let unit = hexadecimal(&rest) else {
                    bytes.append(next)
                    continue
                }
                var scalar = UInt32(unit)
                if unit & 0xFC00 == 0xD800, rest.starts(with: [0x5C, UInt8(ascii: "u")]) {
                    var tail = rest.dropFirst(2)
                    if let low = hexadecimal(&tail), low & 0xFC00 == 0xDC00 {
                        scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
                        rest = tail
                    }
                }
                bytes += Array(String(Unicode.Scalar(scalar).map(Character.init) ?? "\u{FFFD}").utf8)
            default: bytes.append(next)
            }
        }
        return bytes
    }

    private static func hexadecimal(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        guard rest.count >= 4 else { return nil }
        var value: UInt16 = 0
        for byte in rest.prefix(4) {
            guard let digit = Byte.hexValue(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        rest = rest.dropFirst(4)
        return value
    }
}
