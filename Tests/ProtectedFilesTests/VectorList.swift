// SPDX-License-Identifier: Apache-2.0

extension VectorGenerator {
    /// Name and text of each vector. Offsets are those of ProtectedFile.md; chunk 0 of `three` lies at 4096.
    static var vectors: [(String, String)] { good + header + fields + blocks + whole }

    private static func vector(
        _ name: String, _ base: String, expect: String = "damaged", _ why: String, _ edits: [String],
        _ more: [String] = []
    ) -> (String, String) {
        let lines = ["expect: \(expect)", "why: \(why)", "base: \(base)"] + more + edits.map { "edit: \($0)" }
        return (name, lines.joined(separator: "\n"))
    }

    private static let nothing = ["hands-out: nothing"]

    private static var good: [(String, String)] {
        [
            vector("good", "three", expect: "opens", "as it was written", []),
            vector("good-empty", "empty", expect: "opens", "no content", [], ["content: empty"]),
            vector("good-one-chunk", "one", expect: "opens", "the root is the chunk", [], ["content: one"]),
            vector("good-unless-open", "unless-open", expect: "opens", "an agreed key", [], ["content: one"]),
            vector("good-indexed", "three", expect: "opens", "the index knows this state", [], ["index: index"]),
            vector(
                "unsettled-tail", "unsettled", expect: "opens", "left by a killed writer: the tail doesn't count",
                ["append 00112233"]
            ),
            vector(
                "free-place-changed", "three", expect: "opens", "an older state's block belongs to nothing any more",
                ["flip 40000 255"]
            ),
            vector("slot-a-torn", "three", expect: "opens", "one torn slot is what a crash leaves", ["put 0 00000000"]),
            vector("slot-b-torn", "three", expect: "opens", "one torn slot is what a crash leaves", ["flip 1000 255"]),
        ]
    }

    private static var header: [(String, String)] {
        [
            vector("cut-to-nothing", "three", expect: "notProtected", "no magic", ["cut 0"], nothing),
            vector("cut-in-header", "three", "less than the header", ["cut 2000"], nothing),
            vector("cut-in-chunk", "three", "the file is shorter than `end`", ["cut 50000"], nothing),
            vector("cut-at-chunk", "three", "a whole number of chunks is left", ["cut 135168"], nothing),
            vector("cut-by-one", "three", "one byte is missing", ["cut 167935"], nothing),
            vector("trailing-byte", "three", "one byte too many in a settled file", ["append 00"], nothing),
            vector(
                "trailing-chunk", "one", "a second chunk behind the end",
                ["append " + String(repeating: "ab", count: 4096)], nothing + ["content: one"]
            ),
            vector(
                "version-unknown", "three", expect: "newerFormat", "both slots are of version 2",
                ["put 8 02", "put 520 02"], nothing
            ),
            vector(
                "magic-changed", "three", expect: "notProtected", "no slot has the magic",
                ["put 0 58", "put 512 58"], nothing
            ),
            vector(
                "both-slots-changed", "three", "neither authentication code is right",
                ["flip 300 1", "flip 812 1"], nothing
            ),
            vector(
                "code-changed", "three", "neither authentication code is right",
                ["flip 500 1", "flip 1012 1"], nothing
            ),
            vector("padding-changed", "three", "bytes 1024..<4096 are zero", ["put 2000 01"], nothing),
            vector("key-changed", "three", "the wrapped key does not open", ["flip 80 1", "flip 592 1"], nothing),
            vector(
                "class-key-unknown", "three", expect: "keyDestroyed", "no such class key in the keybag",
                ["flip 35 1", "flip 547 1"], nothing
            ),
        ]
    }

