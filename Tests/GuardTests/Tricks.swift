// SPDX-License-Identifier: Apache-2.0

/// What a hostile guest tries. Each is a script of Python that ends with 0 if it got through, and with 3 if it was
/// refused. `{person}`, `{home}`, `{outside}`, `{work}` and `{port}` are replaced by what is there outside.
struct Trick: Sendable, CustomStringConvertible {
    let name: String
    let script: String

    init(_ name: String, _ script: String) { (self.name, self.script) = (name, script) }

    var description: String { name }

    /// Common to all scripts.
    static let prelude = """
        import ctypes, errno, os, platform, socket, struct, subprocess, sys
        libc = ctypes.CDLL(None, use_errno=True)
        arm = platform.machine() == "aarch64"
        def number(x86, other): return other if arm else x86
        def call(n, *words):
            ctypes.set_errno(0)
            return libc.syscall(ctypes.c_long(n), *[ctypes.c_long(w) if isinstance(w, int) else w for w in words])
        def refused(n, *words):
            result = call(n, *words)
            number = ctypes.get_errno()
            if result == -1 and number in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT): sys.exit(3)
            print("result", result, "error", number)
            sys.exit(0)
        def reads(path):
            try:
                found = open(path, "rb").read(200)
            except OSError:
                sys.exit(3)
            print(found)
            sys.exit(0 if found else 3)
        def writes(path):
            # Opened, and not written to: a test that fails leaves the machine as it was.
            try:
                open(path, "ab" if os.path.exists(path) else "xb").close()
            except OSError:
                sys.exit(3)
            sys.exit(0)
        def fails(body):
            try:
                body()
            except (OSError, ValueError):
                sys.exit(3)
            sys.exit(0)

        """

    static let all: [Trick] = files + folders + processes + calls + sockets

