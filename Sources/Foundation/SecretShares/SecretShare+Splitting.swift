// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

extension SecretShare {
    /// So many of so many shares.
    package struct Group: Hashable, Sendable {
        package let needed: Int
        package let count: Int

        package init(needed: Int, of count: Int) {
            self.needed = needed
            self.count = count
        }

        /// One share of one, or at least two needed: with one needed, several would be the same words.
        var isAllowed: Bool { needed == 1 && count == 1 || 2...SecretShare.most ~= needed && needed...most ~= count }

        private var most: Int { SecretShare.most }
    }

    /// Splits a secret into groups of shares. Enough shares of `groupsNeeded` of the groups give it back.
    /// - Parameters:
    ///   - secret: 16 to 64 bytes, an even number.
    ///   - groups: Shares of each group, 1 to 16 groups.
    ///   - groupsNeeded: How many of the groups are needed.
    ///   - passphrase: Printable ASCII; any other one gives another secret.
    ///   - isExtendable: Whether further sets of the same secret and passphrase may be made.
    ///   - exponent: The rounds of PBKDF2 are 10,000 times 2 to this power; 0 where the secret is random.
    ///   - random: The source of randomness; another one only for vectors.
    /// - Returns: The shares, by group.
    /// - Throws: `ShareError.malformed` for parameters outside these; what `random` throws.
    package static func split(
        _ secret: borrowing SecretBytes, into groups: [Group], groupsNeeded: Int = 1,
        passphrase: Secret, isExtendable: Bool = true, exponent: UInt8 = 0,
        random: (Int) throws -> SecretBytes = { try SecretBytes.random(count: $0) }
    ) throws -> [[SecretShare]] {
        guard sizes ~= secret.count, secret.count.isMultiple(of: 2), exponent < 16, 1...most ~= groups.count,
            1...groups.count ~= groupsNeeded, groups.allSatisfy(\.isAllowed), try passphrase.isPrintable()
        else { throw ShareError.malformed }
        let identifier = try random(2).withBytes { ($0.bigEndian(at: 0) as UInt16? ?? 0) & 0x7FFF }
        let common = Common(
            identifier: identifier, isExtendable: isExtendable, exponent: exponent, groupsNeeded: groupsNeeded,
            groups: groups.count, size: secret.count)
        let shared = Secret(try ShareCipher(passphrase: passphrase, common: common).encrypt(secret))
        let points = try Polynomial.split(shared, needed: groupsNeeded, of: groups.count, random: random)
        return try zip(groups, points).map { group, point in
            try Polynomial.split(point.values, needed: group.needed, of: group.count, random: random).map {
                SecretShare(
                    common, group: Int(point.place), member: Int($0.place), needed: group.needed, values: $0.values)
            }
        }
    }

    /// The secret of exactly as many shares as are needed, of exactly as many groups.
    /// - Parameters:
    ///   - shares: In any order.
    ///   - passphrase: The one of the split; another one gives another secret, without an error.
    /// - Throws: `ShareError`.
    package static func secret(of shares: [SecretShare], passphrase: Secret) throws -> Secret {
        guard let common = shares.first?.common else { throw ShareError.shareCount }
        guard shares.allSatisfy({ $0.common == common }) else { throw ShareError.otherSet }
        guard try passphrase.isPrintable() else { throw ShareError.malformed }
        let groups = Dictionary(grouping: shares, by: \.group)
        guard groups.count == common.groupsNeeded else { throw ShareError.shareCount }
        let points = try groups.map { group, shares in
            guard let needed = shares.first?.needed, shares.allSatisfy({ $0.needed == needed }) else {
                throw ShareError.otherSet
            }
            guard Set(shares.map(\.member)).count == shares.count else { throw ShareError.sameShare }
            guard shares.count == needed else { throw ShareError.shareCount }
            let values = try Polynomial.join(shares.map { .init(place: UInt8($0.member), values: $0.values) })
            return Polynomial.Point(place: UInt8(group), values: values)
        }
        let cipher = ShareCipher(passphrase: passphrase, common: common)
        return try Secret(Polynomial.join(points).withSecretBytes { try cipher.decrypt($0) })
    }
}

extension Secret {
    fileprivate func isPrintable() throws -> Bool {
        try withBytes { bytes in (0..<bytes.byteCount).allSatisfy { 0x20...0x7E ~= bytes.byte($0) } }
    }
}
