// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory
import Testing

@testable import ProtectedFiles

/// A chunk opens only as what it was sealed as. The tree over the tags checks the same, so that no file on the disk
/// shows whether this check alone holds.
@Suite struct ChunkBindingTests {
    struct Place: Sendable {
        var fileID = pattern(16)
        var protection = ProtectionClass.none
        var index = 3
        var isLast = false

        func authenticated() -> [UInt8] {
            let key = SealedFileKey(form: .wrapped, classKeyID: 1, ephemeralPublicKey: [], wrapped: [])
            var context = ChunkContext(FileHeader(protection: protection, fileID: fileID, home: pattern(16), key: key))
            return context.authenticated(index, isLast: isLast)
        }
    }

    static let others: [(what: String, place: Place)] = [
        ("another file", Place(fileID: pattern(16, seed: 9))), ("another class", Place(protection: .complete)),
        ("the chunk before", Place(index: 2)), ("a chunk far behind", Place(index: 3 + 1 << 32)),
        ("the last chunk", Place(isLast: true)),
    ]

    // Rule: a chunk opens at its own position alone | the index left out of the associated data | "the chunk before",
    //   "a chunk far behind" open. Written for this: the tree says the same once more, so that no damaged file had
    //   shown it
    // Rule: the last chunk is marked as the last | the mark left out of the associated data | "the last chunk" opens
    @Test("a chunk opens at its own place alone", arguments: others.indices) func bound(_ other: Int) throws {
        let key = try SecretBytes.random(count: 32)
        let content = pattern(1000)
        var chunk = SealedChunk()
        let nonceAndTag = try ChunkCipher.with(key) { cipher in
            try content.withSpan(content.count) { span in
                try cipher.seal(span, authenticating: Place().authenticated()) { sealed in
                    chunk.withCiphertext(sealed.byteCount) { $0.copy(sealed, at: 0) }
                }
            }
        }
        func opened(_ place: Place) throws -> [UInt8] {
            try ChunkCipher.with(key) { cipher in
                try cipher.open(&chunk, nonceAndTag: nonceAndTag, authenticating: place.authenticated())
                    .withBytes { Array(copying: $0) }
            }
        }
        #expect(try opened(Place()) == content)
        #expect(throws: SealingError.cannotOpen, "\(Self.others[other].what)") { try opened(Self.others[other].place) }
        #expect(try opened(Place()) == content)
    }
}
