// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// A file or folder that was opened by its path without following a symbolic link, also not on the way to it. It stays
/// the same one if names change.
final class Place: Sendable {
    /// The path by which it was opened.
    let path: String
    private let descriptor: Int32
    fileprivate let device: UInt64
    fileprivate let inode: UInt64
    private let kind: UInt32

    /// Nil: there is no such file, or its path has a symbolic link. `path` begins with a slash.
    convenience init?(_ path: String) {
        self.init(path, unsafe zamok_guard_place(-1, path))
        guard !isLink else { return nil }
    }

    /// What is below a folder, by a name or a path, which may be a symbolic link itself. Nil: there is none.
    convenience init?(_ name: String, in folder: Place) {
        self.init("\(folder.path)/\(name)", unsafe zamok_guard_place(folder.descriptor, name))
    }

    /// The root folder of a process, whose mounts may be others. Nil: it has ended, or may not be looked into.
    convenience init?(rootOf process: Int32) {
        self.init("/proc/\(process)/root", zamok_guard_root(process))
    }

    private init?(_ path: String, _ descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        (self.path, self.descriptor) = (path, descriptor)
        (device, inode, kind) = (UInt64(status.st_dev), UInt64(status.st_ino), UInt32(status.st_mode) & 0o170000)
    }

    deinit { close(descriptor) }

    var isFolder: Bool { kind == 0o040000 }
    var isLink: Bool { kind == 0o120000 }

    /// Makes a folder in this one. True: it is there now, or something else of this name was.
    func makeFolder(_ name: String) -> Bool {
        unsafe mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST
    }

    /// Makes a file in this folder. True: it is there now, or something else of this name was.
    func makeFile(_ name: String, _ text: String) -> Bool {
        let file = unsafe openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { return errno == EEXIST }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return unsafe write(file, bytes, bytes.count) == bytes.count
    }

    /// Whether it is a mount of its own, and to read only.
    fileprivate var mountState: (isMount: Bool, isReadOnly: Bool) {
        let state = zamok_guard_mount_state(descriptor)
        return (state >= 0 && state & 2 != 0, state >= 0 && state & 1 != 0)
    }
}

/// A folder or file that the guest gets as a mount of its own.
struct Mount: Sendable {
    let place: Place
    let isWritable: Bool

    init(_ place: Place, isWritable: Bool) { (self.place, self.isWritable) = (place, isWritable) }

    /// Whether it makes the path read-only.
    func keeps(_ path: String) -> Bool { !isWritable && GuardedFolders.isSame(path, orBelow: place.path) }
}

/// What has to be at a path inside before the guest begins.
struct MountCheck: Sendable {
    let path: String
    private let mount: Mount

    init(_ mount: Mount, at path: String? = nil) { (self.mount, self.path) = (mount, path ?? mount.place.path) }

    /// Whether the path below the root of a mount namespace leads there without a symbolic link, and it is a mount that
    /// can be written to only if it may.
    func isMet(below root: Place) -> Bool {
        guard let place = Place(String(path.dropFirst()), in: root), place.device == mount.place.device,
            place.inode == mount.place.inode
        else { return false }
        let state = place.mountState
        return state.isMount && (mount.isWritable || state.isReadOnly)
    }
}
