// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Searches a stream for secrets in all forms, and puts something else in their place. Holds back only bytes that may
/// be the beginning of one, so that an answer that comes in pieces isn't delayed.
package struct AnswerSearch {
    private var forms: SharedForms?
    private let replacements: [[UInt8]]
    private let isLooking: Bool
    private var held: [UInt8] = []
    /// How many were found.
    package private(set) var count = 0
    /// What was looked at, beside bytes at which nothing begins: a measure of the time.
    package private(set) var steps = 0

    /// As many replacements as texts.
    package init(_ texts: [[UInt8]], _ replacements: [[UInt8]]) {
        self.init(SharedForms(texts), replacements)
    }

    /// As many replacements as the forms have texts.
    init(_ forms: SharedForms, _ replacements: [[UInt8]]) {
        (self.forms, self.replacements, isLooking) = (forms, replacements, false)
    }

    /// Only counts what is there, as soon as it is: whether it is a part of something longer doesn't matter.
    init(lookingFor forms: SharedForms) {
        (self.forms, replacements, isLooking) = (forms, forms.texts.map { _ in [] }, true)
    }

    /// Appends what may be passed on after these bytes.
    package mutating func feed(_ bytes: ByteBuffer, into output: inout ByteBuffer) {
        let span = bytes.readableBytesUInt8Span
        guard held.isEmpty else {
            var joined = held
            joined.reserveCapacity(held.count + span.count)
            joined.append(contentsOf: bytes.readableBytesView)
            held.wipe()
            held = pass(joined.span, isEnd: false, &output)
            return joined.wipe()
        }
        held = pass(span, isEnd: false, &output)
    }

    /// Appends what was held back.
    package mutating func finish(into output: inout ByteBuffer) {
        var rest = held
        held = []
        _ = pass(rest.span, isEnd: true, &output)
        rest.wipe()
    }

    /// What may be passed on after these bytes.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var output = ByteBuffer()
        feed(ByteBuffer(bytes: bytes), into: &output)
        return Array(output.readableBytesView)
    }

    /// What was held back.
    package mutating func finish() -> [UInt8] {
        var output = ByteBuffer()
        finish(into: &output)
        return Array(output.readableBytesView)
    }

    /// The whole text with replacements.
    package mutating func replaced(_ text: String) -> String {
        guard let forms, forms.forms.isIn(text) else { return text }
        let bytes = feed(text.utf8) + finish()
        return String(decoding: bytes, as: UTF8.self)
    }

    package mutating func wipe() {
        forms = nil
        held.wipe()
    }

    /// Appends what may be passed on. Returns what is held back.
    private mutating func pass(
        _ bytes: borrowing Span<UInt8>, isEnd: Bool, _ output: inout ByteBuffer
    ) -> [UInt8] {
        var (position, passed) = (0, 0)
        if let forms = forms?.forms, !forms.isEmpty {
            var signs = ReadSigns()
            scan: while position < bytes.count {
                position = forms.candidate(bytes, from: position)
                switch forms.match(bytes, at: position, isEnd: isEnd, &signs) {
                case .none: position += 1
                case .undecided where !isEnd && bytes.count - position < forms.mostBytes:
                    if isLooking, case .found = forms.match(bytes, at: position, isEnd: true, &signs) { count += 1 }
                    break scan
                case .undecided: position += 1
                case .found(let text, var end):
                    // Others that begin in it, and go on behind it.
                    var texts = [text]
                    var inner = forms.candidate(bytes, from: position + 1)
                    while inner < end {
                        switch forms.match(bytes, at: inner, isEnd: isEnd, &signs) {
                        case .undecided where !isEnd && bytes.count - position < forms.mostBytes:
                            if isLooking { count += 1 }
                            break scan
                        case .found(let other, let otherEnd) where otherEnd > end:
                            texts.append(other)
                            end = otherEnd
                        default: break
                        }
                        inner = forms.candidate(bytes, from: inner + 1)
                    }
                    unsafe output.writeBytes(bytes.extracting(passed..<position).bytes)
                    for text in texts { output.writeBytes(replacements[text]) }
                    (position, passed) = (end, end)
                    count += texts.count
                }
            }
            steps += signs.steps
        } else {
            position = bytes.count
        }
        unsafe output.writeBytes(bytes.extracting(passed..<position).bytes)
        return unsafe bytes.extracting(position...).withUnsafeBufferPointer { unsafe Array($0) }
    }
}

/// Forms that requests at the same time share: making them takes longer than most answers take to search. They are
/// overwritten with the last of these requests.
// Reason: nothing but its end changes it.
final class SharedForms: @unchecked Sendable {
    private(set) var texts: [[UInt8]]
    private(set) var forms: SearchedForms

    init(_ texts: [[UInt8]]) { (self.texts, forms) = (texts, SearchedForms(texts)) }

    deinit {
        forms.wipe()
        for index in texts.indices { texts[index].wipe() }
    }

    /// Those that are in use.
    struct Known {
        private var known: [Weak] = []

        private struct Weak { weak var forms: SharedForms? }

        mutating func forms(_ texts: [[UInt8]]) -> SharedForms {
            known.removeAll { $0.forms == nil }
            if let known = known.lazy.compactMap(\.forms).first(where: { $0.texts == texts }) { return known }
            let made = SharedForms(texts)
            known.append(Weak(forms: made))
            return made
        }
    }
}