    private static let files = [
        Trick("read the home of Zamok", #"reads("{home}/device-secret")"#),
        Trick("read the home through a symbolic link", #"os.symlink("{home}", "link"); reads("link/device-secret")"#),
        Trick("read a key of ssh", #"reads("{person}/.ssh/id_ed25519")"#),
        Trick("read .netrc", #"reads("{person}/.netrc")"#),
        Trick("read a neighbour of the working folder", #"reads("{outside}")"#),
        Trick("read it by dots", #"reads("../../" + os.path.basename("{outside}"))"#),
        Trick("read the shadow file", #"reads("/etc/shadow")"#),
        Trick("write to the system", #"writes("/usr/bin/trick")"#),
        Trick("write to /etc", #"writes("/etc/trick")"#),
        Trick("write to the guard's zamok", #"writes("/run/zamok-guard/zamok")"#),
        Trick("write to the root folder", #"writes("/trick")"#),
        Trick("change core_pattern", #"writes("/proc/sys/kernel/core_pattern")"#),
        Trick("read the keys of the kernel", #"reads("/proc/keys")"#),
        Trick("read symbols of the kernel", #"reads("/proc/kallsyms")"#),
        Trick("read the kernel's timers", #"reads("/proc/timer_list")"#),
        Trick("write to a file of the kernel's interrupts", #"writes("/proc/irq/default_smp_affinity")"#),
        Trick("write to sysrq-trigger", #"writes("/proc/sysrq-trigger")"#),
        Trick("see temporary files of the machine", #"sys.exit(0 if os.path.exists("{temporary}") else 3)"#),
        Trick("see devices of the machine", #"sys.exit(0 if os.path.exists("/dev/kmsg") else 3)"#),
        Trick(
            "make a device",
            #"fails(lambda: (os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0)), open("/tmp/disk", "rb")))"#),
        Trick(
            "reach the disk's device",
            #"sys.exit(0 if any(os.path.exists(p) for p in ["/dev/sda", "/dev/vda", "/dev/tpmrm0", "/dev/uhid", "/dev/mem"]) else 3)"#
        ),
    ]

    private static let folders = [
        Trick("change git's configuration", #"writes(".git/config")"#),
        Trick("leave a hook of git", #"writes(".git/hooks/pre-commit")"#),
        Trick("exchange the folder of git", #"fails(lambda: os.rename(".git", "old"))"#),
        Trick("exchange the folder of hooks", #"fails(lambda: os.rename(".git/hooks", "old"))"#),
        Trick("name another folder of git's configuration", #"writes(".git/commondir")"#),
        Trick("change .envrc", #"writes(".envrc")"#),
        Trick("remove .envrc", #"fails(lambda: os.unlink(".envrc"))"#),
        Trick(
            "put another .envrc in its place", #"open("mine", "w").close(); fails(lambda: os.rename("mine", ".envrc"))"#
        ),
        Trick("change a task of the editor", #"writes(".vscode/tasks.json")"#),
        Trick("exchange the editor's folder", #"fails(lambda: os.rename(".vscode", "old"))"#),
    ]

    private static let processes = [
        Trick(
            "see processes of the machine",
            #"sys.exit(0 if len([p for p in os.listdir("/proc") if p.isdigit()]) > 20 else 3)"#),
        Trick("look through the first process", #"reads("/proc/1/root{home}/device-secret")"#),
        Trick(
            "read the environment of the first process",
            #"fails(lambda: open("/proc/1/environ").read().index("TRICK_SECRET"))"#
        ),
        Trick("find a secret in the own environment", #"sys.exit(0 if "TRICK_SECRET" in os.environ else 3)"#),
        Trick("find an inherited descriptor", #"sys.exit(0 if os.path.exists("/proc/self/fd/9") else 3)"#),
        Trick("end a process outside", #"fails(lambda: os.kill({guard}, 0))"#),
        Trick(
            "become root by a program that may",
            #"sys.exit(3 if "NoNewPrivs:\t1" in open("/proc/self/status").read() else 0)"#),
        Trick(
            "have a capability",
            #"sys.exit(3 if "CapEff:\t0000000000000000" in open("/proc/self/status").read() else 0)"#),
        Trick("be in a session of the machine", "sys.exit(0 if os.getsid(0) == 0 else 3)"),
        Trick("know the machine's name", #"sys.exit(3 if socket.gethostname() == "trick" else 0)"#),
        Trick(
            "know the cgroup of the machine",
            #"sys.exit(3 if all(l.rstrip().endswith(":/") for l in open("/proc/self/cgroup")) else 0)"#),
        Trick("open the terminal of the person", #"fails(lambda: open("/dev/tty", "r"))"#),
    ]

    private static let calls = [
        Trick("keyctl", "refused(number(250, 219), 0, -4, 0)"),
        Trick("add_key", #"refused(number(248, 217), b"user", b"trick", b"x", 1, -3)"#),
        Trick("request_key", #"refused(number(249, 218), b"user", b"trick", 0, 0)"#),
        Trick("ptrace", "refused(number(101, 117), 0, 0, 0, 0)"),
        Trick("process_vm_readv", "refused(number(310, 270), os.getppid(), 0, 0, 0, 0, 0)"),
        Trick("pidfd_getfd", "refused(438, 0, 0, 0)"),
        Trick("perf_event_open", "refused(number(298, 241), 0, 0, -1, -1, 0)"),
        Trick("bpf", "refused(number(321, 280), 0, 0, 0)"),
        Trick("userfaultfd", "refused(number(323, 282), 0)"),
        Trick("io_uring", "refused(425, 1, 0)"),
        Trick("a user namespace by unshare", "refused(number(272, 97), 0x10000000)"),
        Trick("a user namespace by clone", "refused(number(56, 220), 0x10000011, 0, 0, 0, 0)"),
        Trick("a user namespace by clone3", "refused(435, 0, 0)"),
        Trick("setns", "refused(number(308, 268), 0, 0)"),
        Trick("mount", #"refused(number(165, 40), b"none", b"/tmp", b"tmpfs", 0, 0)"#),
        Trick("umount", #"refused(number(166, 39), b"{work}/.git/config", 2)"#),
        Trick("open_tree", #"refused(428, -100, b"/", 1)"#),
        Trick("open_by_handle_at", "refused(number(304, 265), 0, 0, 0)"),
        Trick("chroot", #"refused(number(161, 51), b"/tmp")"#),
        Trick(
            "leave a program of the person's user",
            #"open("left", "w").close(); fails(lambda: os.chmod("left", 0o4755))"#),
        Trick(
            "the same by a descriptor", #"made = open("left", "w"); fails(lambda: os.fchmod(made.fileno(), 0o4755))"#),
        Trick("the same by fchmodat2", #"open("left", "w").close(); refused(452, -100, b"left", 0o4755, 0)"#),
        Trick(
            "give a program the person's group", #"open("left", "w").close(); fails(lambda: os.chmod("left", 0o2755))"#),
        Trick(
            "make a program of the person's user",
            #"fails(lambda: os.open("left", os.O_CREAT | os.O_WRONLY, 0o4755))"#),
        Trick("the same by openat2", #"refused(437, -100, b"left", struct.pack("QQQ", 0o101, 0o4755, 0), 24)"#),
        Trick("the same by mknod", #"refused(number(259, 33), -100, b"left", 0o104755, 0)"#),
        Trick("kexec_load", "refused(number(246, 104), 0, 0, 0, 0)"),
        Trick("type into a terminal", #"refused(number(16, 29), 0, 0x5412, b"x")"#),
        Trick("type into a terminal with high bits set", #"refused(number(16, 29), 0, 0x100005412, b"x")"#),
        Trick("paste into a terminal", #"refused(number(16, 29), 0, 0x541C, b"\x03")"#),
        Trick("a socket of the hypervisor", "refused(number(41, 198), 40, 1, 0)"),
        Trick("a socket of the kernel's cryptography", "refused(number(41, 198), 38, 5, 0)"),
        Trick(
            "a call of the x32 ABI",
            """
            child = os.fork()
            if child == 0:
                call(0x40000000 + 39)
                os._exit(0)
            sys.exit(3 if arm or os.WIFSIGNALED(os.waitpid(child, 0)[1]) else 0)
            """),
        Trick(
            "a call of i386",
            """
            if arm: sys.exit(3)
            import mmap
            child = os.fork()
            if child == 0:
                # mov eax, 20 (getpid); int 0x80; ret
                page = mmap.mmap(-1, 4096, prot=7)
                page.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
                address = ctypes.addressof(ctypes.c_char.from_buffer(page))
                ctypes.CFUNCTYPE(ctypes.c_int)(address)()
                os._exit(0)
            sys.exit(3 if os.WIFSIGNALED(os.waitpid(child, 0)[1]) else 0)
            """),
    ]

    private static let sockets = [
        Trick(
            "an abstract socket of the machine",
            #"fails(lambda: socket.socket(socket.AF_UNIX).connect("\0{abstract}"))"#),
        Trick("a socket by its path", #"fails(lambda: socket.socket(socket.AF_UNIX).connect("{socket}"))"#),
        Trick(
            "a service of the machine's loopback", #"fails(lambda: socket.create_connection(("127.0.0.1", {port}), 1))"#
        ),
        Trick("the network", #"fails(lambda: socket.create_connection(("192.0.2.1", 80), 1))"#),
        Trick(
            "the session's bus, docker and others",
            #"sys.exit(0 if any(os.path.exists(p) for p in ["/run/dbus", "/run/user", "/run/docker.sock", "/var/run/docker.sock", "/tmp/.X11-unix", "/run/pcscd"]) else 3)"#
        ),
        Trick(
            "System V shared memory of the machine",
            "refused_memory = libc.shmget({memory}, 0, 0); sys.exit(3 if refused_memory == -1 else 0)"),
    ]
}
