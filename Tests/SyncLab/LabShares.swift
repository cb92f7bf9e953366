// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import SecretShares

/// Shares for another program to read, and another program's shares.
final class LabShares {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        return Int((mixed ^ mixed >> 29) % UInt64(limit))
    }

    private func bytes(_ count: Int) throws -> SecretBytes {
        try SecretBytes(copying: (0..<count).map { _ in UInt8(next(256)) })
    }

    /// For each secret `set SECRET PASSPHRASE GROUPS-NEEDED`, hexadecimal and - for none, then `share GROUP NEEDED
    /// WORDS`.
    func split(_ count: Int) throws {
        for _ in 0..<count {
            let secret = try bytes([16, 20, 32, 16 + 2 * next(25)][next(4)])
            let passphrase = (0..<[0, next(20)][next(2)]).map { _ in UInt8(0x20 + next(95)) }
            let groups = (0..<[1, 1 + next(4), 1 + next(16)][next(3)]).map { _ in
                let needed = 1 + next(5)
                return SecretShare.Group(needed: needed, of: needed == 1 ? 1 : needed + next(17 - needed))
            }
            let needed = 1 + next(groups.count)
            let shares = try SecretShare.split(
                secret, into: groups, groupsNeeded: needed, passphrase: Secret(copying: passphrase),
                isExtendable: next(2) == 0, exponent: UInt8(next(3)), random: { try self.bytes($0) })
            print(
                "set", try Self.hexadecimal(Secret(secret)), passphrase.isEmpty ? "-" : passphrase.hexadecimal, needed)
            for share in shares.joined() {
                print("share", share.group, share.needed, try String(exposing: share.text()) ?? "")
            }
        }
    }

    /// Reads `join PASSPHRASE`, then a share on each line, then `end`; prints the secret or `refused` and why.
    static func join() throws {
        var (passphrase, shares, refusal) = (try Secret(copying: []), [SecretShare](), nil as (any Error)?)
        while let line = readLine() {
            let words = line.split(separator: " ")
            switch words.first {
            case "join":
                let digits = Array(words[1].utf8)
                passphrase = try Secret(
                    copying: words[1] == "-"
                        ? []
                        : stride(from: 0, to: digits.count, by: 2).compactMap {
                            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
                        })
                (shares, refusal) = ([], nil)
            case "end":
                do {
                    if let refusal { throw refusal }
                    print(try hexadecimal(SecretShare.secret(of: shares, passphrase: passphrase)))
                } catch { print("refused \(error)") }
            default:
                do { shares.append(try SecretShare(SecretBytes(copying: Array(line.utf8)))) } catch { refusal = error }
            }
        }
    }

    private static func hexadecimal(_ secret: Secret) throws -> String { try [UInt8](exposing: secret).hexadecimal }
}
