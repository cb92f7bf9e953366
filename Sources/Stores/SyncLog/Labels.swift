// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension KeyLabel {
    /// SHA-256 over the label and the parts.
    package func digest(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: info())
        for part in parts { hash.update(data: part) }
        return Array(hash.finalize())
    }
}

/// The hash that identifies an entry or an account: 32 bytes.
public typealias Digest32 = [UInt8]

enum Zero {
    static let digest = [UInt8](repeating: 0, count: 32)
    static let nonce = [UInt8](repeating: 0, count: 12)
}

/// Limits of the format.
public enum SyncLimits {
    /// The most bytes of an entry.
    public static let entry = 1_048_576
    /// Members at a time.
    public static let members = 256
    /// Places and sequences are below this.
    public static let places: UInt64 = 1 << 48
    /// The most bytes of a part's content: the largest padded size that leaves room in an entry.
    static let part = 786_432
    /// Operations in one part.
    public static let operations = 64
    /// The most bytes of a value.
    public static let value = 716_800
    /// The most bytes of a register's key.
    public static let registerKey = 4096
    /// Marks in a context.
    public static let context = 1024
    /// How far ahead of the reader's clock a time is still accepted, in milliseconds.
    public static let ahead: UInt64 = 5 * 60 * 1000
    /// The time without a statement after which a member is reported, in milliseconds.
    public static let silence: UInt64 = 7 * 24 * 3600 * 1000
    static let header = 132
    static let signature = 64
    static let chunk = 524_288
}
