// SPDX-License-Identifier: Apache-2.0

import SyncLog

/// An entry as a value of etcd. It leaves out what its key, its length and its other fields say (SyncLog.md, "An entry
/// in etcd"). Of the 506 bytes of a small edit 406 are kept. So a page of etcd's file has room for six such edits in
/// place of four.
enum EntryForm {
    private static let magic = Array("zsyn".utf8)
    /// All before the body.
    private static let header = 132
    private static let hash = 32
    private static let signature = 64
    /// The bits of the first byte; the lowest four are the kind.
    private enum Mark {
        static let short: UInt8 = 0x80
        static let followsItself: UInt8 = 0x40
        static let onePart: UInt8 = 0x20
        static let kind: UInt8 = 0x0F
    }
    private static let edits: UInt8 = 2
    private static let salt = 32

    /// As it is kept. What the short form doesn't give back byte for byte is kept as it is.
    static func value(_ entry: [UInt8], at place: UInt64, of account: Digest32) -> [UInt8] {
        guard let short = shortened(entry), whole(short, place, account) == entry else { return entry }
        return short
    }

    /// The entry that is kept as a value.
    static func entry(_ value: [UInt8], at place: UInt64, of account: Digest32) -> [UInt8] {
        guard let entry = whole(value, place, account), shortened(entry) == value else { return value }
        return entry
    }

    /// nil: no entry. Whether account, place and lengths are what `whole` puts there isn't looked at here.
    private static func shortened(_ entry: [UInt8]) -> [UInt8]? {
        guard entry.count >= header + signature, entry[5] <= Mark.kind else { return nil }
        let before = entry[48..<80]
        let own = entry[96..<128]
        let followsItself = before.elementsEqual(own)
        var body = entry[header...]
        let isOnePart = entry[5] == edits && body.count >= 6 + salt + signature && body[header] == 1
        var bytes = [Mark.short | (followsItself ? Mark.followsItself : 0) | (isOnePart ? Mark.onePart : 0) | entry[5]]
        for number in [entry[80..<84], entry[84..<88], entry[88..<96]] { append(number, to: &bytes) }
        bytes += before
        if !followsItself { bytes += own }
        if isOnePart {
            // Its class and salt; behind them is its length.
            bytes += body.dropFirst().prefix(1 + salt)
            body = body.dropFirst(6 + salt)
        }
        return bytes + body
    }

    private static func whole(_ value: [UInt8], _ place: UInt64, _ account: Digest32) -> [UInt8]? {
        var rest = value[...]
        guard let mark = rest.popFirst(), mark & Mark.short != 0, let epoch = number(&rest), let author = number(&rest),
            let sequence = number(&rest), let before = take(hash, of: &rest)
        else { return nil }
        guard let own = mark & Mark.followsItself != 0 ? before : take(hash, of: &rest) else { return nil }
        var start: [UInt8] = []
        if mark & Mark.onePart != 0 {
            guard let part = take(1 + salt, of: &rest), rest.count >= signature else { return nil }
            start = [1] + part + bytes(UInt64(rest.count - signature), 4)
        }
        guard rest.count >= signature, epoch >> 32 == 0, author >> 32 == 0 else { return nil }
        let body = start + rest
        return magic + [1, mark & Mark.kind, 0, 0] + account + bytes(place, 8) + before + bytes(epoch, 4)
            + bytes(author, 4) + bytes(sequence, 8) + own + bytes(UInt64(body.count - signature), 4) + body
    }

    private static func take(_ count: Int, of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (1...count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - $0))) }
    }

    /// Seven bits a byte, the lowest first; all bytes but the last have the highest bit (LEB128).
    private static func append(_ number: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var left = number.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        while left > 0x7F {
            bytes.append(0x80 | UInt8(left & 0x7F))
            left >>= 7
        }
        bytes.append(UInt8(left))
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var found: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            found |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return found }
        }
        return nil
    }
}
