// SPDX-License-Identifier: Apache-2.0

/// Makes binary property lists object by object, so that they can share, overlap and refer as no writer does.
struct ListRecipe {
    private(set) var bytes = Array("bplist00".utf8)
    private var offsets: [Int] = []

    var count: Int { offsets.count }

    /// Adds an object of these bytes; its number.
    @discardableResult
    mutating func add(_ object: [UInt8]) -> Int {
        offsets.append(bytes.count)
        bytes += object
        return offsets.count - 1
    }

    /// One more object that lies where `other` lies.
    @discardableResult
    mutating func again(_ other: Int) -> Int {
        offsets.append(offsets[other])
        return offsets.count - 1
    }

    @discardableResult
    mutating func text(_ text: String) -> Int { add(Self.marker(0x5, text.utf8.count) + Array(text.utf8)) }

    @discardableResult
    mutating func data(_ count: Int) -> Int { add(Self.marker(0x4, count) + [UInt8](repeating: 7, count: count)) }

    @discardableResult
    mutating func array(_ items: [Int]) -> Int { add(Self.marker(0xA, items.count) + items.flatMap(Self.reference)) }

    @discardableResult
    mutating func dictionary(_ entries: [(key: Int, value: Int)]) -> Int {
        let numbers = entries.map(\.key) + entries.map(\.value)
        return add(Self.marker(0xD, entries.count) + numbers.flatMap(Self.reference))
    }

    /// A keyed archive's reference.
    @discardableResult
    mutating func uid(_ number: Int) -> Int { add([0x83] + Self.reference(number)) }

    func finished(root: Int) -> [UInt8] {
        var all = bytes
        for offset in offsets { all += Self.reference(offset) }
        all += [0, 0, 0, 0, 0, 0, 4, 4]
        for number in [offsets.count, root, bytes.count] { all += [0, 0, 0, 0] + Self.reference(number) }
        return all
    }

    static func reference(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0x0F, 0x12] + reference(count)
    }
}

/// Makes keyed archives of objects that are given as the bytes of property-list objects.
struct ArchiveRecipe {
    var list = ListRecipe()
    private var objects: [Int]
    private let names: [String: Int]

    init() {
        var names: [String: Int] = [:]
        for name in [
            "$archiver", "NSKeyedArchiver", "$version", "$objects", "$top", "root", "$class", "$classname", "NS.keys",
            "NS.objects", "NS.data", "NS.time",
        ] { names[name] = list.text(name) }
        self.names = names
        objects = [list.text("$null")]
    }

    func name(_ text: String) -> Int { names[text] ?? 0 }

    /// Puts the object of this number of the list into the archive; the reference that means it.
    mutating func object(_ number: Int) -> Int {
        objects.append(number)
        return list.uid(objects.count - 1)
    }

    /// A class; the reference that means it.
    mutating func type(_ text: String, more: Int = 0) -> Int {
        let name = list.text(text)
        let entries = [(key: self.name("$classname"), value: name)]
        let others = (0..<more).map { (key: list.text("field\($0)"), value: name) }
        return object(list.dictionary(entries + others))
    }

    mutating func instance(_ type: Int, _ fields: [(String, Int)]) -> Int {
        let entries = fields.map { (key: name($0.0), value: $0.1) } + [(key: name("$class"), value: type)]
        return object(list.dictionary(entries))
    }

    func finished(root: Int) -> [UInt8] {
        var list = list
        let objects = list.array(objects)
        let top = list.dictionary([(key: name("root"), value: root)])
        let whole = list.dictionary([
            (key: name("$archiver"), value: name("NSKeyedArchiver")), (key: name("$objects"), value: objects),
            (key: name("$top"), value: top),
        ])
        return list.finished(root: whole)
    }
}
