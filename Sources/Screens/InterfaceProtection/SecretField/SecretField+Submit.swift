// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

extension SecretField {
    /// Lends the content to `body`, and wipes it when `body` returns.
    ///
    /// The type system keeps the bytes from outliving the call: what is borrowed can't be stored or copied by mistake.
    ///
    /// If `body` throws, the attempt failed and the content returns to the field, unless the user left, locked or
    /// changed meanwhile. With a policy that doesn't clear on `submitted` it always returns.
    ///
    /// Errors: `SecretFieldError` `.isLent`, `.isEmpty`, and those of `body`.
    nonisolated(nonsending)
        public func submit<R>(_ body: (borrowing SecretBytes) async throws -> R) async throws -> R
    {
        let lent = try take()
        let result: R
        do {
            result = try await body(lent.bytes)
        } catch {
            giveBack(lent, isRefused: true)
            throw error
        }
        accept(lent)
        return result
    }

    /// Like `submit`, with a synchronous body.
    public func submitNow<R>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        let lent = try take()
        let result: R
        do {
            result = try body(lent.bytes)
        } catch {
            giveBack(lent, isRefused: true)
            throw error
        }
        accept(lent)
        return result
    }

    /// Lends the field to a form, which reads it itself. No edit is possible until `release`. Errors: `.isLent`.
    func hold() throws(SecretFieldError) {
        try change { state throws(SecretFieldError) in
            guard !state.isLent else { throw SecretFieldError(.isLent) }
            (state.isLent, state.mustNotReturn) = (true, false)
        }
    }

    /// Ends the loan to a form.
    func release() { change { $0.isLent = false } }

    private struct Lent: ~Copyable, Sendable {
        let bytes: SecretBytes
        let count: Int
    }

    private func take() throws -> Lent {
        try change { state in
            guard !state.isLent else { throw SecretFieldError(.isLent) }
            guard let bytes = state.bytes.take() else { throw SecretFieldError(.isEmpty) }
            let count = state.count
            (state.isLent, state.mustNotReturn, state.count, state.revealedUntil) = (true, false, 0, nil)
            return Lent(bytes: bytes, count: count)
        }
    }

    private func accept(_ lent: consuming Lent) {
        giveBack(lent, isRefused: false)
        handle(.submitted)
    }

    private func giveBack(_ lent: consuming Lent, isRefused: Bool) {
        var returned: Lent? = consume lent
        change { state in
            state.isLent = false
            if isRefused { state.isSubmitted = false }
            guard !state.mustNotReturn, let lent = returned.take() else { return }
            state.count = lent.count
            state.bytes = consume lent.bytes
        }
    }
}
