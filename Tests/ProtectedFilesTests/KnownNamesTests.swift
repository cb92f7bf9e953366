// SPDX-License-Identifier: Apache-2.0

import DataProtection
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct KnownNamesTests {
    @Test func `Names that come, change and go are those of a dictionary, in every copy`() throws {
        var random = SeededGenerator(seed: 7)
        var names = KnownNames()
        var expected: [[UInt8]: FolderRecord.Known] = [:]
        var copies: [(KnownNames, [[UInt8]: FolderRecord.Known])] = []
        for round in 0..<20_000 {
            let name = Array("\(Int.random(in: 0..<3_000, using: &random))".utf8)
            let known = Bool.random(using: &random) ? FolderRecord.Known(state: .absent) : nil
            names[name] = known
            expected[name] = known
            #expect(names[name] == known)
            if round % 4_000 == 0 { copies.append((names, expected)) }
        }
        for (names, expected) in copies + [(names, expected)] {
            #expect(names.all == expected)
            #expect(names.count == expected.count)
        }
    }
}
