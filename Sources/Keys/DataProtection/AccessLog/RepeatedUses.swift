// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Combines a guest's uses of the same item. A line for each would let it push older lines out of the log.
///
/// Of a minute, the first uses of an item have a line each. Then one line is for many uses, and is written before the
/// first of them.
package final class RepeatedUses: Sendable {
    /// Uses of an item with lines of their own, in a period.
    static let single = 10
    /// Uses that one more line is for.
    package static let most = 1000
    static let period: Duration = .seconds(60)
    /// Items that are known at once. When there are more, all begin anew.
    private static let limit = 10_000

    private struct Key: Hashable {
        let item: [UInt8]
        let operation: UInt8
    }

    private struct Known {
        var began: ContinuousClock.Instant
        var lines = 0
        /// Uses that the last line is still for.
        var left = 0
    }

    private let known = Locked<[Key: Known]>([:])

    package init() {}

    /// Those of the uses that need a line, as their lines have them.
    func needingLines(_ uses: [AccessUse], _ now: ContinuousClock.Instant = .now) -> [AccessUse] {
        known.withLock { known in uses.compactMap { Self.line(for: $0, &known, now) } }
    }

    /// Lines of these uses could not be written: the next ones have lines of their own.
    func forget(_ uses: [AccessUse]) {
        known.withLock { known in for use in uses { known[Self.key(use)] = nil } }
    }

    private static func key(_ use: AccessUse) -> Key { Key(item: use.item, operation: use.operation.rawValue) }

    private static func line(
        for use: AccessUse, _ known: inout [Key: Known], _ now: ContinuousClock.Instant
    ) -> AccessUse? {
        guard use.operation == .read || use.operation == .use, use.item.count == 16 else { return use }
        if known.count >= limit { known = [:] }
        var one = known[key(use)] ?? Known(began: now)
        if now - one.began >= period { one = Known(began: now) }
        defer { known[key(use)] = one }
        if one.left > 0 {
            one.left -= 1
            return nil
        }
        one.lines += 1
        guard one.lines > single else { return use }
        one.left = most - 1
        return AccessUse(
            itemClass: use.itemClass, item: use.item, name: use.name, source: use.source, operation: .repeated)
    }
}
