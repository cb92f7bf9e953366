// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

/// The entry point to swift-asn1 for untrusted bytes.
package enum ASN1Reading {
    package enum Rules: Sendable {
        case der
        case ber
    }

    /// Parses the bytes as exactly one value. Errors: `.malformed`; `.tooLarge` if it contains more values
    /// than `limit`.
    package static func value(
        in bytes: ArraySlice<UInt8>, _ rules: Rules, limit: Int
    ) throws(ReadingError) -> ASN1Node {
        guard ASN1Values.areFew(in: bytes, limit: limit) else {
            throw ReadingError(.tooLarge, "an ASN.1 structure of more than \(limit) values")
        }
        do { return rules == .der ? try DER.parse(bytes) : try BER.parse(bytes) } catch {
            throw .malformed("an ASN.1 structure that can't be read, or is cut short")
        }
    }
}

/// Access to the parts of a structure by position; throws instead of trapping.
extension ASN1Node {
    /// The parts of a constructed value.
    package func parts() throws(ReadingError) -> [ASN1Node] {
        guard case .constructed(let nodes) = content else {
            throw .malformed("an ASN.1 value where a structure is expected")
        }
        return Array(nodes)
    }

    /// The parts, whose number must be in `count`.
    package func parts(_ count: ClosedRange<Int>) throws(ReadingError) -> [ASN1Node] {
        let all = try parts()
        guard count.contains(all.count) else { throw .malformed("an ASN.1 structure of \(all.count) parts") }
        return all
    }

    /// The bytes of a primitive value.
    package func bytes() throws(ReadingError) -> ArraySlice<UInt8> {
        guard case .primitive(let bytes) = content else {
            throw .malformed("an ASN.1 structure where a value is expected")
        }
        return bytes
    }

    /// Whether it has this context tag.
    package func isContext(_ number: UInt) -> Bool { identifier == .context(number) }

    /// The one value inside an explicit context tag.
    package func explicit(_ number: UInt) throws(ReadingError) -> ASN1Node {
        guard isContext(number) else { throw .malformed("an ASN.1 value of another tag than \(number)") }
        return try parts(1...1)[0]
    }

    /// The octets of an OCTET STRING: one piece, or several in BER. With `number`, it has that implicit context tag.
    package func octets(implicit number: UInt? = nil) throws -> [UInt8] {
        Array(try ASN1OctetString(berEncoded: self, withIdentifier: number.map { .context($0) } ?? .octetString).bytes)
    }

    /// An OBJECT IDENTIFIER.
    package func objectIdentifier() throws -> ASN1ObjectIdentifier { try ASN1ObjectIdentifier(berEncoded: self) }

    /// A small INTEGER.
    package func integer() throws -> Int { try Int(berEncoded: self) }

    /// A UTCTime or GeneralizedTime, in seconds since 2001-01-01 00:00 UTC.
    package func time() throws -> Double {
        let parts: CalendarTime
        if identifier == .utcTime {
            let time = try UTCTime(derEncoded: self)
            parts = CalendarTime(
                year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes,
                second: time.seconds)
        } else {
            let time = try GeneralizedTime(derEncoded: self)
            parts = CalendarTime(
                year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes,
                second: time.seconds)
        }
        guard let seconds = parts.seconds else { throw ReadingError(.noDate, "a time that no calendar has") }
        return seconds
    }

    /// The DER of the value.
    package func serialized() -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.serialize(self)
        return serializer.serializedBytes
    }
}

extension ASN1Identifier {
    static func context(_ number: UInt) -> Self { Self(tagWithNumber: number, tagClass: .contextSpecific) }
}

/// Counts the values in DER or BER. swift-asn1 builds a node of about 130 bytes for each value at once, and a value
/// takes as few as two bytes. Readers of untrusted bytes therefore count first.
package enum ASN1Values {
    /// Whether there are at most `limit` values. Malformed bytes end the count; the parser then reports them.
    ///
    /// The walk over tags and lengths doesn't nest: a constructed value counts as its header, and its content follows.
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

    /// Skips the next value, or the header of a constructed one. False at the end and at malformed bytes.
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

    /// Nil for a length that no parser accepts. A constructed value's length may be indefinite, or have leading zeros.
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
#endif
