// SPDX-License-Identifier: Apache-2.0

/// Addresses with the same beginning.
package struct AddressRange: Sendable {
    private let address: Address
    private let mask: [UInt8]

    /// Of one address alone if there is no mask, or one that has more than a site's network: 16 bits of IPv4, 48 of
    /// IPv6.
    package init(_ address: Address, mask: Address?) {
        let bits = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0
        let isSite = mask?.bytes.count == address.bytes.count && bits >= (address.bytes.count == 4 ? 16 : 48)
        self.address = address
        self.mask = isSite ? mask?.bytes ?? [] : [UInt8](repeating: 0xFF, count: address.bytes.count)
    }

    package func contains(_ other: Address) -> Bool {
        other.bytes.count == address.bytes.count
            && mask.indices.allSatisfy { (address.bytes[$0] ^ other.bytes[$0]) & mask[$0] == 0 }
    }
}

/// An address of IPv4 (4 bytes) or IPv6 (16 bytes).
package struct Address: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Nil for another number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether it is this machine's own alone.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether it is in the public internet. Only such are reached by name: others belong to this machine or to its
    /// network, among them the services that give clouds' machines their credentials.
    package var isPublic: Bool { bytes.count == 4 ? Self.isPublic4(bytes) : isPublic6 }

    private static func isPublic4(_ bytes: [UInt8]) -> Bool {
        let reserved: [(UInt32, UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16),
            (0xC612_0000, 15), (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
            // Alibaba's and Oracle's services of metadata are in 100.64/10 and 169.254/16; Azure's is public.
            (0xA83F_8110, 32),
        ]
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !reserved.contains { prefix, length in (address ^ prefix) >> (32 - length) == 0 }
    }

    private var isPublic6: Bool {
        func begins(_ words: UInt16...) -> Bool {
            words.enumerated().allSatisfy { index, word in
                UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1]) == word
            }
        }
        // NAT64 has an address of IPv4 at its end.
        if begins(0x64, 0xFF9B, 0, 0, 0, 0) { return Self.isPublic4(Array(bytes[12...])) }
        // 6to4, after the first two bytes.
        if begins(0x2002) { return Self.isPublic4(Array(bytes[2..<6])) }
        // Of 2000::/3 alone; the rest is unassigned, local, mapped or multicast.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        // Teredo and other special blocks of 2001::/23, documentation in 2001:db8::/32 and 3fff::/20.
        if begins(0x2001), bytes[2] < 2 { return false }
        if begins(0x2001, 0x0DB8) { return false }
        return !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] < 0x10)
    }
}
