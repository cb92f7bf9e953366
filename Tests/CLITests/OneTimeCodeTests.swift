// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sealing
import SecretMemory
import Testing

@testable import Credentials

/// One-time codes and new passwords.
@Suite struct OneTimeCodeTests {
    private static let digits = "12345678901234567890123456789012345678901234567890123456789012345678901234567890"

    /// RFC 4226, appendix D.
    @Test(
        arguments: zip(
            0..<10,
            ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]))
    func `codes by counter are those of RFC 4226`(_ counter: Int, _ code: String) throws {
        let key = try SecretBytes(copying: Self.digits.utf8.prefix(20))
        #expect(try OneTimeCode.code(UInt64(counter), hash: .sha1, digits: 6, key: key) == code)
    }

    /// RFC 6238, appendix B.
    @Test(arguments: [
        (59, ["94287082", "46119246", "90693936"]), (1_111_111_109, ["07081804", "68084774", "25091201"]),
        (1_111_111_111, ["14050471", "67062674", "99943326"]), (1_234_567_890, ["89005924", "91819424", "93441116"]),
        (2_000_000_000, ["69279037", "90698825", "38618901"]), (20_000_000_000, ["65353130", "77737706", "47863826"]),
    ])
    func `codes by time are those of RFC 6238`(_ seconds: Int, _ codes: [String]) throws {
        for (hash, (count, code)) in zip(OneTimeHash.allCases, zip([20, 32, 64], codes)) {
            let uri =
                "otpauth://totp/A:b?secret=\(Self.base32(Self.digits.utf8.prefix(count)))&algorithm=\(hash.rawValue)&digits=8"
            let item = try OneTimeCode(try Secret(copying: Array(uri.utf8)))
            #expect(try item.code(at: Date(timeIntervalSince1970: Double(seconds))) == code)
            #expect(item.secondsLeft(at: Date(timeIntervalSince1970: Double(seconds))) == 30 - seconds % 30)
        }
    }

    private static func base32(_ bytes: some Sequence<UInt8>) -> String {
        let bits = bytes.map { String(repeating: "0", count: $0.leadingZeroBitCount) + String($0, radix: 2) }.joined()
        let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        return stride(from: 0, to: bits.count, by: 5).map { start in
            let part = bits.dropFirst(start).prefix(5)
            return String(signs[Int(part + String(repeating: "0", count: 5 - part.count), radix: 2) ?? 0])
        }.joined()
    }

    @Test func `a counter is raised in place, and nothing else changes`() throws {
        let uri = try Secret(
            copying: Array("otpauth://hotp/x?counter=9&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=y".utf8))
        let item = try OneTimeCode(uri)
        #expect(try item.code(at: Date()) == "520489")
        let next = try #require(try item.next(uri))
        #expect(
            try String(exposing: next) == "otpauth://hotp/x?counter=10&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=y"
        )
        #expect(item.secondsLeft(at: Date()) == nil)
    }

    @Test(arguments: [
        "", "secret", "otpauth://", "otpauth://totp/x", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=A1",
        "otpauth://sotp/x?secret=GEZDGNBV", "otpauth://hotp/x?secret=GEZDGNBV",
        "otpauth://totp/x?secret=GEZDGNBV&digits=9",
        "otpauth://totp/x?secret=GEZDGNBV&period=0", "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5",
        "otpauth://hotp/x?secret=GEZDGNBV&counter=-1", "otpauth://hotp/x?secret=GEZDGNBV&counter=99999999999999999999",
    ]) func `what is no such URI is refused`(_ uri: String) throws {
        let secret = try Secret(copying: Array(uri.utf8))
        #expect(throws: (any Error).self) { try OneTimeCode(secret) }
    }

    @Test func `a password has a character of each set, and none else`() throws {
        for length in [4, 5, 20, 1024] {
            let password = try #require(try PasswordGenerator.characters(length, of: .all))
            let text = try #require(try String(exposing: password))
            #expect(text.utf8.count == length)
            #expect(
                text.contains { $0.isLowercase } && text.contains { $0.isUppercase } && text.contains { $0.isNumber })
            #expect(text.contains { !$0.isLetter && !$0.isNumber } && text.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        }
        let digits = try #require(try PasswordGenerator.characters(9, of: .digits))
        #expect(try String(exposing: digits)?.allSatisfy { $0.isNumber } == true)
        #expect(try PasswordGenerator.characters(3, of: .all) == nil)
        #expect(try PasswordGenerator.characters(8, of: []) == nil)
        #expect(try PasswordGenerator.characters(1025, of: .all) == nil)
    }

    /// 4,000 digits: each is drawn 400 times, give or take; six sigma are 114.
    @Test func `every character is as likely as the others`() throws {
        var counts: [Character: Int] = [:]
        for _ in 0..<4 {
            let text = try String(exposing: try #require(try PasswordGenerator.characters(1000, of: .digits))) ?? ""
            for digit in text { counts[digit, default: 0] += 1 }
        }
        #expect(counts.count == 10 && counts.values.allSatisfy { abs($0 - 400) < 115 })
    }

    @Test func `words can be said`() throws {
        let words = try #require(try PasswordGenerator.words(6).flatMap { try String(exposing: $0) })
        #expect(words.wholeMatch(of: /(([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]-?){6}/) != nil)
        #expect(words.count == 35 && Set(words.split(separator: "-")).count > 1)
        #expect(try PasswordGenerator.words(0) == nil)
    }
}
