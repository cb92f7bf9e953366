// SPDX-License-Identifier: Apache-2.0

import Foundation
import Meter
import Zamok

/// Items beside a plain table of the same size, with the same index and durability.
@MainActor
struct Stores {
    let goals: Goals
    private let reads = 500
    private let writesOfARow = 50

    func lookups() throws {
        let small = try FilledHome(count: 100)
        for (size, beside) in [(100, nil), (10_000, 1.3), (100_000, 1.5)] as [(Int, Double?)] {
            let table = try PlainTable(count: size)
            let filled = try FilledHome(count: size)
            goals.goal(
                "lookup, \(size) items / plain GRDB",
                try Meter.compare(row: reads) { keep(try filled.lookup($0 * 7919 % size)) }
                    with: { keep(try table.lookup($0 * 7919 % size)) }, atMost: 1.5)
            if let beside {
                goals.goal(
                    "lookup, \(size) items / 100 items",
                    try Meter.compare(row: reads) { keep(try filled.lookup($0 * 7919 % size)) }
                        with: { keep(try small.lookup($0 * 7919 % 100)) }, atMost: beside)
            }
            guard size == 10_000 else { continue }
            goals.goal(
                "SecItemCopyMatching, \(size) items / plain GRDB",
                try Meter.compare(row: reads) { keep(try filled.copyMatching($0 * 7919 % size)) }
                    with: { keep(try table.lookup($0 * 7919 % size)) }, atMost: 2.2)
            let guarded = try FilledHome(count: size, hasPasscode: true)
            goals.goal(
                "lookup, \(size) items, a passcode is set / plain GRDB",
                try Meter.compare(row: reads) { keep(try guarded.lookup($0 * 7919 % size)) }
                    with: { keep(try table.lookup($0 * 7919 % size)) }, atMost: 1.7)
        }
    }

    func writes() throws {
        let file = try AppendedFile()
        let small = try FilledHome(count: 100)
        // The small one stays small: what a row adds to it is a few hundred items.
        var smallCount = 100
        func addToSmall(_: Int) throws {
            keep(try small.keychain.add(try FilledHome.item(smallCount)))
            smallCount += 1
        }
        for (size, beside) in [(100, nil), (10_000, 1.3), (100_000, 1.5)] as [(Int, Double?)] {
            let filled = try FilledHome(count: size)
            let table = try PlainTable(count: size)
            var count = size
            func add(_: Int) throws {
                keep(try filled.keychain.add(try FilledHome.item(count)))
                count += 1
            }
            func update(_ step: Int) throws {
                var item = try filled.found(step * 7919 % 100)
                item.secret = try Secret(copying: Data(repeating: UInt8(step % 256), count: 32))
                try filled.keychain.update(item)
            }
            goals.goal(
                "add, \(size) items / append and fdatasync",
                try Meter.compare(row: writesOfARow, add, with: { _ in try file.append() }), atMost: 3)
            goals.goal(
                "add, \(size) items / durable GRDB insert",
                try Meter.compare(row: writesOfARow, add, with: { try table.add(size + $0) }), atMost: size < 100_000 ? 1.5 : 2)
            goals.goal(
                "update, \(size) items / append and fdatasync",
                try Meter.compare(row: writesOfARow, update, with: { _ in try file.append() }), atMost: 3)
            if let beside {
                goals.goal(
                    "add, \(size) items / 100 items", try Meter.compare(row: writesOfARow, add, with: addToSmall),
                    atMost: beside)
            }
        }
    }
}
