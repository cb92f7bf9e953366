// SPDX-License-Identifier: Apache-2.0

/// `Sources/**/Legacy*.swift`: `*` and `?` stay inside a name, `**` is any number of folders. A pattern without a wildcard names a file or a folder with
/// all that is below it; one without a slash names it wherever it is.
package struct PathPattern: Sendable {
    private let parts: [[Character]]

    /// Nil for one that no path fits: `.`, `..`, nothing.
    package init?(_ text: String) {
        let text = text.hasPrefix("./") ? String(text.dropFirst(2)) : text
        let isBelow = text.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }
        guard isBelow, text.contains(where: { $0 != "/" }) else { return nil }
        var names = text.split(separator: "/").map { Array($0) }
        if !text.contains("/") { names.insert(["*", "*"], at: 0) }
        parts = names
    }

    package func matches(_ path: String) -> Bool {
        let names = path.split(separator: "/").map { Array($0) }
        // Row by row over the pattern, so that no pattern takes more than its length times the path's.
        var reached = [true] + Array(repeating: false, count: names.count)
        for part in parts {
            var next = Array(repeating: false, count: names.count + 1)
            if part == ["*", "*"] {
                var any = false
                for index in 0...names.count {
                    any = any || reached[index]
                    next[index] = any
                }
            } else {
                for index in names.indices where reached[index] && Self.fits(names[index], part) {
                    next[index + 1] = true
                }
            }
            reached = next
        }
        // A folder stands for what is below it.
        return reached.contains(true)
    }

    private static func fits(_ name: [Character], _ pattern: [Character]) -> Bool {
        var reached = [true] + Array(repeating: false, count: name.count)
        for character in pattern {
            var next = Array(repeating: false, count: name.count + 1)
            if character == "*" {
                var any = false
                for index in 0...name.count {
                    any = any || reached[index]
                    next[index] = any
                }
            } else {
                for index in name.indices where reached[index] && (character == "?" || character == name[index]) {
                    next[index + 1] = true
                }
            }
            reached = next
        }
        return reached[name.count]
    }
}
