// SPDX-License-Identifier: Apache-2.0

import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a column holds. Tables of sealed databases are strict and know no other types.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case blob([UInt8])

    package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
    package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
    /// All 64 bits, as SQLite has signed integers only.
    package static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}

/// One row while a statement stands on it. Columns are read by position; none of the reads can trap, whatever the file
/// holds.
package struct SQLRow {
    let row: Row

    /// The number in a column; 0 if it holds none.
    package func integer(_ column: Int) -> Int64 { (row[column] as DatabaseValue).asInteger ?? 0 }

    /// The number in a column; nil for NULL.
    package func optionalInteger(_ column: Int) -> Int64? { (row[column] as DatabaseValue).asInteger }

    /// The bytes in a column; nil for NULL.
    package func bytes(_ column: Int) throws -> [UInt8]? {
        try row.withUnsafeData(atIndex: column) { data in data.map { Array($0) } }
    }
}

extension DatabaseValue {
    fileprivate var asInteger: Int64? {
        guard case .int64(let number) = storage else { return nil }
        return number
    }
}
