// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import Keychains
import Readers
import SecretMemory

/// An environment file: lines `NAME=text`. `#` begins a comment. A line may begin with `export `, and the text
/// may be quoted.
package enum EnvironmentText {
    /// Errors: `.parameter`, with the line number, if it is no variable or a quote doesn't end in it; `.dataTooLarge`.
    package static func lines(
        _ text: String
    ) throws(KeychainError) -> [(number: Int, name: Substring, value: Substring)] {
        var found: [(Int, Substring, Substring)] = []
        // Swift treats CR LF as one character.
        let text = text.drop { $0 == "\u{FEFF}" }
        var rest: Substring? = text
        var number = -1
        var budget = ForeignBudget()
        while let left = rest {
            let end = left.firstIndex { $0 == "\n" || $0 == "\r\n" }
            rest = end.map { left[left.index(after: $0)...] }
            number += 1
            var line = trimmed(end.map { left[..<$0] } ?? left)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if line.hasPrefix("export ") { line = trimmed(line.dropFirst(7)) }
            guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
                throw KeychainError(.parameter, "line \(number + 1) of the environment file is not NAME=VALUE")
            }
            let name = trimmed(line[..<equals])
            var value = trimmed(line[line.index(after: equals)...])
            if let quote = value.first, "\"'".contains(quote) {
                let inside = value.dropFirst()
                let end = inside.last == quote ? inside.index(before: inside.endIndex) : inside.firstIndex(of: quote)
                let rest = end.map { trimmed(inside[inside.index(after: $0)...]) }
                // Only a comment may follow. A value that continues in the next line would be stored in pieces.
                guard let end, let rest, rest.isEmpty || rest.hasPrefix("#") else {
                    throw KeychainError(
                        .parameter,
                        "line \(number + 1) of the environment file: the quote does not end in its line; values of several lines are not read"
                    )
                }
                value = inside[..<end]
            }
            try budget.take(bytes: value.utf8.count)
            found.append((number + 1, name, value))
        }
        return found
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Makes each variable an item of `service`, with its name as the account.
    /// Errors: `.parameter`, `.unsupportedFormat`, `.dataTooLarge`.
    package static func listing(_ bytes: [UInt8], service: String) throws(KeychainError) -> ItemListing {
        guard let text = String(validUTF8: bytes) else {
            throw KeychainError(.unsupportedFormat, "the environment file is no text in UTF-8; nothing was added")
        }
        var parts: [ItemListing.Part] = []
        for (number, name, value) in try lines(text) {
            guard !value.isEmpty else {
                parts.append(ItemListing.Part(number, refused: "it has no value"))
                continue
            }
            guard !value.hasPrefix(ItemName.scheme) else {
                parts.append(ItemListing.Part(number, refused: "it is a reference to an item already"))
                continue
            }
            do {
                var record = ItemRecord(.genericPassword)
                try record.set(.service, service)
                try record.set(.account, String(name))
                record.secret = try Secret(copying: Array(value.utf8))
                parts.append(ItemListing.Part(number, record))
            } catch { throw KeychainError(error) }
        }
        return ItemListing(parts)
    }
}

/// A folder of `pass`: one file for each entry, whose first line is the password.
package enum PassText {
    /// The items of one file. `path`: relative to the folder, without the extension.
    /// `text` nil: the file could not be opened, for the given `reason`.
    package static func parts(_ number: Int, path: String, text: [UInt8]?, reason: String = "") -> [ItemListing.Part] {
        var entry = ForeignEntry(number)
        guard let text else { return entry.parts(refusing: "\(path): \(reason)") }
        guard let text = String(validUTF8: text) else {
            return entry.parts(refusing: "\(path): it is no text in UTF-8")
        }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        entry.password = lines.first ?? ""
        var rest: [String] = []
        for line in lines.dropFirst() where !line.isEmpty {
            let isCode = entry.oneTimeCode.isEmpty && line.hasPrefix("otpauth://")
            if isCode { entry.oneTimeCode = line } else { rest.append(line) }
        }
        let slash = path.lastIndex(of: "/")
        entry.title = slash.map { String(path[..<$0]) } ?? path
        entry.user = slash.map { String(path[path.index(after: $0)...]) } ?? ""
        // Further lines may be secrets too. They become the secret of one item, not a comment.
        var notes = ForeignEntry(number)
        notes.title = entry.title
        notes.user = entry.user.isEmpty ? "notes" : "\(entry.user) notes"
        notes.notes = rest.joined(separator: "\n")
        // A file whose first line is empty has no password, which isn't a loss.
        let isNote = entry.password.isEmpty && entry.oneTimeCode.isEmpty && !rest.isEmpty
        return (isNote ? [] : entry.parts()) + (rest.isEmpty ? [] : notes.parts())
    }

    package static func listing(_ parts: [ItemListing.Part]) -> ItemListing { ItemListing(parts, place: "entry") }
}
