// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles
import SecretMemory

/// A path as it stands on the command line: its bytes, which need not be text.
struct FileWord: ExpressibleByArgument {
    let location: FileLocation

    init?(argument: String) {
        guard !argument.isEmpty, let bytes = Self.bytes(of: argument) else { return nil }
        location = FileLocation(bytes: bytes)
    }

    static var defaultCompletionKind: CompletionKind { .file() }

    /// The parser sees text in which bytes that are none were replaced; the system's own words have them. Nil where two of those look
    /// alike to the parser: then nobody knows which one is meant.
    private static func bytes(of text: String) -> [UInt8]? {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return Array(text.utf8) }
        let words = Set(ProcessArguments.words).filter { String(decoding: $0, as: UTF8.self) == text }
        return words.count > 1 ? nil : words.first ?? Array(text.utf8)
    }
}
