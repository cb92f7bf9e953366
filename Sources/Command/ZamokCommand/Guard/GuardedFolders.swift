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

    /// Folders of the system: a guest sees some of them, read-only, and none is shared.
    private static let systems = [
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/root/.ssh", "/run", "/sbin", "/sys",
        "/usr", "/var/lib", "/var/run",
    ]

    /// Folders that many programs use, for sockets among others. A guest gets folders below them alone.
    private static let common = ["/tmp", "/var/tmp", "/home", "/opt", "/srv", "/mnt", "/media", "/nix", "/gnu"]

    /// What programs outside run or obey later, relative to a working folder.
    static let laterNames = [
        ".git", ".envrc", ".direnv", ".husky", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".vscode",
        ".idea", ".zed", ".fleet", ".devcontainer", ".claude", ".cursor", ".mcp.json", ".mise.toml", "mise.toml",
        ".tool-versions", ".npmrc", ".yarnrc", ".yarnrc.yml", ".cargo", ".zamok-guard.json",
    ]

    /// Inside `.git`: what runs or points to what runs.
    static let laterNamesOfGit = [
        "config", "config.worktree", "hooks", "info", "commondir", "gitdir", "modules", "worktrees",
    ]

    /// Why the guest can't have the folder or file `path`, which has no symbolic links; nil: it can.
    func objection(to path: String) -> String? {
        if path == "/" { return "is the whole machine" }
        for place in Self.systems where Self.isSame(path, orBelow: place) { return "belongs to the system" }
        for place in Self.systems where Self.isSame(place, orBelow: path) { return "contains \(place)" }
        if Self.common.contains(path) { return "is used by many programs, which have sockets there" }
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
        for name in inside where Self.isHome("\(path)/\(name)") { return "contains a home of Zamok, \(name.printable)" }
        return nil
    }

    /// Whether it lies inside a repository's `.git`, where nearly each file says what runs outside.
    static func isInGit(_ path: String) -> Bool { path.split(separator: "/").dropLast().contains(".git") }

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
        var names = laterNames
        if try place("HEAD", in: folder) != nil, try place("objects", in: folder) != nil {
            try prepareGit(folder)
            names += laterNamesOfGit
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

    /// The names that were not in the folder before, and are now: the guest made them, and programs outside may run
    /// them.
    /// `more`: names of the same kind, of this folder alone.
    static func laterNames(in folder: String, _ more: [String]) -> Set<String> {
        let names = laterNames + more
        return Set(names.filter { (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")) != nil })
    }
}
