// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncEtcd

/// Entries as values of etcd (Documentation/Formats/SyncLog.md, "What the engine keeps").
@Suite struct EntryFormTests {
    private static let account = (0..<32).map { UInt8($0) }
    private static let place: UInt64 = 0x0102_0304_0506

    private static func entry(_ count: Int) -> [UInt8] {
        let start = Array("zsyn".utf8) + [1, 2, 0, 0] + account + [0, 0, 1, 2, 3, 4, 5, 6]
        return Array((start + (0..<1000).map { UInt8(truncatingIfNeeded: $0) }).prefix(count))
    }

    @Test func `an entry is kept without what its key says, and read whole`() {
        for count in [48, 49, 506, 1048] {
            let value = EntryForm.value(Self.entry(count), at: Self.place, of: Self.account)
            #expect(value.count == count - 40)
            #expect(value.starts(with: Array("zsye".utf8)))
            #expect(EntryForm.entry(value, at: Self.place, of: Self.account) == Self.entry(count))
        }
    }

    // Rule: bytes that say another account or place are kept whole in etcd | EntryForm.value leaves them out without comparing | read with the account and place of the key
    @Test func `what is no entry of this account and place is kept as it is`() {
        var others = [[], [0], Array("zsy".utf8), Array("zsye".utf8), Array("zsye123".utf8), Self.entry(47)]
        for at in [0, 8, 39, 40, 47] {
            var other = Self.entry(506)
            other[at] ^= 1
            others.append(other)
        }
        for other in others {
            let value = EntryForm.value(other, at: Self.place, of: Self.account)
            #expect(value == other)
            #expect(EntryForm.entry(value, at: Self.place, of: Self.account) == other)
        }
    }
}
