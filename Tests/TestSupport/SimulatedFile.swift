// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a file on the disk, and the changes that were not synced yet.
struct SimulatedFile {
    enum Change {
        case write(Int, Data)
        case truncate(Int)
        case grow(Int)
    }

    private var onDisk: Data
    private var unsynced: [Change] = []

    init(onDisk: Data) { self.onDisk = onDisk }

    mutating func change(_ change: Change) { unsynced.append(change) }

    mutating func sync() {
        for change in unsynced { SimulatedFile.apply(change, to: &onDisk) }
        unsynced = []
    }

    /// What a loss of power leaves.
    func left(by random: inout SurvivorChoice) -> Data {
        var left = onDisk
        for change in unsynced {
            guard case .write(let offset, let data) = change else {
                if random.isKept() { SimulatedFile.apply(change, to: &left) }
                continue
            }
            // A disk writes sectors, in any order.
            var next = 0
            while next < data.count {
                let end = min(data.count, next + 512 - (offset + next) % 512)
                let sector = Change.write(offset + next, Data(data.dropFirst(next).prefix(end - next)))
                if random.isKept() { SimulatedFile.apply(sector, to: &left) }
                next = end
            }
        }
        return left
    }

    private static func apply(_ change: Change, to bytes: inout Data) {
        switch change {
        case .write(let offset, let data):
            grow(&bytes, to: offset + data.count)
            bytes.replaceSubrange(offset..<offset + data.count, with: data)
        case .truncate(let size):
            if bytes.count > size { bytes.removeSubrange(size...) }
            grow(&bytes, to: size)
        case .grow(let size): grow(&bytes, to: size)
        }
    }

    private static func grow(_ bytes: inout Data, to size: Int) {
        if bytes.count < size { bytes.append(Data(count: size - bytes.count)) }
    }
}

/// Decides what survives; the same for the same seed.
struct SurvivorChoice {
    private let survivors: WriteReplay.Survivors
    private var generator = SeededGenerator(seed: 0)

    init(_ survivors: WriteReplay.Survivors) {
        self.survivors = survivors
        if case .some(let seed) = survivors { generator = SeededGenerator(seed: seed) }
    }

    mutating func isKept() -> Bool {
        switch survivors {
        case .none: false
        case .all: true
        case .some: Bool.random(using: &generator)
        }
    }

    mutating func prefix(of count: Int) -> Int {
        switch survivors {
        case .none: 0
        case .all: count
        case .some: Int.random(in: 0...count, using: &generator)
        }
    }
}
