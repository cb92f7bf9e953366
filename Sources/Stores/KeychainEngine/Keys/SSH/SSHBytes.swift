// SPDX-License-Identifier: Apache-2.0

import Readers
package import Sealing

/// The error for bytes that don't match SSH's formats.
package struct SSHFormatError: Error, Equatable {
    package init() {}
}

/// Reads the fields of SSH's formats (RFC 4251, section 5) from untrusted bytes. It never reads past their end.
package struct SSHReader {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }
    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func byte() throws(SSHFormatError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw SSHFormatError() }
        return byte
    }

    /// `boolean`: any number but 0 is true.
    package mutating func boolean() throws(SSHFormatError) -> Bool { try byte() != 0 }

    package mutating func bytes(_ count: Int) throws(SSHFormatError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw SSHFormatError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// `uint32`.
    package mutating func number() throws(SSHFormatError) -> UInt32 {
        try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// `string`.
    package mutating func string() throws(SSHFormatError) -> ArraySlice<UInt8> { try bytes(Int(try number())) }

    /// `string` in UTF-8.
    package mutating func text() throws(SSHFormatError) -> String {
        guard let text = String(validUTF8: try string()) else { throw SSHFormatError() }
        return text
    }

    /// The magnitude of an `mpint` that is positive and in its shortest form, of at most `limit` bytes.
    package mutating func magnitude(atMost limit: Int) throws(SSHFormatError) -> ArraySlice<UInt8> {
        let bytes = try string()
        guard let first = bytes.first, first < 0x80, bytes.count <= limit + 1 else { throw SSHFormatError() }
        guard first == 0 else { return bytes }
        let magnitude = bytes.dropFirst()
        guard let next = magnitude.first, next >= 0x80 else { throw SSHFormatError() }
        return magnitude
    }

    /// Throws if bytes are left.
    package func end() throws(SSHFormatError) {
        guard rest.isEmpty else { throw SSHFormatError() }
    }
}

extension ByteWriter {
    /// `string` of text.
    package mutating func prefixed(text: String) { prefixed(Array(text.utf8)) }

    /// `mpint` of a positive number, with or without leading zeros.
    package mutating func prefixed(magnitude: some Collection<UInt8>) {
        let digits = Array(magnitude.drop { $0 == 0 })
        prefixed((digits.first ?? 0) < 0x80 ? digits : [0] + digits)
    }
}
