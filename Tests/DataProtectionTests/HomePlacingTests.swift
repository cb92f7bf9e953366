// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Where a home may lie, and where none is made.
@Suite struct HomePlacingTests {
    @Test(
        arguments: [
            (0xEF53, "local"), (0x5846_5342, "local"), (0x9123_683E, "local"), (0x0102_1994, "local"),
            (0x8584_58F6, "local"),
            (0xF2F5_2010, "local"), (0x2FC1_2FC1, "local"), (0xCA45_1A4E, "local"), (0x3153_464A, "local"),
            (0x3434, "local"),
            (0x2405_1905, "local"), (0x794C_7630, "local"), (0xF15F, "local"),
            (0x6573_5546, "odd"), (0x0102_1997, "odd"), (0x4D44, "odd"), (0x2011_BAB0, "odd"), (0x5346_544E, "odd"),
            (0x7366_746E, "odd"), (0x786F_4256, "odd"), (0, "odd"), (1, "odd"), (0xFFFF_FFFF, "odd"), (0x9FA0, "odd"),
            (0x6969, "remote"), (0x517B, "remote"), (0xFF53_4D42, "remote"), (0xFE53_4D42, "remote"),
            (0x00C3_6400, "remote"),
            (0x5346_414F, "remote"), (0x6B41_4653, "remote"), (0x7375_7245, "remote"), (0x7461_636F, "remote"),
            (0x0116_1970, "remote"), (0x0BD0_0BD0, "remote"), (0x4750_4653, "remote"),
        ] as [(UInt32, String)])
    func `What each kind of file system is worth`(number: UInt32, verdict: String) {
        #expect("\(FileSystemKind(number).verdict)" == verdict)
    }

