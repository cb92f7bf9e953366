// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Guards

/// A change of the words that bubblewrap gets, made by a program in its place.
struct WordChange {
    let old: [String]
    let new: [String]

    /// The words that run a command where bubblewrap is the program with these changes.
    static func wrapper(_ changes: [WordChange], in folder: String) throws -> [String] {
        guard !changes.isEmpty else { return [] }
        let person = "\(folder)/person"
        let places = [
            ("{work}", "\(person)/work"), ("{person}", person),
            ("{kept}", "\(person)/.local/state/zamok/guests/trick"),
        ]
        let placed = { (words: [String]) in
            words.map { word in places.reduce(word) { $0.replacingOccurrences(of: $1.0, with: $1.1) } }
        }
        let list = try JSONSerialization.data(
            withJSONObject: changes.map { [placed($0.old), placed($0.new)] }, options: .withoutEscapingSlashes)
        let script = """
            #!/usr/bin/python3
            import json, os, sys
            words = []
            while part := os.read(10, 1 << 20): words.append(part)
            words = b"".join(words).split(b"\\0")[:-1]
            for old, new in json.loads(r'''\(String(decoding: list, as: UTF8.self))'''):
                old, new = [w.encode() for w in old], [w.encode() for w in new]
                place = next((i for i in range(len(words)) if words[i:i + len(old)] == old), None)
                if place is None: sys.exit("no such words: %r" % old)
                words[place:place + len(old)] = new
            file = os.memfd_create("words", 0)
            os.write(file, b"".join(w + b"\\0" for w in words))
            os.lseek(file, 0, 0)
            os.dup2(file, 10)
            os.execv("\(folder)/bwrap", ["bwrap"] + sys.argv[1:])
            """
        try script.write(toFile: "\(folder)/changed", atomically: true, encoding: .utf8)
        #expect(unsafe chmod("\(folder)/changed", 0o755) == 0)
        try FileManager.default.copyItem(atPath: "/usr/bin/bwrap", toPath: "\(folder)/bwrap")
        return ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "\(folder)/changed", "/usr/bin/bwrap", "--"]
    }
}

/// The boundary with one layer missing each: which tricks get through then, and which another layer holds as well.
@Suite(.needsBoundary, .serialized) struct LayerTests {
    /// A layer, what is left out, and tricks that have to get through without it on any machine. Nil: nothing starts.
    struct Layer: Sendable, CustomStringConvertible {
        let name: String
        var options: [String] = []
        var old: [String] = []
        var new: [String] = []
        let through: [String]?

        var description: String { name }
    }

    static let layers: [Layer] = [
        Layer(name: "filter", options: ["--without", "seccomp"], through: ["keyctl", "io_uring"]),
        Layer(name: "Landlock", options: ["--without", "landlock"], through: []),
        Layer(name: "PID namespace", old: ["--unshare-pid"], through: nil),
        Layer(
            name: "network namespace", old: ["--unshare-net"],
            through: ["a service of the machine's loopback"]),
        Layer(
            name: "IPC namespace", old: ["--unshare-ipc"], through: ["System V shared memory of the machine"]),
        Layer(
            name: "UTS namespace", old: ["--unshare-uts", "--hostname", "trick"], through: ["know the machine's name"]),
        Layer(name: "cgroup namespace", old: ["--unshare-cgroup"], through: []),
        Layer(name: "no further user namespaces", old: ["--disable-userns"], through: []),
        Layer(name: "session of its own", old: ["--new-session"], through: ["be in a session of the machine"]),
        Layer(name: "no capabilities", old: ["--cap-drop", "ALL"], through: []),
        Layer(name: "its own /dev", old: ["--dev", "/dev"], new: ["--dev-bind", "/dev", "/dev"], through: []),
        Layer(
            name: "its own /tmp", old: ["--tmpfs", "/tmp"], new: ["--bind", "/tmp", "/tmp"],
            through: ["see temporary files of the machine"]),
        Layer(name: "/proc/sys to read", old: ["--ro-bind", "/proc/sys", "/proc/sys"], through: []),
        Layer(name: "/proc/keys hidden", old: ["--ro-bind", "/dev/null", "/proc/keys"], through: []),
        Layer(name: "/proc/kallsyms hidden", old: ["--ro-bind", "/dev/null", "/proc/kallsyms"], through: []),
        Layer(name: "/proc/irq to read", old: ["--ro-bind", "/proc/irq", "/proc/irq"], through: []),
        Layer(
            name: "sysrq-trigger to read", old: ["--ro-bind", "/proc/sysrq-trigger", "/proc/sysrq-trigger"],
            through: []),
        Layer(name: "the root to read", old: ["--remount-ro", "/"], through: []),
        Layer(name: ".envrc to read", old: ["--ro-bind", "{work}/.envrc", "{work}/.envrc"], through: nil),
        Layer(name: ".git to read", old: ["--ro-bind", "{work}/.git", "{work}/.git"], through: nil),
        Layer(name: ".vscode to read", old: ["--ro-bind", "{work}/.vscode", "{work}/.vscode"], through: nil),
        Layer(
            name: "its own home folder", old: ["--bind", "{kept}", "/run/zamok-guard/home"],
            new: ["--bind", "{person}", "/run/zamok-guard/home"],
            through: nil),
    ]

