// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import Testing

/// Sizes round every border: of the slots, of a page, and far beyond.
private let sizes = [
    0, 1, 7, 31, 32, 33, 111, 112, 113, 495, 496, 497, 2031, 2032, 2033, 4064, 4080, 4081, 4096, 8192, 65536, 1 << 24,
    (1 << 24) + 1,
]

struct `Secret bytes` {
    @Test(arguments: sizes)
    func `they hold what was put in, at any size`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        let secret = try SecretBytes(copying: bytes)
        #expect(secret.count == count)
        let isSame = try [UInt8](exposing: Secret(secret)) == bytes
        #expect(isSame)
    }

    @Test(arguments: sizes.filter { $0 <= 65536 })
    func `they begin as zeros, even where another secret was before`(count: Int) throws {
        do { _ = try SecretBytes(copying: [UInt8](repeating: 0xFF, count: count)).count }
        var wereZero = false
        _ = try SecretBytes(count: count) { span in
            wereZero = unsafe span.withUnsafeMutableBytes { unsafe $0.allSatisfy { $0 == 0 } }
        }.count
        #expect(wereZero)
    }

    @Test func `they don't overlap`() throws {
        let secrets = try (0..<3000).map { number in
            Secret(try SecretBytes(copying: [UInt8](repeating: UInt8(number % 251), count: number % 150)))
        }
        for (number, secret) in secrets.enumerated() {
            let whole = try [UInt8](exposing: secret)
            #expect(whole == [UInt8](repeating: UInt8(number % 251), count: number % 150))
        }
    }

    @Test func `equality compares the bytes, and the count`() throws {
        let one = try SecretBytes(copying: [1, 2, 3])
        let same = try SecretBytes(copying: [1, 2, 3])
        let other = try SecretBytes(copying: [1, 2, 4])
        let longer = try SecretBytes(copying: [1, 2, 3, 0])
        let (isSame, isOther, isLonger) = try (one.isEqual(to: same), one.isEqual(to: other), one.isEqual(to: longer))
        #expect(isSame && !isOther && !isLonger)
    }

    @Test func `random bytes differ`() throws {
        let one = try SecretBytes.random(count: 32)
        let other = try SecretBytes.random(count: 32)
        let areEqual = try one.isEqual(to: other)
        #expect(!areEqual)
    }

    @Test func `more than 1 GiB is refused before anything is taken`() {
        for count in [(1 << 30) + 1, .max] {
            let error = #expect(throws: SecretMemoryError.self) { _ = try SecretBytes(count: count) { _ in }.count }
            #expect(error?.code == .outOfMemory)
        }
    }

    @Test func `many threads may make, read and drop them at once`() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<300 {
                let bytes = [UInt8](repeating: UInt8(thread * 31 + round % 31), count: round % 600)
                let secret = try? Secret(copying: bytes)
                #expect(secret.flatMap { try? [UInt8](exposing: $0) } == bytes)
            }
        }
    }
}

struct `Secret handle` {
    private func secret() throws -> Secret { try Secret(copying: "opensesame".utf8) }

    @Test func `it never prints what it holds`() throws {
        let secret = try secret()
        var dumped = ""
        dump(["key": secret], to: &dumped)
        let printed = ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped]
        for text in printed {
            #expect(text.contains("redacted"))
            #expect(!text.contains("opensesame"))
        }
    }

    @Test func `it leaves as bytes, data and text where that is spelled out`() throws {
        let secret = try secret()
        #expect(try [UInt8](exposing: secret) == Array("opensesame".utf8))
        #expect(try Data(exposing: secret) == Data("opensesame".utf8))
        #expect(try String(exposing: secret) == "opensesame")
        #expect(try String(exposing: Secret(copying: [0xFF, 0xFE])) == nil)
    }

    @Test func `it compares with another`() throws {
        #expect(try secret().isEqual(to: secret()))
        #expect(try !secret().isEqual(to: Secret(copying: [1])))
    }

    @Test func `it can be neither encoded nor hashed`() throws {
        let secret: Any = try secret()
        #expect(!(secret is any Encodable))
        #expect(!(secret is any Hashable))
    }
}
