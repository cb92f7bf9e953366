// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Guards
import Readers

/// The boundary round a guest, as words of bubblewrap (Documentation/Guard.md).
struct Boundary {
    /// A folder or file that the guest gets, under the same path.
    struct Share: Equatable {
        let path: String
        let isWritable: Bool
    }

    let name: GuestName
    /// The program and its arguments.
    let program: [String]
    /// The working folder.
    let folder: String
    let shares: [Share]
    /// The folder that is the guest's home folder; nil: an empty one that ends with the guest.
    let guestHome: String?
    /// The path that the guest knows it by.
    let homePath: String
    /// The guard's socket.
    let socket: String
    /// This program.
    let executable: String
    let without: Set<BoundaryLayer>
    /// What the guest has of the proxy; nil: no network.
    var network: InsideNetwork?

    /// The descriptors that bubblewrap gets.
    static let argumentsDescriptor: Int32 = 10
    static let filterDescriptor: Int32 = 11
    static let reportDescriptor: Int32 = 12

    /// Variables that a guest gets as they are.
    static let harmless: Set<String> = [
        "PATH", "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LANG", "LANGUAGE", "TZ", "USER",
        "LOGNAME",
        "SHELL", "EDITOR", "VISUAL", "PAGER", "LESS", "LS_COLORS", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR",
        "CLICOLOR_FORCE", "FORCE_COLOR", "CI", "DEBIAN_FRONTEND", "SOURCE_DATE_EPOCH",
    ]

    /// Below these a guest may write.
    var writable: [String] {
        [folder, homePath, "/tmp", "/var/tmp", "/dev"] + shares.filter(\.isWritable).map(\.path)
    }

    /// The options of bubblewrap. Errors: what can't be kept read-only.
    func words(_ environment: [String: String]) throws -> [String] {
        try namespaces + system + (network?.words ?? []) + own + variables(environment)
    }

    private var namespaces: [String] {
        var words = [
            "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--clearenv", "--info-fd", "\(Self.reportDescriptor)",
        ]
        if !without.contains(.ipc) { words.append("--unshare-ipc") }
        if !without.contains(.cgroup) { words.append("--unshare-cgroup") }
        if !without.contains(.uts) { words += ["--unshare-uts", "--hostname", name.text] }
        if !without.contains(.seccomp) { words += ["--seccomp", "\(Self.filterDescriptor)"] }
        return words
    }

    private var system: [String] {
        var words: [String] = []
        for path in ["/usr", "/opt", "/nix/store", "/gnu/store"] { words += ["--ro-bind-try", path, path] }
        for path in ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                words += ["--symlink", target, path]
            } else {
                words += ["--ro-bind-try", path, path]
            }
        }
        return words + ["--ro-bind", "/etc", "/etc"] + HiddenFiles.words + [
            "--proc", "/proc",
        ] + Self.kernelFiles + [
            "--dev", "/dev", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp",
            "--dir", GuardedProcess.folder,
            "--ro-bind", socket, GuardedProcess.socket,
            "--ro-bind", executable, "\(GuardedProcess.folder)/zamok",
        ]
    }

    /// Files of `/proc` that control or describe the machine. If the person is root, the guest's user owns them, and
    /// needs no capability to write to them.
    private static var kernelFiles: [String] {
        let controls = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver", "mtrr"]
        let hidden = ["keys", "key-users", "kcore", "kallsyms", "timer_list", "sched_debug", "vmallocinfo", "slabinfo"]
        let isThere = { (name: String) in FileManager.default.fileExists(atPath: "/proc/\(name)") }
        return controls.filter(isThere).flatMap { ["--ro-bind", "/proc/\($0)", "/proc/\($0)"] }
            + hidden.filter(isThere).flatMap { ["--ro-bind", "/dev/null", "/proc/\($0)"] }
    }

    private var own: [String] {
        get throws {
            var words = guestHome.map { ["--bind", $0, homePath] } ?? ["--perms", "0700", "--tmpfs", homePath]
            // What lies in another folder is mounted after it.
            let all = (shares + [Share(path: folder, isWritable: true)]).sorted { $0.path < $1.path }
            for share in all {
                words += [share.isWritable ? "--bind" : "--ro-bind", share.path, share.path]
                if share.isWritable { words += try GuardedFolders.protections(in: share.path) }
            }
            return words + ["--remount-ro", "/", "--chdir", folder]
        }
    }

    private func variables(_ environment: [String: String]) -> [String] {
        var kept = environment.filter { Self.harmless.contains($0.key) || $0.key.hasPrefix("LC_") }
        kept["HOME"] = homePath
        kept["TMPDIR"] = "/tmp"
        kept["PWD"] = folder
        kept["PATH"] = "\(kept["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"):\(GuardedProcess.folder)"
        kept["ZAMOK_GUARD"] = name.text
        kept.merge(network?.variables ?? [:]) { $1 }
        return kept.sorted { $0.key < $1.key }.flatMap { ["--setenv", $0.key, $0.value] }
    }

    /// What bubblewrap starts: this program inside. It confines itself, reports to the guard, and becomes the guest's
    /// program.
    var start: [String] {
        let confined = without.contains(.landlock) ? [] : writable
        return ["\(GuardedProcess.folder)/zamok", InsideGuard.word, "\(confined.count)"] + confined + [
            network?.ports.map(String.init).joined(separator: ",") ?? "-"
        ] + program
    }
}
