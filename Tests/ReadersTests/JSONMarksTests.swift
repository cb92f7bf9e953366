// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Testing

@Suite struct JSONMarksTests {
    // Rule: a mark of the byte order in JSON stays in its string | the text is not escaped
    @Test(arguments: ["\u{FEFF}a", "a\u{FEFF}", "\u{FEFF}", "a"]) func `a string is read as it was written`(
        _ text: String
    ) throws {
        let written = "\u{FEFF}{\"\(text)\":\"\(text)\"}"
        let read = try JSONSerialization.jsonObject(with: Data(JSONMarks.escaped(written))) as? [String: String]
        let pair = try #require(read?.first)
        #expect(Array(pair.key.utf8) == Array(text.utf8) && Array(pair.value.utf8) == Array(text.utf8))
    }
}
