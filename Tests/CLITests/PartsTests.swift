// SPDX-License-Identifier: Apache-2.0

import Foundation
import Statuses
import Testing

@testable import ZamokCommand
@testable import tour

/// Parts of the command by themselves.
@Suite struct PartsTests {
    @Test func `JSON is what a JSON reader reads`() throws {
        let text = "\"\\/\u{0}\u{1F}\u{7F}\u{9F}\n\r\té🔐\u{2028}"
        let json = JSON.object([
            ("text", .text(text)), ("none", .null), ("flag", .bool(true)), ("number", .number(.min)),
            ("list", .array([.number(1), .text(""), .object([])])),
        ])
        let read = try JSONSerialization.jsonObject(with: Data(json.line.utf8)) as? [String: Any]
        #expect(read?["text"] as? String == text)
        #expect(read?["flag"] as? Bool == true)
        #expect(read?["number"] as? Int64 == .min)
        #expect((read?["list"] as? [Any])?.count == 3)
        #expect(json.line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }

    @Test(arguments: [
        (0, 1), (-25_300, 44), (-25_299, 45), (-25_308, 36), (-25_293, 51), (-26_275, 93), (-25_316, 28), (-50, 206),
        (-25_302, 42), (-34_018, 30), (-128, 128), (256, 1), (-25_344, 1),
    ]) func `the exit status is the low byte, and never 0`(_ status: Int32, _ exit: Int32) {
        #expect(Status(rawValue: status).exitStatus == exit)
    }

    @Test(arguments: [
        ("90s", 90), ("15m", 900), ("8h", 28_800), ("7d", 604_800), ("100000d", 8_640_000_000),
        ("1h30m", 5400), ("1w", 604_800), ("2w3d4h5m6s", 1_483_506),
    ])
    func `times are read`(_ word: String, _ seconds: Int) {
        #expect(DurationWord(argument: word)?.duration == .seconds(seconds))
    }

    @Test(arguments: [
        "", "15", "m", "0m", "-1m", "+1m", "1.5h", "15 m", "15min", "100001s", "99999999999999999999s", "١m", "30m1h",
        "1h1h",
        "1h30", "w",
    ])
    func `what is no time is refused`(_ word: String) {
        #expect(DurationWord(argument: word) == nil)
    }

    @Test(arguments: [
        "", "6", "zz", "67656e70", "67656e70-0000000000000000000000000000000000",
        "+7656e7000000000000000000000000000000000",
    ])
    func `what is no reference is refused`(_ word: String) {
        #expect(ReferenceWord(argument: word) == nil)
    }

    @Test func `a reference survives its text`() throws {
        let text = "67656e70000102030405060708090a0b0c0d0e0f"
        let word = try #require(ReferenceWord(argument: text))
        #expect(ReferenceWord.text(of: word.reference) == text)
        #expect(ReferenceWord(argument: "67656e700000000000000001") != nil)
    }

    @Test func `columns are aligned for people and divided by tabs for programs`() {
        let table = Table(rows: [["a", "bb", "c"], ["aaa", "b", ""], ["é"]])
        #expect(table.lines(aligned: true) == ["a    bb  c", "aaa  b", "é"])
        #expect(table.lines(aligned: false) == ["a\tbb\tc", "aaa\tb\t", "é"])
    }

    @Test func `a progress bar never overflows`() {
        #expect(ProgressBar.text(0, 10) == "[------------------------------] 0 of 10 items")
        #expect(ProgressBar.text(5, 10) == "[###############---------------] 5 of 10 items")
        #expect(ProgressBar.text(11, 10) == "[##############################] 11 of 10 items")
        #expect(ProgressBar.text(7, nil) == "7 items")
    }

    @Test func `the tour's search finds every encoding of what it looks for`() {
        let marker = "Full Name"
        let bytes = Array(marker.utf8)
        let wide = marker.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = marker.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        var hidden = [bytes, wide, big]
        hidden.append(Array(bytes.map { String(format: "%02x", $0) }.joined().utf8))
        hidden.append(Array(bytes.map { String(format: "%02X", $0) }.joined().utf8))
        for shift in 0..<3 {
            hidden.append(Array(Data(Array(repeating: 0x2E, count: shift) + bytes + [0x2E]).base64EncodedString().utf8))
        }
        for form in hidden {
            let data = Data([1, 2, 3] + form + [4, 5])
            #expect(AtRest.encodings(of: marker).contains { data.range(of: Data($0)) != nil })
        }
    }
}
