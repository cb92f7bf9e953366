// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The keys of the access log's chain at one line. They only move forward: from those of one line nobody computes those of an earlier one.
struct AccessChain: ~Copyable {
    /// S(j+1), from which the next segment's keys come.
    private(set) var nextSegment: SecretBytes
    /// L(j,i), the key of the next line.
    private(set) var line: SecretBytes
    /// Only while the segment is begun.
    private let header: Secret?

    /// The beginning of a segment, from S(j).
    init(segment: borrowing SecretBytes) throws {
        let next = try KeyDerivation.expand(from: segment, label: .accessLogSegment)
        let line = try KeyDerivation.expand(from: segment, label: .accessLogLines)
        let header = try KeyDerivation.expand(from: segment, label: .accessLogHeader)
        self.nextSegment = next
        self.line = line
        self.header = Secret(header)
    }

    /// As the tail keeps it.
    init(stored: borrowing SecretBytes) throws {
        guard stored.count == 64, let next = try stored.part(0..<32), let line = try stored.part(32..<64) else {
            throw SealingError.malformed
        }
        nextSegment = next
        self.line = line
        header = nil
    }

    borrowing func stored() throws -> SecretBytes { try nextSegment.joined(with: line) }

    /// The chain of the next segment, from its beginning.
    borrowing func ofNextSegment() throws -> AccessChain { try AccessChain(segment: nextSegment) }

    borrowing func code(ofLine bytes: [UInt8]) throws -> [UInt8] {
        let key = try KeyDerivation.expand(from: line, label: .accessLogLine)
        return try KeyDerivation.authenticationCode(for: bytes, under: key)
    }

    borrowing func isValid(_ code: [UInt8], ofLine bytes: [UInt8]) throws -> Bool {
        let key = try KeyDerivation.expand(from: line, label: .accessLogLine)
        return try KeyDerivation.isValid(code, for: bytes, under: key)
    }

    /// Forgets the key of this line.
    mutating func step() throws { line = try KeyDerivation.expand(from: line, label: .accessLogStep) }

    /// Only from the beginning of a segment.
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
