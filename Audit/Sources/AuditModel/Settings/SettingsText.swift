// SPDX-License-Identifier: Apache-2.0

/// The lines of an .xcconfig file. What they set is read with the project that names the file; here it is seen whether they are such lines at all.
enum SettingsText {
    /// The first line, counted from 1, that is neither empty nor a comment, a setting or an `#include`.
    static func firstOther(_ bytes: [UInt8]) -> Int? {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { !isOne($0) }.map { $0 + 1 }
    }

    private static func isOne(_ line: Substring) -> Bool {
        let text = line.drop(while: \.isWhitespace)
        if text.isEmpty || text.hasPrefix("//") || text.hasPrefix("#include") || text.first == "\u{FEFF}" {
            return true
        }
        guard let sign = text.firstIndex(of: "=") else { return false }
        // Conditions stand in brackets behind the name, and hold an equals sign of their own.
        let name = text[..<sign].prefix { $0 != "[" }
        let marks: Set<Character> = ["_", ".", "-", "$", "(", ")", "{", "}", ":", " ", "\t"]
        return !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) }
    }
}
