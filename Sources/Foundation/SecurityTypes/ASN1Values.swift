// SPDX-License-Identifier: Apache-2.0

/// How many values DER or BER holds. swift-asn1 builds a node of about 130 bytes for every one at once, so whoever reads bytes from outside
/// counts first: two bytes are enough for a value.
package enum ASN1Values {
    /// Whether there are at most `limit`; whatever is malformed ends the count, and the parser then says so.
    ///
    /// Tags and lengths are walked without nesting: a constructed value counts as its header, its content follows.
    package static func areFew(in bytes: ArraySlice<UInt8>, limit: Int) -> Bool {
        var walk = Walk(rest: bytes)
        for _ in 0..<limit {
            guard walk.passValue() else { return true }
        }
        return !walk.passValue()
    }
}

private struct Walk {
    var rest: ArraySlice<UInt8>

    /// Passes the next value, or the header of a constructed one; false at the end and at what is no value.
    mutating func passValue() -> Bool {
        guard let tag = rest.popFirst() else { return false }
        if tag & 0x1F == 0x1F {
            while let part = rest.popFirst(), part & 0x80 != 0 {}
        }
        guard let length = length() else { return false }
        guard tag & 0x20 == 0 else { return true }
        guard length <= rest.count else { return false }
        rest = rest.dropFirst(length)
        return true
    }

    /// nil for one that no parser takes. A length of a constructed value may be indefinite, and may have leading zeros.
    private mutating func length() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first & 0x80 != 0 else { return Int(first) }
        let width = Int(first & 0x7F)
        guard width <= 8, rest.count >= width else { return nil }
        let length = rest.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(width)
        return Int(exactly: length)
    }
}