    // Rule: unknown and remote file systems are refused for a home | accepted | 3 cases; also "The kernel's own file
    //   systems are no place"
    // Rule: a remote file system is refused, also where others are allowed explicitly | accepted where unknown ones are
    @Test func `On an unknown file system a home is refused until it is allowed, and then reported`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let onFUSE = FileHooks { $0.operation == .fileSystem ? ENOTBLK : 0 }
        let error = failure { try temporary.open { $0.fileSystem = onFUSE } }
        #expect(error?.code == .unsafeHome)
        #expect(error?.message.contains("FUSE") == true && error?.message.contains("ZAMOK_ANY_FILE_SYSTEM=1") == true)
        let home = try temporary.open {
            $0.fileSystem = onFUSE
            $0.environment = { $0 == "ZAMOK_ANY_FILE_SYSTEM" ? "1" : nil }
        }
        #expect(try home.status().warnings.contains { $0.contains("FUSE") })
        #expect(try temporary.open().status().warnings.allSatisfy { !$0.contains("FUSE") })
        // Another machine's is not to be had by saying so.
        let remote = FileHooks { $0.operation == .fileSystem ? EREMOTE : 0 }
        let refusal = failure {
            try temporary.open {
                $0.fileSystem = remote
                $0.environment = { $0 == "ZAMOK_ANY_FILE_SYSTEM" ? "1" : nil }
            }
        }
        #expect(refusal?.message.contains("NFS") == true)
    }

    // Rule: a variable that is yes or no takes every usual word for either | only "no" says no | 0 makes a home
    @Test(arguments: ["no", "No", "n", "0", "false", "OFF"])
    func `A variable that says no makes no home`(word: String) {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let error = failure { try temporary.open { $0.environment = { $0 == "ZAMOK_CREATE" ? word : nil } } }
        #expect(error?.code == .noHome && error?.message.contains("ZAMOK_CREATE=\(word) forbids") == true)
        #expect(temporary.names.isEmpty)
    }

    @Test func `A variable that says yes makes one, and one that says neither is refused`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        for word in ["never", "2", " no"] {
            let error = failure { try temporary.open { $0.environment = { $0 == "ZAMOK_CREATE" ? word : nil } } }
            #expect(error?.code == .invalidArgument && temporary.names.isEmpty)
        }
        let onFUSE = FileHooks { $0.operation == .fileSystem ? ENOTBLK : 0 }
        for word in ["", "0", "no", "maybe"] {
            let error = failure {
                try temporary.open {
                    $0.fileSystem = onFUSE
                    $0.environment = { $0 == "ZAMOK_ANY_FILE_SYSTEM" ? word : nil }
                }
            }
            #expect(error?.code == .unsafeHome)
        }
        for word in ["", "yes", "1", "True", "on"] {
            _ = try temporary.open { $0.environment = { $0 == "ZAMOK_CREATE" ? word : nil } }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "the folders of the kernel belong to root"))
    func `The kernel's own file systems are no place`() throws {
        let error = failure { try HomeFolder(at: "/proc/sys", in: FileHooks()) }
        #expect(error?.message.contains("0x9fa0") == true)
    }

    // Rule: no other user can write above a home | not checked | 8 cases; also "A folder above that a group can write
    //   to ..." (2)
    @Test(arguments: [(0o777, false), (0o707, false), (0o1777, true), (0o755, true), (0o711, true)], [1, 2])
    func `A folder above that others can write to is refused, a sticky one is not`(
        mode: (bits: Int, isFine: Bool), level: Int
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let inner = "\(temporary.path)/one/two/home"
        try FileManager.default.createDirectory(
            atPath: "\(temporary.path)/one/two", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try temporary.setMode(mode.bits, level == 1 ? "one/two" : "one")
        let error = failure { try temporary.open { $0.folder = inner } }
        if mode.isFine {
            #expect(error == nil)
        } else {
            #expect(error?.code == .unsafeHome)
            let name = level == 1 ? "\(temporary.path)/one/two" : "\(temporary.path)/one"
            #expect(error?.message.contains("chmod go-w \(name),") == true)
        }
        try temporary.setMode(0o700, "one")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `A folder above that a group can write to is refused, unless the group has no other member`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let above = "\(temporary.path)/above"
        try FileManager.default.createDirectory(
            atPath: above, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o770])
        let open = { try temporary.open { $0.folder = "\(above)/home" } }
        // Root's own group, which is named as root is.
        try temporary.setMode(0o770, "above")
        #expect(failure(open) == nil)
        try give(above, 0, group: 12345)
        #expect(failure(open)?.code == .unsafeHome)
        try give(above, 12345, group: 0)
        try temporary.setMode(0o700, "above")
        #expect(failure(open)?.code == .unsafeHome)
        try give(above, 0, group: 0)
    }

    private func give(_ path: String, _ owner: Int, group: Int) throws {
        try FileManager.default.setAttributes(
            [.ownerAccountID: owner, .groupOwnerAccountID: group], ofItemAtPath: path)
    }

    // Rule: where a home was, none is made in silence | traces not looked for | 27 cases; transcript lock-damaged
    @Test(arguments: [
        "keychain.db", "preferences.db-wal", "users", "directory", "current", "files", "stores", "stores-seen",
        "generation",
    ])
    func `Where a home was, none is made in silence`(trace: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        if !temporary.names.contains(trace) { try temporary.make(trace) }
        for name in ["keybag", "epoch", "attempts"] { try temporary.delete(name) }
        for name in ["generation", "stores-seen"] where name != trace { try temporary.delete(name) }
        let before = temporary.names
        let error = failure { try temporary.open() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(trace) == true && error?.message.contains("zamok erase") == true)
        #expect(temporary.names.filter { $0 != "keybag.lock" } == before.filter { $0 != "keybag.lock" })
        // An explicit erase removes these traces.
        try Home.erase(temporary.configuration)
        #expect(try temporary.open().keybag.lockState == .unlocked)
    }
}

/// The machine's time, in any time namespace of a process.
@Suite(.enabled(if: geteuid() == 0, "only root can make a time namespace"))
struct TimeNamespaceTests {
    // Rule: the machine's time counts, not the namespace's | the offset not taken off | this and the next, 3 issues
    @Test func `A time namespace gives no more tries of the passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try Worker(temporary.path)
        for command in ["set right"] + (0..<4).map({ "unlock wrong\($0)" }) { _ = try worker.ask(command) }
        #expect(try worker.ask("unlock wrong") == "error wrongPasscode")
        #expect(try worker.ask("unlock right") == "error tooManyAttempts")
        for seconds in [100_000, 3_000_000] {
            let shifted = try Worker(
                temporary.path, through: ["/usr/bin/unshare", "-T", "--boottime", "\(seconds)", "--fork"])
            #expect(try shifted.ask("unlock right") == "error tooManyAttempts", "\(seconds)")
        }
    }

    @Test func `A time namespace prolongs no unlock, and none ends for being in one`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .automatic }.keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.unlock(passcode: secret("1234"), for: .seconds(1000))
        try #require(KernelKeyringHolder.refusal() == nil)
        let shifted = try Worker(temporary.path, through: ["/usr/bin/unshare", "-T", "--boottime", "100000", "--fork"])
        #expect(try shifted.ask("open kernel") == "done")
        #expect(try shifted.ask("state") == "unlocked")
    }
}
