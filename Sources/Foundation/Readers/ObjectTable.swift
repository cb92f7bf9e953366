// SPDX-License-Identifier: Apache-2.0

/// Bounds the cost of reading one file's objects, regardless of what they share. Text and data are copied into memory
/// once for each object. Files from real writers have no overlapping objects, so the copies together are no longer than
/// the file.
struct ObjectTable {
    let list: BinaryPropertyList
    let limits: ReadingLimits
    private var texts: [Int: String] = [:]
    private var datas: [Int: [UInt8]] = [:]
    private var followed = 0
    private var content = 0

    /// Below this many bytes, reading again costs no more than a lookup.
    private static let keptFrom = 16

    init(_ bytes: [UInt8], _ limits: ReadingLimits) throws(ReadingError) {
        list = try BinaryPropertyList(bytes)
        self.limits = limits
    }

    /// The object number of a reference. Without overlapping objects, each reference has at least one byte, and is
    /// followed a few times at most.
    mutating func number(_ references: BinaryPropertyList.References, _ index: Int) throws(ReadingError) -> Int {
        followed += 1
        guard followed <= 4 * list.file.count else { throw Self.overlap }
        return try list.number(references, index)
    }

    private static var overlap: ReadingError { .malformed("values that lie on each other") }

    /// Nil if it is not valid Unicode text.
    mutating func text(_ number: Int, _ range: Range<Int>, isWide: Bool) throws(ReadingError) -> String? {
        if let known = texts[number] { return known }
        let bytes = try list.file.window(at: range.lowerBound, count: range.count).bytes
        let text: String?
        if isWide {
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            try keep(range.count)
            text = String(validUTF16: Array(units))
        } else {
            if range.count >= Self.keptFrom { try keep(range.count) }
            text = String(validUTF8: bytes)
        }
        if range.count >= Self.keptFrom, let text { texts[number] = text }
        return text
    }

    mutating func data(_ number: Int, _ range: Range<Int>) throws(ReadingError) -> [UInt8] {
        if let known = datas[number] { return known }
        guard range.count >= Self.keptFrom else {
            return try list.file.window(at: range.lowerBound, count: range.count).array
        }
        try keep(range.count)
        let bytes = try list.file.window(at: range.lowerBound, count: range.count).array
        datas[number] = bytes
        return bytes
    }

    /// The text of an object, which must be text.
    mutating func key(_ number: Int) throws(ReadingError) -> String {
        guard case .text(let range, let isWide) = try list.object(number),
            let text = try text(number, range, isWide: isWide)
        else { throw .malformed("a key that is no text") }
        return text
    }

    private mutating func keep(_ count: Int) throws(ReadingError) {
        content += count
        guard content <= list.file.count else { throw Self.overlap }
    }

    /// A value without parts; nil if it has parts.
    mutating func leaf<Value: PropertyListNode>(
        _ number: Int, _ object: BinaryPropertyList.Object
    ) throws(ReadingError) -> Unfolded<Value>? {
        switch object {
        case .boolean(let value): return Unfolded(.boolean(value))
        case .integer(let value): return Unfolded(.integer(value))
        case .real(let value): return Unfolded(.real(value))
        case .date(let seconds): return Unfolded(.moment(try CalendarTime.checked(seconds)))
        case .data(let range): return Unfolded(.data(try data(number, range)), bytes: range.count)
        case .text(let range, let isWide):
            guard let text = try text(number, range, isWide: isWide) else {
                return Unfolded(foreign: "text that is not Unicode")
            }
            return Unfolded(.string(text), bytes: text.utf8.count)
        case .foreign(let name): return Unfolded(foreign: name)
        case .reference, .array, .dictionary: return nil
        }
    }
}

/// A value with its content, and the size of that, where each use of a shared value counts.
struct Unfolded<Value: PropertyListNode> {
    var value: Value
    /// A type in it that property lists don't have, in words.
    var foreign: String?
    var values = 1
    var bytes: Int
    /// The levels of containers, including itself.
    var height = 0

    init(_ value: Value, bytes: Int = 0) {
        self.value = value
        self.bytes = bytes + 9
    }

    init(foreign: String) {
        self.init(.boolean(false))
        self.foreign = foreign
    }

    /// Counts a part of this container.
    mutating func hold(_ part: Unfolded, key: Int = 0, _ limits: ReadingLimits) throws(ReadingError) {
        values += part.values
        bytes += part.bytes + key
        height = max(height, part.height)
        foreign = foreign ?? part.foreign
        try limits.check(values: values)
        try limits.check(unfolded: bytes)
    }
}
