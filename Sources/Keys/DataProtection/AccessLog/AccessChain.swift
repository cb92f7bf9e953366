// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The keys of the access log's chain at one line. They only move forward: the keys of an earlier line can't be
/// computed from those of a later one.
struct AccessChain: ~Copyable {
    /// S(j+1), from which the next segment's keys come.
    private(set) var nextSegment: SecretBytes
    /// L(j,i), the key of the next line.
    private(set) var line: SecretBytes
    /// Only at the beginning of the segment.
    private let header: Secret?

    /// The chain at the beginning of a segment, from S(j).
    init(segment: borrowing SecretBytes) throws {
        let next = try KeyDerivation.expand(from: segment, label: .accessLogSegment)
        let line = try KeyDerivation.expand(from: segment, label: .accessLogLines)
        let header = try KeyDerivation.expand(from: segment, label: .accessLogHeader)
        self.nextSegment = next
        self.line = line
        self.header = Secret(header)
    }

    /// The chain as the tail stores it.
    init(stored: borrowing SecretBytes) throws {
        guard stored.count == 64, let next = try stored.part(0..<32), let line = try stored.part(32..<64) else {
            throw SealingError.malformed
        }
        nextSegment = next
        self.line = line
        header = nil
    }

    borrowing func stored() throws -> SecretBytes { try nextSegment.joined(with: line) }

    /// The chain of the next segment, at its beginning.
    borrowing func ofNextSegment() throws -> AccessChain { try AccessChain(segment: nextSegment) }

    borrowing func code(ofLine bytes: [UInt8]) throws -> [UInt8] {
        let key = try KeyDerivation.expand(from: line, label: .accessLogLine)
        return try KeyDerivation.authenticationCode(for: bytes, under: key)
    }

    borrowing func isValid(_ code: [UInt8], ofLine bytes: [UInt8]) throws -> Bool {
        let key = try KeyDerivation.expand(from: line, label: .accessLogLine)
        return try KeyDerivation.isValid(code, for: bytes, under: key)
    }

    /// Replaces the key of this line by that of the next.
    mutating func step() throws { line = try KeyDerivation.expand(from: line, label: .accessLogStep) }

    /// Works only at the beginning of a segment.
    borrowing func code(ofHeader bytes: [UInt8]) throws -> [UInt8] {
        guard let header else { throw SealingError.malformed }
        return try header.withSecretBytes { try KeyDerivation.authenticationCode(for: bytes, under: $0) }
    }

    borrowing func isValid(_ code: [UInt8], ofHeader bytes: [UInt8]) throws -> Bool {
        guard let header else { throw SealingError.malformed }
        return try header.withSecretBytes { try KeyDerivation.isValid(code, for: bytes, under: $0) }
    }

    borrowing func isEqual(to other: borrowing AccessChain) throws -> Bool {
        let isSameLine = try line.isEqual(to: other.line)
        return try nextSegment.isEqual(to: other.nextSegment) && isSameLine
    }
}
