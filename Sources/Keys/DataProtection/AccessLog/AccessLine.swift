// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The content of a line of the access log (Documentation/Formats/AccessLog.md, "Segment").
package struct AccessLine: Sendable, Equatable {
    static let size = 424
    static let pathLimit = 104
    static let nameLimit = 56
    /// Of a guest's line, whose client is a name of at most 70 bytes, and a request in what room is left.
    static let guestNameLimit = 90
    /// What is there beside the four texts: numbers, the item's UUID, and the texts' lengths.
    private static let fixedSize = 56

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
        name = Self.beginning(of: use.name, context?.guest == nil ? Self.nameLimit : Self.guestNameLimit)
        let room = Self.size - Self.fixedSize - [program.path, self.parent.path, name].reduce(0) { $0 + $1.utf8.count }
        client = context?.client.flatMap { UInt32(exactly: $0) }.map {
            Program(
                process: $0,
                path: context.flatMap(Self.guestText).map { Self.beginning(of: $0, room) }
                    ?? Self.end(of: AccessProcess.path(of: $0), Self.pathLimit))
        }
        source = (context?.source ?? AccessContext.processSource ?? use.source).rawValue
        operation =
            (use.operation == .read ? context?.operation ?? AccessOperation.current ?? .read : use.operation).rawValue
        itemClass = use.itemClass
        item = use.item.count == 16 ? use.item : [UInt8](repeating: 0, count: 16)
    }

    /// The guest of `zamok guard` that the line is about; nil: another program.
    package var guest: String? { guestParts?.name }

    /// Of a line about a guest's request, or the search of an answer.
    package struct Request: Sendable, Equatable {
        /// An answer was searched, and no request sent.
        package let isSearch: Bool
        /// Nil: none that can be told.
        package let method: String?
        /// As in an address, without the path. Nil: the request named none that can be told.
        package let host: String?
        /// Empty: none. Ends with `…` if it is longer than the line has room for.
        package let path: String
    }

    /// Nil: the line is about something else.
    package var request: Request? {
        guard let text = guestParts?.request else { return nil }
        let end = text.firstIndex(of: " ") ?? text.endIndex
        let (method, rest) = (String(text[..<end]), text[end...].dropFirst())
        // After the scheme, if the host has one.
        let scheme = ["http://", "postgres://"].first { rest.hasPrefix($0) } ?? ""
        let start = rest.index(rest.startIndex, offsetBy: scheme.count)
        let slash = rest[start...].firstIndex(of: "/") ?? rest.endIndex
        let host = String(rest[..<slash])
        return Request(
            isSearch: method == Self.search, method: [Self.search, Self.noMethod].contains(method) ? nil : method,
            host: host.isEmpty ? nil : host, path: String(rest[slash...]))
    }

    /// Guests' names have no colon.
    private var guestParts: (name: String, request: Substring?)? {
        guard source == AccessSource.guest.rawValue, let path = client?.path, path.hasPrefix(Self.guestPrefix) else {
            return nil
        }
        let text = path.dropFirst(Self.guestPrefix.count)
        guard let colon = text.beginning(of: ": ") else { return (String(text), nil) }
        return (String(text[..<colon]), text[text.index(colon, offsetBy: 2)...])
    }

    private static func guestText(_ context: AccessContext) -> String? {
        context.guest.map { guestPrefix + $0 + (context.request.map { ": \($0)" } ?? "") }
    }

    /// Paths begin with a slash.
    private static let guestPrefix = "guest "
    /// In place of a method.
    package static let search = "search"
    package static let noMethod = "-"

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

extension Substring {
    /// Where the first one of these texts begins.
    fileprivate func beginning(of text: String) -> Index? { indices.first { self[$0...].hasPrefix(text) } }
}
