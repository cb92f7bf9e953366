// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// The header of a file as read: two slots, of which one contains the present state (ProtectedFile.md, "Reading").
struct HeaderPage {
    /// The first 1,024 bytes.
    let slots: [UInt8]
    /// Slots whose fields are within the format's limits, the later one first.
    private let candidates: [Candidate]

    struct Candidate {
        let header: FileHeader
        let slot: [UInt8]
        let number: Int
    }

    /// An authentic header.
    struct State {
        let header: FileHeader
        /// The number of the slot that contains it.
        let slot: Int
        let keys: FileKeys
        /// Whether the other slot is authentic, too.
        let isWhole: Bool
    }

    /// The kind of a file, judged by its first bytes.
    enum Kind: Equatable {
        case protected
        case newer(UInt8)
        case plain
    }

    static let size = 2 * FileFormat.slotSize

    static func kind(of bytes: [UInt8]) -> Kind {
        let slots = [0, FileFormat.slotSize].filter {
            bytes.count >= $0 + 9 && bytes[$0..<$0 + 8].elementsEqual(FileHeader.magic)
        }
        guard let first = slots.first else { return .plain }
        // A slot of this version decides, since a crash may have damaged the other one.
        if slots.contains(where: { bytes[$0 + 8] == FileFormat.version }) { return .protected }
        return bytes[first + 8] > FileFormat.version ? .newer(bytes[first + 8]) : .protected
    }

    /// Parses the page from the first 4,096 bytes of a file, or fewer.
    init(_ bytes: [UInt8], _ path: FileLocation) throws(ProtectedFileError) {
        switch Self.kind(of: bytes) {
        case .plain:
            throw ProtectedFileError(
                .notProtected, "\(path) is not protected: it is plaintext, or another program's file"
            )
        case .newer(let version):
            throw ProtectedFileError(
                .newerFormat, "\(path) was written by a newer version (format \(version)); update Zamok to use it"
            )
        case .protected: break
        }
        guard bytes.count >= FileFormat.headerSize, bytes.isZero(Self.size..<FileFormat.headerSize) else {
            throw .damaged("\(path)", "its header is cut or changed")
        }
        slots = Array(bytes[..<Self.size])
        let first = Array(bytes[..<FileFormat.slotSize])
        let second = Array(bytes[FileFormat.slotSize..<Self.size])
        let header = FileHeader(first)
        // Usually both slots have the same bytes.
        let other = first.hasBytes(of: second) ? header : FileHeader(second)
        let found = [
            header.map { Candidate(header: $0, slot: first, number: 0) },
            other.map { Candidate(header: $0, slot: second, number: 1) },
        ].compactMap(\.self)
        let isInOrder = found.count < 2 || found[0].header.sequence >= found[1].header.sequence
        candidates = isInOrder ? found : found.reversed()
        guard !candidates.isEmpty else { throw .damaged("\(path)", "its header breaks the format") }
    }

    /// What the header claims, unauthenticated.
    var claimed: FileHeader { candidates[0].header }
    /// The claims of both slots.
    var claims: [FileHeader] { candidates.map(\.header) }

    /// The state, authenticated with its keys. `known` are the keys of an open file, which make the class's
    /// keys unnecessary.
    func verified(
        _ keybag: Keybag, _ path: FileLocation, known: (header: FileHeader, keys: FileKeys)? = nil
    ) throws -> State {
        var failure: (any Error)?
        for (position, candidate) in candidates.enumerated() where candidate.header.home == keybag.homeIdentifier {
            do {
                let keys =
                    try known.flatMap { $0.header.isSameFile(candidate.header) ? $0.keys : nil }
                    ?? FileKeys.fetch(candidate.header, from: keybag)
                guard try keys.isAuthentic(candidate.slot) else { continue }
                let others = candidates[(position + 1)...]
                let sequence = candidate.header.sequence
                let twin = others.first { $0.header.sequence == sequence && !$0.slot.hasBytes(of: candidate.slot) }
                if let twin, try keys.isAuthentic(twin.slot) {
                    throw ProtectedFileError.damaged("\(path)", "the two halves of its header contradict each other")
                }
                // Identical bytes need no second verification.
                let isWhole =
                    try candidates.count == 2 && position == 0
                    && (others[1].slot.hasBytes(of: candidate.slot) || keys.isAuthentic(others[1].slot))
                return State(header: candidate.header, slot: candidate.number, keys: keys, isWhole: isWhole)
            } catch let error as DataProtectionError {
                // `.locked` takes precedence: while locked, the rest can't be verified.
                if failure == nil || error.code == .locked { failure = error }
            }
        }
        if let failure { throw failure }
        // Nothing was verified. If this were reported as `.keyDestroyed`, the user might delete a file that belongs to
        // another user.
        if candidates.allSatisfy({ $0.header.home != keybag.homeIdentifier }) {
            throw ProtectedFileError.foreign("\(path)", home: claimed.home)
        }
        throw ProtectedFileError.damaged("\(path)", "its header is changed")
    }
}
