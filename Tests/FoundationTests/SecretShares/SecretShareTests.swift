// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import SecretShares

@Suite struct SecretShareTests {
    private func passphrase(_ text: String = "") throws -> Secret { try Secret(copying: text.utf8) }

    /// The same bytes for the same seed.
    private static func random(_ seed: UInt64) -> (Int) throws -> SecretBytes {
        var state = seed
        return { count in
            try SecretBytes(
                copying: (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                })
        }
    }

    private func shares(_ needed: Int, of count: Int, seed: UInt64 = 1, size: Int = 20) throws -> [SecretShare] {
        let secret = try SecretBytes(copying: (0..<size).map { UInt8($0) })
        return try SecretShare.split(
            secret, into: [.init(needed: needed, of: count)], passphrase: passphrase(), random: Self.random(seed)
        )[0]
    }

    private func words(_ share: SecretShare) throws -> [String] {
        try #require(try String(exposing: share.text())).split(separator: " ").map(String.init)
    }

    private func read(_ words: [String], size: Int? = nil) throws -> SecretShare {
        try SecretShare(SecretBytes(copying: Array(words.joined(separator: " ").utf8)), size: size)
    }

    private func secret(_ shares: [SecretShare]) throws -> [UInt8] {
        try [UInt8](exposing: SecretShare.secret(of: shares, passphrase: passphrase()))
    }

    // Rule: elements multiply as polynomials modulo x^8 + x^4 + x^3 + x + 1 | 0x1B became 0x1D | all products beyond
    //   degree 7, the vectors and the judge of Scripts/try-shares
    @Test func `the field is the one of AES`() {
        #expect(Field.multiply(0x57, 0x83) == 0xC1 && Field.multiply(0x57, 0x13) == 0xFE)
        for element in UInt8.min...UInt8.max {
            #expect(Field.multiply(element, Field.inverse(element)) == (element == 0 ? 0 : 1))
            for other in UInt8.min...UInt8.max {
                // By hand: the product of polynomials, then its remainder.
                var product = (0..<8).reduce(0) { $0 ^ (Int(other) >> $1 & 1) * Int(element) << $1 }
                for bit in (8..<15).reversed() where product >> bit & 1 == 1 { product ^= 0x11B << (bit - 8) }
                if Int(Field.multiply(element, other)) != product { Issue.record("\(element) times \(other)") }
            }
        }
    }

    /// Secrets of several sizes, passphrases, groups and exponents, written by `sync-lab shares split 57 12`.
    private static let ownVectors = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Vectors/SecretShares.txt")

