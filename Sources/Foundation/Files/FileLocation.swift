// SPDX-License-Identifier: Apache-2.0

import Readers

/// The path of a file or folder: any bytes but zero, as the system has it. A string literal is one.
///
/// A path that was found by going through a folder remembers that folder, as it was opened: it is reached through it and
/// through no link, whatever becomes of the names on the way there.
public struct FileLocation: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes of the path.
    public let bytes: [UInt8]
    /// The open folder that it is reached from; nil: it is reached from the working folder, links followed.
    package let anchor: Anchor?

    /// The path that `text` spells.
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

    /// The path that a literal spells.
    public init(stringLiteral text: String) { self.init(text) }

    /// For people: what a terminal would obey is shown as `\u{NN}`, and bytes of a path that is not text as `\xNN`.
    public var description: String { String(printing: bytes) }

    /// As one word of a command in a message.
    package var shellWord: String { (bytes.first == UInt8(ascii: "-") ? "./\(self)" : "\(self)").shellWord }

    /// The path as text; nil where its bytes are not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The last part.
    public var name: [UInt8] {
        let end = bytes.lastIndex { $0 != Self.slash } ?? -1
        let begin = bytes[..<(end + 1)].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return end < begin ? [] : Array(bytes[begin...end])
    }

    /// The folder that the last part lies in; "." for a path of one part.
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

    /// Whether both spell the same path.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Hashes what the path spells.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// Whether it means the same wherever the process is.
    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// Whether the system would accept it.
    package var isUsable: Bool { !bytes.isEmpty && !bytes.contains(0) }

    static let slash = UInt8(ascii: "/")
}
