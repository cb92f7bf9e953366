// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A secret as the value at 255 of a polynomial for each of its bytes, and shares as values at 0, 1, ... The value at
/// 254 has a digest of the secret, by which shares that don't belong together are found (SLIP-0039).
enum Polynomial {
    private static let (secretPlace, digestPlace) = (UInt8(255), UInt8(254))
    private static let digestSize = 4

    struct Point: Sendable {
        let place: UInt8
        let values: Secret
    }

    /// Shares at the places from 0 to `count` - 1, of which any `needed` give the secret.
    static func split(
        _ secret: Secret, needed: Int, of count: Int, random: (Int) throws -> SecretBytes
    ) throws -> [Point] {
        guard needed > 1 else { return (0..<count).map { Point(place: UInt8($0), values: secret) } }
        var known = try (0..<needed - 2).map { Point(place: UInt8($0), values: Secret(try random(secret.count))) }
        let given = known
        let key = try random(secret.count - digestSize)
        let digest = try secret.withSecretBytes { try code(of: $0, under: key).joined(with: key) }
        known.append(Point(place: digestPlace, values: Secret(digest)))
        known.append(Point(place: secretPlace, values: secret))
        return try given
            + (needed - 2..<count).map { Point(place: UInt8($0), values: try value(of: known, at: UInt8($0))) }
    }

    /// The secret of exactly as many points as are needed.
    /// - Throws: `ShareError.otherDigest` if they are not of one secret.
    static func join(_ points: [Point]) throws -> Secret {
        guard let first = points.first, points.count > 1 else {
            guard let only = points.first else { throw ShareError.malformed }
            return only.values
        }
        let secret = try value(of: points, at: secretPlace)
        let digest = try value(of: points, at: digestPlace)
        let isRight = try digest.withSecretBytes { digest in
            guard let found = try digest.part(0..<digestSize),
                let key = try digest.part(digestSize..<first.values.count)
            else { throw ShareError.malformed }
            return try secret.withSecretBytes { try code(of: $0, under: key).isEqual(to: found) }
        }
        guard isRight else { throw ShareError.otherDigest }
        return secret
    }

    private static func code(
        of secret: borrowing SecretBytes, under key: borrowing SecretBytes
    ) throws -> SecretBytes {
        guard let code = try KeyDerivation.authenticationCode(ofSecret: secret, under: key).part(0..<digestSize) else {
            throw ShareError.malformed
        }
        return code
    }

    private static func value(of points: [Point], at place: UInt8) throws -> Secret {
        let weights = Field.weights(of: points.map(\.place), at: place)
        let count = points.map(\.values.count).min() ?? 0
        return Secret(
            try SecretBytes(count: count) { target in
                for (point, weight) in zip(points, weights) {
                    try point.values.withBytes { values in
                        for at in 0..<count {
                            let sum = target.bytes.byte(at) ^ Field.multiply(weight, values.byte(at))
                            target.storeBytes(of: sum, toByteOffset: at, as: UInt8.self)
                        }
                    }
                }
            })
    }
}
