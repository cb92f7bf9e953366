// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Files
import Foundation
import Readers
package import SecretMemory

/// What is kept of a move: which files it changed, what they were before, and which items it stored. It is sealed in
/// the home before anything is changed (Documentation/SweepMoves.md, "What is kept").
package struct SealedMove: Codable, Sendable {
    /// The name of the record: 24 hexadecimal digits, of which the first 8 are the time, in seconds, and the next 6 the
    /// fraction of it.
    package var identifier: String
    /// When it began, in seconds since 1970.
    package var date: Int64
    /// The word of the place, as for `--only`.
    package var place: String
    /// The program, as people know it.
    package var program: String
    /// How the program is started from now on; nil: as before.
    package var start: String?
    /// In the order in which they are replaced. The one that had the secrets is last.
    package var files: [File]
    package var items: [MovedItem]
    /// The undo of this move replaced the file though it was changed since; what it was then is `before`. Nil: this is
    /// a move.
    package var replaced: String?

    /// A file that is changed.
    package struct File: Codable, Sendable {
        /// The path by which it is reached; a link at its end is followed.
        package var path: [UInt8]
        /// Whether it is a program's configuration that got lines of `zamok setup`, and had none of the secrets.
        package var isConfiguration: Bool
        /// Nil: there was no file.
        package var before: Content?
        /// Nil: the file is removed.
        package var after: Content?
        /// Nil: there was no file.
        package var metadata: Metadata?
        /// The path of the file, if there is a link at ``path``. Nil: there is none.
        package var target: [UInt8]?

        package var location: FileLocation { FileLocation(bytes: path) }
    }

    /// What a file's content is known by.
    package struct Content: Codable, Sendable, Equatable {
        package var size: Int
        /// SHA-256.
        package var digest: [UInt8]

        package init(_ bytes: [UInt8]) {
            size = bytes.count
            digest = Array(SHA256.hash(data: bytes))
        }
    }

    /// The metadata of a file, in stored form.
    package struct Metadata: Codable, Sendable {
        var owner, group, permissions: UInt32
        /// Seconds since 1970, and nanoseconds.
        var accessed, modified: [Int64]
        /// Names and values, in turn.
        var attributes: [[UInt8]]

        package init(_ metadata: FileMetadata) {
            (owner, group, permissions) = (metadata.owner, metadata.group, metadata.permissions)
            accessed = [metadata.accessed.seconds, metadata.accessed.rest]
            modified = [metadata.modified.seconds, metadata.modified.rest]
            attributes = metadata.attributes.flatMap { [$0.name, $0.value] }
        }

        /// Nil: it is not complete.
        package var metadata: FileMetadata? {
            guard accessed.count == 2, modified.count == 2, attributes.count.isMultiple(of: 2) else { return nil }
            return FileMetadata(
                owner: owner, group: group, permissions: permissions,
                accessed: FileTime(seconds: accessed[0], rest: accessed[1]),
                modified: FileTime(seconds: modified[0], rest: modified[1]),
                attributes: stride(from: 0, to: attributes.count, by: 2).map {
                    FileMetadata.Attribute(name: attributes[$0], value: attributes[$0 + 1])
                })
        }
    }

    package init(
        place: String, program: String, start: String?, files: [File], items: [MovedItem],
        now: Double = Date().timeIntervalSince1970
    ) {
        var generator = SystemRandomNumberGenerator()
        // Seconds, and 2²⁴ths of one.
        let (date, fraction) = (Int64(now), Int64((now - now.rounded(.down)) * 16_777_216))
        let time = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: date >> $0) }
        let more = [16, 8, 0].map { UInt8(truncatingIfNeeded: fraction >> $0) }
        let rest = (0..<5).map { _ in UInt8.random(in: 0...255, using: &generator) }
        identifier = String(hexadecimal: time + more + rest)
        (self.date, self.place, self.program, self.start) = (date, place, program, start)
        (self.files, self.items) = (files, items)
    }
}

// MARK: Stored form

extension SealedMove {
    private static let magic = Array("zamokmov".utf8) + [1]

    /// The record, with the bytes of each file that there was, and the secret of each item.
    func bytes(with contents: [[UInt8]]) throws -> [UInt8] {
        let head = try [UInt8](JSONEncoder().encode(self))
        let length = (0..<4).map { UInt8(truncatingIfNeeded: head.count >> (24 - 8 * $0)) }
        return contents.reduce(Self.magic + length + head) { $0 + $1 }
    }

    /// What a record has besides the names.
    package struct Contents: Sendable {
        /// Of each file; nil: there was none.
        package var files: [[UInt8]?] = []
        /// Of each item.
        package var secrets: [Secret] = []

        mutating func wipe() {
            for index in files.indices { files[index]?.wipe() }
        }
    }

    /// Reads a record. Nil: it is not one, or not whole.
    static func read(_ bytes: [UInt8]) throws -> (move: SealedMove, contents: Contents)? {
        guard bytes.starts(with: magic), bytes.count >= magic.count + 4 else { return nil }
        let length = bytes[magic.count..<magic.count + 4].reduce(0) { $0 << 8 | Int($1) }
        var begin = magic.count + 4
        guard length <= bytes.count - begin,
            let move = try? JSONDecoder().decode(Self.self, from: Data(bytes[begin..<begin + length]))
        else { return nil }
        begin += length
        var contents = Contents()
        func next(_ size: Int) -> ArraySlice<UInt8>? {
            guard size >= 0, size <= bytes.count - begin else { return nil }
            defer { begin += size }
            return bytes[begin..<begin + size]
        }
        for file in move.files {
            guard let content = file.before else {
                contents.files.append(nil)
                continue
            }
            guard let part = next(content.size).map(Array.init), Content(part) == content else { return nil }
            contents.files.append(part)
        }
        for item in move.items {
            guard let part = next(item.size) else { return nil }
            contents.secrets.append(try Secret(copying: part))
        }
        return begin == bytes.count ? (move, contents) : nil
    }
}
