// SPDX-License-Identifier: Apache-2.0

/// Names of hosts, as e-mail addresses and web addresses have them.
enum Host {
    /// Whether `text` is a host name: labels of letters, digits and inner hyphens, at most 63 bytes each and 253 in all.
    /// Letters of other scripts are allowed (IDN). A last label of digits alone is none: it would be taken for an IP address.
    static func isName(_ text: Span<UInt8>, needsDot: Bool) -> Bool {
        guard !text.isEmpty, text.count <= 253 else { return false }
        var start = 0
        var labels = 0
        for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: ".") {
            guard isLabel(text.extracting(start..<index)) else { return false }
            labels += 1
            if index == text.count, isNumber(text.extracting(start..<index)) { return false }
            start = index + 1
        }
        return labels > 1 || !needsDot
    }

    /// Whether `text` is an IPv4 address in its usual form.
    static func isIPv4(_ text: Span<UInt8>) -> Bool {
        guard (7...15).contains(text.count), let string = UTF8Text.string(text) else { return false }
        let parts = string.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(UTF8Text.isDigit) && UInt8(part) != nil && (part == "0" || part.first != "0")
            }
    }

    /// Whether `text` is an IPv6 address, without a zone.
    static func isIPv6(_ text: Span<UInt8>) -> Bool {
        guard (2...45).contains(text.count), let string = UTF8Text.string(text) else { return false }
        let halves = string.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            guard let count = groupCount(in: half, isLast: index == halves.count - 1) else { return false }
            groups += count
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    private static func groupCount(in half: Substring, isLast: Bool) -> Int? {
        let parts = half.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard isIPv4(Array(part.utf8).span) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ isHexDigit($0) }) else { return nil }
                count += 1
            }
        }
        return count
    }

    private static func isLabel(_ label: Span<UInt8>) -> Bool {
        guard (1...63).contains(label.count) else { return false }
        let hyphen = UInt8(ascii: "-")
        guard label[0] != hyphen, label[label.count - 1] != hyphen else { return false }
        return UTF8Text.allSatisfy(label) { scalar in
            scalar.isASCII
                ? UTF8Text.isDigit(UInt8(scalar.value)) || scalar == "-" || UTF8Text.isLetter(UInt8(scalar.value))
                : scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || scalar.properties.generalCategory == .nonspacingMark
        }
    }

    private static func isNumber(_ label: Span<UInt8>) -> Bool {
        label.indices.allSatisfy { UTF8Text.isDigit(label[$0]) }
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        UTF8Text.isDigit(byte) || (0x61...0x66).contains(UTF8Text.lowercased(byte))
    }
}
