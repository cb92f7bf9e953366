// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A file of names and values that an app or its build reads: .xcconfig, .env, and JSON that is named after settings or
/// secrets.
package struct ConstantsFile: Sendable {
    package let path: String
    package let constants: [Constant]
    /// False for JSON whose brackets or texts don't close, so that something may be missing.
    let isWhole: Bool

    package struct Constant: Sendable {
        package let name: String
        package let text: String
        package let place: Place
    }

    private static let stems: Set<String> = [
        "secret", "secrets", "key", "keys", "apikey", "apikeys", "credential", "credentials", "config",
        "configuration", "environment", "env",
    ]
    private static let samples: Set<String> = ["example", "sample", "template", "schema", "test", "tests", "mock"]

    /// Whether a file of this name is one; examples are none.
    static func isOne(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        guard !words.contains(where: samples.contains) else { return false }
        let low = name.lowercased()
        if low == ".env" || low.hasPrefix(".env.") { return true }
        guard low.hasSuffix(".json") else { return false }
        return words.dropLast().contains(where: stems.contains)
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        if path.lowercased().hasSuffix(".json") {
            let json = JSONTexts(bytes)
            isWhole = json.isWhole
            constants = json.texts.map { found in
                Constant(name: found.name, text: found.text, place: Place(file: path, line: found.line))
            }
            return
        }
        isWhole = true
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        constants = lines.enumerated().compactMap { index, line in
            Self.setting(String(decoding: line, as: UTF8.self)).map { name, value in
                Constant(name: name, text: value, place: Place(file: path, line: index + 1))
            }
        }
    }

    /// `NAME = value`, `export NAME="value"`
    private static func setting(_ line: String) -> (String, String)? {
        let text = line.drop(while: \.isWhitespace)
        guard !text.hasPrefix("//"), !text.hasPrefix("#"), let sign = text.firstIndex(of: "=") else { return nil }
        var name = text[..<sign].prefix { $0 != "[" }.split(whereSeparator: \.isWhitespace).map(String.init)
        if name.first == "export" { name.removeFirst() }
        guard name.count == 1, let only = name.first else { return nil }
        var value = text[text.index(after: sign)...]
        for mark in [" //", " #"] {
            if let comment = value.firstRange(of: mark) { value = value[..<comment.lowerBound] }
        }
        let plain = value.drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        let end = plain.reversed().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == ";" }
        return (only, String(end.reversed()))
    }
}
