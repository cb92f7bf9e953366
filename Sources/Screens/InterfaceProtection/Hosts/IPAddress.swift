// SPDX-License-Identifier: Apache-2.0

import Readers

/// An address of the Internet Protocol, version 4 or 6.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four bytes or sixteen, most significant first.
    public let bytes: [UInt8]

    /// An address of these bytes, as a resolver gives them; nil unless there are four or sixteen.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    init(v4 value: UInt32) { bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// The form that browsers write: 192.168.0.1, 2001:db8::1.
    public var description: String { AddressText.of(bytes) }

    /// Whether the address belongs to a host of the public Internet, by the IANA registries of special addresses.
    ///
    /// Not public are this machine, private and local networks, a provider's inner network, documentation, multicast,
    /// and unassigned addresses. An address of version 6 that embeds one of version 4 is judged by that one.
    public var isPublic: Bool {
        bytes.count == 4 ? Self.isPublic(v4: bytes[...]) : isPublicV6
    }

    private static func isPublic(v4 bytes: ArraySlice<UInt8>) -> Bool {
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !special.contains { value >> (32 - $0.length) == $0.start >> (32 - $0.length) }
    }

    private static let special: [(start: UInt32, length: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
    ]

    private var isPublicV6: Bool {
        let zeros = bytes.prefix { $0 == 0 }.count
        // Embedded: ::a.b.c.d, ::ffff:a.b.c.d, 64:ff9b::a.b.c.d, 2002:aabb:ccdd::.
        if zeros >= 12 || (zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF) {
            return Self.isPublic(v4: bytes[12...])
        }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            return bytes[4..<12].allSatisfy { $0 == 0 } && Self.isPublic(v4: bytes[12...])
        }
        if bytes.starts(with: [0x20, 0x02]) { return Self.isPublic(v4: bytes[2..<6]) }
        // Only 2000::/3 is assigned. Of it, 2001::/23 (protocols, Teredo) and the documentation ranges are not public.
        guard bytes[0] >> 5 == 1 else { return false }
        if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] < 2 { return false }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
        return !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] < 0x10)
    }
}

extension IPAddress {
    /// Whether a host with the last label `label` can only be an address of version 4. The label is all digits, or
    /// hexadecimal after 0x.
    static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if !label.isEmpty, label.allSatisfy(UTF8Text.isDigit) { return true }
        return part(label) != nil
    }

    /// The address that a browser reads in `host`, in lower case; nil if there is none. It has one to four parts,
    /// decimal, octal (0...) or hexadecimal (0x...). The last part fills the remaining bytes.
    init?(v4 host: [UInt8]) {
        let labels = host.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        let parts = labels.compactMap(Self.part)
        guard parts.count == labels.count, (1...4).contains(parts.count), let last = parts.last else { return nil }
        var value: UInt64 = 0
        for part in parts.dropLast() {
            guard part < 256 else { return nil }
            value = value << 8 | part
        }
        let bits = UInt64(8 * (5 - parts.count))
        guard last < 1 << bits else { return nil }
        self.init(v4: UInt32(value << bits | last))
    }

    private static func part(_ label: ArraySlice<UInt8>) -> UInt64? {
        guard let first = label.first else { return nil }
        var (digits, radix): (ArraySlice<UInt8>, UInt64) = (label, 10)
        if first == UInt8(ascii: "0"), label.count > 1 {
            let isHexadecimal = label[label.startIndex + 1] == UInt8(ascii: "x")
            (digits, radix) = (label.dropFirst(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 8)
        }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = Host.hexValue(byte), digit < radix else { return nil }
            // A value too large for an address stays too large.
            value = min(value * radix + UInt64(digit), 1 << 40)
        }
        return value
    }

    /// The address of version 6 in `text`, without brackets and without a zone.
    init?(v6 text: Span<UInt8>) {
        guard (2...45).contains(text.count), let string = UTF8Text.string(text) else { return nil }
        let halves = string.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var groups: [[UInt8]] = []
        for (index, half) in halves.enumerated() {
            guard let bytes = Self.groups(in: half, isLast: index == halves.count - 1) else { return nil }
            groups.append(bytes)
        }
        let count = groups.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? count <= 14 : count == 16 else { return nil }
        bytes = groups[0] + Array(repeating: 0, count: 16 - count) + (groups.count == 2 ? groups[1] : [])
    }

    private static func groups(in half: Substring, isLast: Bool) -> [UInt8]? {
        guard !half.isEmpty else { return [] }
        let parts = half.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard let four = usual(part) else { return nil }
                bytes += four
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ Host.hexValue($0) != nil }),
                    let value = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
        }
        return bytes
    }

    /// Four decimal numbers without leading zeros, as required inside an address of version 6.
    private static func usual(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.allSatisfy(UTF8Text.isDigit) && (part == "0" || part.first != "0") ? UInt8(part) : nil
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }
}
