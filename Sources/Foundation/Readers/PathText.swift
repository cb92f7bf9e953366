// SPDX-License-Identifier: Apache-2.0

/// A path as a text, by the rules of `NSString`. No file is looked at.
package struct PathText {
    private let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    /// The path without slashes at its end; `/` is itself.
    private var trimmed: Substring {
        var trimmed = text[...]
        while trimmed.utf8.count > 1, trimmed.utf8.last == UInt8(ascii: "/") { trimmed.unicodeScalars.removeLast() }
        return trimmed
    }

    /// The name after the last slash; `/` for the root.
    package var lastPathComponent: String {
        let path = trimmed
        guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The folder of the name; empty if it has none, `/` for what is in the root.
    package var deletingLastPathComponent: String {
        let path = trimmed
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        let folder = PathText(path[..<slash]).trimmed
        return folder.isEmpty ? "/" : String(folder)
    }

    /// What comes after the last dot of the name. Empty: there is none, or nothing is before it.
    package var pathExtension: String {
        let name = lastPathComponent
        guard let dot = Self.dot(of: name) else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }

    package var deletingPathExtension: String {
        let path = trimmed
        let name = lastPathComponent
        guard let dot = Self.dot(of: name) else { return String(path) }
        return String(path.dropLast(name[dot...].count))
    }

    private static func dot(of name: String) -> String.Index? {
        name == ".." ? nil : name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil }
    }

    /// The path without empty parts, a slash at its end, and `.` but at the beginning. In an absolute one `..` takes
    /// the part before it away.
    /// `~` is the home folder only for `NSString`.
    package var standardizingPath: String {
        let isAbsolute = text.utf8.first == UInt8(ascii: "/")
        var parts: [Substring] = []
        for part in text.split(separator: "/") where part != "." || !isAbsolute && parts.isEmpty {
            if part == "..", isAbsolute { _ = parts.popLast() } else { parts.append(part) }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }
}
