// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The content of a line of the access log (Documentation/Formats/AccessLog.md, "Segment").
package struct AccessLine: Sendable, Equatable {
    static let size = 424
    static let pathLimit = 104
    static let nameLimit = 56
    /// Of a guest's line, whose client is a name of at most 70 bytes.
    static let guestNameLimit = 90

    /// A process and the path of its program. The path is empty if it is not known.
    package struct Program: Sendable, Equatable {
        package var process: UInt32
        package var path: String
    }

    /// Counts over the life of the home.
    package var number: UInt64 = 0
    /// Microseconds since 1970.
    package var time: UInt64
    package var user: UInt32
    package var program: Program
    package var parent: Program
    /// The process that asked the program over a socket or a pipe.
    package var client: Program?
    /// How many accesses before this one could not be recorded.
    package var lost: UInt32 = 0
    /// `source`, `operation` and `itemClass` are numbers of the format. A newer version may know more of them.
    package var source: UInt8
    package var operation: UInt8
    package var itemClass: UInt8
    package var item: [UInt8]
    package var name: String

    init(_ use: AccessUse, _ process: AccessProcess, context: AccessContext?, time: UInt64) {
        self.time = time
        user = process.user
        program = Program(process: process.identifier, path: Self.end(of: process.path, Self.pathLimit))
        let parent = AccessProcess.parent
        self.parent = Program(process: parent, path: Self.end(of: AccessProcess.path(of: parent), Self.pathLimit))
        client = context?.client.flatMap { UInt32(exactly: $0) }.map {
            Program(
                process: $0,
                path: context?.guest.map { Self.guestPrefix + $0 }
                    ?? Self.end(of: AccessProcess.path(of: $0), Self.pathLimit))
        }
        source = (context?.source ?? AccessContext.processSource ?? use.source).rawValue
        operation =
            (use.operation == .read ? context?.operation ?? AccessOperation.current ?? .read : use.operation).rawValue
        itemClass = use.itemClass
        item = use.item.count == 16 ? use.item : [UInt8](repeating: 0, count: 16)
        name = Self.beginning(of: use.name, context?.guest == nil ? Self.nameLimit : Self.guestNameLimit)
    }

    /// The guest of `zamok guard` that the line is about; nil: another program.
    package var guest: String? {
        guard source == AccessSource.guest.rawValue, let path = client?.path, path.hasPrefix(Self.guestPrefix) else {
            return nil
        }
        return String(path.dropFirst(Self.guestPrefix.count))
    }

    /// Paths begin with a slash.
    private static let guestPrefix = "guest "

    /// Padded, so that the size of a line doesn't reveal the length of its texts.
    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: Self.size)
        writer.integer(time)
        for number in [program.process, user, parent.process, client?.process ?? 0, lost] { writer.integer(number) }
        writer.append([source, operation, itemClass, 0] + item)
        for text in [program.path, parent.path, client?.path ?? "", name] {
            writer.integer(UInt16(truncatingIfNeeded: text.utf8.count))
            writer.append(text.utf8)
        }
        writer.append(repeatElement(0, count: max(0, Self.size - writer.bytes.count)))
        return writer.bytes
    }

    init(_ bytes: [UInt8], number: UInt64) throws {
        guard bytes.count == Self.size else { throw SealingError.malformed }
        var reader = ByteReader(bytes)
        self.number = number
        time = try reader.integer()
        let process = try reader.integer(UInt32.self)
        user = try reader.integer()
        let (parent, client) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
        lost = try reader.integer()
        (source, operation) = (try reader.integer(), try reader.integer())
        (itemClass, _) = (try reader.integer(), try reader.integer(UInt8.self))
        item = try reader.read(16)
        let texts = try (0..<4).map { _ in try reader.text(Int(try reader.integer(UInt16.self))) }
        program = Program(process: process, path: texts[0])
        self.parent = Program(process: parent, path: texts[1])
        self.client = client == 0 ? nil : Program(process: client, path: texts[2])
        name = texts[3]
    }

    /// The end of a text, in at most `limit` bytes. The end of a path says more than its beginning.
    private static func end(of text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var rest = Substring(text)
        while rest.utf8.count > limit - 3 { rest = rest.dropFirst() }
        return "…" + rest
    }

    private static func beginning(of text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var rest = text.prefix(limit)
        while rest.utf8.count > limit - 3 { rest = rest.dropLast() }
        return rest + "…"
    }
}
