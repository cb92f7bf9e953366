// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Testing

/// Texts are searched as Foundation does, whose own code a program on Linux is linked without.
@Suite struct TextSearchTests {
    private static let texts = [
        "", "a", "abc", "aabc", "a\r\nb", "\n", "\r\n", "  a ", "\t a\u{A0}", "e\u{301}x", "éx", "\u{2028}a\u{85}",
        "x\u{B}", "aaa", "\u{3000}a", "a/b/c", "%41%zz", "%C3%A9", "%ff", "100%", "a%20b", "%4", "\u{1F}a\u{1C}",
    ]
    private static let needles = ["a", "\n", "e", "\r", "é", "aa", "x", "/", " ", "b", "", "abc", "\r\n"]

    // Rule: a text is found where Foundation finds it | a letter before a combining mark counts as found
    @Test(arguments: texts, needles) func `a text is found, replaced and split as by Foundation`(
        _ text: String, _ needle: String
    ) {
        func place(_ range: Range<String.Index>?) -> [Int]? {
            range.map { [text.utf8.distance(from: text.startIndex, to: $0.lowerBound)] }
        }
        #expect(place(text.range(of: needle)) == place(text.range(of: needle, options: [])))
        #expect(text.contains(needle) == (text.range(of: needle, options: []) != nil))
        #expect(text[...].contains(needle) == text.contains(needle))
        #expect(
            text.replacingOccurrences(of: needle, with: "Z")
                == text.replacingOccurrences(of: needle, with: "Z", options: []))
        #expect(text.components(separatedBy: needle) == NSString(string: text).components(separatedBy: needle))
        #expect(text.containsIgnoringCase(needle) == (text.range(of: needle, options: .caseInsensitive) != nil))
        guard needle.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        #expect(place(text.lastPlace(of: needle)) == place(text.range(of: needle, options: .backwards)))
    }

    @Test(arguments: texts) func `ends are trimmed, and percent signs read, as by Foundation`(_ text: String) {
        let same = NSString(string: text)
        #expect(text.trimmingCharacters(in: .whitespaces) == same.trimmingCharacters(in: CharacterSet.whitespaces))
        #expect(text.trimmingCharacters(in: .newlines) == same.trimmingCharacters(in: CharacterSet.newlines))
        #expect(
            text.trimmingCharacters(in: .whitespacesAndNewlines)
                == same.trimmingCharacters(in: CharacterSet.whitespacesAndNewlines))
        #expect(text.removingPercentEncoding == same.removingPercentEncoding)
    }

    @Test func `bytes are found in bytes`() {
        let bytes = Data("aab\naabc".utf8)
        #expect(bytes.place(of: "aabc".utf8) == 4..<8)
        #expect(bytes.dropFirst(5).place(of: "ab".utf8) == 5..<7)
        #expect(bytes.place(of: "abd".utf8) == nil)
        #expect(bytes.place(of: "".utf8) == nil)
        #expect(Data().place(of: "a".utf8) == nil)
    }
}

/// Paths are read as `NSString` does, except one of a single letter: its `deletingLastPathComponent` ends the process
/// with that on Linux.
@Suite struct PathTextTests {
    // Rule: parts of a path are those of NSString | slashes at the end are not removed first
    @Test(arguments: [
        "", "/", "/a", "/a/", "/a//", "a/b", "/a/b.txt", "b.txt", ".txt", "a/.txt", "a.", "a.b.c", "a.b c", "a. b",
        "/a.b/", "a.b/c", "/..", "..", "x..", "a..b", "/a/b/../c", "./a", "a/./b", "é.ü", "a.é", "dir.d/f",
        "a.tar.gz/", "/.a", "a/b.c/", "../a", "a/..",
    ]) func `parts of a path are those of NSString`(_ path: String) {
        let (same, text) = (NSString(string: path), PathText(path))
        #expect(text.lastPathComponent == same.lastPathComponent)
        #expect(text.deletingLastPathComponent == same.deletingLastPathComponent)
        #expect(text.pathExtension == same.pathExtension)
        #expect(text.deletingPathExtension == same.deletingPathExtension)
        #expect(text.standardizingPath == same.standardizingPath)
    }

    @Test func `a name of one letter has no folder`() {
        #expect(PathText("a").deletingLastPathComponent == "")
        #expect(PathText("a/").deletingLastPathComponent == "")
        #expect(PathText("//").lastPathComponent == "/")
    }
}
