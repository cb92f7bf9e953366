// SPDX-License-Identifier: Apache-2.0

/// Words that are made to be taken for others: letters of several scripts in one word, or letters of one that all look like
/// those of another. By the "highly restrictive" level of UTS #39, and what browsers do in their address bars.
enum Lookalikes {
    /// Whether `word` mixes scripts that nobody writes together. Chinese, Japanese and Korean go together and with Latin.
    static func mixesScripts(_ word: some Sequence<Unicode.Scalar>) -> Bool {
        var only: UInt32 = 0
        for scalar in word {
            let script = HostCharacter.script(of: scalar)
            guard script != 0 else { continue }
            if only == 0 || only == script {
                only = script
                continue
            }
            guard isWrittenTogether(only), isWrittenTogether(script) else { return true }
        }
        return false
    }

    private static func isWrittenTogether(_ script: UInt32) -> Bool {
        script == HostCharacter.Script.latin
            || (HostCharacter.Script.han...HostCharacter.Script.bopomofo).contains(script)
    }

    /// Whether a label, of Cyrillic or Greek letters, can be read as one of Latin letters throughout.
    static func looksLatin(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        !label.allSatisfy(\.isASCII)
            && label.allSatisfy { $0 == "-" || ("0"..."9").contains($0) || latinShaped.contains($0) }
    }

    private static let latinShaped = Set("асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡαικνρυωηοτ".unicodeScalars)

    /// Whether a host's name has such labels. Under a top level of its own script, a label may look as it likes.
    static func deceive(_ labels: [IDNA.Label]) -> Bool {
        let isUnderLatin = labels.last?.isASCII ?? true
        return labels.contains { !$0.isASCII && (mixesScripts($0.decoded) || (isUnderLatin && looksLatin($0.decoded))) }
    }
}
