// SPDX-License-Identifier: Apache-2.0

import Readers

/// The table of hashes that a code signature signs, with the identifiers that it certifies.
public struct CodeDirectory: Sendable {
    /// The bundle identifier.
    public let identifier: String
    /// The team; nil in ad hoc signatures and in those of the first years.
    public let teamIdentifier: String?

    let hashType: HashType
    /// Digests of this directory, which the envelope signs. They are kept in place of the directory, which is large.
    let digests: [DigestAlgorithm: [UInt8]]
    private let specialHashes: [Int: [UInt8]]

    enum HashType: UInt8, Sendable {
        case sha1 = 1
        case sha256 = 2
        case sha256Truncated = 3
        case sha384 = 4

        var size: Int {
            switch self {
            case .sha1, .sha256Truncated: 20
            case .sha256: 32
            case .sha384: 48
            }
        }

        var digest: DigestAlgorithm {
            switch self {
            case .sha1: .sha1
            case .sha256, .sha256Truncated: .sha256
            case .sha384: .sha384
            }
        }
    }

    /// The first version with a team identifier.
    private static let versionWithTeam: UInt32 = 0x20200
    private static let maximumSpecialSlots = 32

    init(_ blob: BoundedBytes) throws(ProfileError) {
        let version = try blob.uint32(at: 8, .big)
        let hashOffset = try blob.length32(at: 16, .big)
        let specialSlots = try blob.length32(at: 24, .big)
        let codeSlots = try blob.length32(at: 28, .big)
        let hashSize = Int(try blob.uint8(at: 36))
        guard let type = HashType(rawValue: try blob.uint8(at: 37)), type.size == hashSize else {
            throw ProfileError(.codeSignature, "a code directory with an unknown hash function")
        }
        guard specialSlots <= Self.maximumSpecialSlots else {
            throw ProfileError(.codeSignature, "a code directory with \(specialSlots) special hashes")
        }
        // Special hashes precede the code hashes, highest slot first.
        _ = try blob.window(at: hashOffset - specialSlots * hashSize, count: (specialSlots + codeSlots) * hashSize)
        var hashes: [Int: [UInt8]] = [:]
        for slot in 0..<specialSlots {
            let hash = try blob.window(at: hashOffset - (slot + 1) * hashSize, count: hashSize).array
            // All zeros mean that there is none.
            if hash.contains(where: { $0 != 0 }) { hashes[slot + 1] = hash }
        }
        specialHashes = hashes
        hashType = type
        identifier = try blob.string(at: blob.length32(at: 20, .big))
        let teamOffset = version >= Self.versionWithTeam ? try blob.length32(at: 48, .big) : 0
        teamIdentifier = teamOffset == 0 ? nil : try blob.string(at: teamOffset)
        let algorithms: Set<DigestAlgorithm> = [.sha256, .sha384, .sha512, type.digest]
        digests = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, $0.digest(of: blob.bytes)) })
    }

    /// The hash of a special slot; nil if there is none.
    func specialHash(_ slot: Int) -> [UInt8]? { specialHashes[slot] }

    /// This directory's hash of other bytes.
    func hash(of bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(hashType.digest.digest(of: bytes).prefix(hashType.size))
    }

    /// The value in the envelope's list of hashes: the directory's own hash, cut to 20 bytes.
    var truncatedHash: [UInt8] { Array((digests[hashType.digest] ?? []).prefix(20)) }
}
