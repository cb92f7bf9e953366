// SPDX-License-Identifier: Apache-2.0
//
// Names: how a path is reached, and what is done with names in folders.

import CPlatform

/// An open folder that paths begin at.
package struct Anchor: Sendable {
    let folder: OpenFile
    /// How many bytes of a path spell the folder.
    let count: Int
}

extension FileLocation {
    /// What is left of the path after its anchor, without slashes before and after it.
    fileprivate func rest(behind anchor: Anchor) -> ArraySlice<UInt8> {
        let rest = bytes[min(anchor.count, bytes.count)...]
        guard let begin = rest.firstIndex(where: { $0 != Self.slash }),
            let end = rest.lastIndex(where: { $0 != Self.slash })
        else { return [] }
        return rest[begin...end]
    }
}

extension ArraySlice<UInt8> {
    /// Lends the bytes with a zero byte after them, as the kernel takes names.
    func withText<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { text in
            var end = 0
            for byte in self {
                unsafe text[end] = CChar(bitPattern: byte)
                end += 1
            }
            unsafe text[end] = 0
            // Never nil: there is at least the zero byte.
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
    /// Lends what the kernel is given for a path: the folder that it begins at, and the rest, which is one name where the path has an anchor.
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
        // It would lead out of the folder.
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

    /// The path, reached from now on through the folder that its last part lies in now: whatever follows uses that same folder. A
    /// symbolic link at the end is followed if wanted, unless the path was found by going through a folder.
    package func hold(_ path: FileLocation, following: Bool = false) throws(FileError) -> FileLocation {
        guard following, path.anchor == nil else { return try hold(path) { _ throws(FileError) in false } }
        return try hold(path) { held throws(FileError) in try OpenFile.status(of: held, self)?.kind == .link }
    }

    /// The same for a file, links followed, together with the file, opened for reading: its name isn't looked up twice. What was in the way of that comes
    /// second, so that its folder can be judged before.
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
        // With a slash at its end a path is a folder's, and the name of no file to come.
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
            // As long as what `folder` answers, so that it keeps the anchor.
            let way = next.bytes[..<(end + 1 - name.count)].lastIndex { $0 != FileLocation.slash } ?? -1
            let held = FileLocation(
                bytes: Array(next.bytes[...end]), anchor: Anchor(folder: folder, count: way + 1))
            guard try isFollowed(held) else { return held }
            next = try target(of: held, from: next.folder)
        }
        throw FileError(ELOOP, operation: .open, path: path)
    }

    /// An open folder, and what is found in it from now on.
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
    /// What has this name in an open folder, ".." included.
    package static func below(_ folder: OpenFile, _ name: [UInt8]) -> FileLocation {
        FileLocation(
            bytes: folder.path.bytes + [slash] + name, anchor: Anchor(folder: folder, count: folder.path.bytes.count))
    }

    /// The folder that is held open for this path, if it was opened for this path alone; `hold` returns such paths.
    package var heldFolder: OpenFile? {
        guard let anchor, anchor.count <= bytes.count, !rest(behind: anchor).contains(Self.slash) else { return nil }
        return anchor.folder
    }
}

// MARK: Names

extension FileHooks {
    /// The user whose files this process makes.
    package static var user: UInt32 { geteuid() }

    /// Whether a group has nobody in it but this process's user.
    package static func isPrivateGroup(_ group: UInt32) -> Bool { zamok_is_private_group(group) == 1 }

    /// The time that the kernel would write for a change that is made now, or a moment earlier.
    package static var time: Int64 { zamok_file_time() }

    package func rename(_ from: FileLocation, to: FileLocation, replacing: Bool) throws(FileError) {
        try pass(.rename, to, from: from)
        let result = try unsafe both(from, to: to, operation: .rename) { fromFolder, from, toFolder, to in
            if replacing { return unsafe zamok_rename(fromFolder, from, toFolder, to) }
            let result = unsafe zamok_rename_new(fromFolder, from, toFolder, to)
            // A file system that can't refuse can still link.
            guard result == -EINVAL || result == -ENOSYS else { return result }
            let linked = unsafe zamok_link(fromFolder, from, toFolder, to)
            return linked < 0 ? linked : unsafe zamok_unlink(fromFolder, from)
        }
        try check(result, operation: .rename, path: to)
    }

    /// Exchanges what two names stand for, in one step. False where the file system can't do that.
    package func exchange(_ path: FileLocation, _ other: FileLocation) throws(FileError) -> Bool {
        try pass(.exchange, other, from: path)
        guard !withoutExchange else { return false }
        let result = try unsafe both(path, to: other, operation: .exchange) { unsafe zamok_exchange($0, $1, $2, $3) }
        if [-EINVAL, -ENOSYS, -EOPNOTSUPP].contains(result) { return false }
        try check(result, operation: .exchange, path: other)
        return true
    }

    /// Gives a name to a file that has none; fails where there is a file of that name.
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

    /// True if there was one.
    @discardableResult
    package func remove(_ path: FileLocation) throws(FileError) -> Bool {
        try pass(.remove, path)
        let result = try unsafe reach(path, operation: .remove) { unsafe zamok_unlink($0, $1) }
        if result == -ENOENT { return false }
        try check(result, operation: .remove, path: path)
        return true
    }

    /// Removes an empty folder; false if there was none.
    @discardableResult
    package func removeFolder(_ path: FileLocation) throws(FileError) -> Bool {
        try pass(.removeFolder, path)
        let result = try unsafe reach(path, operation: .removeFolder) { unsafe zamok_remove_folder($0, $1) }
        if result == -ENOENT { return false }
        try check(result, operation: .removeFolder, path: path)
        return true
    }

    /// Makes what was renamed, made or removed in `folder` durable.
    package func syncFolder(_ folder: FileLocation) throws(FileError) {
        try OpenFile.open(folder, mode: .folder, hooks: self).sync()
    }

    /// The absolute path of a folder, without links.
    package func resolve(_ folder: FileLocation) throws(FileError) -> FileLocation {
        // If it can't be looked into, this says why.
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