    /// Without files of `/proc` that this kernel lacks.
    static var present: [Layer] {
        layers.filter { layer in
            guard let file = layer.old.last, file.hasPrefix("/proc/") else { return true }
            return FileManager.default.fileExists(atPath: file)
        }
    }

    @Test(arguments: present) func `without a layer, others hold what they hold`(layer: Layer) throws {
        let changed = layer.old.isEmpty ? [] : [WordChange(old: layer.old, new: layer.new)]
        let results = try TrickTests.results(inside: true, Trick.all, layer.options, changed: changed)
        let through = results.filter { $0.value.status != 3 }.map(\.key).sorted()
        if let path = ProcessInfo.processInfo.environment["ZAMOK_GUARD_TABLE"] {
            let row: [String: Any] = [
                "layer": layer.name, "started": !results.isEmpty, "through": through, "all": Trick.all.map(\.name),
            ]
            let line = try JSONSerialization.data(withJSONObject: row, options: .sortedKeys) + Data("\n".utf8)
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: line)
            try file.close()
        }
        guard let expected = layer.through else {
            #expect(results.isEmpty, "\(through)")
            return
        }
        #expect(results.count == Trick.all.count)
        for name in expected { #expect(through.contains(name), "\(through)") }
        for (name, result) in results { #expect(!result.text.contains(TrickTests.secret), "\(name)") }
    }
}

/// Each row of the filter's table, left out once inside a guard: the call reaches the kernel then, or another layer
/// refuses it as well.
@Suite(.needsBoundary) struct FilterRowTests {
    /// Rows that the kernel refuses to a guest without the filter, too: it has no capability of the machine.
    static let heldByCapabilities: Set<String> = [
        "mount", "umount2", "pivot_root", "chroot", "setns", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount",
        "fspick", "mount_setattr", "open_tree_attr", "name_to_handle_at", "open_by_handle_at", "fanotify_init",
        "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff",
        "acct", "quotactl", "quotactl_fd", "syslog", "iopl", "ioperm", "settimeofday", "clock_settime", "clock_adjtime",
        "adjtimex", "sethostname", "setdomainname", "vhangup", "perf_event_open", "bpf", "userfaultfd", "kcmp",
        "process_madvise", "io_uring_setup", "io_uring_enter", "io_uring_register",
    ]

    /// Arguments with which a call that is let through says something else than EPERM. None changes anything.
    static let arguments: [String: [Int]] = [
        "keyctl": [0, -4, 0], "ptrace": [16, 0x7FFF_FFF0, 0, 0], "personality": [0xFFFF_FFFF],
        "clone": [0x1000_0011, 0, 0, 0, 0], "unshare": [0x1000_0000], "clone3": [0, 0],
        "ioctl TIOCSTI": [0, 0x5412, 0], "ioctl TIOCLINUX": [0, 0x541C, 0], "ioctl TIOCSETD": [0, 0x5423, 0],
        "ioctl TIOCCONS": [0, 0x541D, 0], "socket": [40, 1, 0], "socketpair": [40, 1, 0, 0],
        "chmod": [0, 0o4755], "fchmod": [-1, 0o4755], "fchmodat": [-1, 0, 0o4755], "fchmodat2": [-1, 0, 0o4755, 0],
        "open": [0, 0o101, 0o4755], "openat": [-1, 0, 0o101, 0o4755], "creat": [0, 0o4755], "mknod": [0, 0o104755, 0],
        "mknodat": [-1, 0, 0o104755, 0],
    ]

    private static let script = """
        import ctypes, errno, json, os, struct, sys
        libc = ctypes.CDLL(None, use_errno=True)
        class Program(ctypes.Structure): _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]
        def run(name, number, arguments, code):
            reading, writing = os.pipe()
            if os.fork() == 0:
                text = ctypes.create_string_buffer(bytes.fromhex(code))
                program = Program(len(code) // 16, ctypes.addressof(text))
                libc.prctl(38, 1, 0, 0, 0)
                # A terminal or file where calls on one look for it.
                os.dup2(os.open("/dev/null", os.O_RDWR), 0)
                if libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0: os.write(writing, b"no filter"); os._exit(1)
                ctypes.set_errno(0)
                result = libc.syscall(*[ctypes.c_long(word) for word in [number] + arguments])
                error = ctypes.get_errno() if result == -1 else 0
                # A call that made a process.
                os.write(writing, errno.errorcode.get(error, str(error)).encode() if error else b"done")
                os._exit(0)
            os.close(writing)
            said = os.read(reading, 100).decode()
            os.close(reading)
            os.wait()
            return said
        for row in json.load(open("rows.json")):
            print(json.dumps([row["name"], run(row["name"], row["number"], row["arguments"], row["whole"]),
                              run(row["name"], row["number"], row["arguments"], row["without"])]), flush=True)
        """

