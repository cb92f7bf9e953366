// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The door to swift-asn1: it builds a node for every value at once, so their number is bounded before it sees them.
enum BoundedASN1 {
    enum Rules {
        case der
        case ber
    }

    /// About 8 MiB of nodes. A profile with 100 certificates has fewer than 1,000.
    static let maximumNodes = 65_536

    static func parse(
        _ bytes: ArraySlice<UInt8>, _ rules: Rules, failingAs code: ProfileError.Code
    ) throws(ProfileError) -> ASN1Node {
        guard nodesAreFew(bytes) else {
            throw ProfileError(.tooLarge, "an ASN.1 structure of more than \(maximumNodes) values")
        }
        do {
            return rules == .der ? try DER.parse(bytes) : try BER.parse(bytes)
        } catch {
            throw ProfileError(code, "an ASN.1 structure that can't be read, or is cut short")
        }
    }

    /// Runs `body` and gives every error of swift-asn1 the code.
    static func reading<Value>(
        _ code: ProfileError.Code, what: String, _ body: () throws -> Value
    ) throws(ProfileError) -> Value {
        do {
            return try body()
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(code, "\(what) can't be read")
        }
    }

    /// Walks tags and lengths without nesting: a constructed value counts as its header, its content follows. Whatever
    /// is malformed ends the walk; the parser then says so.
    private static func nodesAreFew(_ bytes: ArraySlice<UInt8>) -> Bool {
        var nodes = 0
        var position = bytes.startIndex
        while position < bytes.endIndex {
            nodes += 1
            guard nodes <= maximumNodes else { return false }
            let tag = bytes[position]
            position += 1
            if tag & 0x1F == 0x1F {
                while position < bytes.endIndex, bytes[position] & 0x80 != 0 { position += 1 }
                position += 1
            }
            guard position < bytes.endIndex else { return true }
            let first = bytes[position]
            position += 1
            var length = Int(first)
            if first & 0x80 != 0 {
                let width = Int(first & 0x7F)
                // The parser refuses lengths of more than 8 bytes; shorter ones may have leading zeros.
                guard width <= 8, bytes.endIndex - position >= width else { return true }
                let wide = bytes[position..<position + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                guard wide <= UInt64(bytes.count) else { return true }
                length = Int(wide)
                position += width
            }
            if tag & 0x20 == 0 {
                guard length <= bytes.endIndex - position else { return true }
                position += length
            }
        }
        return true
    }
}

extension ASN1Node {
    /// The nodes inside a constructed one.
    func children(failingAs code: ProfileError.Code) throws(ProfileError) -> [ASN1Node] {
        guard case .constructed(let nodes) = content else {
            throw ProfileError(code, "an ASN.1 value where a structure is expected")
        }
        return Array(nodes)
    }

    /// The bytes inside a primitive one.
    func primitive(failingAs code: ProfileError.Code) throws(ProfileError) -> ArraySlice<UInt8> {
        guard case .primitive(let bytes) = content else {
            throw ProfileError(code, "an ASN.1 structure where a value is expected")
        }
        return bytes
    }

    func isContext(_ number: UInt) -> Bool { identifier.tagClass == .contextSpecific && identifier.tagNumber == number }
}
