// SPDX-License-Identifier: Apache-2.0

import AuditMutations
import Foundation

/// `audit-mutations KIND COUNT [SEED]`: the long form of the test of damaged files. `swift build -c release` builds it; the vectors are those of the tests.
@main
enum Main {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count > 2, Mutations.kinds.contains(words[1]), let count = Int(words[2]) else {
            FileHandle.standardError.write(
                Data("usage: audit-mutations \(Mutations.kinds.joined(separator: "|")) COUNT [SEED]\n".utf8))
            exit(64)
        }
        let seed = words.count > 3 ? UInt64(words[3]) ?? 0 : UInt64.random(in: 0...UInt64.max)
        print("\(words[1]), seed \(seed)")
        let vectors = URL(filePath: #filePath).appending(path: "../../../Tests/Vectors").standardized.path
        let begin = ContinuousClock.now
        guard let done = try Mutations.run(words[1], count: count, seed: seed, vectors: vectors) else { exit(1) }
        print("\(done.count) files in \(ContinuousClock.now - begin), the slowest in \(done.slowest)")
    }
}
