// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing

/// The content of `.zamok-folder` (Documentation/Formats/FolderIndex.md).
struct FolderRecord {
    /// The admitted states of a file: one, or two during a change.
    struct Known: Equatable {
        var state: FileState
        var next: FileState?

        func admits(_ found: FileState) -> Bool { found == state || found == next }
    }

    static let fileName = Array(".zamok-folder".utf8)
    static let magic = Array("zamokdir".utf8) + [1]
    private static let bodyLimit = 1 << 16
    private static let nameLimit = 4096
    private static let adoptedLimit = 1024
    /// The limit of the whole content: more than a million names.
    static let contentLimit = 1 << 28

    let folderID: [UInt8]
    /// Earlier records that files here remember, and that this record replaces.
    private(set) var adopted: Set<[UInt8]> = []
    private(set) var protection: ProtectionClass?
    private(set) var isIndexed = false
    private(set) var files = KnownNames()
    private(set) var recordCount = 0

    enum Entry {
        case protection(ProtectionClass?)
        case indexed(Bool)
        case known(name: [UInt8], FileState)
        case intent(name: [UInt8], from: FileState, to: FileState)
        case gone(name: [UInt8])
        case adopted([UInt8])
    }

    /// A folder without settings.
    init() { folderID = FreshFile.randomIdentifier() }

    /// Parses the whole content. Throws `SealingError.malformed`.
    init(_ content: [UInt8]) throws {
        var reader = ByteReader(content)
        guard try reader.read(Self.magic.count) == Self.magic else { throw SealingError.malformed }
        folderID = try reader.read(16)
        while reader.remaining > 0 {
            let kind = try reader.integer(UInt8.self)
            apply(try Self.entry(kind, try reader.prefixed(limit: Self.bodyLimit)))
            guard adopted.count <= Self.adoptedLimit else { throw SealingError.malformed }
        }
    }

    /// Whether this record has or adopted the identifier that a file remembers.
    func represents(_ identifier: [UInt8]) -> Bool { folderID == identifier || adopted.contains(identifier) }

    /// Whether a file of that name may be in that state.
    func admits(_ state: FileState, _ name: [UInt8]) -> Bool { files[name]?.admits(state) == true }

    /// Whether `content` is of a newer version.
    static func isNewer(_ content: [UInt8]) -> Bool {
        content.count > 8 && content[..<8] == magic[..<8] && content[8] > magic[8]
    }

    mutating func apply(_ entry: Entry) {
        recordCount += 1
        switch entry {
        case .protection(let value): protection = value
        case .indexed(let value): isIndexed = value
        case .known(let name, let state): files[name] = Known(state: state)
        case .intent(let name, let old, let new): files[name] = Known(state: old, next: new)
        case .gone(let name): files[name] = nil
        case .adopted(let identifier): adopted.insert(identifier)
        }
    }

    /// Only the entries that are still in force, in order of names.
    var compact: [UInt8] {
        var entries: [Entry] = [.protection(protection), .indexed(isIndexed)]
        entries += adopted.sorted { $0.lexicographicallyPrecedes($1) }.map { .adopted($0) }
        for (name, known) in files.all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let next = known.next {
                entries.append(.intent(name: name, from: known.state, to: next))
            } else {
                entries.append(.known(name: name, known.state))
            }
        }
        return Self.magic + folderID + entries.flatMap(Self.encode)
    }

    /// Whether most entries are no longer in force.
    var isSparse: Bool { recordCount > 64 + 2 * (files.count + adopted.count) }

    static func encode(_ entry: Entry) -> [UInt8] {
        var body = ByteWriter()
        let kind: UInt8
        switch entry {
        case .protection(let value):
            kind = 1
            body.append([value?.rawValue ?? 0])
        case .indexed(let value):
            kind = 2
            body.append([value ? 1 : 0])
        case .known(let name, let state):
            kind = 3
            append(name, to: &body)
            body.append(state.bytes)
        case .intent(let name, let old, let new):
            kind = 4
            append(name, to: &body)
            body.append(old.bytes + new.bytes)
        case .gone(let name):
            kind = 5
            append(name, to: &body)
        case .adopted(let identifier):
            kind = 6
            body.append(identifier)
        }
        var record = ByteWriter()
        record.append([kind])
        record.prefixed(body.bytes)
        return record.bytes
    }

    private static func append(_ name: [UInt8], to body: inout ByteWriter) {
        body.integer(UInt16(name.count))
        body.append(name)
    }

    private static func entry(_ kind: UInt8, _ body: [UInt8]) throws -> Entry {
        var reader = ByteReader(body)
        let entry: Entry
        switch kind {
        case 1:
            let code = try reader.integer(UInt8.self)
            guard code <= 4 else { throw SealingError.malformed }
            entry = .protection(ProtectionClass(rawValue: code))
        case 2:
            let code = try reader.integer(UInt8.self)
            guard code <= 1 else { throw SealingError.malformed }
            entry = .indexed(code == 1)
        case 3: entry = .known(name: try name(&reader), try state(&reader))
        case 4: entry = .intent(name: try name(&reader), from: try state(&reader), to: try state(&reader))
        case 5: entry = .gone(name: try name(&reader))
        case 6: entry = .adopted(try reader.read(16))
        default: throw SealingError.malformed
        }
        try reader.end()
        return entry
    }

    private static func name(_ reader: inout ByteReader) throws -> [UInt8] {
        let name = try reader.read(Int(try reader.integer(UInt16.self)))
        guard (1...nameLimit).contains(name.count), !name.contains(0), !name.contains(UInt8(ascii: "/")) else {
            throw SealingError.malformed
        }
        return name
    }

    private static func state(_ reader: inout ByteReader) throws -> FileState {
        FileState(bytes: try reader.read(FileState.size))
    }
}
