// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// What of the system's folders no guest sees: homes of Zamok; of `/etc` and `/opt` also what other users may not read,
/// and what is known to hold secrets.
enum HiddenFiles {
    private static let names: Set<String> = [
        "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
        "/etc/ssl/private", "/etc/pki/private", "/etc/krb5.keytab", "/etc/docker", "/etc/containers", "/etc/kubernetes",
        "/etc/rancher", "/etc/wireguard", "/etc/openvpn", "/etc/letsencrypt", "/etc/NetworkManager/system-connections",
        "/etc/netplan", "/etc/ppp", "/etc/credstore", "/etc/credstore.encrypted", "/etc/apt/auth.conf",
        "/etc/apt/auth.conf.d", "/etc/pip.conf", "/etc/npmrc", "/etc/zamok", "/etc/iscsi", "/etc/cifs",
    ]

    /// The words of bubblewrap for a folder of the system without what is hidden: what is closed, and of its nearest
    /// entries what other users may not read. None if there is no such folder.
    ///
    /// Where something is hidden, its folder is a new one with a mount for each other entry. A mount that covers a file
    /// would end when a program outside replaces the file (passwd replaces `/etc/shadow`), and the new one would be
    /// seen.
    static func words(_ folder: String, mostEntries: Int, _ closed: [String]) -> [String] {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return [] }
        let below = names.union(closed).filter { GuardedFolders.isSame($0, orBelow: folder) }
        let known = (below + hostKeys(in: folder)).filter { unsafe lstat($0, &status) == 0 }
        let hidden = Set(known + privatePaths(in: folder, levels: 32, onlyFolders: false, most: mostEntries))
        guard !hidden.isEmpty, let words = shown(folder, hidden) else { return ["--ro-bind", folder, folder] }
        return ["--perms", "0755", "--tmpfs", folder] + words + ["--remount-ro", folder]
    }

    /// The keys by which a server of ssh is known.
    private static func hostKeys(in folder: String) -> [String] {
        guard folder == "/etc" else { return [] }
        var keys: [String] = []
        FolderEntries.each(of: "/etc/ssh") { name, _ in
            if isHostKey("/etc/ssh/\(name)") { keys.append("/etc/ssh/\(name)") }
            return true
        }
        return keys
    }

    private static func isHostKey(_ path: String) -> Bool {
        path.hasPrefix("/etc/ssh/ssh_host_") && !path.hasSuffix(".pub")
    }

    /// The words that cover what is closed in a large folder of the system, and the folders of accounts and services
    /// there that other users may not look into, as far as three levels below.
    static func covers(in folder: String, _ closed: [String]) -> [String] {
        let below = closed.filter { GuardedFolders.isSame($0, orBelow: folder) }
        return Set(below + privatePaths(in: folder, levels: 3, onlyFolders: true, most: .max)).sorted().flatMap {
            path -> [String] in
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return [] }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path]
        }
    }

    /// What other users may not read in a folder, also below it.
    private static func privatePaths(in folder: String, levels: Int32, onlyFolders: Bool, most: Int) -> [String] {
        var size = 0
        let found = unsafe zamok_guard_private(folder, levels, onlyFolders ? 1 : 0, Int32(clamping: most), &size)
        guard let found = unsafe found else { return [] }
        defer { unsafe free(found) }
        let bytes = unsafe UnsafeRawBufferPointer(start: found, count: size)
        return unsafe bytes.split(separator: 0).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The words for the entries of a folder without what is hidden; nil: it can't be read.
    private static func shown(_ folder: String, _ hidden: Set<String>) -> [String]? {
        var words: [String] = []
        let isRead = FolderEntries.statuses(of: folder) { name, status in
            let path = "\(folder)/\(name)"
            guard let status, !hidden.contains(path) else { return }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                let hasHidden = hidden.contains { GuardedFolders.isSame($0, orBelow: path) }
                let inner = hasHidden ? shown(path, hidden) : nil
                words += inner.map { ["--perms", "0755", "--dir", path] + $0 } ?? ["--ro-bind", path, path]
            case S_IFREG: words += ["--ro-bind", path, path]
            case S_IFLNK:
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
                words += ["--symlink", target, path]
            default: break
            }
        }
        return isRead ? words : nil
    }

    /// Something in a folder that is not hidden.
    struct Entry {
        /// Below the folder.
        let path: String
        let status: stat
    }

    /// What of a folder is not hidden: folders, files and symbolic links, each folder before what is in it. Nil: there
    /// are more than `most`.
    static func entries(of folder: String, most: Int, _ closed: [String]) -> [Entry]? {
        var found: [Entry] = []
        var next = [""]
        while let below = next.popLast() {
            guard found.count <= most else { return nil }
            FolderEntries.statuses(of: folder + below) { name, status in
                let path = "\(folder)\(below)/\(name)"
                guard let status, !closed.contains(path), !isHidden(path, status) else { return }
                let kind = status.st_mode & S_IFMT
                guard kind == S_IFDIR || kind == S_IFREG || kind == S_IFLNK else { return }
                found.append(Entry(path: "\(below)/\(name)", status: status))
                if kind == S_IFDIR { next.append("\(below)/\(name)") }
            }
        }
        return found
    }

    private static func isHidden(_ path: String, _ status: stat) -> Bool {
        if names.contains(path) { return true }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return status.st_mode & 0o5 != 0o5
        case S_IFREG:
            return status.st_mode & 0o4 == 0 || isHostKey(path)
        default: return false
        }
    }
}
