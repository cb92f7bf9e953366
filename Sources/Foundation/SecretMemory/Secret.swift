// SPDX-License-Identifier: Apache-2.0

/// A shared handle of secret bytes, for apps: may be stored and passed on; the bytes are wiped with the last handle.
///
/// It prints as redacted, can't be encoded, and compares in constant time. A call that copies it to ordinary memory is spelled
/// `exposing`.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let bytes: SecretBytes

    /// Takes over `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// A copy of `bytes`; the original stays where it is, and is the caller's to wipe. Throws ``SecretMemoryError``.
    public convenience init(copying bytes: some Collection<UInt8>) throws { self.init(try SecretBytes(copying: bytes)) }

    /// How many bytes there are.
    public var count: Int { bytes.count }

    /// Lends the bytes to `body`. Throws what `body` throws, and ``SecretMemoryError/Code/forked`` in a child after fork.
    public func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R { try bytes.withBytes(body) }

    /// Lends the secret itself to `body`. Throws what `body` throws.
    public func withSecretBytes<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try body(bytes)
    }

    /// Whether both hold the same bytes; the time depends on the count only. Throws ``SecretMemoryError/Code/forked`` in a
    /// child after fork.
    public func isEqual(to other: Secret) throws -> Bool { try bytes.isEqual(to: other.bytes) }

    /// Says nothing about the bytes, not even how many there are.
    public var description: String { "Secret(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
