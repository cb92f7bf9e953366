// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// One share of a secret as SLIP-0039 publishes it: words. So many shares together give the secret, fewer nothing.
package struct SecretShare: Sendable {
    /// The sizes of secrets that are shared, in bytes; an even number.
    package static let sizes = 16...64
    /// A set has at most so many groups, and a group so many shares.
    package static let most = 16

    /// What all shares of a set have in common.
    package struct Common: Hashable, Sendable {
        /// 15 random bits, by which shares of different sets are told apart.
        package let identifier: UInt16
        /// Whether further sets of the same secret and passphrase may be made.
        package let isExtendable: Bool
        /// The rounds of PBKDF2 are 10,000 times 2 to this power, 0...15.
        package let exponent: UInt8
        /// How many of the groups are needed.
        package let groupsNeeded: Int
        /// How many groups there are.
        package let groups: Int
        /// The secret's bytes.
        package let size: Int

        var checksumName: String { isExtendable ? "shamir_extendable" : "shamir" }

        var salt: [UInt8] {
            isExtendable ? [] : Array("shamir".utf8) + [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)]
        }

        /// The words before those of the group and member: identifier, flag, exponent.
        var words: Int { 7 + (8 * size + 9) / 10 }
    }

    package let common: Common
    /// The group's number, from 0.
    package let group: Int
    /// The share's number in its group, from 0.
    package let member: Int
    /// How many shares of this group are needed.
    package let needed: Int
    let values: Secret

    init(_ common: Common, group: Int, member: Int, needed: Int, values: Secret) {
        self.common = common
        self.group = group
        self.member = member
        self.needed = needed
        self.values = values
    }

    /// The share's words, separated by a space, in lower case.
    package func text() throws -> Secret {
        let values = try wordValues()
        let letters = try values.withBytes { values in
            (0..<common.words).map { ShareWords.letters(values.value($0)) }
        }
        // A word's zeros are its end.
        let count = letters.reduce(-1) { $0 + 9 - $1.trailingZeroBitCount / 8 }
        return Secret(
            try SecretBytes(count: count) { target in
                var at = 0
                for word in letters {
                    for index in 0..<8 - word.trailingZeroBitCount / 8 {
                        let letter = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index))
                        target.storeBytes(of: letter, toByteOffset: at, as: UInt8.self)
                        at += 1
                    }
                    if at < count { target.storeBytes(of: 0x20, toByteOffset: at, as: UInt8.self) }
                    at += 1
                }
            })
    }

    /// Ten bits a word, each in two bytes.
    private func wordValues() throws -> SecretBytes {
        let header =
            UInt64(common.identifier) << 25 | (common.isExtendable ? 1 << 24 : 0) | UInt64(common.exponent) << 20
            | UInt64(group) << 16 | UInt64(common.groupsNeeded - 1) << 12 | UInt64(common.groups - 1) << 8
            | UInt64(member) << 4 | UInt64(needed - 1)
        let count = common.words - 3
        let padding = 10 * (count - 4) - 8 * common.size
        return try SecretBytes(count: 2 * common.words) { target in
            try values.withBytes { bytes in
                for word in 0..<4 {
                    Self.store(UInt16(header >> UInt64(30 - 10 * word) & 1023), word, in: &target)
                }
                for word in 4..<count {
                    var value: UInt16 = 0
                    for bit in 10 * (word - 4) - padding..<10 * (word - 3) - padding {
                        value = value << 1 | (bit < 0 ? 0 : UInt16(bytes.byte(bit / 8) >> UInt8(7 - bit % 8) & 1))
                    }
                    Self.store(value, word, in: &target)
                }
            }
            let check = ShareChecksum.values(common.checksumName, target.bytes, count: count)
            for (offset, value) in check.enumerated() { Self.store(value, count + offset, in: &target) }
        }
    }

    static func store(_ value: UInt16, _ position: Int, in target: inout MutableRawSpan) {
        target.storeBytes(of: value.bigEndian, toByteOffset: 2 * position, as: UInt16.self)
    }
}
