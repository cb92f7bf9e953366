// SPDX-License-Identifier: Apache-2.0

/// What a column holds. Tables of sealed databases are strict and know no other types.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case blob([UInt8])

    package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
    package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
    /// All 64 bits, as SQLite has signed integers only.
    package static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}
