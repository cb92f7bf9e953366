// SPDX-License-Identifier: Apache-2.0

import Sealing
import SyncMerge

/// Words of ten bits each, for users to compare: consonant, vowel, consonant.
public enum Words {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    static func spell(_ digest: Digest32, _ count: Int) -> String {
        (0..<count).map { word in
            var bits = 0
            for bit in 10 * word..<10 * word + 10 {
                bits = bits << 1 | Int(digest[bit / 8] >> UInt8(7 - bit % 8)) & 1
            }
            return String([consonants[bits >> 6], vowels[bits >> 4 & 3], consonants[bits & 15]])
        }.joined(separator: "-")
    }

    /// Six words for a head, to be read out by telephone.
    public static func head(account: Digest32, place: UInt64, hash: Digest32) -> String {
        var number: [UInt8] = []
        number.append(place, bytes: 8)
        return spell(KeyLabel.syncHeadWords.digest(account, number, hash), 6)
    }
}
