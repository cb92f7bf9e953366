// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A file of names and values that an app or its build reads: .xcconfig, .env, and JSON that is named after settings or
/// secrets.
package struct ConstantsFile: Sendable {
    package let path: String
    package let constants: [Constant]

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
        if name == ".env" || name.hasPrefix(".env.") { return true }
        guard name.hasSuffix(".json") else { return false }
        return words.dropLast().contains(where: stems.contains)
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        let isJSON = path.hasSuffix(".json")
        var constants: [Constant] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.prefix(4096).enumerated() where line.count < 8192 {
            let text = String(decoding: line, as: UTF8.self)
            guard let (name, value) = isJSON ? Self.member(text) : Self.setting(text) else { continue }
            constants.append(Constant(name: name, text: value, place: Place(file: path, line: index + 1)))
        }
        self.constants = constants
    }

    /// `"name": "value"`
    private static func member(_ line: String) -> (String, String)? {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[2].allSatisfy({ $0.isWhitespace || $0 == ":" }), parts[2].contains(":") else {
            return nil
        }
        return (String(parts[1]), String(parts[3]))
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
