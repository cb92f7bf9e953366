// SPDX-License-Identifier: Apache-2.0

/// Searches a stream for secrets in all forms, and puts something else in their place. Holds back only bytes that may
/// be the beginning of one, so that an answer that comes in pieces isn't delayed.
package struct AnswerSearch {
    private var forms: SearchedForms
    private let replacements: [[UInt8]]
    private var held: [UInt8] = []
    /// How many were found.
    package private(set) var count = 0

    /// As many replacements as texts.
    package init(_ texts: [[UInt8]], _ replacements: [[UInt8]]) {
        self.init(SearchedForms(texts), replacements)
    }

    /// As many replacements as the forms have texts.
    init(_ forms: SearchedForms, _ replacements: [[UInt8]]) { (self.forms, self.replacements) = (forms, replacements) }

    /// What may be passed on after these bytes.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        held.append(contentsOf: bytes)
        return pass(isEnd: false)
    }

    /// What was held back.
    package mutating func finish() -> [UInt8] { pass(isEnd: true) }

    /// The whole text with replacements.
    package mutating func replaced(_ text: String) -> String {
        let before = count
        let bytes = feed(text.utf8) + finish()
        return count == before ? text : String(decoding: bytes, as: UTF8.self)
    }

    package mutating func wipe() {
        forms.wipe()
        held.wipe()
    }

    private mutating func pass(isEnd: Bool) -> [UInt8] {
        guard !forms.isEmpty else {
            defer { held = [] }
            return held
        }
        var bytes = held
        held = []
        let (output, position, found) = Self.passed(bytes, forms, replacements, isEnd: isEnd)
        held = Array(bytes[position...])
        count += found
        bytes.wipe()
        return output
    }

    /// What may be passed on, how many bytes were looked at, and how many secrets were among them.
    private static func passed(
        _ bytes: [UInt8], _ forms: SearchedForms, _ replacements: [[UInt8]], isEnd: Bool
    ) -> (output: [UInt8], position: Int, found: Int) {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        let span = bytes.span
        var (position, passed, found) = (0, 0, 0)
        scan: while position < span.count {
            position = forms.candidate(span, from: position)
            switch forms.match(span, at: position) {
            case .none: position += 1
            case .undecided where !isEnd: break scan
            case .undecided: position += 1
            case .found(let text, let end):
                output.append(contentsOf: bytes[passed..<position])
                output += replacements[text]
                (position, passed) = (end, end)
                found += 1
            }
        }
        output.append(contentsOf: bytes[passed..<position])
        return (output, position, found)
    }
}
