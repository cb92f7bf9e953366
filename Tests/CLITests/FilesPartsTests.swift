// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Testing

@testable import ZamokCommand

/// Parts of `zamok files` by themselves.
@Suite struct FilesPartsTests {
    @Test(arguments: [
        ("complete", ProtectionClass.complete), ("NSFileProtectionComplete", .complete),
        ("complete-unless-open", .completeUnlessOpen), ("NSFileProtectionCompleteUnlessOpen", .completeUnlessOpen),
        ("complete-until-first-user-authentication", .completeUntilFirstUserAuthentication), ("none", .none),
        ("NSFileProtectionNone", .none),
    ]) func `classes are read as words and as Foundation's raw values`(_ word: String, _ expected: ProtectionClass) {
        #expect(ProtectionWord(argument: word)?.protection == expected)
    }

    @Test(arguments: ["", "Complete", "when-passcode-set", "NSFileProtectionCompleteWhenUserInactive", "1"])
    func `what is no class of files is refused`(_ word: String) {
        #expect(ProtectionWord(argument: word) == nil)
    }

    @Test func `the bar tells part, rate and remaining time`() {
        let half = RateBar.text(500_000_000, of: 1_000_000_000, after: .seconds(2), "name")
        #expect(half == "[############------------] 50 %  250.0 MB/s  0:02 left  name")
        #expect(RateBar.text(1, of: 10_000_000, after: .seconds(1), "").contains("2777:46:39 left"))
        #expect(RateBar.text(0, of: 10, after: .zero, "").contains(" 0 %  0 bytes/s  ? left"))
        #expect(RateBar.text(20, of: 10, after: .seconds(1), "").contains("] 100 %"))
        #expect(RateBar.text(0, of: 0, after: .seconds(1), String(repeating: "n", count: 200)).count < 80)
    }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (1_250_000, "1.3 MB"), (5 << 30, "5.4 GB"),
        (3_000_000_000_000, "3.0 TB"),
    ]) func `sizes are for people`(_ bytes: Int, _ text: String) {
        #expect(RateBar.size(bytes) == text)
    }
}
