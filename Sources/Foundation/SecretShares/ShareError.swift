// SPDX-License-Identifier: Apache-2.0

/// Why words are no share, or shares give no secret. Positions of words begin at 0.
package enum ShareError: Error, Equatable, Sendable {
    /// These words are not in the list.
    case unknownWords([Int])
    /// So many words are no share.
    case wordCount(Int)
    /// The checksum is wrong: one wrong word, here.
    case wrongWord(Int)
    /// The checksum is wrong, and right with these two words exchanged.
    case exchangedWords(Int, Int)
    /// The checksum is wrong in another way.
    case wrongWords
    /// Right words that break the format, or parameters outside it.
    case malformed
    /// Shares of different sets.
    case otherSet
    /// The same share twice, or two with one number.
    case sameShare
    /// Fewer or more shares than are needed.
    case shareCount
    /// Shares that seem to be of one set, and aren't, or were changed.
    case otherDigest
}
