// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// One block of a PEM file (RFC 7468): `-----BEGIN label-----`, Base64, `-----END label-----`.
package struct PEMBlock: Sendable, Equatable {
    /// What stands in both its lines, `CERTIFICATE` for example.
    package let label: String
    package let bytes: Data
    /// Whether headers stand in front of the Base64, as openssl 1 wrote them before encrypted keys.
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

    /// With a newline at the end; lines of 64 characters.
    package var text: String {
        let base64 = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
    }

    /// The blocks of a text, in their order; text between them counts for nothing. nil when a block is broken: no end,
    /// another label, not Base64.
    package static func all(in file: Data) -> [PEMBlock]? {
        var blocks: [PEMBlock] = []
        var open: (label: String, lines: [Data])?
        for line in file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let trimmed = line.trimmed
            switch (open, label(of: trimmed, "-----BEGIN "), label(of: trimmed, "-----END ")) {
            case (nil, let label?, _): open = (label, [])
            case (let block?, nil, let label?):
                guard label == block.label, let read = PEMBlock(label, block.lines) else { return nil }
                blocks.append(read)
                open = nil
            case (_?, nil, nil): open?.lines.append(trimmed)
            case (_?, _?, _): return nil
            case (nil, nil, _): continue
            }
        }
        return open == nil ? blocks : nil
    }

    private init?(_ label: String, _ lines: [Data]) {
        let isHeader = { (line: Data) in line.contains(UInt8(ascii: ":")) }
        let body = lines.filter { !isHeader($0) }
        guard let bytes = Data(base64Encoded: Data(body.joined())), !bytes.isEmpty else { return nil }
        self.init(label, bytes, hasHeaders: lines.contains(where: isHeader))
    }

    private static func label(of line: Data, _ start: String) -> String? {
        let dashes = Data("-----".utf8)
        guard line.starts(with: start.utf8), line.count > start.utf8.count + dashes.count, line.suffix(5) == dashes
        else {
            return nil
        }
        return String(validating: line.dropFirst(start.utf8.count).dropLast(5), as: UTF8.self)
    }
}

extension Data {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmed: Data {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        return Data(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
