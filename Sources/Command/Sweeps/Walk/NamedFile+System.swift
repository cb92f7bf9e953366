// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files

extension OpenFile {
    /// Opens a regular file or a folder that a path names; a symbolic link is followed. Nil: it is neither, and was not
    /// opened: opening a device has effects, as with a watchdog or a tape, and a pipe's other end would notice.
    static func named(_ path: FileLocation) throws(FileError) -> (file: OpenFile, status: FileStatus)? {
        let hooks = FileHooks()
        let bare = try bare(path, hooks)
        let kind = try bare.status().kind
        guard kind == .file || kind == .folder else { return nil }
        let file = try open(path, mode: .look, hooks: hooks)
        let status = try file.status()
        // Another file of that name since: only the one that was looked at.
        guard status.identity == (try bare.status().identity) else { return nil }
        return (file, status)
    }

    /// The file without the right to read it, and without what its driver does when it is opened.
    private static func bare(_ path: FileLocation, _ hooks: FileHooks) throws(FileError) -> OpenFile {
        let text = path.bytes.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe text.withUnsafeBufferPointer { text in
            unsafe text.baseAddress.map { unsafe zamok_open(-100, $0, zamok_place_flags() & ~zamok_folder_flag, 0) }
                ?? -1
        }
        guard number >= 0 else { throw FileError(-number, operation: .open, path: path) }
        return OpenFile(number, path: path, hooks: hooks)
    }
}

/// Linux's number of O_DIRECTORY.
private let zamok_folder_flag: Int32 = zamok_place_flags() & 0o200000
