// SPDX-License-Identifier: Apache-2.0

/// The filter of system calls of a guest: a program of the kernel's classic BPF, made from a table
/// (Documentation/Formats/GuardMessages.md, "System calls").
package struct SyscallFilter: Sendable {
    /// The processors that the table knows.
    package enum Machine: Sendable, CaseIterable {
        case x86_64
        case aarch64

        /// AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64.
        var audit: UInt32 {
            switch self {
            case .x86_64: 0xC000_003E
            case .aarch64: 0xC000_00B7
            }
        }
    }

    /// A system call, and its numbers.
    struct Call: Sendable {
        let name: String
        private let x86_64: Int
        private let aarch64: Int

        /// -1: none. (Numbers of one plain type: the compiler takes minutes for a table of optional ones.)
        init(_ name: String, _ x86_64: Int, _ aarch64: Int) {
            (self.name, self.x86_64, self.aarch64) = (name, x86_64, aarch64)
        }

        func number(_ machine: Machine) -> UInt32? {
            switch machine {
            case .x86_64: UInt32(exactly: x86_64)
            case .aarch64: UInt32(exactly: aarch64)
            }
        }
    }

    private let machine: Machine

    package init(_ machine: Machine) { self.machine = machine }

    /// Refused with EPERM.
    static let refused: [Call] = [
        // The kernel's keyrings, where class keys are.
        Call("add_key", 248, 217), Call("request_key", 249, 218), Call("keyctl", 250, 219),
        // Other processes.
        Call("ptrace", 101, 117), Call("process_vm_readv", 310, 270), Call("process_vm_writev", 311, 271),
        Call("pidfd_getfd", 438, 438), Call("process_madvise", 440, 440), Call("kcmp", 312, 272),
        // Large and rarely needed parts of the kernel.
        Call("perf_event_open", 298, 241), Call("bpf", 321, 280), Call("userfaultfd", 323, 282),
        Call("io_uring_setup", 425, 425), Call("io_uring_enter", 426, 426), Call("io_uring_register", 427, 427),
        // Mounts and namespaces.
        Call("mount", 165, 40), Call("umount2", 166, 39), Call("pivot_root", 155, 41), Call("chroot", 161, 51),
        Call("setns", 308, 268), Call("open_tree", 428, 428), Call("move_mount", 429, 429), Call("fsopen", 430, 430),
        Call("fsconfig", 431, 431), Call("fsmount", 432, 432), Call("fspick", 433, 433),
        Call("mount_setattr", 442, 442), Call("open_tree_attr", 467, 467),
        // Files by number, past the mounts.
        Call("name_to_handle_at", 303, 264), Call("open_by_handle_at", 304, 265), Call("fanotify_init", 300, 262),
        // The machine.
        Call("kexec_load", 246, 104), Call("kexec_file_load", 320, 294), Call("init_module", 175, 105),
        Call("finit_module", 313, 273), Call("delete_module", 176, 106), Call("reboot", 169, 142),
        Call("swapon", 167, 224), Call("swapoff", 168, 225), Call("acct", 163, 89), Call("quotactl", 179, 60),
        Call("quotactl_fd", 443, 443), Call("syslog", 103, 116), Call("iopl", 172, -1), Call("ioperm", 173, -1),
        Call("settimeofday", 164, 170), Call("clock_settime", 227, 112), Call("clock_adjtime", 305, 266),
        Call("adjtimex", 159, 171), Call("sethostname", 170, 161), Call("setdomainname", 171, 162),
        Call("vhangup", 153, 58), Call("personality", 135, 92),
    ]

    /// Every CLONE_NEW flag, of namespaces.
    private static let namespaces: UInt32 = 0x7E02_0080
    /// TIOCSTI and TIOCLINUX type into a terminal, or paste; TIOCSETD and TIOCCONS change what it serves.
    private static let terminalCalls: [UInt32] = [0x5412, 0x541C, 0x5423, 0x541D]
    /// AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others aren't bound to a network namespace (AF_VSOCK), or are
    /// large parts of the kernel.
    private static let families: [UInt32] = [0, 1, 2, 10, 16]

    /// clone3 and openat2: their flags and modes are in memory, where no filter can look. Programs use clone and openat
    /// then.
    static let unseen: [UInt32] = [435, 437]

    /// file_setattr, of Linux 6.17.
    static let newest: UInt32 = 469
    /// S_ISUID and S_ISGID: a program with one, left in a folder, would run outside as its owner or with its group, for
    /// every user.
    private static let setsOwner: UInt32 = 0o6000
    /// O_CREAT and O_TMPFILE: the call has a mode.
    private static let makesFile: UInt32 = 0o100 | 0o20_000_000

    private static let permissionDenied: UInt32 = 1
    private static let noSuchCall: UInt32 = 38
    private static let noSuchFamily: UInt32 = 97

    private static let allow: UInt32 = 0x7FFF_0000
    private static let killProcess: UInt32 = 0x8000_0000
    private static func fail(_ number: UInt32) -> UInt32 { 0x0005_0000 | number }

    /// The program, as the kernel takes it: 8 bytes for each instruction, in the little-endian order of both machines.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for instruction in instructions {
            let k = instruction.k
            bytes.append(UInt8(truncatingIfNeeded: instruction.code))
            bytes.append(UInt8(truncatingIfNeeded: instruction.code >> 8))
            bytes.append(instruction.whenTrue)
            bytes.append(instruction.whenFalse)
            for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: k >> shift)) }
        }
        return bytes
    }

    struct Instruction: Equatable {
        var code: UInt16
        var whenTrue: UInt8 = 0
        var whenFalse: UInt8 = 0
        var k: UInt32

        /// Loads 32 bits of the call's description at an offset.
        static func load(_ offset: UInt32) -> Instruction { Instruction(code: 0x20, k: offset) }
        /// Skips the next instruction unless the loaded value is `k`.
        static func unlessEqualSkip(_ k: UInt32) -> Instruction { Instruction(code: 0x15, whenFalse: 1, k: k) }
        static func answer(_ k: UInt32) -> Instruction { Instruction(code: 0x06, k: k) }
    }

    private static let numberOffset: UInt32 = 0
    private static let machineOffset: UInt32 = 4
    /// The lower half of an argument. The upper half of these three is ignored by the kernel, too.
    private static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }

    var instructions: [Instruction] {
        var all: [Instruction] = [
            .load(Self.machineOffset),
            // Another machine's numbers, i386 among them, mean other calls.
            Instruction(code: 0x15, whenTrue: 1, k: machine.audit), .answer(Self.killProcess),
            .load(Self.numberOffset),
        ]
        // Numbers of the x32 ABI have this bit.
        if machine == .x86_64 {
            all += [Instruction(code: 0x35, whenFalse: 1, k: 0x4000_0000), .answer(Self.killProcess)]
        }
        // Calls that are newer than the table: what they do is not known.
        all += [Instruction(code: 0x25, whenFalse: 1, k: Self.newest), .answer(Self.fail(Self.noSuchCall))]
        for call in Self.refused {
            guard let number = call.number(machine) else { continue }
            all += [.unlessEqualSkip(number), .answer(Self.fail(Self.permissionDenied))]
        }
        for number in Self.unseen { all += [.unlessEqualSkip(number), .answer(Self.fail(Self.noSuchCall))] }
        let anyNamespace = Instruction(code: 0x45, whenFalse: 1, k: Self.namespaces)
        all += checking(Call("clone", 56, 220), argument: 0, [anyNamespace])
        all += checking(Call("unshare", 272, 97), argument: 0, [anyNamespace])
        all += checking(Call("ioctl", 16, 29), argument: 1, Self.terminalCalls.map(Instruction.unlessEqualSkip))
        let setsOwner = Instruction(code: 0x45, whenFalse: 1, k: Self.setsOwner)
        for call in [Call("chmod", 90, -1), Call("fchmod", 91, 52), Call("creat", 85, -1), Call("mknod", 133, -1)] {
            all += checking(call, argument: 1, [setsOwner])
        }
        for call in [Call("fchmodat", 268, 53), Call("fchmodat2", 452, 452), Call("mknodat", 259, 33)] {
            all += checking(call, argument: 2, [setsOwner])
        }
        all += making(Call("open", 2, -1), flags: 1)
        all += making(Call("openat", 257, 56), flags: 2)
        all += families
        return all + [.answer(Self.allow)]
    }

    /// Refuses the call if one of the tests on an argument holds. Each test skips one instruction if it doesn't hold.
    private func checking(_ call: Call, argument: UInt32, _ tests: [Instruction]) -> [Instruction] {
        guard let number = call.number(machine) else { return [] }
        var body: [Instruction] = [.load(Self.argument(argument))]
        for test in tests { body += [test, .answer(Self.fail(Self.permissionDenied))] }
        body.append(.load(Self.numberOffset))
        return [Instruction(code: 0x15, whenFalse: UInt8(body.count), k: number)] + body
    }

    /// Refuses a call that makes a file if its mode, which follows the flags, has one of the bits.
    private func making(_ call: Call, flags: UInt32) -> [Instruction] {
        guard let number = call.number(machine) else { return [] }
        let body: [Instruction] = [
            .load(Self.argument(flags)), Instruction(code: 0x45, whenFalse: 3, k: Self.makesFile),
            .load(Self.argument(flags + 1)), Instruction(code: 0x45, whenFalse: 1, k: Self.setsOwner),
            .answer(Self.fail(Self.permissionDenied)), .load(Self.numberOffset),
        ]
        return [Instruction(code: 0x15, whenFalse: UInt8(body.count), k: number)] + body
    }

    private var families: [Instruction] {
        var tests: [Instruction] = []
        for family in Self.families { tests += [.unlessEqualSkip(family), .answer(Self.allow)] }
        tests.append(.answer(Self.fail(Self.noSuchFamily)))
        var all: [Instruction] = []
        for call in [Call("socket", 41, 198), Call("socketpair", 53, 199)] {
            guard let number = call.number(machine) else { continue }
            all.append(Instruction(code: 0x15, whenFalse: UInt8(tests.count + 1), k: number))
            all.append(.load(Self.argument(0)))
            all += tests
        }
        return all
    }
}

#if arch(x86_64)
extension SyscallFilter.Machine {
    /// That of this program; nil: the table doesn't know it.
    package static var own: Self? { .x86_64 }
}
#elseif arch(arm64)
extension SyscallFilter.Machine {
    package static var own: Self? { .aarch64 }
}
#else
extension SyscallFilter.Machine {
    package static var own: Self? { nil }
}
#endif
