// SPDX-License-Identifier: Apache-2.0

/// A shared handle to secret bytes, for apps: it can be stored and passed on. The bytes are wiped with the last handle.
///
/// It prints as redacted, can't be encoded, and compares in constant time. A call that copies it to ordinary memory has
/// the label `exposing`.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let bytes: SecretBytes

    /// Takes ownership of `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Copies `bytes`. The original is unchanged, and the caller must wipe it. Throws ``SecretMemoryError``.
    public convenience init(copying bytes: some Collection<UInt8>) throws { self.init(try SecretBytes(copying: bytes)) }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Lends the bytes to `body`. Throws what `body` throws; ``SecretMemoryError/Code/forked`` in a child after fork.
    public func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R { try bytes.withBytes(body) }

    /// Lends the secret itself to `body`. Throws what `body` throws.
    public func withSecretBytes<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try body(bytes)
    }

    /// Whether both have the same bytes; the time depends only on the count. Throws ``SecretMemoryError/Code/forked``
    /// in a child after fork.
    public func isEqual(to other: Secret) throws -> Bool { try bytes.isEqual(to: other.bytes) }

    /// Reveals nothing of the bytes, not even their number.
    public var description: String { "Secret(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
