// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// What of `/etc` no guest sees: everything that other users may not read, and what is known to hold secrets.
enum HiddenFiles {
    private static let names: Set<String> = [
        "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
        "/etc/ssl/private", "/etc/pki/private", "/etc/krb5.keytab", "/etc/docker", "/etc/containers", "/etc/kubernetes",
        "/etc/rancher", "/etc/wireguard", "/etc/openvpn", "/etc/letsencrypt", "/etc/NetworkManager/system-connections",
        "/etc/netplan", "/etc/ppp", "/etc/credstore", "/etc/credstore.encrypted", "/etc/apt/auth.conf",
        "/etc/apt/auth.conf.d", "/etc/pip.conf", "/etc/npmrc", "/etc/zamok", "/etc/iscsi", "/etc/cifs",
    ]

    /// The words of bubblewrap that hide them.
    static var words: [String] { hide(in: "/etc", depth: 0) }

    private static func hide(in folder: String, depth: Int) -> [String] {
        guard depth < 8, let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var words: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                if names.contains(path) || status.st_mode & 0o5 != 0o5 {
                    words += ["--tmpfs", path, "--remount-ro", path]
                } else {
                    words += hide(in: path, depth: depth + 1)
                }
            case S_IFREG:
                let isSSHKey = path.hasPrefix("/etc/ssh/ssh_host_") && !path.hasSuffix(".pub")
                if names.contains(path) || isSSHKey || status.st_mode & 0o4 == 0 {
                    words += ["--ro-bind", "/dev/null", path]
                }
            default: continue
            }
        }
        return words
    }
}
