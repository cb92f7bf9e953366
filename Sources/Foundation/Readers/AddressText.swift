// SPDX-License-Identifier: Apache-2.0

/// Addresses of IP as text.
package enum AddressText {
    /// An address of four bytes as 192.168.0.1, any other as RFC 5952 writes those of version 6: 2001:db8::1.
    package static func of(_ bytes: [UInt8]) -> String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let zeros = longestZeros(in: groups)
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        return zeros.count < 2
            ? text(groups[...]) : text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var (best, start) = (0..<0, 0)
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > best.count { best = start..<index + 1 }
        }
        return best
    }
}
