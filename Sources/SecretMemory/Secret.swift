// SPDX-License-Identifier: Apache-2.0

/// A shared handle of secret bytes, for apps: may be stored and passed on; the bytes are wiped with the last handle.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let bytes: SecretBytes

    /// Takes over `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// A copy of `bytes`; the original stays where it is.
    public convenience init(copying bytes: some Collection<UInt8>) throws { self.init(try SecretBytes(copying: bytes)) }

    /// How many bytes there are.
    public var count: Int { bytes.count }

    /// Lends the bytes to `body`.
    public func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R { try bytes.withBytes(body) }

    /// Lends the secret itself to `body`.
    public func withSecretBytes<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try body(bytes)
    }

    public var description: String { "Secret(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
