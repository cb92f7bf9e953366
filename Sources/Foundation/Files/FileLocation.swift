// SPDX-License-Identifier: Apache-2.0

import Readers

/// The path of a file or folder: any bytes except zero, as the system has it. A string literal is one.
///
/// A path that was found through an open folder keeps that folder open. It is resolved from that folder and through no
/// symbolic link, even if names on the original path change.
public struct FileLocation: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes of the path.
    public let bytes: [UInt8]
    /// The open folder that the path is resolved from. Nil: it is resolved from the working directory, and links
    /// are followed.
    package let anchor: Anchor?

    /// The path given as text.
    public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// The path of these bytes, which need not be text.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        anchor = nil
    }

    package init(bytes: [UInt8], anchor: Anchor?) {
        self.bytes = bytes
        self.anchor = anchor
    }

    /// The path given as a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// For display: characters that a terminal would interpret appear as `\u{NN}`, and bytes of a non-text path
    /// as `\xNN`.
    public var description: String { String(printing: bytes) }

    /// The path as one shell word, for a command in a message. What is not printed as it is, such as a line end, is
    /// written in the form `$'\n'` (POSIX.1-2024, 2.2.4).
    package var shellWord: String {
        let prefix = bytes.first == UInt8(ascii: "-") ? "./" : ""
        guard description.utf8.elementsEqual(bytes) else { return "$'\(prefix)\(escaped)'" }
        return (prefix + description).shellWord
    }

    private var escaped: String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
            case 0x20..<0x7F: String(Unicode.Scalar(byte))
            case 0x0A: "\\n"
            default: "\\" + [6, 3, 0].map { String(byte >> $0 & 7) }.joined()
            }
        }.joined()
    }

    /// The path as text; nil where its bytes are not UTF-8.
    package var text: String? { String(validUTF8: bytes) }

    /// The last part.
    public var name: [UInt8] {
        let end = bytes.lastIndex { $0 != Self.slash } ?? -1
        let begin = bytes[..<(end + 1)].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return end < begin ? [] : Array(bytes[begin...end])
    }

    /// The parent folder; "." for a path of one part.
    public var folder: FileLocation {
        let end = bytes.lastIndex { $0 != Self.slash } ?? -1
        guard let slash = bytes[..<(end + 1)].lastIndex(of: Self.slash) else {
            if end < 0, !bytes.isEmpty { return self }
            return FileLocation(bytes: [UInt8(ascii: ".")], anchor: anchor.map { Anchor(folder: $0.folder, count: 1) })
        }
        let rest = bytes[..<slash]
        guard let last = rest.lastIndex(where: { $0 != Self.slash }) else {
            return FileLocation(bytes: [Self.slash], anchor: anchor.flatMap { $0.count <= 1 ? $0 : nil })
        }
        let kept = anchor.flatMap { $0.count <= last + 1 ? $0 : nil }
        return FileLocation(bytes: Array(rest[...last]), anchor: kept)
    }

    /// A path in this folder.
    public func appending(_ name: [UInt8]) -> FileLocation {
        FileLocation(bytes: bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name, anchor: anchor)
    }

    /// A path in this folder.
    public func appending(_ name: String) -> FileLocation { appending(Array(name.utf8)) }

    /// Whether both paths have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Hashes the bytes of the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// Whether it is independent of the working directory.
    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// Whether the system would accept it.
    package var isUsable: Bool { !bytes.isEmpty && !bytes.contains(0) }

    static let slash = UInt8(ascii: "/")
}
