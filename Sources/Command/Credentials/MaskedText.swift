// SPDX-License-Identifier: Apache-2.0

/// A byte stream in which secrets are replaced by `***`, regardless of how they are split into pieces.
/// Bytes that may begin a secret are held back until that is decided.
package struct MaskedText: Sendable {
    /// The minimum length of a secret to mask. Masking shorter ones would hide too much of the other text.
    package static let shortest = 4
    private static let mask = Array("***".utf8)

    private let secrets: [[UInt8]]
    private var held: [UInt8] = []

    /// Masks each secret, and each line of one that has several, unless they are too short.
    package init(_ secrets: [[UInt8]]) {
        let lines = secrets.flatMap { [$0] + $0.split { $0 == 10 || $0 == 13 }.map(Array.init) }
        // The longest first: a secret may be the prefix of another.
        self.secrets = Set(lines).filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// The part of the input so far that can be shown. An empty piece ends the stream.
    package mutating func masked(_ piece: [UInt8]) -> [UInt8] {
        held += piece
        var shown: [UInt8] = []
        var position = 0
        scan: while position < held.count {
            let rest = held[position...]
            for secret in secrets where secret[0] == held[position] {
                if rest.starts(with: secret) {
                    shown += Self.mask
                    position += secret.count
                    continue scan
                }
                // The secret may continue in the next piece.
                if !piece.isEmpty, rest.count < secret.count, secret.starts(with: rest) { break scan }
            }
            shown.append(held[position])
            position += 1
        }
        held.removeFirst(position)
        return shown
    }
}
