// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a project's keys of texts stand for in its own language: Localizable.strings and string catalogues.
enum TextsFile {
    /// Nil if the file can't be read.
    static func read(_ bytes: [UInt8], ending: String) -> [String: String]? {
        ending == "xcstrings" ? catalogue(bytes) : list(bytes)
    }

    private struct Catalogue: Decodable {
        var sourceLanguage: String
        var strings: [String: Entry]

        struct Entry: Decodable { var localizations: [String: Localization]? }
        struct Localization: Decodable { var stringUnit: Unit? }
        struct Unit: Decodable { var value: String? }
    }

    private static func catalogue(_ bytes: [UInt8]) -> [String: String]? {
        guard let read = try? JSONDecoder().decode(Catalogue.self, from: Data(bytes)) else { return nil }
        return read.strings.compactMapValues { $0.localizations?[read.sourceLanguage]?.stringUnit?.value }
    }

    /// `"key" = "text";`, comments and everything else left out.
    private static func list(_ bytes: [UInt8]) -> [String: String]? {
        var bytes = bytes
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            guard let text = String(bytes: bytes, encoding: .utf16) else { return nil }
            bytes = Array(text.utf8)
        }
        var result: [String: String] = [:]
        var key: String?
        let tokens = ObjCTokenizer(bytes).tokens
        for (position, token) in tokens.enumerated() where token.kind == .text {
            if position + 1 < tokens.count, tokens[position + 1].isMark("=") {
                key = token.text
            } else if let name = key {
                result[name] = token.text
                key = nil
            }
        }
        return result
    }
}