    private static var fields: [(String, String)] {
        [
            vector(
                "class-downgraded", "three", expect: "keyDestroyed", "completeUntilFirstUserAuthentication to none",
                ["put 9 04", "put 521 04"], nothing
            ),
            vector(
                "class-upgraded", "three", expect: "keyDestroyed", "to complete",
                ["put 9 01", "put 521 01"], nothing
            ),
            vector(
                "class-of-items", "three", "whenPasscodeSet is no class of files",
                ["put 9 05", "put 521 05"], nothing
            ),
            vector("chunk-size-changed", "three", "only 15 is known", ["put 10 10", "put 522 10"], nothing),
            vector(
                "key-form-changed", "three", "agreed keys are for completeUnlessOpen alone",
                ["put 11 02", "put 523 02"], nothing
            ),
            vector(
                "height-changed", "three", "the height follows from the length",
                ["put 12 02", "put 524 02"], nothing
            ),
            vector("flag-unknown", "three", "only bit 0 is known", ["put 13 02", "put 525 02"], nothing),
            vector("flag-unsettled", "three", "the flag is authenticated", ["put 13 01", "put 525 01"], nothing),
            vector("file-id-changed", "three", "the keys are derived with it", ["flip 20 1", "flip 532 1"], nothing),
            vector(
                "sequence-zero", "three", "at least 1",
                ["put 112 0000000000000000", "put 624 0000000000000000"], nothing
            ),
            vector(
                "home-changed", "three", expect: "foreign", "whose it says it is can't be verified here",
                ["flip 192 1", "flip 704 1"], nothing
            ),
            vector("folder-memory-changed", "three", "it is authenticated", ["flip 240 1", "flip 752 1"], nothing),
            vector("spare-byte-changed", "three", "248..<480 are zero", ["put 300 01", "put 812 01"], nothing),
            vector("length-shorter", "three", "the length is authenticated", ["flip 135 1", "flip 647 1"], nothing),
            vector("length-huge", "three", "beyond 2^44", ["put 128 7f", "put 640 7f"], nothing),
            vector("end-changed", "three", "the end is authenticated", ["flip 143 1", "flip 655 1"], nothing),
            vector("root-changed", "three", "the root is authenticated", ["flip 160 1", "flip 672 1"], nothing),
        ]
    }

    private static var blocks: [(String, String)] {
        [
            vector("chunk-flipped", "three", "the first chunk", ["flip 5000 1"], nothing),
            vector(
                "chunk-flipped-last-bit", "one", "the last byte of the only chunk",
                ["flip 5095 128"], nothing + ["content: one"]
            ),
            vector("chunks-swapped", "three", "chunks 0 and 1", ["swap 4096 135168 32768"], nothing),
            vector("chunk-repeated", "three", "chunk 0 in the place of chunk 1", ["copy 4096 135168 32768"]),
            vector(
                "chunk-of-another-file", "three", "same position, other file",
                ["copy 4096 4096 32768 other"], nothing
            ),
            vector(
                "chunk-put-back", "three", "chunk 1 of the older state in the place of the newer one",
                ["copy 36864 135168 32768"]
            ),
            vector(
                "node-put-back", "three", "the leaf of the older state in the place of the newer one",
                ["copy 102400 106496 4096"], nothing
            ),
            vector("node-flipped", "three", "an entry of the leaf", ["flip 106530 1"], nothing),
            vector("node-tail", "three", "something behind the last entry", ["put 106700 01"], nothing),
            vector("node-zeroed", "three", "the leaf of the present state", ["put 106496 0000"], nothing),
        ]
    }

    private static var whole: [(String, String)] {
        [
            vector(
                "forged-unless-open", "forged", "made with the public key, without the authenticity key",
                [], nothing
            ),
            vector("slots-of-another-file", "three", "a whole header moved", ["copy 0 0 1024 other"], nothing),
            vector(
                "slot-of-another-file", "three", expect: "opens", "a slot of another file is a slot that fails",
                ["copy 0 512 512 other"]
            ),
            vector(
                "header-of-older-state", "three", "older header, newer size",
                ["copy 0 0 1024 three-older"], nothing
            ),
            vector(
                "older-indexed", "three-older", expect: "replaced", "put back to its older self",
                [], nothing + ["index: index", "content: three-older"]
            ),
            vector(
                "other-indexed", "other", expect: "replaced", "exchanged for another file",
                [], nothing + ["index: index", "content: other"]
            ),
            vector(
                "older-not-indexed", "three-older", expect: "opens", "without an index this is not detected",
                [], ["content: three-older"]
            ),
        ]
    }
}
