// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The passphrase's layer between a master secret and what is shared: four rounds of Feistel over PBKDF2. Each
/// passphrase opens to some secret, so that none is told to be wrong (SLIP-0039).
struct ShareCipher {
    static let rounds: [UInt8] = [0, 1, 2, 3]

    let passphrase: Secret
    let common: SecretShare.Common

    func encrypt(_ secret: borrowing SecretBytes) throws -> SecretBytes { try run(secret, Self.rounds) }

    func decrypt(_ shared: borrowing SecretBytes) throws -> SecretBytes { try run(shared, Self.rounds.reversed()) }

    private func run(_ bytes: borrowing SecretBytes, _ rounds: [UInt8]) throws -> SecretBytes {
        let half = bytes.count / 2
        guard let first = try bytes.part(0..<half), let second = try bytes.part(half..<2 * half) else {
            throw ShareError.malformed
        }
        var (left, right) = (Secret(first), Secret(second))
        for round in rounds {
            let next = try right.withSecretBytes { right in
                try left.withSecretBytes { Secret(try SecretBytes.sum($0, function(round, right))) }
            }
            (left, right) = (right, next)
        }
        return try right.withSecretBytes { right in try left.withSecretBytes { try right.joined(with: $0) } }
    }

    private func function(_ round: UInt8, _ half: borrowing SecretBytes) throws -> SecretBytes {
        try passphrase.withSecretBytes { passphrase in
            try KeyDerivation.pbkdf2(
                passphrase.preceded(by: [round]), salt: half.preceded(by: common.salt),
                rounds: 2_500 << Int(common.exponent), count: half.count)
        }
    }
}
