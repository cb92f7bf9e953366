// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Removes a folder with all its content. It uses two descriptors, no recursion and no long paths, so no nesting is too
/// deep. A nested folder is first moved up into the top folder, and emptied there later. Symbolic links are removed,
/// never followed.
package struct FolderRemoval {
    private let top: OpenFile
    private let hooks: FileHooks
    private var waiting: [[UInt8]] = []
    private var first: FileError?

    /// Continues after a failure, and throws the first failure at the end. A second call continues the removal.
    package static func remove(_ name: [UInt8], in parent: OpenFile) throws(FileError) {
        let hooks = FileHooks()
        let (folder, place) = (parent.number, parent.path.appending(name))
        guard let kind = try kind(of: name, in: folder, place) else { return }
        guard kind == .folder else {
            try check(unsafe name.withText { unsafe zamok_unlink(folder, $0) }, place: place)
            return
        }
        var removal = FolderRemoval(top: try open(name, in: folder, place: place, hooks: hooks), hooks: hooks)
        removal.empty(removal.top)
        while let next = removal.waiting.popLast() { removal.remove(next) }
        if let error = removal.first { throw error }
        try check(unsafe name.withText { unsafe zamok_remove_folder(folder, $0) }, place: place)
    }

    private init(top: OpenFile, hooks: FileHooks) {
        self.top = top
        self.hooks = hooks
    }

    /// Removes one of the folders in the top folder.
    private mutating func remove(_ name: [UInt8]) {
        do {
            let place = top.path.appending(name)
            empty(try Self.open(name, in: top.number, place: place, hooks: hooks))
            try Self.check(unsafe name.withText { unsafe zamok_remove_folder(top.number, $0) }, place: place)
        } catch {
            first = first ?? error
        }
    }

    private mutating func empty(_ folder: OpenFile) {
        do {
            for name in try folder.entries() {
                do { try take(name, folder) } catch { first = first ?? error }
            }
        } catch {
            first = first ?? error
        }
    }

    private mutating func take(_ name: [UInt8], _ folder: OpenFile) throws(FileError) {
        let place = folder.path.appending(name)
        guard let kind = try Self.kind(of: name, in: folder.number, place) else { return }
        guard kind == .folder else {
            try Self.check(unsafe name.withText { unsafe zamok_unlink(folder.number, $0) }, place: place)
            return
        }
        guard folder !== top else { return waiting.append(name) }
        let raised = Array(".zamok-\(UInt64.random(in: 0 ... .max)).gone".utf8)
        let result = unsafe name.withText { name in
            unsafe raised.withText { unsafe zamok_rename_new(folder.number, name, top.number, $0) }
        }
        try Self.check(result, place: place)
        waiting.append(raised)
    }

    /// Opens a folder, and sets its mode to 0700, so that its content can be removed. A folder that its owner can't
    /// read isn't opened.
    private static func open(
        _ name: [UInt8], in folder: Int32, place: FileLocation, hooks: FileHooks
    ) throws(FileError) -> OpenFile {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        let result = unsafe name.withText { unsafe zamok_open(folder, $0, flags, 0) }
        let found = OpenFile(try check(result, place: place, operation: .open), path: place, hooks: hooks)
        _ = zamok_set_mode(found.number, 0o700)
        return found
    }

    private static func kind(
        of name: [UInt8], in folder: Int32, _ place: FileLocation
    ) throws(FileError) -> FileStatus.Kind? {
        var status = zamok_file_status()
        let result = unsafe name.withText { unsafe zamok_status_at(folder, $0, &status) }
        if result == -ENOENT { return nil }
        try check(result, place: place, operation: .status)
        return status.mode & UInt32(S_IFMT) == UInt32(S_IFDIR) ? .folder : .other
    }

    @discardableResult
    private static func check(
        _ result: Int32, place: FileLocation, operation: FileHooks.Operation = .remove
    ) throws(FileError) -> Int32 {
        if result < 0 { throw FileError(-result, operation: operation, path: place) }
        return result
    }
}
