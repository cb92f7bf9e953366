// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// A folder beside the file that is being made (ProtectedFile.md, "Making"). It is for content that must not have a
/// temporary name without identifying itself. It contains `content` and `mark`, which distinguishes it from a user's
/// folder of such a name. The process that works in it holds a lock on it.
final class TemporaryFolder: Sendable {
    /// Its path.
    private let path: FileLocation
    /// The folder itself, held open and locked.
    private let place: FileLocation
    private let lock: OpenFile
    private let hooks: FileHooks

    var content: FileLocation { place.appending(Self.contentName) }
    private var mark: FileLocation { place.appending(Self.markName) }

    static let contentName = Array("content".utf8)
    static let markName = Array("mark".utf8)

    private init(_ path: FileLocation, place: FileLocation, lock: OpenFile, hooks: FileHooks) {
        self.path = path
        self.place = place
        self.lock = lock
        self.hooks = hooks
    }

    /// Makes a new one in `folder`.
    static func make(
        in folder: FileLocation, _ hooks: FileHooks, _ record: Record? = nil
    ) throws(FileError) -> TemporaryFolder {
        var failure = FileError.noTemporary(folder)
        for _ in 0..<20 {
            let path = folder.appending(TemporaryName.random())
            do throws(FileError) {
                try OpenFile.makeFolder(path, hooks)
                guard let made = try adopt(path, hooks) else { continue }
                do { try made.write(record) } catch let error {
                    try? made.remove()
                    throw error
                }
                return made
            } catch let error {
                // A process that cleans up may have removed the folder while it was empty.
                guard error.isPresentAlready || error.isMissing else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private static func adopt(_ path: FileLocation, _ hooks: FileHooks) throws(FileError) -> TemporaryFolder? {
        let place = try hooks.hold(folder: path)
        guard let lock = place.heldFolder, try lock.tryLock() else { return nil }
        return TemporaryFolder(path, place: place, lock: lock, hooks: hooks)
    }

    private func write(_ record: Record?) throws(FileError) {
        let file = try OpenFile.make(mark, hooks)
        try file.write(record?.bytes ?? Record.magic, at: 0)
        // Without a record, its content may be lost in a system crash.
        guard record != nil else { return }
        try file.sync()
        try lock.sync()
    }

    /// Removes it with its content.
    func remove() throws(FileError) {
        try hooks.remove(content)
        try hooks.remove(mark)
        try hooks.removeFolder(path)
    }

    /// Removes it now. If the file system keeps open files in it (FUSE does, under another name), removes it after
    /// `file` is closed.
    func remove(orAfter file: OpenFile) throws(FileError) {
        do throws(FileError) { try remove() } catch {
            guard error.isNotEmpty else { throw error }
            file.late.withLock { $0.append(self) }
        }
    }

    /// Retries, since such a file system learns of the close a moment later.
    func removeLate(_ pause: () -> Void) {
        for _ in 0..<20 {
            do throws(FileError) { return try remove() } catch {
                guard error.isNotEmpty else { return }
                pause()
            }
        }
    }

    /// A folder left by a process that has ended. Nil if a process holds it, or its content doesn't identify it
    /// as temporary.
    static func left(at path: FileLocation, _ hooks: FileHooks) throws(FileError) -> (TemporaryFolder, Record?)? {
        guard let found = try adopt(path, hooks), try found.isOurs() else { return nil }
        let names = try hooks.names(in: found.place)
        guard hasForm(names, folder: found.place, hooks: hooks) else { return nil }
        let bytes = try found.markBytes() ?? []
        if bytes.starts(with: Record.magic) { return (found, Record(bytes)) }
        // A crash between making and marking it leaves at most a mark with no byte on the disk.
        return !names.contains(contentName) && bytes.allSatisfy({ $0 == 0 }) ? (found, nil) : nil
    }

    /// Whether a folder of such a name is temporary, held or not: of exactly this form, and owned by this user.
    /// Anything else belongs to the user.
    static func isOne(_ path: FileLocation, _ hooks: FileHooks) -> Bool {
        guard let status = (try? OpenFile.status(of: path, hooks)) ?? nil, isOurs(status),
            let names = try? hooks.names(in: path),
            hasForm(names, folder: path, hooks: hooks)
        else { return false }
        let bytes =
            (try? OpenFile.open(path.appending(markName), mode: .read, hooks: hooks).read(count: 4096, at: 0)) ?? []
        // Without a mark, or before the mark is written, it has no content.
        return bytes.starts(with: Record.magic) || bytes.isEmpty && !names.contains(contentName)
    }

    /// Whether a process works in it.
    static func isHeld(_ path: FileLocation, _ hooks: FileHooks) -> Bool {
        guard let folder = try? OpenFile.open(path, mode: .folder, hooks: hooks), let isFree = try? folder.tryLock()
        else {
            return false
        }
        return !isFree
    }

    /// Whether it contains only a mark and a content, and both are files.
    private static func hasForm(_ names: [[UInt8]], folder: FileLocation, hooks: FileHooks) -> Bool {
        names.allSatisfy { name in
            guard name == contentName || name == markName else { return false }
            return (try? OpenFile.status(of: folder.appending(name), hooks))??.kind == .file
        }
    }

    private func isOurs() throws(FileError) -> Bool { Self.isOurs(try lock.status()) }

    private static func isOurs(_ status: FileStatus) -> Bool { status.isOurs && status.permissions & 0o022 == 0 }

    private func markBytes() throws(FileError) -> [UInt8]? {
        guard try OpenFile.status(of: mark, hooks)?.kind == .file else { return nil }
        return try OpenFile.open(mark, mode: .read, hooks: hooks).read(count: 4096, at: 0)
    }
}

extension TemporaryFolder {
    /// A record of an exchange. After a crash it shows how far the exchange got, and whether either file
    /// changed meanwhile.
    struct Record: Equatable {
        static let magic = Array("zamoktmp".utf8) + [1]

        /// The file that takes the name, and the one that had it.
        let fresh: FileIdentity
        let freshSize: Int
        let freshModified: Int64
        let old: FileIdentity
        let oldSize: Int
        let oldModified: Int64
        /// The identities stated in the files; empty if they state none. They stay valid in a copy of the folder.
        let freshIdentifier: [UInt8]
        let oldIdentifier: [UInt8]
        let name: [UInt8]

        init(
            fresh: FileStatus, _ freshIdentifier: [UInt8], old: FileStatus, _ oldIdentifier: [UInt8], name: [UInt8]
        ) {
            self.fresh = fresh.identity
            freshSize = fresh.size
            freshModified = fresh.modified
            self.old = old.identity
            oldSize = old.size
            oldModified = old.modified
            self.freshIdentifier = freshIdentifier
            self.oldIdentifier = oldIdentifier
            self.name = name
        }

        /// Nil if the mark has no record, or an incomplete one.
        init?(_ bytes: [UInt8]) {
            guard bytes.starts(with: Self.magic) else { return nil }
            var rest = bytes.dropFirst(Self.magic.count)
            func number() -> UInt64? {
                guard rest.count >= 8 else { return nil }
                defer { rest = rest.dropFirst(8) }
                return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            }
            func text() -> [UInt8]? {
                guard let count = rest.first, rest.count > Int(count) else { return nil }
                defer { rest = rest.dropFirst(1 + Int(count)) }
                return Array(rest.dropFirst().prefix(Int(count)))
            }
            guard let freshDevice = number(), let fresh = number(), let freshSize = number(),
                let freshModified = number(),
                let oldDevice = number(), let old = number(),
                let size = number(), let modified = number(), let freshIdentifier = text(),
                let oldIdentifier = text(), let name = text(), rest.isEmpty, Self.isName(name)
            else { return nil }
            self.fresh = FileIdentity(device: freshDevice, inode: fresh)
            self.freshSize = Int(truncatingIfNeeded: freshSize)
            self.freshModified = Int64(bitPattern: freshModified)
            self.old = FileIdentity(device: oldDevice, inode: old)
            oldSize = Int(truncatingIfNeeded: size)
            oldModified = Int64(bitPattern: modified)
            self.freshIdentifier = freshIdentifier
            self.oldIdentifier = oldIdentifier
            self.name = name
        }

        private static func isName(_ name: [UInt8]) -> Bool {
            !name.isEmpty && !name.contains(0) && !name.contains(FileLocation.slash) && name != [46]
                && name != [46, 46]
        }

        var bytes: [UInt8] {
            let numbers = [
                fresh.device, fresh.inode, UInt64(bitPattern: Int64(freshSize)), UInt64(bitPattern: freshModified),
                old.device, old.inode, UInt64(bitPattern: Int64(oldSize)),
                UInt64(bitPattern: oldModified),
            ]
            let fields = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            }
            return Self.magic + fields
                + [freshIdentifier, oldIdentifier, name].flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
        }
    }
}

/// Names of files and folders before they are renamed into place: `.zamok-`, 16 hexadecimal digits, `.new`.
package enum TemporaryName {
    static let prefix = Array(".zamok-".utf8)
    static let suffix = Array(".new".utf8)

    package static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return name(of: (0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// The name made of eight bytes.
    package static func name(of bytes: [UInt8]) -> [UInt8] {
        prefix + Array(String(hexadecimal: bytes.prefix(8)).utf8) + suffix
    }

    /// Whether this is such a name. That proves nothing: a user's file may have such a name.
    package static func matches(_ name: [UInt8]) -> Bool {
        name.count == prefix.count + 16 + suffix.count && name.starts(with: prefix)
            && name.suffix(suffix.count) == suffix[...]
            && name.dropFirst(prefix.count).prefix(16).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
