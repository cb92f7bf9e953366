// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretField.State {
    /// Drops the bytes, which wipes them; keeps lent ones from coming back.
    mutating func wipe() {
        bytes = nil
        count = 0
        revealedUntil = nil
        mustNotReturn = isLent
    }

    borrowing func lend<R: ~Copyable>(to body: (RawSpan) throws -> R) throws -> R {
        switch bytes {
        case .some(let bytes): try bytes.withBytes(body)
        case .none: try body(RawSpan())
        }
    }

    borrowing func copyOfBytes() throws -> SecretBytes {
        try lend { span in
            try SecretBytes(count: span.byteCount) { $0.write(Span(_bytes: span), at: 0) }
        }
    }
}

extension SecretField {
    /// Reads, after clearing what is due. Whoever comes upon what is due clears it and tells the observers: a timer that comes later finds
    /// nothing to tell.
    func use<R: ~Copyable & Sendable, Failure: Error>(
        _ body: (borrowing State) throws(Failure) -> R
    ) throws(Failure) -> R {
        expire(at: now())
        return try state.withLock { state throws(Failure) -> R in try body(state) }
    }

    /// Changes, after clearing what is due, and then tells the observers.
    func change<R: ~Copyable & Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> R
    ) throws(Failure) -> R {
        expire(at: now())
        let result = try state.withLock { state throws(Failure) -> R in try body(&state) }
        tellObservers()
        return result
    }

    func tellObservers() {
        for observer in state.withLock({ $0.observers }) { observer.tell() }
    }
}

extension MutableRawSpan {
    /// Copies `source` to `offset`; both ends must be inside.
    mutating func write(_ source: Span<UInt8>, at offset: Int) {
        for index in source.indices {
            storeBytes(of: source[index], toByteOffset: offset + index, as: UInt8.self)
        }
    }
}
