// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Statuses

/// Which folders a guest may have, and what in them stays read-only.
struct GuardedFolders {
    /// The home folders of the person: that of `$HOME`, and that of the account.
    let homes: [String]
    /// Folders that no guest may reach: homes of Zamok, the guests' own, sockets.
    let closed: [String]

    /// Below the home folder: what is known to hold secrets.
    static let secretNames = [
        ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".git-credentials", ".npmrc", ".pypirc",
        ".pgpass", ".my.cnf", ".vault-token", ".terraform.d", ".password-store", ".pki", ".mozilla", ".thunderbird",
        ".config/gh", ".config/gcloud", ".config/git/credentials", ".config/op", ".config/rclone", ".config/sops",
        ".config/age", ".config/hub", ".config/helm", ".config/containers", ".config/google-chrome",
        ".config/chromium", ".config/BraveSoftware", ".config/keepassxc", ".local/share/keyrings",
        ".local/share/kwalletd", ".local/share/gnupg", ".cargo/credentials", ".cargo/credentials.toml",
        ".gem/credentials", ".config/systemd", ".config/autostart",
    ]

    /// Folders of the system, as the file system hierarchy has them: a guest sees some of them, read-only, and none is
    /// shared, nor anything in them. What is there is of the system's programs: jobs of cron, backups of `/etc`, logs.
    private static let systems = [
        "/bin", "/boot", "/dev", "/efi", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/proc", "/run",
        "/sbin", "/snap", "/sys", "/usr", "/var",
    ]

    /// Below these, and below a home folder that lies in `/var`, people work.
    private static let worked = ["/var/tmp", "/var/www"]

    /// Folders that many programs use, for sockets among others. A guest gets folders below them alone.
    private static let common = [
        "/tmp", "/var/tmp", "/var/www", "/home", "/opt", "/srv", "/mnt", "/media", "/nix", "/gnu",
    ]

    /// The home folders of all accounts of this machine: if the person is root, a guest could read and write them.
    static let accounts: [String] = {
        let text = (try? String(contentsOfFile: "/etc/passwd", encoding: .utf8)) ?? ""
        let homes = text.split(separator: "\n").compactMap { line -> String? in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count == 7 ? RealPath.of(String(fields[5])) : nil
        }
        return Array(Set(homes)).filter { home in
            home != "/" && !common.contains(home) && !systems.contains { isSame(home, orBelow: $0) }
        }
    }()

    /// Why the guest can't have the folder or file `path`, which has no symbolic links; nil: it can.
    func objection(to path: String) -> String? {
        if path == "/" { return "is the whole machine" }
        if Self.common.contains(path) { return "is used by many programs, which have sockets there" }
        if !isWorked(path), Self.systems.contains(where: { Self.isSame(path, orBelow: $0) }) {
            return "belongs to the system"
        }
        if path.split(separator: "/").contains("lost+found") { return "has what was lost of all users" }
        let homes = Set(self.homes + Self.accounts).sorted()
        let secrets = homes.flatMap { home in Self.secretNames.map { "\(home)/\($0)" } }
        for place in secrets + closed where Self.isSame(path, orBelow: place) {
            return "is known to hold secrets, or lies in a folder that is"
        }
        for place in secrets + closed + homes where Self.isSame(place, orBelow: path) {
            return "contains \(place.printable)"
        }
        // Homes of Zamok that this program was not told of.
        var parent = path
        while parent.count > 1 {
            if Self.isHome(parent) { return "lies in a home of Zamok" }
            parent = PathText(parent).deletingLastPathComponent
        }
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in inside where Self.isHome("\(path)/\(name)") {
            // A link leads nowhere inside. A guest may have left it.
            guard RealPath.of("\(path)/\(name)") == "\(path)/\(name)" else { continue }
            return "contains a home of Zamok, \(name.printable)"
        }
        return nil
    }

    /// Whether people work there, though it lies in a folder of the system. Accounts of services have their home
    /// folders in `/var/lib`.
    private func isWorked(_ path: String) -> Bool {
        let services = homes.filter { $0.hasPrefix("/var/") && $0.split(separator: "/").count > 2 }
        return (Self.worked + services).contains { path != $0 && Self.isSame(path, orBelow: $0) }
    }

    static func isSame(_ path: String, orBelow place: String) -> Bool {
        path.utf8.elementsEqual(place.utf8) || path.utf8.starts(with: (place == "/" ? "/" : place + "/").utf8)
    }

    private static func isHome(_ path: String) -> Bool {
        isHome { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
    }

    /// Whether a folder with these names is a home of Zamok.
    static func isHome(having name: (String) -> Bool) -> Bool {
        ["device-secret", "keybag"].contains(where: name) && name("epoch")
    }

    /// The places of a folder to write that have to be mounts of their own, to read: what runs later. A name that is
    /// mounted can't be renamed or replaced.
    ///
    /// `.git` is to read as a whole. If it is shared itself, to write, what runs in it is still to read. But a program
    /// outside that replaces such a file, as `git config` does, takes the mount away: the guest is ended then
    /// (`MountWatch`). Everything is opened from the folder's descriptor, since another guest in the same folder may
    /// exchange names meanwhile.
    /// Errors: a symbolic link of such a name, which can't be kept.
    static func protections(in folder: Place) throws -> [Mount] {
        var names = LaterNames.kept
        if try place("HEAD", in: folder) != nil, try place("objects", in: folder) != nil {
            try prepareGit(folder)
            names += LaterNames.keptInGit
        }
        if try place("requires", in: folder) != nil, try place("store", in: folder) != nil {
            try prepareMercurial(folder)
            names += LaterNames.keptInMercurial
        }
        return try names.compactMap { name in try place(name, in: folder).map { Mount($0, isWritable: false) } }
    }

    /// Makes what the guest could otherwise make: the folder of hooks, the configuration of a worktree, and the file
    /// that names another folder for the configuration. It names the same one, so git works as before.
    private static func prepareGit(_ git: Place) throws {
        guard git.makeFolder("hooks"), git.makeFile("commondir", ".\n"),
            git.makeFile("config.worktree", "")
        else {
            throw CommandFailure.status(.inputOutput, "\(git.path.printable)/commondir or hooks can't be made")
        }
    }

    /// Likewise for `.hg`.
    private static func prepareMercurial(_ place: Place) throws {
        guard place.makeFile("hgrc", ""), place.makeFile("hgrc-not-shared", "") else {
            throw CommandFailure.status(.inputOutput, "\(place.path.printable)/hgrc can't be made")
        }
    }

    /// Nil: there is no such name.
    static func place(_ name: String, in folder: Place) throws -> Place? {
        guard let place = Place(name, in: folder) else { return nil }
        guard !place.isLink else {
            throw CommandFailure.usage(
                "\(place.path.printable) is a symbolic link, which can't be kept read-only for programs outside; replace it, or start the guard in another folder"
            )
        }
        return place
    }
}
