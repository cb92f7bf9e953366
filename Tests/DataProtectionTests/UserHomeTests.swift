// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// The homes of users inside a root home.
@Suite struct UserHomeTests {
    private let temporary: TemporaryHome
    private let root: Home
    private let user = UniqueIdentifier.random()

    init() throws {
        temporary = TemporaryHome()
        root = try temporary.open()
    }

    private func removing(_ body: () throws -> Void) rethrows {
        defer { temporary.remove() }
        try body()
    }

    @Test func `A user has a keybag and an epoch of their own, and the root's device secret`() throws {
        try removing {
            let home = try root.home(ofUser: user, making: true)
            #expect(home.folder == "\(temporary.path)/users/\(user.text)")
            #expect(home.userIdentifier == user && root.userIdentifier == nil)
            #expect(home.keybag.homeIdentifier != root.keybag.homeIdentifier)
            let names = try FileManager.default.contentsOfDirectory(atPath: home.folder)
            #expect(names.contains("keybag") && !names.contains("device-secret") && !names.contains("epoch"))
            #expect(temporary.names.contains("epochs"))
            for name in ["users", "users/\(user.text)", "epochs"] { #expect(try temporary.mode(name) == 0o700) }
            for name in ["users/\(user.text)/keybag", "epochs/\(user.text)"] {
                #expect(try temporary.mode(name) == 0o600)
            }
        }
    }

    @Test func `A passcode and a lock of one user leave the others alone`() throws {
        try removing {
            let home = try root.home(ofUser: user, making: true)
            let other = try root.home(ofUser: .random(), making: true)
            try home.keybag.setPasscode(secret("1234"))
            try home.keybag.lockCompletely()
            #expect(home.keybag.lockState == .beforeFirstUnlock)
            #expect(other.keybag.lockState == .unlocked && root.keybag.lockState == .unlocked)
            #expect(try !other.keybag.hasPasscode)
        }
    }

    @Test func `Asking makes no user, and users have no users`() throws {
        try removing {
            #expect(failure { try root.home(ofUser: user, making: false) }?.code == .invalidArgument)
            #expect(!temporary.names.contains("users"))
            let home = try root.home(ofUser: user, making: true)
            #expect(try root.home(ofUser: user, making: false).keybag.homeIdentifier == home.keybag.homeIdentifier)
            #expect(failure { try home.home(ofUser: .random(), making: true) }?.code == .invalidArgument)
        }
    }

    @Test func `What was removed opens with no copy of its folder`() throws {
        try removing {
            let home = try root.home(ofUser: user, making: true)
            let key = try SecretBytes.random(count: 32)
            let wrapped = try home.keybag.wrap(key, for: KeyClass(.none))
            let copy = "\(temporary.path)-copy"
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try FileManager.default.copyItem(atPath: home.folder, toPath: copy)
            try root.removeHome(ofUser: user)
            #expect(!FileManager.default.fileExists(atPath: home.folder))
            #expect(failure { try home.keybag.unwrap(wrapped) } != nil)
            try root.removeHome(ofUser: user)
            try FileManager.default.copyItem(atPath: copy, toPath: home.folder)
            #expect(failure { try root.home(ofUser: user, making: false) } != nil)
        }
    }

    // Rule: a user's home opens under that user's name alone | roots that don't depend on whose home it is
    @Test func `A user's folder and epoch under another user's name are damaged, with and without a passcode`() throws {
        try removing {
            let other = UniqueIdentifier.random()
            for name in [user, other] { _ = try root.home(ofUser: name, making: true) }
            try root.home(ofUser: other, making: false).keybag.setPasscode(secret("1234"))
            func exchange() throws {
                for place in ["users", "epochs"] {
                    let (one, two) = (
                        "\(temporary.path)/\(place)/\(user.text)", "\(temporary.path)/\(place)/\(other.text)"
                    )
                    try FileManager.default.moveItem(atPath: one, toPath: "\(one)-")
                    try FileManager.default.moveItem(atPath: two, toPath: one)
                    try FileManager.default.moveItem(atPath: "\(one)-", toPath: two)
                }
            }
            try exchange()
            for name in [user, other] {
                let error = failure { try root.home(ofUser: name, making: false) }
                #expect(error?.code == .damaged && error?.message.contains("another user") == true)
            }
            try exchange()
            for name in [user, other] { _ = try root.home(ofUser: name, making: false) }
            // Nor in the place of the root home, with the epoch put there and the device secret at hand.
            let stolen = "\(temporary.path)/users/\(user.text)"
            try FileManager.default.copyItem(atPath: "\(temporary.path)/epochs/\(user.text)", toPath: "\(stolen)/epoch")
            var configuration = temporary.configuration
            configuration.folder = stolen
            configuration.environment = { [temporary] in
                $0 == "ZAMOK_DEVICE_SECRET" ? "\(temporary.path)/device-secret" : nil
            }
            #expect(failure { try Home(configuration) }?.code == .damaged)
        }
    }

    @Test func `Erasing the root home erases all users`() throws {
        try removing {
            let home = try root.home(ofUser: user, making: true)
            let wrapped = try home.keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.none))
            try root.recordUser(user)
            try root.erase()
            #expect(failure { try home.keybag.unwrap(wrapped) }?.code == .erased)
            #expect(Set(temporary.names).isDisjoint(with: ["users", "epochs", "current", "keybag"]))
            #expect(try temporary.open().recordedUser() == nil)
        }
    }
}
