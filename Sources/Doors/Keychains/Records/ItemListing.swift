// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import SecretMemory

/// Items that another program wrote down as text, ready to be added.
package struct ItemListing: Sendable {
    /// How they are written down.
    package enum Form: String, Sendable, CaseIterable {
        /// One JSON object a line (``ItemRecord/init(json:)``); empty lines don't count.
        case jsonLines = "json-lines"
        /// What `secret-tool search --all ATTRIBUTE VALUE 2>&1` prints.
        case secretTool = "secret-tool"
    }

    /// One that can't become an item.
    package struct Refusal: Sendable, Equatable {
        /// Where it begins, counted from 1.
        package let line: Int
        /// Why; no secret, account or service in it.
        package let reason: String
    }

    /// The items, in the order of the text.
    package private(set) var records: [ItemRecord] = []
    /// The line of each record.
    package private(set) var lines: [Int] = []
    /// What was refused.
    package private(set) var refusals: [Refusal] = []

    /// Reads `text`. Entries that can't become items are refused one by one; the others stand.
    ///
    /// - Parameter form: nil: the first character says it.
    ///
    /// Errors: `.unknownFormat` when the text is of neither form.
    package init(_ text: Secret, form: Form? = nil) throws(KeychainError) {
        let bytes = try Self.bytes(of: text)
        guard let form = form ?? Self.form(of: bytes) else {
            throw KeychainError(
                .unknownFormat, "these are neither JSON lines nor the output of secret-tool search --all")
        }
        switch form {
        case .jsonLines:
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where !line.allSatisfy(Self.isSpace) {
                append(index + 1) { () throws(KeychainError) in try ItemRecord(json: line) }
            }
        case .secretTool:
            for entry in SecretToolText.entries(of: bytes[...]) {
                append(entry.line) { () throws(KeychainError) in try ItemRecord(entry) }
            }
        }
    }

    private mutating func append(_ line: Int, _ make: () throws(KeychainError) -> ItemRecord) {
        do {
            records.append(try make())
            lines.append(line)
        } catch {
            refusals.append(Refusal(line: line, reason: error.message))
        }
    }

    private static func form(of bytes: [UInt8]) -> Form? {
        if SecretToolText.isRecognised(bytes[...]) { return .secretTool }
        return bytes.first { !isSpace($0) } == UInt8(ascii: "{") ? .jsonLines : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }

    /// Out of guarded memory: what is imported lay in the clear before.
    private static func bytes(of text: Secret) throws(KeychainError) -> [UInt8] {
        do {
            return try [UInt8](exposing: text)
        } catch {
            throw KeychainError(error)
        }
    }
}
