// SPDX-License-Identifier: Apache-2.0

public import SecretMemory
import SecretShares

extension RecoveryCode {
    /// The bytes of a code.
    static let byteCount = 20

    /// How many shares there may be, and how many of them may be needed.
    public static let shareCounts = 2...16

    /// Shares of the code by SLIP-0039: 23 words each. Any `needed` of them give the code, fewer reveal nothing of it.
    /// Each call makes another set, whose shares don't go with those of one before.
    /// - Parameters:
    ///   - count: How many shares, 2 to 16.
    ///   - needed: How many of them give the code, 2 to `count`.
    /// - Returns: The shares' words, for printing once.
    /// - Throws: `SyncLogError` with `malformed` for other numbers; `SecretMemoryError`.
    public func shares(_ count: Int, needed: Int) throws -> [Secret] {
        guard Self.shareCounts ~= count, 2...count ~= needed else {
            throw SyncLogError(.malformed, "a code is split into 2 to 16 shares, of which 2 to all are needed")
        }
        return try secret().withSecretBytes { code in
            try SecretShare.split(
                code, into: [SecretShare.Group(needed: needed, of: count)], passphrase: RecoveryShares.noPassphrase()
            ).joined().map { try $0.text() }
        }
    }
}

/// Shares of a recovery code as they are typed, until there are enough.
public struct RecoveryShares: Sendable {
    /// More rounds than these would only keep the user waiting: a code is no passphrase.
    private static let mostExponent: UInt8 = 4

    private var shares: [SecretShare] = []

    /// No share yet.
    public init() {}

    static func noPassphrase() throws -> Secret { try Secret(copying: []) }

    /// Whether a user's text is meant as a share: it has more words than the groups of a whole code.
    /// - Throws: `SecretMemoryError`.
    public static func isShare(_ text: Secret) throws -> Bool {
        try text.withBytes { text in
            var (words, letters) = (0, 0)
            for at in 0..<text.byteCount {
                let letter = (text.bigEndian(at: at) as UInt8? ?? 0) | 0x20
                letters = 0x61...0x7A ~= letter ? letters + 1 : 0
                if letters == 4 { words += 1 }
            }
            return words > 9
        }
    }

    /// How many shares of this set are needed; nil before the first.
    public var needed: Int? { shares.first?.needed }

    /// How many more are needed; nil before the first.
    public var missing: Int? { needed.map { $0 - shares.count } }

    /// Adds a share that a user typed: whole words or their first four letters. More than are needed are left out.
    /// - Throws: `SyncLogError` with `wrongWords`, which names the wrong word by its place, a share of another set, or
    ///   one that is there already; then the shares are as before. `SecretMemoryError`.
    public mutating func add(_ text: Secret) throws {
        let share: SecretShare
        do { share = try text.withSecretBytes { try SecretShare($0, size: RecoveryCode.byteCount) } } catch {
            throw (error as? ShareError).map(Self.refusal) ?? error
        }
        guard share.common.groups == 1, share.needed > 1, share.common.exponent <= Self.mostExponent else {
            throw Self.wrong("this is a share, but not of a recovery code")
        }
        if let first = shares.first {
            guard share.common == first.common, share.needed == first.needed else { throw Self.refusal(.otherSet) }
            guard !shares.contains(where: { $0.member == share.member }) else { throw Self.refusal(.sameShare) }
        }
        if missing != 0 { shares.append(share) }
    }

    /// The code of the shares.
    /// - Throws: `SyncLogError` with `wrongWords` if there are too few, or they are not of one code;
    ///   `SecretMemoryError`.
    public func code() throws -> RecoveryCode {
        do {
            return try SecretShare.secret(of: shares, passphrase: Self.noPassphrase())
                .withSecretBytes { try RecoveryCode(bytes: $0) }
        } catch {
            throw (error as? ShareError).map(Self.refusal) ?? error
        }
    }

    private static func wrong(_ message: String) -> SyncLogError { SyncLogError(.wrongWords, message) }

    private static func refusal(_ error: ShareError) -> SyncLogError {
        let places = { (positions: [Int]) in positions.map { String($0 + 1) }.joined(separator: ", ") }
        switch error {
        case .unknownWords(let all) where all.count > 1:
            return wrong("words \(places(all)) are in no share; compare them")
        case .unknownWords(let all): return wrong("word \(places(all)) is in no share; compare it")
        case .wordCount(let count): return wrong("a share has 23 words, and this has \(count)")
        case .wrongWord(let position): return wrong("word \(position + 1) is not the one that was printed; compare it")
        case .exchangedWords(let first, let second):
            return wrong("words \(first + 1) and \(second + 1) seem to be exchanged; compare them")
        case .wrongWords: return wrong("several words are not those that were printed; compare all")
        case .malformed: return wrong("this is no share of a recovery code")
        case .otherSet:
            return wrong("this share is of another set; those of one set begin with the same two words")
        case .sameShare: return wrong("this share was given already")
        case .shareCount: return wrong("there are not enough shares")
        case .otherDigest: return wrong("these shares give no code: they are not of one set, or one was changed")
        }
    }
}
