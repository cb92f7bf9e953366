// SPDX-License-Identifier: Apache-2.0

import Sweeps
import Testing

@testable import Sweeps

@Suite struct IssuerTests {
    /// A token of an issuer's form, made from a seed.
    static func token(_ issuer: Issuer, prefix: String, seed: UInt64) -> String {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 33)
        }
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8).filter {
            issuer.alphabet.contains($0)
        }
        var body = (0..<issuer.lengths.lowerBound).map { _ in letters[next() % letters.count] }
        switch issuer.word {
        case "github-fine-grained": body[22] = 0x5F
        case "sendgrid": body[22] = 0x2E
        case "airtable": body[14] = 0x2E
        case "slack": body[4] = 0x2D
        case "discord":
            body[18] = 0x2E
            body[25] = 0x2E
        case "launchdarkly", "axiom", "hubspot":
            let digits = Array("0123456789abcdef".utf8)
            body = (0..<36).map { [8, 13, 18, 23].contains($0) ? 0x2D : digits[next() % 16] }
        case "resend": body[8] = 0x5F
        default: break
        }
        if issuer.proof == .checksum {
            body.removeLast(6)
            body += Checksum.base62(Checksum.crc32(body))
        }
        let text = prefix + String(decoding: body, as: UTF8.self)
        switch issuer.word {
        case "telegram": return "7123456789" + text
        case "terraform": return "Ab3dE5gH7jK9mN" + text
        default: return text
        }
    }

    static let special: Set<String> = ["age", "pypi", "json-web-token"]

    @Test(arguments: Issuer.all.filter { !special.contains($0.word) }.map(\.word))
    func `a token of each issuer is found`(
        _ word: String
    ) throws {
        let issuer = try #require(Issuer.all.first { $0.word == word })
        for (index, prefix) in issuer.prefixes.enumerated() {
            let token = Self.token(issuer, prefix: prefix, seed: UInt64(index + 7))
            for text in ["see \(token) there", "x = \"\(token)\"\n", "\(token)", "{\"a\":\"\(token)\"}"] {
                let found = try TextFinder.secrets(in: Array(text.utf8), "notes.md", .prose)
                #expect(found.count == 1, "\(text)")
                let first = try #require(found.first)
                #expect(first.rule.kind == .token, "\(first.rule.identifier): \(text)")
                #expect(
                    text.utf8.dropFirst(first.range.lowerBound).prefix(first.range.count).elementsEqual(token.utf8),
                    "\(text)")
            }
        }
    }

    @Test(arguments: ["github", "npm"]) func `a token with a wrong checksum is none`(_ word: String) throws {
        let issuer = try #require(Issuer.all.first { $0.word == word })
        var token = Array(Self.token(issuer, prefix: issuer.prefixes[0], seed: 3).utf8)
        token[12] = token[12] == 0x61 ? 0x62 : 0x61
        #expect(try TextFinder.secrets(in: token, "notes.md", .prose).isEmpty)
    }

    @Test func `the vectors of CRC-32, Base62 and Bech32 hold`() {
        #expect(Checksum.crc32("123456789".utf8) == 0xCBF4_3926)
        #expect(String(decoding: Checksum.base62(61), as: UTF8.self) == "00000z")
        // BIP 173, and the identity of age's own tests.
        #expect(Checksum.isBech32(Array("A12UEL5L".utf8)[...]))
        let age = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"
        #expect(Checksum.isBech32(Array(age.utf8)[...]))
        #expect(!Checksum.isBech32(Array(age.replacing("Q2P2", with: "Q2P3").utf8)[...]))
    }

    @Test func `words are unique, and there are at least 40 issuers`() {
        #expect(Set(Issuer.all.map(\.word)).count == Issuer.all.count)
        #expect(Set(Issuer.all.map(\.name)).count >= 40)
        #expect(Set(Catalogue.places.map(\.word)).count == Catalogue.places.count)
        #expect(Catalogue.places.count >= 40)
    }
}
