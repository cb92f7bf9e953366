// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

extension SecretField {
    /// Replaces the code points in `range` (the whole field by default) with `text`, in UTF-8.
    ///
    /// A range that extends beyond an end is clamped. The replaced bytes are wiped; wiping `text` is up to the caller.
    ///
    /// Errors: `.tooLong`, `.notText`, `.isLent`, `.noMemory`. After each of them the field is unchanged.
    public func replace(_ range: Range<Int>? = nil, with text: Span<UInt8>) throws(SecretFieldError) {
        guard let added = UTF8Text.codePoints(in: text) else { throw SecretFieldError(.notText) }
        try change { state throws(SecretFieldError) in
            guard !state.isLent else { throw SecretFieldError(.isLent) }
            let count = state.count
            let start = min(max(0, range?.lowerBound ?? 0), count)
            let end = min(max(0, range?.upperBound ?? count), count)
            do {
                let new = try state.lend { old in
                    try Self.splice(text, into: Span(_bytes: old), from: start, to: end, limit: maximumBytes)
                }
                state.count = count - (end - start) + added
                state.bytes = consume new
                state.isSubmitted = false
            } catch let error as SecretFieldError {
                throw error
            } catch {
                throw SecretFieldError(.noMemory)
            }
        }
    }

    /// Like `replace(_:with:)` with bytes, for a secret such as a paste.
    public func replace(_ range: Range<Int>? = nil, with text: borrowing SecretBytes) throws(SecretFieldError) {
        do {
            try text.withBytes { try replace(range, with: Span<UInt8>(_bytes: $0)) }
        } catch let error as SecretFieldError {
            throw error
        } catch {
            throw SecretFieldError(.noMemory)
        }
    }

    /// Like `replace(_:with:)` with bytes, for a string. The string itself stays in memory until Swift reuses that
    /// memory: see `SecretField`.
    public func replace(_ range: Range<Int>? = nil, with text: String) throws(SecretFieldError) {
        let copy: SecretBytes
        do { copy = try SecretBytes(copying: text.utf8) } catch { throw SecretFieldError(.noMemory) }
        try replace(range, with: copy)
    }

    /// Appends a secret. Errors: those of `replace`.
    public func append(_ text: borrowing SecretBytes) throws(SecretFieldError) { try replace(Self.end, with: text) }

    /// Appends a string. Errors: those of `replace`.
    public func append(_ text: String) throws(SecretFieldError) { try replace(Self.end, with: text) }

    private static let end = Int.max..<Int.max

    /// Appends a secret, such as a paste, without its line ends, which a one-line field can't use. Errors: those
    /// of `replace`.
    package func append(withoutLineEnds text: borrowing SecretBytes) throws(SecretFieldError) {
        let line: SecretBytes
        do { line = try text.withBytes { try UTF8Text.withoutLineEnds(Span(_bytes: $0)) } } catch {
            throw (error as? SecretFieldError) ?? SecretFieldError(.noMemory)
        }
        try append(line)
    }

    /// Removes the last code point, if there is one. Errors: `.isLent`, `.noMemory`.
    public func deleteLast() throws(SecretFieldError) {
        let count = count
        if count > 0 { try replace(count - 1..<count, with: "") }
    }

    private static func splice(
        _ text: Span<UInt8>, into old: Span<UInt8>, from start: Int, to end: Int, limit: Int
    ) throws -> SecretBytes {
        let head = UTF8Text.offset(ofCodePoint: start, in: old)
        let tail = UTF8Text.offset(ofCodePoint: end, in: old)
        let count = head + text.count + old.count - tail
        guard count <= limit else { throw SecretFieldError(.tooLong) }
        return try SecretBytes(count: count) { new in
            new.write(old.extracting(0..<head), at: 0)
            new.write(text, at: head)
            new.write(old.extracting(tail..<old.count), at: head + text.count)
        }
    }
}
