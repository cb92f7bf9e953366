// SPDX-License-Identifier: Apache-2.0

/// What a placeholder looks like: as its secret, where clients check the form.
package struct PlaceholderShape: Hashable, Sendable {
    /// Letters, digits, `-` and `_` of ASCII, at most 32.
    package let prefix: String
    /// The wanted number of bytes.
    package let count: UInt16

    /// Nil for another prefix.
    package init?(prefix: String, count: UInt16) {
        guard prefix.utf8.count <= 32,
            prefix.utf8.allSatisfy({ (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 45 || $0 == 95 })
        else { return nil }
        (self.prefix, self.count) = (prefix, count)
    }

    /// That of a secret: its own prefix if it is a known form, and its length.
    package init(of secret: [UInt8]) {
        prefix = Self.known.first { secret.starts(with: $0.utf8) } ?? Self.plain
        count = UInt16(clamping: secret.count)
    }

    package static let plain = "zamok-"

    /// The beginnings that services give their tokens; longer ones before those that they begin with.
    private static let known = [
        "github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "sk-ant-api03-", "sk-ant-", "sk-proj-",
        "sk_live_", "sk_test_", "rk_live_", "sk-", "xoxb-", "xoxp-", "xapp-", "npm_", "pypi-", "AKIA", "hf_", "dop_v1_",
    ]
}

/// A text that represents a secret inside, for one run: 128 random bits at least, and a mark by which the proxy knows
/// one of another run.
package enum Placeholder {
    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// Characters of 62 kinds that carry 128 bits.
    private static let least = 22
    private static let most = 512
    private static let markCount = 5

    package static func random(_ shape: PlaceholderShape) -> String {
        var generator = SystemRandomNumberGenerator()
        return random(shape, using: &generator)
    }

    static func random(_ shape: PlaceholderShape, using generator: inout some RandomNumberGenerator) -> String {
        let count = max(least, min(Int(shape.count), most) - shape.prefix.utf8.count - markCount)
        let random = (0..<count).map { _ in signs[Int.random(in: signs.indices, using: &generator)] }
        let bytes = Array(shape.prefix.utf8) + random
        return String(decoding: bytes + mark(of: bytes), as: UTF8.self)
    }

    /// FNV-1a of 64 bits, in five digits of 62, the lowest first (Documentation/Formats/GuardMessages.md).
    package static func mark(of bytes: [UInt8]) -> [UInt8] {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<markCount).map { _ in
            defer { value /= 62 }
            return signs[Int(value % 62)]
        }
    }
}
