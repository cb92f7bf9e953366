// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

extension SecretShare {
    private static let mostWords = 7 + (8 * sizes.upperBound + 9) / 10

    /// Reads the words of a share: whole or their first four letters, in either case, with anything but letters between
    /// them.
    /// - Parameters:
    ///   - text: The words.
    ///   - size: The secret's bytes if they are known, so that a missing word is told from a wrong one.
    /// - Throws: `ShareError`.
    package init(_ text: borrowing SecretBytes, size: Int? = nil) throws {
        var (count, unknown) = (0, [Int]())
        let values = try SecretBytes(count: 2 * (Self.mostWords + 1)) { target in
            try text.withBytes { text in
                var (letters, length) = (UInt64(0), 0)
                for at in 0...text.byteCount {
                    let letter = at < text.byteCount ? text.byte(at) | 0x20 : 0
                    if 0x61...0x7A ~= letter {
                        if length < 8 { letters |= UInt64(letter) << UInt64(56 - 8 * length) }
                        length += 1
                        continue
                    }
                    guard length > 0 else { continue }
                    if count <= Self.mostWords {
                        let value = length <= 8 ? ShareWords.value(letters) : nil
                        if value == nil { unknown.append(count) }
                        Self.store(value ?? 0, count, in: &target)
                    }
                    count += 1
                    (letters, length) = (0, 0)
                }
            }
        }
        let padding = 10 * (count - 7) % 16
        guard count <= Self.mostWords, count >= 20, padding <= 8 else { throw ShareError.wordCount(count) }
        let found = (10 * (count - 7) - padding) / 8
        guard size == nil || size == found else { throw ShareError.wordCount(count) }
        guard unknown.isEmpty else { throw ShareError.unknownWords(unknown) }
        self = try values.withBytes { try Self.read($0, count: count, size: found, padding: padding) }
    }

    private static func read(_ values: RawSpan, count: Int, size: Int, padding: Int) throws -> SecretShare {
        let header = (0..<4).reduce(UInt64(0)) { $0 << 10 | UInt64(values.value($1)) }
        let field = { (shift: UInt64) in Int(header >> shift & 15) }
        let common = Common(
            identifier: UInt16(truncatingIfNeeded: header >> 25), isExtendable: header >> 24 & 1 == 1,
            exponent: UInt8(field(20)), groupsNeeded: field(12) + 1, groups: field(8) + 1, size: size)
        guard ShareChecksum.sum(common.checksumName, values, count: count) == 1 else {
            throw slip(values, count: count, common)
        }
        guard common.groupsNeeded <= common.groups, values.value(4) >> UInt16(10 - padding) == 0 else {
            throw ShareError.malformed
        }
        let bytes = try SecretBytes(count: size) { target in
            for at in 0..<size {
                var byte: UInt8 = 0
                for bit in 8 * at + padding..<8 * (at + 1) + padding {
                    byte = byte << 1 | UInt8(values.value(4 + bit / 10) >> UInt16(9 - bit % 10) & 1)
                }
                target.storeBytes(of: byte, toByteOffset: at, as: UInt8.self)
            }
        }
        return SecretShare(
            common, group: field(16), member: field(4), needed: field(0) + 1, values: Secret(bytes))
    }

    /// The second word has the flag that names the checksum, so that with a slip there the other name is right.
    private static func slip(_ values: RawSpan, count: Int, _ common: Common) -> ShareError {
        let found = ShareChecksum.slip(common.checksumName, values, count: count)
        guard found == .wrongWords else { return found }
        let other = common.isExtendable ? "shamir" : "shamir_extendable"
        switch ShareChecksum.slip(other, values, count: count) {
        case .wrongWord(1): return .wrongWord(1)
        case .exchangedWords(let first, let second) where first == 1 || second == 1:
            return .exchangedWords(first, second)
        default: return found
        }
    }
}
