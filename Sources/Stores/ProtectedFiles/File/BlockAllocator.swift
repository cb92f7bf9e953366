// SPDX-License-Identifier: Apache-2.0

/// Tracks the used places of a file during a change (ProtectedFile.md, "Changing").
///
/// Invariant: before `commit` no block of the committed state is handed out, so the state before the change
/// stays intact.
struct BlockAllocator {
    /// Places that contain a block of the committed state or of this change.
    private var taken = BitSet()
    /// Places of chunks that this change allocated.
    private var fresh = BitSet()
    /// Places of chunks of the committed state that this change no longer needs.
    private var released = BitSet()
    /// Places that contain nodes.
    private var nodePlaces: [Int: NodeLocation] = [:]
    /// Node places with a free page.
    private var roomy: Set<Int> = []
    private var hint = 0

    private struct NodeLocation {
        var taken: UInt8 = 0
        var fresh: UInt8 = 0
        var released: UInt8 = 0
    }

    // MARK: What the committed state has

    mutating func markChunk(at offset: Int) { taken.insert(FileFormat.place(of: offset)) }

    mutating func markNode(at offset: Int) {
        let (place, bit) = Self.page(offset)
        taken.insert(place)
        nodePlaces[place, default: NodeLocation()].taken |= bit
        updateRoom(place)
    }

    // MARK: Taking and releasing

    mutating func takeChunk() -> Int {
        let place = taken.firstAbsent(from: hint)
        hint = place + 1
        taken.insert(place)
        fresh.insert(place)
        return FileFormat.offset(ofPlace: place)
    }

    mutating func takeNode() -> Int {
        let place: Int
        if let known = roomy.min() {
            place = known
        } else {
            place = taken.firstAbsent(from: hint)
            hint = place + 1
            taken.insert(place)
            nodePlaces[place] = NodeLocation()
        }
        let page = (~(nodePlaces[place]?.taken ?? 0)).trailingZeroBitCount
        nodePlaces[place]?.taken |= 1 << page
        nodePlaces[place]?.fresh |= 1 << page
        updateRoom(place)
        return FileFormat.offset(ofPlace: place) + page * FileFormat.nodeSize
    }

    func isFreshChunk(at offset: Int) -> Bool { fresh.contains(FileFormat.place(of: offset)) }

    func isFreshNode(at offset: Int) -> Bool {
        let (place, bit) = Self.page(offset)
        return (nodePlaces[place]?.fresh ?? 0) & bit != 0
    }

    mutating func releaseChunk(at offset: Int) {
        let place = FileFormat.place(of: offset)
        if fresh.contains(place) { free(place) } else { released.insert(place) }
    }

    mutating func releaseNode(at offset: Int) {
        let (place, bit) = Self.page(offset)
        if isFreshNode(at: offset) {
            nodePlaces[place]?.fresh &= ~bit
            freePages(place, bit)
        } else {
            nodePlaces[place]?.released |= bit
        }
    }

    /// Makes the change's blocks the committed state.
    mutating func commit() {
        for place in released.all { free(place) }
        released = BitSet()
        fresh = BitSet()
        for (place, pages) in nodePlaces {
            nodePlaces[place]?.fresh = 0
            nodePlaces[place]?.released = 0
            if pages.released != 0 { freePages(place, pages.released) }
        }
    }

    /// Where the last block ends after the commit. `lastChunk` is the content's last chunk, which may be short.
    func end(lastChunk: Int, count: Int) -> Int {
        var highest = taken.highest
        while let place = highest {
            if let pages = nodePlaces[place] {
                let kept = pages.taken & ~pages.released
                if kept != 0 {
                    return FileFormat.offset(ofPlace: place) + (8 - kept.leadingZeroBitCount) * FileFormat.nodeSize
                }
            } else if !released.contains(place) {
                let offset = FileFormat.offset(ofPlace: place)
                return offset + (offset == lastChunk ? count : FileFormat.chunkSize)
            }
            highest = taken.highest(below: place)
        }
        return FileFormat.headerSize
    }

    // MARK: Parts

    private mutating func free(_ place: Int) {
        taken.remove(place)
        fresh.remove(place)
        hint = min(hint, place)
    }

    private mutating func freePages(_ place: Int, _ bits: UInt8) {
        nodePlaces[place]?.taken &= ~bits
        if nodePlaces[place]?.taken == 0 {
            nodePlaces[place] = nil
            roomy.remove(place)
            free(place)
        } else {
            updateRoom(place)
        }
    }

    private mutating func updateRoom(_ place: Int) {
        if nodePlaces[place]?.taken == 0xFF { roomy.remove(place) } else { roomy.insert(place) }
    }

    private static func page(_ offset: Int) -> (place: Int, bit: UInt8) {
        let place = FileFormat.place(of: offset)
        return (place, 1 << ((offset - FileFormat.offset(ofPlace: place)) / FileFormat.nodeSize))
    }
}

/// A bit set of small numbers. A file of 1 TiB has 2^25 places, which take 4 MiB here.
struct BitSet {
    private var words: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    mutating func insert(_ number: Int) {
        if number >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: (number >> 6) + 1 - words.count))
        }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    mutating func remove(_ number: Int) {
        guard number >> 6 < words.count else { return }
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    /// The smallest number from `start` on that is not in the set.
    func firstAbsent(from start: Int) -> Int {
        var index = start >> 6
        guard index < words.count else { return start }
        var free = ~words[index] & (UInt64.max << UInt64(start & 63))
        while free == 0 {
            index += 1
            guard index < words.count else { return index << 6 }
            free = ~words[index]
        }
        return (index << 6) + free.trailingZeroBitCount
    }

    var highest: Int? { highest(below: words.count << 6) }

    func highest(below bound: Int) -> Int? {
        guard bound > 0 else { return nil }
        var index = (bound - 1) >> 6
        guard index < words.count else { return highest(below: words.count << 6) }
        var word = words[index] & (UInt64.max >> UInt64(63 - ((bound - 1) & 63)))
        while word == 0 {
            guard index > 0 else { return nil }
            index -= 1
            word = words[index]
        }
        return (index << 6) + 63 - word.leadingZeroBitCount
    }

    /// All numbers, ascending.
    var all: [Int] {
        var all: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                all.append((index << 6) + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return all
    }
}
