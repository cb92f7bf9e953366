// SPDX-License-Identifier: Apache-2.0

/// What a rule found at some bytes of a file.
protocol Ranked {
    var rule: Rule { get }
    var range: Range<Int> { get }
}

extension ClearSecret: Ranked {}

extension Ranked {
    /// The weight among findings of the same bytes: a place's secret stays, then a key's, then a token's.
    fileprivate var rank: Int {
        switch rule.kind {
        case .place: 4
        case .privateKey: 3
        case .token: 2
        case .url: 1
        case .assignment: 0
        }
    }
}

extension Array where Element: Ranked {
    /// In ascending order, without overlaps: the higher rank stays, of equal ranks the one that begins first.
    var merged: [Element] {
        let sorted = enumerated().sorted {
            ($0.element.range.lowerBound, -$0.element.rank, $0.offset) < (
                $1.element.range.lowerBound, -$1.element.rank, $1.offset
            )
        }.map(\.element)
        var kept: [Element] = []
        for next in sorted {
            guard let last = kept.last, last.range.upperBound > next.range.lowerBound else {
                kept.append(next)
                continue
            }
            if next.rank > last.rank { kept[kept.count - 1] = next }
        }
        return kept
    }
}
