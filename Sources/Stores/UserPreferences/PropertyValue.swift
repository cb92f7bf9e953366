// SPDX-License-Identifier: Apache-2.0

/// A property-list value, as preferences hold it.
@frozen
public enum PropertyValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data([UInt8])
    case string(String)
    case array([PropertyValue])
    case dictionary([String: PropertyValue])
}
