// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// One vector: a few files with at most one fault, and what has to be said of them.
///
/// Text: lines `name: value`; then for each file a line `file: NAME SIZE` and its bytes, 32 to a line as `OFFSET: HEX`.
/// Lines of zeros are left out. Lines that begin with # are remarks.
package struct VectorFile: Equatable {
    package var header: [String: String] = [:]
    package var files: [String: [UInt8]] = [:]

    package struct Malformed: Error {
        package let line: String
    }

    package init() {}

    package init(text: String) throws {
        var name: String?
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else { throw Malformed(line: line) }
            let key = String(line[..<colon])
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            if key == "file" {
                let words = value.split(separator: " ").map(String.init)
                guard words.count == 2, let size = Int(words[1]), size <= 1 << 20 else { throw Malformed(line: line) }
                files[words[0]] = [UInt8](repeating: 0, count: size)
                name = words[0]
            } else if let name, let offset = Int(key) {
                let bytes = Self.bytes(value)
                guard let size = files[name]?.count, offset + bytes.count <= size else { throw Malformed(line: line) }
                files[name]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            } else {
                header[key] = value
            }
        }
    }

    /// As it is in the repository.
    package var text: String {
        var lines = ["# Written by generate-vectors; not to be edited."]
        lines += header.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            lines.append("file: \(name) \(bytes.count)")
            for offset in stride(from: 0, to: bytes.count, by: 32) {
                let part = bytes[offset..<min(offset + 32, bytes.count)]
                if part.contains(where: { $0 != 0 }) { lines.append("\(offset): \(Self.text(Array(part)))") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The folder of a format's vectors.
    package static func folder(_ format: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/\(format)")
    }

    /// All vectors of a format in the repository, by name.
    package static func all(of format: String) throws -> [String: VectorFile] {
        let folder = folder(format)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
        return try names.reduce(into: [:]) { all, name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            all[String(name.dropLast(4))] = try VectorFile(text: text)
        }
    }
}
