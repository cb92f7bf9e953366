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
    func left(by random: inout SeededGenerator) -> Data {
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
struct SeededGenerator: RandomNumberGenerator {
    private let survivors: WriteReplay.Survivors
    private var state: UInt64 = 0

    init(_ survivors: WriteReplay.Survivors) {
        self.survivors = survivors
        if case .some(let seed) = survivors { state = seed }
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func isKept() -> Bool {
        switch survivors {
        case .none: false
        case .all: true
        case .some: Bool.random(using: &self)
        }
    }

    mutating func prefix(of count: Int) -> Int {
        switch survivors {
        case .none: 0
        case .all: count
        case .some: Int.random(in: 0...count, using: &self)
        }
    }
}
