// SPDX-License-Identifier: Apache-2.0

/// A stream of bytes in which secrets give way to `***`, however they are cut into pieces. What may be the beginning of one is held back until
/// it is known.
package struct MaskedText: Sendable {
    /// Shorter ones would take everything else with them.
    package static let shortest = 4
    private static let mask = Array("***".utf8)

    private let secrets: [[UInt8]]
    private var held: [UInt8] = []

    /// Each secret, and each line of one that has several; not those that are too short.
    package init(_ secrets: [[UInt8]]) {
        let lines = secrets.flatMap { [$0] + $0.split { $0 == 10 || $0 == 13 }.map(Array.init) }
        // The longest first: one may begin another.
        self.secrets = Set(lines).filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// What can be shown of all so far. An empty piece is the end.
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
                // It may go on with the next piece.
                if !piece.isEmpty, rest.count < secret.count, secret.starts(with: rest) { break scan }
            }
            shown.append(held[position])
            position += 1
        }
        held.removeFirst(position)
        return shown
    }
}