    @Test func `shares that were written before give their secrets`() throws {
        var sets: [(secret: String, passphrase: String, needed: Int, shares: [SecretShare])] = []
        for line in try String(contentsOf: Self.ownVectors, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            if parts[0] == "set" {
                sets.append((parts[1], parts[2], try #require(Int(parts[3])), []))
            } else {
                let share = try read(Array(parts[3...]))
                #expect(try words(share) == Array(parts[3...]))
                #expect([share.group, share.needed].map(String.init) == Array(parts[1...2]))
                sets[sets.count - 1].shares.append(share)
            }
        }
        #expect(sets.count == 12)
        for set in sets {
            let groups = Dictionary(grouping: set.shares, by: \.group).sorted { $0.key > $1.key }.prefix(set.needed)
            let enough = groups.flatMap { $0.value.suffix($0.value[0].needed) }
            let passphrase = try Secret(copying: set.passphrase == "-" ? [] : bytes(set.passphrase))
            #expect(try [UInt8](exposing: SecretShare.secret(of: enough, passphrase: passphrase)) == bytes(set.secret))
            #expect(throws: ShareError.shareCount) {
                try SecretShare.secret(of: Array(enough.dropLast()), passphrase: passphrase)
            }
            // Any other passphrase opens to something.
            let other = try SecretShare.secret(of: enough, passphrase: self.passphrase("another"))
            #expect(try [UInt8](exposing: other) != bytes(set.secret))
        }
    }

    private static let published = ProcessInfo.processInfo.environment["ZAMOK_SLIP39_VECTORS"]
        .map { URL(filePath: $0).appending(path: "vectors.json") }

    @Test(
        .enabled(if: published != nil, "ZAMOK_SLIP39_VECTORS does not name a folder with vectors.json of SLIP-0039"))
    func `the published vectors`() throws {
        let data = try Data(contentsOf: #require(Self.published))
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[Any]])
        #expect(list.count >= 45)
        for vector in list {
            let name = try #require(vector[0] as? String)
            let (texts, expected) = (try #require(vector[1] as? [String]), try #require(vector[2] as? String))
            let found = try? [UInt8](
                exposing: SecretShare.secret(
                    of: texts.map { try read([$0]) }, passphrase: passphrase("TREZOR")))
            #expect(found == (expected.isEmpty ? nil : bytes(expected)), "\(name)")
        }
    }

    // Rule: a wrong word is named by its place | slip without its first search | a wrong word is "several words"
    @Test func `a slip is named by its place`() throws {
        let right = try words(shares(2, of: 3)[1])
        #expect(right.count == 23)
        for place in [0, 1, 2, 11, 22] {
            var wrong = right
            wrong[place] = right[place] == "acid" ? "zero" : "acid"
            #expect(throws: ShareError.wrongWord(place)) { try read(wrong) }
            wrong[place] = "zamok"
            #expect(throws: ShareError.unknownWords([place])) { try read(wrong) }
            if place > 0, right[place] != right[place - 1] {
                wrong = right
                wrong.swapAt(place - 1, place)
                #expect(throws: ShareError.exchangedWords(place - 1, place)) { try read(wrong) }
            }
        }
        var several = right
        for place in [3, 9, 20] { several[place] = several[place] == "acid" ? "zero" : "acid" }
        #expect(throws: ShareError.self) { try read(several) }
        for count in [0, 1, 19, 22, 24, 60, 500] {
            let wrong = (0..<count).map { right[$0 % 23] }
            #expect(throws: ShareError.wordCount(count)) { try read(wrong, size: 20) }
        }
        let typed = right.enumerated().map { "\($0.offset + 1). \($0.element.prefix(4).uppercased())" }
        #expect(try words(read(typed)) == right)
    }

    // Rule: any so many shares give the secret, and no others | join without its look at the digest | shares of two
    //   secrets with one identifier give a third one
    @Test func `any so many shares of one set give the secret`() throws {
        let secret = (0..<20).map { UInt8($0) }
        let all = try shares(3, of: 5)
        for first in 0..<5 {
            for second in 0..<5 where second != first {
                for third in 0..<5 where third != first && third != second {
                    #expect(try self.secret([all[first], all[second], all[third]]) == secret)
                }
                #expect(throws: ShareError.shareCount) { try self.secret([all[first], all[second]]) }
                #expect(throws: ShareError.sameShare) { try self.secret([all[first], all[second], all[first]]) }
            }
        }
        #expect(throws: ShareError.shareCount) { try self.secret(all) }
        #expect(throws: ShareError.shareCount) { try self.secret([]) }
        #expect(throws: ShareError.otherSet) { try self.secret(Array(all[0...1]) + [shares(3, of: 5, seed: 2)[2]]) }
        let other = try shares(3, of: 5, seed: 2)[2]
        let forged = SecretShare(all[0].common, group: 0, member: 2, needed: 3, values: other.values)
        #expect(throws: ShareError.otherDigest) { try self.secret([all[0], all[1], forged]) }
        let fewer = SecretShare(all[0].common, group: 0, member: 2, needed: 2, values: all[2].values)
        #expect(throws: ShareError.otherSet) { try self.secret([all[0], all[1], fewer]) }
    }

    /// For each value of a byte of the secret there are as many random choices that lead to a given share, so that one
    /// share of two says nothing: all values of a share's byte occur for one secret, and no two alike.
    @Test func `a share short of enough can be of any secret`() throws {
        for secret in [UInt8(0), 0xA5] {
            var seen: Set<UInt8> = []
            for key in UInt8.min...UInt8.max {
                let points = try Polynomial.split(
                    Secret(copying: [UInt8](repeating: secret, count: 16)), needed: 3, of: 3
                ) { count in try SecretBytes(copying: [UInt8](repeating: key, count: count)) }
                #expect(points.count == 3)
                seen.insert(try [UInt8](exposing: points[0].values)[0])
            }
            #expect(seen.count == 256)
        }
    }

    @Test func `what no set can be is refused`() throws {
        let secret = { (count: Int) in try SecretBytes(copying: [UInt8](repeating: 7, count: count)) }
        for (needed, count) in [(0, 1), (1, 2), (3, 2), (2, 17), (-1, 3), (17, 17), (1, 0)] {
            #expect(throws: ShareError.malformed) { try shares(needed, of: count) }
        }
        for size in [0, 14, 15, 17, 65, 66] {
            #expect(throws: ShareError.malformed) { try shares(2, of: 2, size: size) }
        }
        let pair = SecretShare.Group(needed: 2, of: 2)
        for (groups, needed) in [
            ([], 1), ([pair], 2), ([pair], 0), ([SecretShare.Group](repeating: pair, count: 17), 1),
        ] {
            #expect(throws: ShareError.malformed) {
                try SecretShare.split(secret(16), into: groups, groupsNeeded: needed, passphrase: passphrase())
            }
        }
        for text in ["é", "\n", "\u{7F}"] {
            #expect(throws: ShareError.malformed) {
                try SecretShare.split(secret(16), into: [pair], passphrase: passphrase(text))
            }
            #expect(throws: ShareError.malformed) {
                try SecretShare.secret(of: shares(2, of: 2), passphrase: passphrase(text))
            }
        }
        #expect(throws: ShareError.malformed) {
            try SecretShare.split(secret(16), into: [pair], passphrase: passphrase(), exponent: 16)
        }
        for size in [16, 18, 32, 62, 64] {
            let all = try shares(16, of: 16, size: size)
            #expect(try self.secret(all) == (0..<size).map { UInt8($0) })
            #expect(try read(words(all[15])).member == 15)
        }
    }

    @Test func `hostile texts are refused`() throws {
        let right = try words(shares(2, of: 3)[0]).joined(separator: " ")
        let run = FuzzRun.tried("shares", corpus: [Array(right.utf8), Array(right.prefix(40).utf8)], bounded: 300) {
            try SecretShare(SecretBytes(copying: Array($0))).needed > 0
        }
        #expect(run.refused > run.inputs / 2)
    }
}
