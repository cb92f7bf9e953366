// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

@Suite struct StatusTests {
    @Test func `A home without a passcode says that nothing protects it`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let status = try temporary.open().status()
        #expect(!status.hasPasscode)
        #expect(status.keyDerivation == nil)
        #expect(status.lockState == .unlocked)
        #expect(status.isDeviceSecretOnDiskOfHome)
        #expect(status.deviceSecretPlace == "\(temporary.path)/device-secret")
        #expect(status.warnings.contains { $0.contains("opens everything") })
    }

    @Test func `A home with a passcode says what it costs to guess`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open { $0.usesInsecureKDF = false }
        try home.keybag.setPasscode(secret("1234"))
        let status = try home.status()
        let derivation = try #require(status.keyDerivation)
        #expect([1 << 17, 1 << 16].contains(derivation.rounds))
        #expect(derivation.blockSize == 8)
        #expect(derivation.parallelism == 1)
        #expect(derivation.memory == 1024 * derivation.rounds)
        #expect(status.failedAttempts == 0)
        #expect(status.nextAttempt == .zero)
        #expect(status.erasesAfter == nil)
        #expect(status.generation == 2)
        #expect(status.retiredKeys == 10)
        #expect(status.holder == .process)
        #expect(status.warnings.contains { $0.contains("scrypt and the passcode") })
    }

    @Test func `A keybag of the cheap KDF is refused by everyone but tests`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open().keybag.setPasscode(secret("1234"))
        let error = failure { try temporary.open { $0.usesInsecureKDF = false } }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("scrypt parameters") == true)
    }

    @Test(arguments: [(100, true), (600, false)])
    func `Where memory is limited, scrypt takes half, and says so`(mebibytes: Int, isLimited: Bool) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let files = TextFiles(["memory.max": "\(mebibytes << 20)\n", "meminfo": "MemTotal:       24000000 kB\n"])
        #expect(MachineMemory.scryptParameters(files.read) == (isLimited ? .limitedMemory : .standard))
        let machine = TextFiles(["memory.max": "max\n", "meminfo": "MemTotal:       \(mebibytes << 10) kB\n"])
        #expect(MachineMemory.scryptParameters(machine.read) == (isLimited ? .limitedMemory : .standard))
        #expect(MachineMemory.scryptParameters { _ in nil } == .standard)
    }

    private struct TextFiles {
        let files: [String: String]
        init(_ files: [String: String]) { self.files = files }
        var read: (String) -> String? { { path in files[String(path.split(separator: "/").last ?? "")] } }
    }

    @Test func `Without a kernel keyring the process holds the keys, and status says why`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("refuse-keyring") == "done")
        #expect(try worker.ask("open kernel") == "done")
        #expect(try worker.ask("set 1234") == "error notAvailable")
        #expect(try worker.ask("open automatic") == "done")
        #expect(try worker.ask("set 1234") == "done")
        #expect(try worker.ask("state") == "unlocked")
        #expect(try worker.ask("holder").contains("EPERM"))
        #expect(try worker.ask("lock") == "done")
        #expect(try worker.ask("state") == "locked")
        #expect(try Worker(temporary.path).ask("state") == "beforeFirstUnlock")
    }
}

@Suite struct PasscodeFileTests {
    private func write(_ bytes: [UInt8], mode: Int = 0o600, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-passcode-\(UUID())").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: [.posixPermissions: mode])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test(arguments: [
        ("1234", "1234"), ("1234\n", "1234"), ("1234\r\n", "1234"), ("1234\n\n", "1234\n"), (" 12 34 ", " 12 34 "),
        ("\r", "\r"),
        ("p\u{E4}\n", "p\u{E4}"),
    ])
    func `One newline at the end is dropped, nothing else`(text: String, passcode: String) throws {
        for mode in [0o600, 0o400] {
            try write(Array(text.utf8), mode: mode) { path in
                let read = try PasscodeFile.read(path)
                #expect(try read.isEqual(to: try secret(passcode)))
            }
        }
    }

    @Test(arguments: ["", "\n", "\r\n"]) func `An empty passcode is refused`(text: String) throws {
        try write(Array(text.utf8)) { path in #expect(failure { try PasscodeFile.read(path) }?.code == .invalidArgument)
        }
    }

    @Test(arguments: [4096, 4097]) func `A passcode has 4096 bytes at most`(count: Int) throws {
        try write([UInt8](repeating: 65, count: count) + [10]) { path in
            let error = failure {
                let passcode = try PasscodeFile.read(path)
                _ = try Passcode(passcode)
            }
            #expect((error == nil) == (count == 4096))
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o700, 0o200, 0o000]) func `Any mode but 0600 and 0400 is refused`(
        mode: Int
    ) throws {
        try write(Array("1234".utf8), mode: mode) { path in
            let error = failure { try PasscodeFile.read(path) }
            #expect(error?.code == .unsafeHome || (error?.code == .io && geteuid() != 0))
        }
    }

    @Test func `Links, folders, pipes and files of others are refused, a missing one is told`() throws {
        try write(Array("1234".utf8)) { path in
            try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: path)
            defer { try? FileManager.default.removeItem(atPath: path + "-link") }
            #expect(failure { try PasscodeFile.read(path + "-link") }?.message.contains("symbolic link") == true)
            #expect(failure { try PasscodeFile.read("/tmp") }?.code == .unsafeHome)
            #expect(failure { try PasscodeFile.read("/dev/null") }?.code == .unsafeHome)
            #expect(failure { try PasscodeFile.read(path + "-missing") }?.code == .invalidArgument)
            guard geteuid() == 0 else { return }
            try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: path)
            #expect(failure { try PasscodeFile.read(path) }?.message.contains("another user") == true)
        }
    }
}
