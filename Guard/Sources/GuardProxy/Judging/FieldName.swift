// SPDX-License-Identifier: Apache-2.0

/// The name of a header field as the most lenient servers read it: programs behind CGI take dashes and underscores for
/// the same, and others leave out what is no letter or digit.
struct FieldName {
    /// Letters and digits, in small letters.
    let letters: String
    /// What is between other signs.
    private let parts: Set<String>

    init(_ name: String) {
        let parts = name.lowercased().utf8.split { !Self.isLetterOrDigit($0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        letters = parts.joined()
        self.parts = Set(parts)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static let overriding = ["override", "original", "rewrite", "rewritten", "replaced"]
    /// As CGI names them, and the method in a form.
    private static let whole: Set<String> = [
        "forwarded", "scriptname", "pathinfo", "requesturi", "requestmethod", "servername", "method",
    ]
    private static let judged: Set<String> = ["host", "hostname", "method", "verb", "sendfile", "middleware"]
    private static let forwarded: Set<String> = ["for", "proto", "port", "scheme"]
    private static let pathParts = [
        "x", "http", "url", "uri", "path", "name", "request", "real", "proxy", "backend", "target", "internal",
        "script", "envoy", "base",
    ]

    /// Whether some servers take another method, path or host than those that are judged from the field.
    var isOverriding: Bool {
        if Self.whole.contains(letters) || Self.overriding.contains(where: letters.contains) { return true }
        guard letters.hasPrefix("x") || letters.contains("http") || parts.contains("x") else { return false }
        if !parts.isDisjoint(with: Self.judged) || Self.judged.contains(where: letters.hasSuffix) { return true }
        if letters.contains("sendfile") || letters.contains("middleware") { return true }
        if parts.contains("forwarded") { return parts.isDisjoint(with: Self.forwarded) }
        if letters.hasPrefix("xforwarded") {
            return !Self.forwarded.contains { letters.dropFirst("xforwarded".count).hasPrefix($0) }
        }
        return isMadeOfPathParts
    }

    /// No part is the beginning of another one.
    private var isMadeOfPathParts: Bool {
        var rest = letters[...]
        var isPath = false
        while !rest.isEmpty {
            guard let part = Self.pathParts.first(where: rest.hasPrefix) else { return false }
            rest = rest.dropFirst(part.count)
            isPath = isPath || ["url", "uri", "path", "name"].contains(part)
        }
        return isPath
    }

    /// Whether it names another path: of WebDAV, and of stores of objects.
    var isOfPath: Bool {
        letters == "destination" || ["copysource", "renamesource", "copyfrom"].contains(where: letters.hasSuffix)
    }
}
