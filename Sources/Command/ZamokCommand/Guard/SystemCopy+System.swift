// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// A copy of `/etc` without what no guest sees. Guests get it in place of `/etc`, as one mount: a mount for each entry
/// takes bubblewrap a hundred times as long.
///
/// It is kept, in a folder that only the person can enter. A start compares each entry of `/etc` with the list of the
/// copy: inode, mode, owner, size and the time of the last change, which no program can set. If one differs, a new copy
/// is made. Guards that use a copy hold a lock on it, and one that no guard uses is removed when it is out of date.
final class SystemCopy: Sendable {
    static let place = "/etc"
    private static let most = 20_000
    /// Larger files are mounted, in place of empty ones.
    private static let largestFile: off_t = 1 << 22
    private static let mostBytes: off_t = 1 << 26

    let folder: Place
    /// Paths of files that are not in the copy, since they are large.
    let large: [String]
    private let lock: Int32

    private init(_ folder: Place, _ large: [String], _ lock: Int32) {
        (self.folder, self.large, self.lock) = (folder, large, lock)
    }

    deinit { close(lock) }

    /// The copy as it has to be now. Nil: there can be none, because the folder can't be written to for example.
    /// `parent`: has all copies. `closed`: as in `Boundary`.
    static func current(in parent: String, of source: String = place, _ closed: [String]) -> SystemCopy? {
        guard let entries = HiddenFiles.entries(of: source, most: most, closed) else { return nil }
        let list = list(entries)
        let large = large(entries, source)
        guard isOwn(parent), let parent = RealPath.of(parent) else { return nil }
        var copy: SystemCopy?
        FolderEntries.each(of: parent) { name, _ in
            let path = "\(parent)/\(name)"
            guard let lock = locked(path, LOCK_SH) else { return true }
            if copy == nil, has(path, list), let folder = Place("\(path)/etc") {
                copy = SystemCopy(folder, large, lock)
            } else {
                close(lock)
                remove(path)
            }
            return true
        }
        return copy ?? make(in: parent, of: source, entries, list, large)
    }

    /// What is the same as long as no entry changes.
    private static func list(_ entries: [HiddenFiles.Entry]) -> [UInt8] {
        var list = Array("1\n".utf8)
        for entry in entries {
            let status = entry.status
            list += entry.path.utf8
            list.append(0)
            // In the machine's order of bytes: the list is for this machine alone.
            let numbers = [
                UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_mode),
                UInt64(status.st_uid) << 32 | UInt64(status.st_gid), UInt64(bitPattern: Int64(status.st_size)),
                UInt64(bitPattern: Int64(status.st_ctim.tv_sec)), UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
            ]
            unsafe numbers.withUnsafeBytes { bytes in unsafe list.append(contentsOf: bytes) }
        }
        return list
    }

    private static func large(_ entries: [HiddenFiles.Entry], _ source: String) -> [String] {
        var rest = mostBytes
        return entries.filter { entry in
            guard entry.status.st_mode & S_IFMT == S_IFREG else { return false }
            let isLarge = entry.status.st_size > largestFile || entry.status.st_size > rest
            if !isLarge { rest -= entry.status.st_size }
            return isLarge
        }.map { source + $0.path }
    }

    /// Whether the folder is there, and of this user alone. Makes it.
    private static func isOwn(_ folder: String) -> Bool {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var status = stat()
        return unsafe lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o77 == 0
    }

    /// A descriptor with a lock on the folder; nil: another guard has one that excludes it, or there is no such folder.
    private static func locked(_ path: String, _ kind: Int32) -> Int32? {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard zamok_lock_file(folder, kind | LOCK_NB) == 0 else {
            close(folder)
            return nil
        }
        return folder
    }

    private static func has(_ path: String, _ list: [UInt8]) -> Bool {
        FileManager.default.contents(atPath: "\(path)/list").map { $0.elementsEqual(list) } ?? false
    }

    /// Removes a copy if no guard uses it.
    private static func remove(_ path: String) {
        guard let lock = locked(path, LOCK_EX) else { return }
        defer { close(lock) }
        unsafe unlink("\(path)/list")
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func make(
        in parent: String, of source: String, _ entries: [HiddenFiles.Entry], _ list: [UInt8], _ large: [String]
    ) -> SystemCopy? {
        guard let path = try? AgentSocket.newFolder(in: parent, "etc-") else { return nil }
        guard let lock = locked(path, LOCK_SH) else { return nil }
        guard copy(entries, from: source, to: "\(path)/etc", without: Set(large)),
            FileManager.default.createFile(atPath: "\(path)/list.", contents: Data(list)),
            unsafe rename("\(path)/list.", "\(path)/list") == 0, let folder = Place("\(path)/etc")
        else {
            close(lock)
            remove(path)
            return nil
        }
        return SystemCopy(folder, large, lock)
    }

    /// False: something can't be copied, or changes at this moment.
    private static func copy(
        _ entries: [HiddenFiles.Entry], from source: String, to folder: String, without large: Set<String>
    ) -> Bool {
        guard make(folder: folder) else { return false }
        return entries.allSatisfy { entry in
            let (from, to) = (source + entry.path, folder + entry.path)
            switch entry.status.st_mode & S_IFMT {
            case S_IFDIR: return make(folder: to)
            case S_IFLNK:
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: from) else {
                    return false
                }
                return unsafe symlink(target, to) == 0
            default:
                if large.contains(from) { return FileManager.default.createFile(atPath: to, contents: nil) }
                var status = entry.status
                return unsafe zamok_guard_copy(from, to, &status) == 0
            }
        }
    }

    /// Of mode 0755 under any umask: guests have to enter it.
    private static func make(folder: String) -> Bool {
        guard unsafe mkdir(folder, 0o755) == 0 else { return false }
        return unsafe chmod(folder, 0o755) == 0
    }
}
