// SPDX-License-Identifier: Apache-2.0

import SyncLog

/// An entry as a value of etcd: without its account and its place, which its key says (SyncLog.md, "What the engine keeps"): 40 bytes of
/// some 500.
enum EntryForm {
    private static let whole = Array("zsyn".utf8)
    private static let short = Array("zsye".utf8)
    /// Where account and place stand in an entry.
    private static let leftOut = 8..<48

    /// As it is kept. What is no entry of this account and place is kept as it is.
    static func value(_ entry: [UInt8], at place: UInt64, of account: Digest32) -> [UInt8] {
        guard entry.count >= leftOut.upperBound, entry.starts(with: whole),
            entry[leftOut].elementsEqual(said(place, account))
        else { return entry }
        return short + entry[short.count..<leftOut.lowerBound] + entry[leftOut.upperBound...]
    }

    /// The entry that is kept as a value.
    static func entry(_ value: [UInt8], at place: UInt64, of account: Digest32) -> [UInt8] {
        guard value.count >= leftOut.lowerBound, value.starts(with: short) else { return value }
        return whole + value[short.count..<leftOut.lowerBound] + said(place, account) + value[leftOut.lowerBound...]
    }

    private static func said(_ place: UInt64, _ account: Digest32) -> [UInt8] {
        account + (0..<8).map { UInt8(truncatingIfNeeded: place >> (56 - 8 * $0)) }
    }
}
