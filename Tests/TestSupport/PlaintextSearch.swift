// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Looks for a text in the files of a folder, in every usual encoding.
package struct PlaintextSearch: Sendable {
    private let forms: [(name: String, bytes: Data)]

    package init(_ text: String) {
        let utf8 = Data(text.utf8)
        var forms: [(String, Data)] = [("UTF-8", utf8), ("reversed", Data(utf8.reversed()))]
        for (name, encoding) in [
            ("UTF-16 LE", String.Encoding.utf16LittleEndian), ("UTF-16 BE", .utf16BigEndian),
            ("UTF-32 LE", .utf32LittleEndian), ("UTF-32 BE", .utf32BigEndian),
        ] {
            forms.append((name, text.data(using: encoding) ?? utf8))
        }
        let hex = utf8.hexadecimal
        forms += [("hex", Data(hex.utf8)), ("upper hex", Data(hex.uppercased().utf8))]
        // Wherever it begins within the groups of three; the characters at the ends depend on the neighbours.
        for shift in 0..<3 {
            let encoded = (Data(repeating: 0, count: shift) + utf8).base64EncodedString()
            forms.append(("base64 \(shift)", Data(encoded.dropFirst(4).dropLast(4).utf8)))
        }
        self.forms = forms
    }

    /// For bytes that are no text.
    package init(bytes: [UInt8]) { forms = [("bytes", Data(bytes))] }

    /// "file: encoding" for every place.
    package func findings(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().flatMap { name in
            findings(in: (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))) ?? Data())
                .map { "\(name): \($0)" }
        }
    }

    package func findings(in content: Data) -> [String] {
        forms.filter { content.range(of: $0.bytes) != nil }.map(\.name)
    }

    /// Every encoding, for the search's own test.
    package var encodings: [(name: String, bytes: Data)] { forms }
}
