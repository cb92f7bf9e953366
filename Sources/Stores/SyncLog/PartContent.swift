// SPDX-License-Identifier: Apache-2.0

public import SyncMerge

/// An operation to be written. Place, author, sequence and index come from the entry.
public struct NewOperation: Hashable, Sendable {
    /// The register.
    public let key: [UInt8]
    /// The class that seals it.
    public let protectionClass: TravellingClass
    /// Milliseconds since 1970.
    public let time: UInt64
    /// What this home had applied to the register when the user edited it.
    public let context: Context
    /// The change.
    public let change: Operation.Change

    /// An operation on one register.
    public init(
        key: [UInt8], protectionClass: TravellingClass, time: UInt64, context: Context, change: Operation.Change
    ) {
        self.key = key
        self.protectionClass = protectionClass
        self.time = time
        self.context = context
        self.change = change
    }

    /// Why it can't travel; nil if it can.
    public var fault: String? {
        guard 1...SyncLimits.registerKey ~= key.count else { return "its key has more than 4,096 bytes" }
        guard context.marks.count <= SyncLimits.context else { return "more than 1,024 devices have edited it" }
        if case .put(let value, let from) = change {
            if value.count > SyncLimits.value { return "its value has more than 700 KiB" }
            if from?.isEmpty == true || from?.count ?? 0 > SyncLimits.registerKey { return "its former key" }
        }
        if case .moved(protectionClass) = change { return "it moves to its own class" }
        return nil
    }
}

/// How many entries of each author the log had counted at a place: no valid context claims more.
struct CountedBefore: Sendable {
    private let sequences: [UInt32: UInt64]
    private let next: UInt32

    init(_ state: LogState) {
        sequences = state.authors.mapValues(\.sequence)
        next = state.next
    }

    /// The highest sequence of an author that can have been applied. Of an author that ended before this era nothing is
    /// known here, and nothing more comes. A number that is not assigned yet has written nothing.
    func limit(of author: UInt32) -> UInt64 { author < next ? sequences[author] ?? .max : 0 }
}

extension NewOperation {
    /// The operation with its context limited to what the log counted, and to the maximum number of marks. A mark that
    /// is left out costs a reported conflict.
    func cut(to counted: CountedBefore) -> NewOperation {
        var context = context.cut(to: counted.limit(of:))
        if context.marks.count > SyncLimits.context {
            context = Context(ascending: Array(context.marks.suffix(SyncLimits.context)))
        }
        return NewOperation(
            key: key, protectionClass: protectionClass, time: time, context: context, change: change)
    }
}

/// The content of a part.
enum PartContent {
    static func bytes(_ operations: [NewOperation]) throws(SyncLogError) -> [UInt8] {
        guard 1...SyncLimits.operations ~= operations.count else {
            throw SyncLogError(.tooLarge, "an entry has at most 64 operations of a class")
        }
        var content: [UInt8] = []
        for operation in operations {
            if let fault = operation.fault { throw SyncLogError(.tooLarge, "an item can't travel: \(fault)") }
            Operation(
                place: 0, author: 0, sequence: 0, protectionClass: operation.protectionClass, index: 0,
                time: operation.time, context: operation.context, change: operation.change
            ).append(to: &content, key: operation.key)
        }
        var bytes: [UInt8] = []
        bytes.append(content, lengthOf: 4)
        guard let size = paddedSize(bytes.count) else {
            throw SyncLogError(.tooLarge, "the items of a class in an entry have at most 768 KiB; send fewer at once")
        }
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// The next of 256, 384, 512, 768, 1,024, ..., 786,432.
    static func paddedSize(_ count: Int) -> Int? {
        var size = 256
        while size <= SyncLimits.part {
            if count <= size { return size }
            if count <= size / 2 * 3 { return size / 2 * 3 }
            size *= 2
        }
        return nil
    }

    /// Reads a part of an entry that counts. A part that breaks the format is not used at all. Contexts are limited to
    /// what the log had counted before the entry.
    static func operations(
        _ plain: [UInt8], entry: Entry, place: UInt64, _ protectionClass: TravellingClass, counted: CountedBefore
    ) throws(SyncLogError) -> [(key: [UInt8], operation: Operation)] {
        var outer = ByteReader(plain)
        let content = try outer.take(lengthOf: 4, 1...SyncLimits.part)
        guard paddedSize(content.count + 4) == plain.count, try outer.take(outer.remaining).allSatisfy({ $0 == 0 })
        else {
            throw .malformed("padding")
        }
        var reader = ByteReader(content)
        var found: [(key: [UInt8], operation: Operation)] = []
        while reader.remaining > 0 {
            guard found.count < SyncLimits.operations else { throw .malformed("more than 64 operations") }
            let kind = try reader.byte()
            let time = try reader.long()
            let key = try reader.take(lengthOf: 2, 1...SyncLimits.registerKey)
            let context = try context(from: &reader, author: entry.author, sequence: entry.sequence)
                .cut(to: counted.limit(of:))
            let change = try change(kind, from: &reader, protectionClass)
            found.append(
                (
                    key,
                    Operation(
                        place: place, author: entry.author, sequence: entry.sequence, protectionClass: protectionClass,
                        index: UInt8(found.count), time: time, context: context, change: change)
                ))
        }
        return found
    }

    static func context(
        from reader: inout ByteReader, author own: UInt32, sequence: UInt64
    ) throws(SyncLogError) -> Context {
        var marks: [Context.Mark] = []
        for _ in 0..<(try reader.count(0...SyncLimits.context)) {
            let author = try reader.word()
            let mark = try reader.long()
            guard marks.last.map({ $0.author < author }) ?? true, mark > 0, author != own || mark < sequence else {
                throw .malformed("a context")
            }
            marks.append(Context.Mark(author: author, sequence: mark))
        }
        return Context(ascending: marks)
    }

    static func change(
        _ kind: UInt8, from reader: inout ByteReader, _ protectionClass: TravellingClass
    ) throws(SyncLogError) -> Operation.Change {
        switch kind {
        case 1:
            let from = try reader.take(lengthOf: 2, 0...SyncLimits.registerKey)
            return .put(value: try reader.take(lengthOf: 4, 0...SyncLimits.value), from: from.isEmpty ? nil : from)
        case 2: return .delete
        case 3:
            guard let to = TravellingClass(rawValue: try reader.byte()), to != protectionClass else { throw .outside }
            return .moved(to: to)
        default: throw .malformed("an unknown operation")
        }
    }
}
