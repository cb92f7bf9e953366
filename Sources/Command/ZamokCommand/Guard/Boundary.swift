// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Guards
import Readers

/// The boundary round a guest, as words of bubblewrap (Documentation/Guard.md).
struct Boundary {
    let name: GuestName
    /// The program and its arguments.
    let program: [String]
    /// The working folder, and other folders and files that the guest gets, under the same paths.
    let folder: Place
    let shares: [Mount]
    /// These, and what in them is to read only, in the order in which they are mounted.
    let mounts: [Mount]
    /// The folder that is the guest's home folder; nil: an empty one that ends with the guest.
    let guestHome: Place?
    /// The path that the guest knows it by: apart from all others, so that nothing is mounted in it. Another guest of
    /// the name could take such a mount away.
    let homePath: String
    /// The guard's socket.
    let socket: Place
    /// The words for folders of the system.
    let system: [String]
    /// What is in place of `/etc`; nil: no copy can be made.
    let etc: SystemCopy?
    /// Folders and files that no guest may see, also not in folders of the system.
    let closed: [String]
    /// Sockets in the folders, which are covered.
    let sockets: [String]
    /// This program.
    let executable: Place
    let without: Set<BoundaryLayer>
    /// What the guest has of the proxy; nil: no network.
    var network: InsideNetwork?

    /// The descriptors that bubblewrap gets.
    static let argumentsDescriptor: Int32 = 10
    static let filterDescriptor: Int32 = 11
    static let reportDescriptor: Int32 = 12
    /// bubblewrap waits for a byte here when all is mounted. It holds the other end, too, so that it goes on waiting if
    /// the guard is killed.
    static let waitDescriptor: Int32 = 13
    static let goDescriptor: Int32 = 14

    /// Variables that a guest gets as they are.
    static let harmless: Set<String> = [
        "PATH", "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LANG", "LANGUAGE", "TZ", "USER",
        "LOGNAME",
        "SHELL", "EDITOR", "VISUAL", "PAGER", "LESS", "LS_COLORS", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR",
        "CLICOLOR_FORCE", "FORCE_COLOR", "CI", "DEBIAN_FRONTEND", "SOURCE_DATE_EPOCH",
    ]

    private static let locales: Set<String> = [
        "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LC_ADDRESS",
        "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_NAME", "LC_PAPER", "LC_TELEPHONE",
    ]

    /// Below these a guest may write.
    var writable: [String] {
        [folder.path, homePath, "/tmp", "/var/tmp", "/dev"] + shares.filter(\.isWritable).map(\.place.path)
    }

    /// The options of bubblewrap.
    func words(_ environment: [String: String]) -> [String] {
        var words = namespaces + system + rest
        words += network?.words ?? []
        return words + own + variables(environment)
    }

    private var namespaces: [String] {
        var words = [
            "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--clearenv", "--info-fd", "\(Self.reportDescriptor)",
            "--block-fd", "\(Self.waitDescriptor)",
        ]
        if !without.contains(.ipc) { words.append("--unshare-ipc") }
        if !without.contains(.cgroup) { words.append("--unshare-cgroup") }
        if !without.contains(.uts) { words += ["--unshare-uts", "--hostname", name.text] }
        if !without.contains(.seccomp) { words += ["--seccomp", "\(Self.filterDescriptor)"] }
        return words
    }

    /// The words for the folders of the system. It looks through some 10,000 entries.
    static func system(_ closed: [String]) -> [String] {
        var words: [String] = []
        for path in ["/usr", "/nix/store", "/gnu/store"] {
            words += ["--ro-bind-try", path, path] + HiddenFiles.covers(in: path, closed)
        }
        for path in ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                words += ["--symlink", target, path]
            } else {
                words += ["--ro-bind-try", path, path]
            }
        }
        return words
    }

    /// Likewise for `/opt`.
    static func optional(_ closed: [String]) -> [String] { HiddenFiles.words("/opt", mostEntries: 5000, closed) }

    private var rest: [String] {
        var words: [String] = []
        if let etc {
            words += ["--ro-bind", etc.folder.path, SystemCopy.place]
            words += etc.large.flatMap { ["--ro-bind", $0, $0] }
        } else {
            words += HiddenFiles.words(SystemCopy.place, mostEntries: 100_000, closed)
        }
        return words + [
            "--proc", "/proc",
        ] + Self.kernelFiles + [
            "--dev", "/dev", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp",
            "--dir", GuardedProcess.folder,
            "--ro-bind", socket.path, GuardedProcess.socket,
            "--ro-bind", executable.path, "\(GuardedProcess.folder)/zamok",
        ]
    }

    /// Files of `/proc` that control or describe the machine. If the person is root, the guest's user owns them, and
    /// needs no capability to write to them.
    private static var kernelFiles: [String] {
        let controls = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver", "mtrr"]
        let hidden = [
            "keys", "key-users", "kcore", "kallsyms", "timer_list", "sched_debug", "vmallocinfo", "slabinfo",
            "kpageflags", "kpagecount", "kpagecgroup", "pagetypeinfo",
        ]
        let isThere = { (name: String) in FileManager.default.fileExists(atPath: "/proc/\(name)") }
        return controls.filter(isThere).flatMap { ["--ro-bind", "/proc/\($0)", "/proc/\($0)"] }
            + hidden.filter(isThere).flatMap { ["--ro-bind", "/dev/null", "/proc/\($0)"] }
    }

    private var own: [String] {
        let home = guestHome.map { ["--bind", $0.path, homePath] } ?? ["--perms", "0700", "--tmpfs", homePath]
        return home + mounts.flatMap { [$0.isWritable ? "--bind" : "--ro-bind", $0.place.path, $0.place.path] }
            + sockets.flatMap { ["--ro-bind", "/dev/null", $0] } + ["--remount-ro", "/", "--chdir", folder.path]
    }

    /// What the guard looks for before it lets the guest begin: bubblewrap opens paths once more, and another guest in
    /// one of the folders may have exchanged names meanwhile. The guard's program is there only when all is mounted.
    var expected: [MountCheck] {
        let home = guestHome.map { [MountCheck(Mount($0, isWritable: true), at: homePath)] } ?? []
        let program = Mount(executable, isWritable: false)
        let copied = etc.map { [MountCheck(Mount($0.folder, isWritable: false), at: SystemCopy.place)] } ?? []
        return [
            MountCheck(program, at: "\(GuardedProcess.folder)/zamok"),
            MountCheck(Mount(socket, isWritable: false), at: GuardedProcess.socket),
        ] + home + copied + mounts.map { MountCheck($0) }
    }

    private func variables(_ environment: [String: String]) -> [String] {
        var kept = environment.filter { Self.harmless.contains($0.key) || Self.locales.contains($0.key) }
        kept["HOME"] = homePath
        kept["TMPDIR"] = "/tmp"
        kept["PWD"] = folder.path
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
