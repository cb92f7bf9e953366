// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Readers

/// One block of a PEM file (RFC 7468): `-----BEGIN label-----`, Base64, `-----END label-----`.
package struct PEMBlock: Sendable, Equatable {
    /// The label in both delimiter lines, `CERTIFICATE` for example.
    package let label: String
    package let bytes: Data
    /// Whether there are headers before the Base64, as openssl 1 wrote them for encrypted keys.
    package let hasHeaders: Bool

    /// A block to write.
    package init(_ label: String, _ bytes: Data) {
        self.label = label
        self.bytes = bytes
        hasHeaders = false
    }

    private init(_ label: String, _ bytes: Data, hasHeaders: Bool) {
        self.label = label
        self.bytes = bytes
        self.hasHeaders = hasHeaders
    }

    /// The PEM text, with lines of 64 characters and a newline at the end.
    package var text: String {
        let base64 = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
    }

    /// The blocks of a text, in their order; other text is ignored. Nil if a block is malformed: it has no end, another
    /// end label, or no Base64.
    package static func all(in file: Data) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        var open: OpenBlock?
        // Line by line, because a list of all lines would take many times the file's size.
        var rest = file[...]
        while let start = rest.firstIndex(where: { !isLineEnd($0) }) {
            let end = rest[start...].firstIndex(where: isLineEnd) ?? rest.endIndex
            let line = rest[start..<end].trimmed
            rest = rest[end...]
            switch (open, label(of: line, "-----BEGIN "), label(of: line, "-----END ")) {
            case (nil, let label?, _): open = OpenBlock(label: label)
            case (let block?, nil, let label?):
                guard label == block.label, let read = PEMBlock(block) else { return nil }
                blocks.append(read)
                open = nil
            case (_?, nil, nil): open?.append(line)
            case (_?, _?, _): return nil
            case (nil, nil, _): continue
            }
        }
        return open == nil ? blocks : nil
    }

    /// A block whose end was not read yet.
    private struct OpenBlock {
        let label: String
        var base64 = Data()
        var hasHeaders = false

        mutating func append(_ line: Data) {
            if line.contains(UInt8(ascii: ":")) { hasHeaders = true } else { base64.append(line) }
        }
    }

    private init?(_ block: OpenBlock) {
        guard let bytes = Data(base64Encoded: block.base64), !bytes.isEmpty else { return nil }
        self.init(block.label, bytes, hasHeaders: block.hasHeaders)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func label(of line: Data, _ start: String) -> String? {
        let dashes = Data("-----".utf8)
        guard line.starts(with: start.utf8), line.count > start.utf8.count + dashes.count, line.suffix(5) == dashes
        else {
            return nil
        }
        return String(validUTF8: line.dropFirst(start.utf8.count).dropLast(5))
    }
}

extension Data {
    /// The bytes without leading and trailing spaces and tabs.
    fileprivate var trimmed: Data {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return Data()
        }
        return self[first...last]
    }
}
