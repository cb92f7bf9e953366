// SPDX-License-Identifier: Apache-2.0

import SecretMemory
@_spi(_Unicode) import Swift

/// A passcode as it goes into the KDF: Unicode normal form C, 1 to 4096 bytes.
struct Passcode: ~Copyable {
    static let limit = 4096

    let bytes: SecretBytes

    /// Errors: `.invalidArgument` for one that is empty or too long.
    init(_ typed: borrowing SecretBytes) throws {
        guard typed.count > 0 else { throw DataProtectionError(.invalidArgument, "the passcode is empty") }
        guard typed.count <= Self.limit else { throw Self.tooLong }
        let normalized = try Self.normalized(typed)
        guard normalized.count <= Self.limit else { throw Self.tooLong }
        bytes = normalized
    }

    private static var tooLong: DataProtectionError {
        DataProtectionError(.invalidArgument, "the passcode is longer than \(limit) bytes")
    }

    /// One passcode typed on two keyboards is the same passcode. Bytes that are no UTF-8 stay as they are.
    private static func normalized(_ typed: borrowing SecretBytes) throws -> SecretBytes {
        let count = typed.count
        // ASCII needs no work, and so leaves no copy; anything else passes through a String, whose memory the scope clears.
        let isASCII = try typed.withBytes { span in
            (0..<count).allSatisfy { (span.bigEndian(at: $0, as: UInt8.self) ?? 0x80) < 0x80 }
        }
        return try ClearedScope.run {
            guard var bytes = try typed.exposingBytes(0..<count) else { return try SecretBytes(count: 0) { _ in } }
            defer { bytes.wipe() }
            guard !isASCII, let text = String(validating: bytes, as: UTF8.self) else {
                return try SecretBytes(copying: bytes)
            }
            var composed: [UInt8] = []
            composed.reserveCapacity(3 * count)
            defer { composed.wipe() }
            for scalar in text._nfc { composed.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            return try SecretBytes(copying: composed)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}
