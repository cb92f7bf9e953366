// SPDX-License-Identifier: Apache-2.0
//
// Names: path resolution, and operations on the names in folders.

import CPlatform

/// An open folder that a path is relative to.
package struct Anchor: Sendable {
    let folder: OpenFile
    /// The number of bytes of the path that name the folder.
    let count: Int
}

extension FileLocation {
    /// The part of the path after the anchor, without leading and trailing slashes.
    fileprivate func rest(behind anchor: Anchor) -> ArraySlice<UInt8> {
        let rest = bytes[min(anchor.count, bytes.count)...]
        guard let begin = rest.firstIndex(where: { $0 != Self.slash }),
            let end = rest.lastIndex(where: { $0 != Self.slash })
        else { return [] }
        return rest[begin...end]
    }
}

extension ArraySlice<UInt8> {
    /// Lends the bytes with a terminating NUL, as system calls take names.
    func withText<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { text in
            var end = 0
            for byte in self {
                unsafe text[end] = CChar(bitPattern: byte)
                end += 1
            }
            unsafe text[end] = 0
            // Never nil: the buffer has at least the terminating NUL.
            guard let base = text.baseAddress else { return unsafe body("") }
            return unsafe body(base)
        }
    }
}

extension [UInt8] {
    func withText<R>(_ body: (UnsafePointer<CChar>) -> R) -> R { unsafe self[...].withText { unsafe body($0) } }
}

// MARK: Reaching

extension FileHooks {
    /// Lends the folder descriptor and the path for a system call. For an anchored path, the path is a single name.
    func reach<R>(
        _ path: FileLocation, operation: Operation, _ body: (Int32, UnsafePointer<CChar>) -> R
    ) throws(FileError) -> R {
        guard let anchor = path.anchor else { return unsafe path.bytes.withText { unsafe body(AT_FDCWD, $0) } }
        let rest = path.rest(behind: anchor)
        if rest.isEmpty { return unsafe body(anchor.folder.number, ".") }
        guard rest.contains(FileLocation.slash) else {
            return unsafe rest.withText { unsafe body(anchor.folder.number, $0) }
        }
        let parts = rest.split(separator: FileLocation.slash)
        // A `..` would lead out of the folder.
        guard let name = parts.last, !parts.contains(Self.parent[...]) else {
            throw FileError(EXDEV, operation: operation, path: path)
        }
        let folder = try below(anchor.folder, parts: parts.dropLast(), operation: operation, path: path)
        return unsafe name.withText { unsafe body(folder.number, $0) }
    }

    private func below(
        _ folder: OpenFile, parts: ArraySlice<ArraySlice<UInt8>>, operation: Operation, path: FileLocation
    ) throws(FileError) -> OpenFile {
        let way = Array(parts.joined(separator: [FileLocation.slash]))
        let result = unsafe way.withText {
            unsafe zamok_open_beneath(folder.number, $0, zamok_place_flags(), walksByParts ? 1 : 0)
        }
        return OpenFile(try check(result, operation: operation, path: path), path: path, hooks: self)
    }

    private static let parent = Array("..".utf8)

    /// Returns the path anchored at the folder that contains its last part now. Later operations use that same folder.
    /// With `following`, a symbolic link at the end is followed, unless the path is already anchored.
    package func hold(_ path: FileLocation, following: Bool = false) throws(FileError) -> FileLocation {
        guard following, path.anchor == nil else { return try hold(path) { _ throws(FileError) in false } }
        return try hold(path) { held throws(FileError) in try OpenFile.status(of: held, self)?.kind == .link }
    }

    /// Like `hold`, for a file, with links followed; also opens the file for reading, which saves a second lookup
    /// of its name. A failure to open is returned in `file` instead of thrown, so that the caller can judge the
    /// folder first.
    package func holdReading(
        _ path: FileLocation
    ) throws(FileError) -> (held: FileLocation, file: Result<OpenFile, FileError>) {
        var file = Result<OpenFile, FileError>.failure(FileError(ELOOP, operation: .open, path: path))
        let held = try hold(path) { held throws(FileError) in
            do throws(FileError) {
                file = .success(try OpenFile.open(held, mode: .read, hooks: self))
                return false
            } catch {
                file = .failure(error)
                guard error.number == ELOOP, path.anchor == nil else { return false }
            }
            return try OpenFile.status(of: held, self)?.kind == .link
        }
        return (held, file)
    }

    private func hold(
        _ path: FileLocation, _ isFollowed: (FileLocation) throws(FileError) -> Bool
    ) throws(FileError) -> FileLocation {
        // A path with a trailing slash names a folder, and can't be the name of a new file.
        if path.anchor == nil, path.bytes.last == FileLocation.slash,
            path.bytes.contains(where: { $0 != FileLocation.slash })
        {
            _ = try OpenFile.open(path, mode: .place, hooks: self)
        }
        var next = path
        for _ in 0..<40 {
            let folder: OpenFile
            do { folder = try OpenFile.open(next.folder, mode: .place, hooks: self) } catch let error {
                throw FileError(error.number, operation: error.operation, path: path)
            }
            let name = next.name
            let end = next.bytes.lastIndex { $0 != FileLocation.slash } ?? -1
            // Of the same length as `folder`, so that it keeps the anchor.
            let way = next.bytes[..<(end + 1 - name.count)].lastIndex { $0 != FileLocation.slash } ?? -1
            let held = FileLocation(
                bytes: Array(next.bytes[...end]), anchor: Anchor(folder: folder, count: way + 1))
            guard try isFollowed(held) else { return held }
            next = try target(of: held, from: next.folder)
        }
        throw FileError(ELOOP, operation: .open, path: path)
    }

