// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TPMs
import TestSupport
import Testing

@testable import DataProtection

/// A home whose device secret a TPM has (Documentation/Formats/TPMObjects.md). The TPM is swtpm.
///
/// One after the other: what one forgets of what TPMs gave, all forget.
@Suite(.serialized, .enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct TPMHomeTests {
    let tpm: SoftwareTPM
    let temporary = TemporaryHome()

    init() throws { tpm = try SoftwareTPM() }

    func open(at home: TemporaryHome? = nil, exchanging: Bool = true) throws -> Home {
        TPMSecrets.forget()
        let way = tpm.way.description
        return try (home ?? temporary).open { configuration in
            configuration.environment = { $0 == TPMAddress.variable ? way : nil }
            configuration.fileSystem.withoutExchange = !exchanging
        }
    }

    /// A home with a recovery code that was typed back.
    func prepared(
        passcode: String? = "1234", exchanging: Bool = true
    ) throws -> (home: Home, code: RecoveryCode) {
        let home = try open(exchanging: exchanging)
        if let passcode { try home.keybag.setPasscode(secret(passcode)) }
        let code = try home.makeRecoveryCode()
        try home.confirmRecoveryCode(code)
        return (home, code)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(temporary.path)/\(name)")))
    }

    /// A copy of the home of now.
    func copy() throws -> TemporaryHome {
        let path = temporary.path + "-copy-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.copyItem(atPath: temporary.path, toPath: path)
        return TemporaryHome(at: path)
    }

    // Rule: a device secret that other homes may use isn't moved | only credentials aren't | the other home is lost
    // Rule: a foreign file beside a device secret whose folder a person chose is left alone | not checked | overwritten
    //   and removed
    @Test func `a secret that two homes share stays where it is, and both open`() throws {
        let (shared, other) = (TemporaryHome(), TemporaryHome())
        try FileManager.default.createDirectory(atPath: shared.path, withIntermediateDirectories: false)
        try shared.setMode(0o700, "")
        let elsewhere = { (configuration: inout Home.Configuration) in
            let (path, way) = (shared.path, tpm.way.description)
            configuration.environment = { ["ZAMOK_DEVICE_SECRET": path, TPMAddress.variable: way][$0] }
        }
        let home = try temporary.open(elsewhere)
        _ = try other.open(elsewhere)
        try home.confirmRecoveryCode(try home.makeRecoveryCode())
        for target in [DeviceSecretTarget.file, .tpm(.none)] {
            #expect(throws: DataProtectionError.self) { try home.moveDeviceSecret(to: target, passcode: nil) }
        }
        _ = try temporary.open(elsewhere)
        _ = try other.open(elsewhere)
        #expect(shared.names == ["device-secret"])
        let foreign = URL(fileURLWithPath: "\(shared.path)/device-secret.new")
        try Data("my only copy".utf8).write(to: foreign)
        try shared.setMode(0o600, "device-secret.new")
        #expect(failure { try home.makeRecoveryCode() }?.code == .notAvailable)
        #expect(try Data(contentsOf: foreign) == Data("my only copy".utf8))
        try Data("zamokdev".utf8).write(to: foreign)
        try shared.setMode(0o600, "device-secret.new")
        _ = try home.makeRecoveryCode()
        #expect(shared.names == ["device-secret"])
    }

    // Rule: nothing is overwritten that has a second name | up to nine links ignored | moved, and overwritten under
    //   both names
    @Test
    func `a device secret with two names is overwritten under neither`() throws {
        let (home, _) = try prepared()
        let passcode = try Secret("1234")
        let before = try bytes("device-secret")
        let copy = temporary.path + "-link"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let (place, beside) = ("\(temporary.path)/device-secret", "\(temporary.path)/device-secret.new")
        try FileManager.default.linkItem(atPath: place, toPath: copy)
        let moved = failure { try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode) }
        #expect(moved?.code == .notAvailable && moved?.message.contains("another name") == true)
        #expect(try bytes("device-secret") == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(before))
        #expect(!FileManager.default.fileExists(atPath: beside))
        // What an interrupted move leaves is overwritten at the next start. A second name of the present secret is not
        // overwritten.
        try FileManager.default.moveItem(atPath: copy, toPath: beside)
        let again = try open()
        #expect(try bytes("device-secret") == before)
        try again.keybag.unlock(passcode: secret("1234"))
        #expect(failure { try again.moveDeviceSecret(to: .tpm(.none), passcode: passcode) }?.code == .notAvailable)
        #expect(try bytes("device-secret") == before)
        try FileManager.default.removeItem(atPath: beside)
        try again.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        #expect(try bytes("device-secret") != before)
    }

    // Rule: where a home was erased a new one can be made, in any state of the TPM | an unreadable device secret kept |
    //   "there is no home", and none can be made
    @Test
    func `after an erase without the TPM a new home can be made there`() throws {
        let (home, _) = try prepared()
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        // With its TPM the secret serves the next home.
        try Home.erase(home.configuration)
        #expect(temporary.names.contains("device-secret"))
        #expect(try open().status().deviceSecretTPM == tpm.way.description)
        try Home.erase(home.configuration)
        tpm.stop()
        TPMSecrets.forget()
        #expect(failure { try open() }?.code == .tpmUnreachable)
        // There is no home; the way out is the same.
        try Home.erase(home.configuration)
        #expect(!temporary.names.contains("device-secret"))
        #expect(failure { try Home.erase(home.configuration) }?.code == .noHome)
        let new = try open()
        #expect(try new.keybag.lockState == .unlocked && new.status().deviceSecretTPM == nil)
        // One that this process knows already is no better for the next.
        try tpm.start()
        try new.keybag.setPasscode(secret("1234"))
        try new.confirmRecoveryCode(try new.makeRecoveryCode())
        try new.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        tpm.stop()
        try Home.erase(new.configuration)
        #expect(!temporary.names.contains("device-secret"))
    }

    // Rule: an erase waits for a silent TPM once | each counter asked for all the same | 8.3 s in place of 2
    @Test
    func `an erase waits for a silent TPM once`() throws {
        try tpm.allow(tries: 255)
        let (home, _) = try prepared()
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        try home.keybag.bindPasscode(secret("1234"))
        for _ in 0..<2 {
            let user = try home.home(ofUser: .random(), making: true)
            try user.keybag.setPasscode(secret("user"))
            try user.keybag.bindPasscode(secret("user"))
        }
        #expect(try tpm.indices().count == 4)
        var configuration = home.configuration
        let way = tpm.way.description
        configuration.environment = { $0 == TPMAddress.variable ? way : nil }
        configuration.tpmPatience = .seconds(2)
        TPMSecrets.forget()
        tpm.pause()
        defer { tpm.proceed() }
        let start = ContinuousClock.now
        try Home.erase(configuration)
        #expect(start.duration(to: .now) < .seconds(4))
        #expect(!temporary.names.contains("device-secret"))
        #expect(failure { try Home.erase(configuration) }?.code == .noHome)
    }

    /// A move draws a new device secret and leaves nothing of the old one on the disk.
    @Test(arguments: ["1234", nil], [true, false])
    func `after a move the secret of before is nowhere`(_ passcode: String?, exchanging: Bool) throws {
        let (home, _) = try prepared(passcode: passcode, exchanging: exchanging)
        let file = try bytes("device-secret")
        let old = Array(file[(file.count - 64)..<(file.count - 32)])
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: KeyClass(.complete))
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode.map { try Secret($0) })
        for name in temporary.names {
            guard let bytes = try? bytes(name) else { continue }
            #expect(!bytes.contains(old), "\(name)")
        }
        #expect(try home.keybag.unwrap(wrapped).isEqual(to: key))
        let again = try open()
        if let passcode { try again.keybag.unlock(passcode: secret(passcode)) }
        #expect(try again.keybag.unwrap(wrapped).isEqual(to: key))
        let status = try again.status()
        #expect(!status.isDeviceSecretOnDiskOfHome && status.deviceSecretTPM == tpm.way.description)
        #expect(status.behind.isEmpty && status.failedAttempts == 0)
        #expect(try again.keybag.place.deviceSecret.record()?.formers.isEmpty == true)
    }

    // Rule: a copy of the secret of before opens nothing that is stored after the move | no new class keys when a
    //   keybag follows | both classes open
    @Test
    func `copies of the old secret open nothing new`() throws {
        let (home, _) = try prepared()
        let before = try copy()
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        let key = try SecretBytes.random(count: 32)
        let new = try [ProtectionClass.none, .complete].map { try home.keybag.wrap(key, for: KeyClass($0)) }
        let old = try open(at: before)
        try old.keybag.unlock(passcode: secret("1234"))
        for wrapped in new { #expect(failure { try old.keybag.unwrap(wrapped) }?.code == .keyDestroyed) }
        let mixed = try copy()
        try FileManager.default.removeItem(atPath: "\(mixed.path)/device-secret")
        try FileManager.default.copyItem(
            atPath: "\(before.path)/device-secret", toPath: "\(mixed.path)/device-secret")
        #expect(failure { try open(at: mixed) }?.code == .damaged)
        for copy in [before, mixed] { try FileManager.default.removeItem(atPath: copy.path) }
    }

    // Rule: no TPM gets the secret before the recovery code was typed back | the state of the recovery code not asked
    //   for | 3
    @Test
    func `a move is refused without a recovery code, and with a wrong passcode`() throws {
        let home = try open()
        try home.keybag.setPasscode(secret("1234"))
        let before = try bytes("device-secret")
        let passcode = try Secret("1234")
        #expect(failure { try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode) }?.code == .notAvailable)
        #expect(try bytes("device-secret") == before)
        let code = try home.makeRecoveryCode()
        #expect(failure { try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode) }?.code == .notAvailable)
        #expect(failure { try home.confirmRecoveryCode(try .random()) }?.code == .wrongPasscode)
        let text = try code.exposingText.lowercased().replacingOccurrences(of: "-", with: " ")
        try home.confirmRecoveryCode(try RecoveryCode(typed: secret(text)))
        let confirmed = try bytes("device-secret")
        let wrong = try Secret("4321")
        #expect(failure { try home.moveDeviceSecret(to: .tpm(.none), passcode: wrong) }?.code == .wrongPasscode)
        #expect(try bytes("device-secret") == confirmed)
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
    }

    /// Faults of the TPM have errors of their own. They make no new home and lose nothing.
    @Test
    func `without its TPM the right passcode opens nothing, and afterwards all of it`() throws {
        let (home, _) = try prepared()
        try home.moveDeviceSecret(to: .tpm(try #require(.init([7]))), passcode: try Secret("1234"))
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: KeyClass(.none))
        let names = temporary.names
        let other = try SoftwareTPM()
        let code = { () -> DataProtectionError.Code? in failure { try open() }?.code }
        tpm.stop()
        #expect(code() == .tpmUnreachable)
        // Another TPM where the right one was.
        try FileManager.default.createSymbolicLink(atPath: tpm.socket, withDestinationPath: other.socket)
        #expect(code() == .otherTPM)
        try FileManager.default.removeItem(atPath: tpm.socket)
        try Data().write(to: URL(fileURLWithPath: tpm.socket))
        #expect(code() == .tpmUnreachable)
        try FileManager.default.removeItem(atPath: tpm.socket)
        try tpm.start()
        try tpm.measure(into: 7)
        #expect(code() == .otherMeasurements)
        try tpm.restart()
        #expect(temporary.names == names)
        let again = try open()
        try again.keybag.unlock(passcode: secret("1234"))
        #expect(try again.keybag.unwrap(wrapped).isEqual(to: key))
        try tpm.clear()
        #expect(code() == .tpmCleared)
        #expect(temporary.names == names)
    }

    // Rule: a user's keybag follows a move at that user's next unlock, and the secret from before is kept until then
    //   and no longer | the secret of before not kept, or dropped at once | damaged; also the test of kills
    @Test
    func `users follow by themselves`() throws {
        let (home, _) = try prepared()
        let (first, second) = (UniqueIdentifier.random(), UniqueIdentifier.random())
        try home.home(ofUser: first, making: true).keybag.setPasscode(secret("first"))
        let open = try home.home(ofUser: second, making: true)
        let key = try SecretBytes.random(count: 32)
        let wrapped = try open.keybag.wrap(key, for: KeyClass(.complete))
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        #expect(
            Set(try home.status().behind.map { "\($0)" })
                == Set(["\(DeviceSecretFollower.user(first))", "\(DeviceSecretFollower.user(second))"]))
        let root = try self.open()
        // One without a passcode follows when it is opened.
        #expect(try root.home(ofUser: second, making: false).keybag.unwrap(wrapped).isEqual(to: key))
        #expect(try root.status().behind == [.user(first)])
        #expect(try root.keybag.place.deviceSecret.record()?.formers.count == 1)
        let user = try root.home(ofUser: first, making: false)
        #expect(failure { try user.keybag.unlock(passcode: secret("wrong")) }?.code == .wrongPasscode)
        #expect(try root.status().behind == [.user(first)])
        try user.keybag.unlock(passcode: secret("first"))
        #expect(user.keybag.lockState == .unlocked)
        #expect(try root.status().behind.isEmpty)
        #expect(try root.keybag.place.deviceSecret.record()?.formers.isEmpty == true)
        try self.open().home(ofUser: first, making: false).keybag.unlock(passcode: secret("first"))
    }

    // Rule: only secrets that a keybag depends on are kept, so that moves never run out of places | all kept until
    //   every keybag has followed | refused from the 9th on
    @Test
    func `a user that doesn't follow stops no move, and follows after any number of them`() throws {
        let (home, _) = try prepared(passcode: nil)
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        for move in 0..<10 { try home.moveDeviceSecret(to: move % 2 == 0 ? .tpm(.none) : .file, passcode: nil) }
        let root = try open()
        #expect(try root.keybag.place.deviceSecret.record()?.formers.count == 1)
        try root.home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try root.status().behind.isEmpty)
    }

    @Test(arguments: ["users", "epochs"])
    func `a user whose files are away during moves opens with them put back`(part: String) throws {
        let (home, _) = try prepared(passcode: nil)
        let (user, other) = (UniqueIdentifier.random(), UniqueIdentifier.random())
        for user in [user, other] { try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user")) }
        let name = "\(part)/\(user.text)"
        let away = temporary.path + "/away"
        try FileManager.default.moveItem(atPath: "\(temporary.path)/\(name)", toPath: away)
        for _ in 0..<2 { try home.moveDeviceSecret(to: .tpm(.none), passcode: nil) }
        #expect(try Set(open().status().behind.map { "\($0)" }).count == 2)
        try open().home(ofUser: other, making: false).keybag.unlock(passcode: secret("user"))
        try FileManager.default.moveItem(atPath: away, toPath: "\(temporary.path)/\(name)")
        try open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try open().status().behind.isEmpty)
    }

    @Test
    func `a recovery code that can't be shown leaves the one from before`() throws {
        let (home, code) = try prepared()
        struct Full: Error {}
        #expect(throws: DataProtectionError.self) { try home.makeRecoveryCode { _ in throw Full() } }
        try home.confirmRecoveryCode(code)
    }

    @Test
    func `a wrong passcode between two moves counts as one`() throws {
        let (home, _) = try prepared(passcode: nil)
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        try home.moveDeviceSecret(to: .tpm(.none), passcode: nil)
        #expect(
            failure { try open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("other")) }?.code
                == .wrongPasscode)
        for _ in 0..<2 { try home.moveDeviceSecret(to: .tpm(.none), passcode: nil) }
        let behind = try open().home(ofUser: user, making: false)
        #expect(try behind.status().failedAttempts == 1)
        try behind.keybag.unlock(passcode: secret("user"))
        #expect(try open().home(ofUser: user, making: false).status().failedAttempts == 0)
    }

    // Rule: with the recovery code a home opens whose TPM is gone; no other code opens it | the code not compared |
    //   another error for a wrong one
    @Test
    func `a home on a dead board opens with its recovery code`() throws {
        let (home, code) = try prepared()
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        let passcode = try Secret("1234")
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: KeyClass(.complete))
        try home.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        // Sealed again at each move.
        try home.moveDeviceSecret(to: .tpm(try #require(.init([0]))), passcode: passcode)
        tpm.stop()
        #expect(failure { try open() }?.code == .tpmUnreachable)
        #expect(failure { try Home.recover(temporary.configuration, [try .random()]) }?.code == .wrongPasscode)
        TPMSecrets.forget()
        try Home.recover(temporary.configuration, [code])
        let recovered = try temporary.open()
        #expect(failure { try recovered.keybag.unlock(passcode: secret("4321")) }?.code == .wrongPasscode)
        try recovered.moveDeviceSecret(to: .file, passcode: passcode)
        let again = try open()
        try again.keybag.unlock(passcode: secret("1234"))
        #expect(try again.keybag.unwrap(wrapped).isEqual(to: key))
        try again.home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try again.status().behind.isEmpty)
        #expect(try again.status().deviceSecretTPM == nil)
    }

    // Rule: a device secret that is exchanged for another, or changed in one byte, is damage | the code of the file not
    //   verified | many bytes
    @Test
    func `each byte of the file is bound`() throws {
        let (home, _) = try prepared(passcode: nil)
        try home.moveDeviceSecret(to: .tpm(.none), passcode: nil)
        let good = try bytes("device-secret")
        let url = URL(fileURLWithPath: "\(temporary.path)/device-secret")
        var codes: Set<String> = []
        for position in stride(from: 0, to: good.count, by: 5) {
            var bad = good
            bad[position] ^= 1
            try Data(bad).write(to: url)
            let code = failure { try open() }?.code
            #expect(code != nil, "byte \(position)")
            codes.insert(code?.codeName ?? "none")
        }
        #expect(
            codes.isSubset(of: [
                "damaged", "newerFormat", "tpmUnreachable", "otherTPM", "tpmCleared", "missingDeviceSecret",
                "otherMeasurements", "tpmFailed",
            ]), "\(codes)")
        try Data(good).write(to: url)
        _ = try open()
    }

    var environment: [String: String] { [TPMAddress.variable: tpm.way.description] }
}