    private static func hexadecimal(_ program: [SyscallFilter.Instruction]) -> String {
        program.map { one in
            String(
                format: "%02x%02x%02x%02x%02x%02x%02x%02x", one.code & 0xFF, one.code >> 8, one.whenTrue, one.whenFalse,
                one.k & 0xFF, one.k >> 8 & 0xFF, one.k >> 16 & 0xFF, one.k >> 24)
        }.joined()
    }

    /// The program without the test that leads to an answer: what follows it isn't skipped any more, so both go.
    private static func without(
        _ program: [SyscallFilter.Instruction], _ name: String, _ number: UInt32
    ) throws
        -> [SyscallFilter.Instruction]
    {
        var program = program
        let allow = SyscallFilter.Instruction.answer(0x7FFF_0000)
        let place = try #require(program.firstIndex { $0.code == 0x15 && $0.k == number })
        guard SyscallFilter.refused.contains(where: { $0.name == name }) || ["clone3", "openat2"].contains(name) else {
            // A block of tests on an argument: each refusal in it is let through.
            for index in (place + 1)...(place + Int(program[place].whenFalse)) where program[index].code == 0x06 {
                program[index] = allow
            }
            return program
        }
        program[place + 1] = allow
        return program
    }

    // Rule: each row of the filter holds | the row was left out, by this test itself | the call reached the kernel
    @Test func `each row is what refuses, or one of two layers`() throws {
        let machine = try #require(SyscallFilter.Machine.own)
        let whole = SyscallFilter(machine).instructions
        var rows: [[String: Any]] = []
        var numbers = SyscallFilter.refused.compactMap { call in call.number(machine).map { (call.name, $0) } }
        let isArm = machine == .aarch64
        numbers += [
            ("clone3", 435), ("clone", isArm ? 220 : 56), ("unshare", isArm ? 97 : 272),
            ("ioctl TIOCSTI", isArm ? 29 : 16), ("ioctl TIOCLINUX", isArm ? 29 : 16),
            ("ioctl TIOCSETD", isArm ? 29 : 16), ("ioctl TIOCCONS", isArm ? 29 : 16), ("socket", isArm ? 198 : 41),
            ("socketpair", isArm ? 199 : 53), ("fchmod", isArm ? 52 : 91), ("fchmodat", isArm ? 53 : 268),
            ("fchmodat2", 452),
        ]
        numbers += [("openat2", 437), ("openat", isArm ? 56 : 257), ("mknodat", isArm ? 33 : 259)]
        if !isArm { numbers += [("chmod", 90), ("open", 2), ("creat", 85), ("mknod", 133)] }
        for (name, number) in numbers {
            rows.append([
                "name": name, "number": Int(number), "arguments": Self.arguments[name] ?? [0, 0, 0, 0, 0],
                "whole": Self.hexadecimal(whole), "without": Self.hexadecimal(try Self.without(whole, name, number)),
            ])
        }
        let scene = try GuardScene()
        try scene.write(Self.script, to: "\(scene.work)/rows.py")
        try JSONSerialization.data(withJSONObject: rows).write(to: URL(fileURLWithPath: "\(scene.work)/rows.json"))
        let ended = try scene.inside("rows", ["python3", "rows.py"], ["--without", "seccomp"])
        var seen = 0
        var (alone, both): ([String], [String]) = ([], [])
        for line in ended.text.split(separator: "\n") {
            guard let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String], row.count == 3 else {
                continue
            }
            seen += 1
            let (name, held, open) = (row[0], row[1], row[2])
            let hidesArguments = ["clone3", "openat2"].contains(name)
            let refusal = hidesArguments ? "ENOSYS" : name.hasPrefix("socket") ? "EAFNOSUPPORT" : "EPERM"
            #expect(held == refusal, "\(name)")
            if open == refusal || open == "ENOSYS" {
                both.append("\(name) (\(open))")
                #expect(open == "ENOSYS" || Self.heldByCapabilities.contains(name), "\(name)")
            } else {
                alone.append("\(name) (\(open))")
            }
        }
        #expect(seen == rows.count, "\(ended.text)")
        print("filter alone: \(alone.joined(separator: ", "))")
        print("another layer, too: \(both.joined(separator: ", "))")
    }
}
