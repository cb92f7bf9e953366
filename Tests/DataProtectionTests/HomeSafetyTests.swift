// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import Foundation
import TestSupport
import Testing

@testable import DataProtection

@Suite struct HomeSafetyTests {
    @Test func `A folder that others can write to is refused`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        for mode in [0o770, 0o702] {
            try temporary.setMode(mode, "")
            let error = failure { try temporary.open() }
            #expect(error?.code == .unsafeHome)
            #expect(error?.message.contains("written to by others") == true)
        }
        try temporary.setMode(0o755, "")
        #expect(try temporary.open().status().warnings.contains { $0.contains("chmod 700") })
    }

    @Test(arguments: ["device-secret", "epoch", "keybag", "attempts", "keybag.lock", "generation"])
    func `A file that others can use, or that is a symbolic link, is refused`(name: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open().keybag.setPasscode(secret("1234"))
        let use = { try temporary.open().keybag.unlock(passcode: secret("1234")) }
        try temporary.setMode(0o640, name)
        var error = failure(use)
        #expect(error?.code == .unsafeHome)
        #expect(error?.message.contains("chmod 600") == true)
        try temporary.setMode(0o600, name)
        try use()
        let elsewhere = "\(temporary.path)/elsewhere"
        try FileManager.default.moveItem(atPath: "\(temporary.path)/\(name)", toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: "\(temporary.path)/\(name)", withDestinationPath: elsewhere)
        error = failure(use)
        #expect(error?.code == .unsafeHome)
        #expect(error?.message.contains("symbolic link") == true)
    }

    @Test func `A folder in place of a file is refused`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        try temporary.delete("device-secret")
        try FileManager.default.createDirectory(
            atPath: "\(temporary.path)/device-secret", withIntermediateDirectories: false)
        #expect(failure { try temporary.open() }?.code == .unsafeHome)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `A home of another owner is refused, and so are files of another owner`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        try temporary.setOwner(12345, "keybag")
        #expect(failure { try temporary.open() }?.code == .unsafeHome)
        try temporary.setOwner(0, "keybag")
        try temporary.setOwner(12345, "")
        let error = failure { try temporary.open() }
        #expect(error?.code == .unsafeHome)
        #expect(error?.message.contains("12345") == true)
        try temporary.setOwner(0, "")
    }

    @Test func `A network file system is refused`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let error = failure {
            try temporary.open {
                // A mount of another machine can't be had here: the answer of the system is put in its place.
                $0.fileSystem = FileHooks {
                    $0.operation == .fileSystem ? EREMOTE : 0
                }
            }
        }
        #expect(error?.code == .unsafeHome)
        #expect(error?.message.contains("network") == true)
    }

    @Test(arguments: [0o777, 0o000, 0o077]) func `Modes do not depend on the umask`(mask: Int) throws {
        // The umask is the whole process's, so this is done by one that does nothing else.
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try Worker(temporary.path, umask: mask)
        #expect(try worker.ask("set 1234") == "done")
        #expect(try temporary.mode("") == 0o700)
        for name in temporary.names { #expect(try temporary.mode(name) == 0o600, "\(name)") }
    }
}

@Suite struct HomeLocationTests {
    private func path(_ variables: [String: String]) throws -> String {
        try HomeLocation(environment: { variables[$0] }, files: FileHooks()).homePath()
    }

    @Test func `ZAMOK_HOME, then XDG_DATA_HOME, then the home folder`() throws {
        #expect(try path(["ZAMOK_HOME": "/a", "XDG_DATA_HOME": "/b", "HOME": "/c"]) == "/a")
        #expect(try path(["ZAMOK_HOME": "", "XDG_DATA_HOME": "/b", "HOME": "/c"]) == "/b/zamok")
        #expect(try path(["XDG_DATA_HOME": "relative", "HOME": "/c"]) == "/c/.local/share/zamok")
        #expect(try path([:]).hasSuffix("/.local/share/zamok"))
        #expect(failure { try path(["ZAMOK_HOME": "relative"]) }?.code == .invalidArgument)
    }

    @Test func `Missing folders above the home are made, for the owner alone`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open {
            $0.folder = nil
            let path = temporary.path
            $0.environment = { $0 == "HOME" ? path : nil }
        }
        #expect(home.folder == "\(temporary.path)/.local/share/zamok")
        #expect(try temporary.mode(".local") == 0o700)
        #expect(try temporary.mode(".local/share/zamok") == 0o700)
    }

    @Test func `A device secret in another place is made and used there`() throws {
        let temporary = TemporaryHome()
        let other = TemporaryHome()
        defer {
            temporary.remove()
            other.remove()
        }
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: false)
        try other.setMode(0o700, "")
        let elsewhere = { (configuration: inout Home.Configuration) in
            let path = other.path
            configuration.environment = { $0 == "ZAMOK_DEVICE_SECRET" ? path : nil }
        }
        _ = try temporary.open(elsewhere)
        #expect(other.names == ["device-secret"])
        #expect(!temporary.names.contains("device-secret"))
        #expect(failure { try temporary.open() }?.code == .missingDeviceSecret)
        #expect(!temporary.names.contains("device-secret"))
        _ = try temporary.open(elsewhere)
    }

    @Test func `A systemd credential is read where the service manager puts it, and never made`() throws {
        let temporary = TemporaryHome()
        let credentials = TemporaryHome()
        defer {
            temporary.remove()
            credentials.remove()
        }
        let folder = credentials.path
        let named = { (configuration: inout Home.Configuration) in
            configuration.environment = { ["ZAMOK_DEVICE_SECRET": "device", "CREDENTIALS_DIRECTORY": folder][$0] }
        }
        #expect(failure { try temporary.open(named) }?.code == .missingDeviceSecret)
        _ = try credentials.open()
        try FileManager.default.moveItem(atPath: "\(folder)/device-secret", toPath: "\(folder)/device")
        try credentials.setMode(0o440, "device")
        _ = try temporary.open(named)
        let unset = failure {
            try temporary.open { $0.environment = { $0 == "ZAMOK_DEVICE_SECRET" ? "device" : nil } }
        }
        #expect(unset?.message.contains("CREDENTIALS_DIRECTORY") == true)
    }
}