    /// Returns the path anchored at the opened folder itself.
    package func hold(folder path: FileLocation) throws(FileError) -> FileLocation {
        let folder = try OpenFile.open(path, mode: .folder, hooks: self)
        return FileLocation(bytes: path.bytes, anchor: Anchor(folder: folder, count: path.bytes.count))
    }

    private func target(of link: FileLocation, from folder: FileLocation) throws(FileError) -> FileLocation {
        var found: [UInt8] = []
        let count = try unsafe reach(link, operation: .open) { number, name in
            var result: Int64 = 0
            unsafe found = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, used in
                let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
                unsafe result = zamok_read_link(number, name, text, buffer.count)
                used = max(0, Int(result))
            }
            return result
        }
        try check(count, operation: .open, path: link)
        return found.first == FileLocation.slash ? FileLocation(bytes: found) : folder.appending(found)
    }
}

extension FileLocation {
    /// The path of `name` in an open folder; `name` may be "..".
    package static func below(_ folder: OpenFile, _ name: [UInt8]) -> FileLocation {
        FileLocation(
            bytes: folder.path.bytes + [slash] + name, anchor: Anchor(folder: folder, count: folder.path.bytes.count))
    }

    /// The open folder of a path that is one name in it; nil for other paths. `hold` returns such paths.
    package var heldFolder: OpenFile? {
        guard let anchor, anchor.count <= bytes.count, !rest(behind: anchor).contains(Self.slash) else { return nil }
        return anchor.folder
    }
}

// MARK: Names

extension FileHooks {
    /// The effective user, the owner of the files that this process makes.
    package static var user: UInt32 { geteuid() }

    /// Whether this process's user is the group's only member.
    package static func isPrivateGroup(_ group: UInt32) -> Bool { zamok_is_private_group(group) == 1 }

    /// The time that the kernel would record for a change made now, or slightly earlier.
    package static var time: Int64 { zamok_file_time() }

    package func rename(_ from: FileLocation, to: FileLocation, replacing: Bool) throws(FileError) {
        try pass(.rename, to, from: from)
        let result = try unsafe both(from, to: to, operation: .rename) { fromFolder, from, toFolder, to in
            if replacing { return unsafe zamok_rename(fromFolder, from, toFolder, to) }
            let result = unsafe zamok_rename_new(fromFolder, from, toFolder, to)
            // A file system that can't rename without replacing can still make a hard link.
            guard result == -EINVAL || result == -ENOSYS else { return result }
            let linked = unsafe zamok_link(fromFolder, from, toFolder, to)
            return linked < 0 ? linked : unsafe zamok_unlink(fromFolder, from)
        }
        try check(result, operation: .rename, path: to)
    }

    /// Exchanges the files of two names atomically. False if the file system can't.
    package func exchange(_ path: FileLocation, _ other: FileLocation) throws(FileError) -> Bool {
        try pass(.exchange, other, from: path)
        guard !withoutExchange else { return false }
        let result = try unsafe both(path, to: other, operation: .exchange) { unsafe zamok_exchange($0, $1, $2, $3) }
        if [-EINVAL, -ENOSYS, -EOPNOTSUPP].contains(result) { return false }
        try check(result, operation: .exchange, path: other)
        return true
    }

    /// Gives a name to an unnamed file. Fails if the name exists.
    func link(_ file: OpenFile, to: FileLocation) throws(FileError) {
        try pass(.link, to, from: file.path)
        try check(
            try unsafe reach(to, operation: .link) { unsafe zamok_link_unnamed(file.number, $0, $1) }, operation: .link,
            path: to)
    }

    private func both(
        _ from: FileLocation, to: FileLocation, operation: Operation,
        _ body: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
    ) throws(FileError) -> Int32 {
        var failure: FileError?
        let result = try unsafe reach(from, operation: operation) { fromFolder, fromName in
            do throws(FileError) {
                return try unsafe reach(to, operation: operation) { unsafe body(fromFolder, fromName, $0, $1) }
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return result
    }

    /// True if the file existed.
    @discardableResult
    package func remove(_ path: FileLocation) throws(FileError) -> Bool {
        try pass(.remove, path)
        let result = try unsafe reach(path, operation: .remove) { unsafe zamok_unlink($0, $1) }
        if result == -ENOENT { return false }
        try check(result, operation: .remove, path: path)
        return true
    }

    /// Removes an empty folder; false if it didn't exist.
    @discardableResult
    package func removeFolder(_ path: FileLocation) throws(FileError) -> Bool {
        try pass(.removeFolder, path)
        let result = try unsafe reach(path, operation: .removeFolder) { unsafe zamok_remove_folder($0, $1) }
        if result == -ENOENT { return false }
        try check(result, operation: .removeFolder, path: path)
        return true
    }

    /// Makes renamed, new and removed names in `folder` durable.
    package func syncFolder(_ folder: FileLocation) throws(FileError) {
        try OpenFile.open(folder, mode: .folder, hooks: self).sync()
    }

    /// The absolute path of a folder, with symbolic links resolved.
    package func resolve(_ folder: FileLocation) throws(FileError) -> FileLocation {
        // Opening the folder gives the error if it is inaccessible.
        let file = try OpenFile.open(folder, mode: .folder, hooks: self)
        var count: Int64 = 0
        let found = unsafe [UInt8](unsafeUninitializedCapacity: 4097) { buffer, used in
            let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            unsafe count = zamok_path_of(file.number, text, buffer.count)
            used = max(0, Int(count))
        }
        try check(count, operation: .open, path: folder)
        return FileLocation(bytes: found)
    }

    /// The names in a folder, sorted by their bytes.
    package func names(in folder: FileLocation) throws(FileError) -> [[UInt8]] {
        try OpenFile.open(folder, mode: .folder, hooks: self).entries().sorted { $0.lexicographicallyPrecedes($1) }
    }
}
