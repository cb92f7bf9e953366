// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TPMs
import TestSupport
import TestVectors
import Testing

@testable import DataProtection

/// A passcode that the TPM counts (Documentation/Formats/TPMObjects.md).
extension TPMHomeTests {
    /// A home in the TPM whose passcode, 1234, is bound to it. A TPM of the emulator allows 3 wrong tries.
    private func bound(tries: UInt8 = 32) throws -> (home: Home, code: RecoveryCode) {
        try tpm.allow(tries: tries)
        let (home, code) = try prepared()
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        try home.keybag.bindPasscode(secret("1234"))
        return (home, code)
    }

    private func code(_ body: () throws -> Void) -> DataProtectionError.Code? { failure(body)?.code }

    @Test
    func `a bound passcode opens with the TPM, and is changed and removed as ever`() throws {
        let (home, _) = try bound()
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: KeyClass(.complete))
        #expect(try home.status().passcodeTPM == tpm.way.description)
        try home.keybag.lock()
        #expect(code { try home.keybag.unlock(passcode: secret("4321")) } == .wrongPasscode)
        #expect(try tpm.way.lockout().tries == 1)
        try home.keybag.unlock(passcode: secret("1234"))
        #expect(try home.keybag.unwrap(wrapped).isEqual(to: key))
        try home.keybag.changePasscode(from: secret("1234"), to: secret("new"))
        let again = try open()
        #expect(try again.keybag.view().file.isBound)
        #expect(code { try again.keybag.unlock(passcode: secret("1234")) } == .wrongPasscode)
        try again.keybag.unlock(passcode: secret("new"))
        #expect(try again.keybag.unwrap(wrapped).isEqual(to: key))
        try again.keybag.removePasscode(secret("new"))
        #expect(try open().keybag.unwrap(wrapped).isEqual(to: key))
        #expect(try !open().keybag.view().file.isBound)
    }

    // Rule: an answer of the TPM about anything but the passcode is not a wrong passcode, and counts nowhere |
    //   TPM_RC_LOCKOUT taken for a wrong passcode | wrong passcode, and counted
    @Test
    func `a TPM that waits is told as one that waits`() throws {
        let (home, _) = try bound()
        try home.keybag.lock()
        try tpm.lockOut()
        let error = failure { try home.keybag.unlock(passcode: secret("1234")) }
        #expect(error?.code == .tpmLockedOut && error?.message.contains("every 3600 seconds") == true)
        #expect(code { try home.keybag.changePasscode(from: secret("1234"), to: secret("new")) } == .tpmLockedOut)
        #expect(try home.status().failedAttempts == 0)
        // Class none needs no passcode, and the device secret is not under the lockout.
        let other = try open()
        let key = try SecretBytes.random(count: 32)
        #expect(try other.keybag.unwrap(other.keybag.wrap(key, for: KeyClass(.none))).isEqual(to: key))
        tpm.stop()
        #expect(code { try home.keybag.unlock(passcode: secret("1234")) } == .tpmUnreachable)
        let strange = try SoftwareTPM()
        try FileManager.default.createSymbolicLink(atPath: tpm.socket, withDestinationPath: strange.socket)
        #expect(code { try home.keybag.unlock(passcode: secret("1234")) } == .otherTPM)
        try FileManager.default.removeItem(atPath: tpm.socket)
        try tpm.start()
        #expect(try home.status().failedAttempts == 0)
        try tpm.allow(tries: 32)
        try home.keybag.unlock(passcode: secret("1234"))
    }

    // Rule: the TPM that a passcode is bound to is not taken for the one that has the device secret | messages of the
    //   device secret for both; only the address at which it was bound told apart | "and it has the device secret"; 3
    @Test
    func `the TPM of a passcode is not taken for that of the device secret`() throws {
        let (home, _) = try bound()
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        try home.home(ofUser: user, making: false).keybag.bindPasscode(secret("user"))
        // The device secret moves on, and the user has not followed.
        let passcode = try Secret("1234")
        try home.moveDeviceSecret(to: .file, passcode: passcode)
        let strange = try SoftwareTPM()
        TPMSecrets.forget()
        let root = try temporary.open { configuration in
            let way = strange.way.description
            configuration.environment = { $0 == TPMAddress.variable ? way : nil }
        }
        try root.moveDeviceSecret(to: .tpm(.none), passcode: passcode)
        let behind = try root.home(ofUser: user, making: false)
        #expect(try behind.keybag.view().file.passcodeBinding?.part.way == tpm.way)
        let error = failure { try behind.keybag.unlock(passcode: secret("user")) }
        #expect(error?.code == .otherTPM)
        #expect(error?.message.contains("not the one that the passcode is bound to") == true)
        #expect(error?.message.contains(tpm.way.description) == true)
        #expect(error?.message.contains("device secret") == false)
        #expect(try behind.status().failedAttempts == 0)
        // While the passcode's TPM is away as well: the other one has the device secret, and answers.
        TPMSecrets.forget()
        tpm.stop()
        let unnamed = try temporary.open().home(ofUser: user, making: false)
        let away = failure { try unnamed.keybag.unlock(passcode: secret("user")) }
        #expect(away?.code == .tpmUnreachable)
        #expect(away?.message.contains("the passcode is bound to it, and wasn't counted") == true)
        #expect(away?.message.contains("device secret") == false)
        try tpm.start()
        // Each over its own way, as the files name them.
        TPMSecrets.forget()
        try temporary.open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
    }

    // Rule: a keybag that follows a move at an unlock is opened by what the passcode yields for the one that took its
    //   place | the value from before used | a key does not open
    @Test
    func `a bound passcode that follows the device secret opens at once`() throws {
        let (home, _) = try bound()
        let user = UniqueIdentifier.random()
        let own = try home.home(ofUser: user, making: true)
        try own.keybag.setPasscode(secret("user"))
        try own.keybag.bindPasscode(secret("user"))
        let key = try SecretBytes.random(count: 32)
        let wrapped = try own.keybag.wrap(key, for: KeyClass(.complete))
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        let behind = try open().home(ofUser: user, making: false)
        #expect(try open().status().behind == [.user(user)])
        try behind.keybag.unlock(passcode: secret("user"))
        #expect(try behind.keybag.unwrap(wrapped).isEqual(to: key))
        #expect(try open().status().behind.isEmpty && behind.status().passcodeTPM != nil)
        try open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try tpm.indices().count == 3)
    }

    // Rule: no second recovery code is made before all bound passcodes have followed the first | not looked at | made
    @Test
    func `no second recovery code is made before a bound passcode has followed the first`() throws {
        let (home, _) = try bound()
        let user = UniqueIdentifier.random()
        let own = try home.home(ofUser: user, making: true)
        try own.keybag.setPasscode(secret("user"))
        try own.keybag.bindPasscode(secret("user"))
        let passcode = try Secret("1234")
        let first = try home.makeRecoveryCode(passcode: passcode)
        try home.confirmRecoveryCode(first)
        #expect(try home.status().boundByFormerCode == [.user(user)])
        let file = try bytes("device-secret")
        #expect(code { _ = try home.makeRecoveryCode(passcode: passcode) } == .notAvailable)
        #expect(try bytes("device-secret") == file)
        try open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try home.status().boundByFormerCode.isEmpty)
        _ = try home.makeRecoveryCode(passcode: passcode)
    }

    /// With the emulator's own 3 tries: it counts each of them, and says so only by waiting.
    @Test
    func `cuts of power after a right passcode make the TPM wait, and no passcode wrong`() throws {
        let (home, _) = try bound(tries: 3)
        var seen: [DataProtectionError.Code] = []
        for _ in 0..<6 {
            if let code = code({ try home.keybag.unlock(passcode: secret("1234")) }) { seen.append(code) }
            try tpm.restart()
        }
        #expect(seen.contains(.tpmLockedOut) && Set(seen) == [.tpmLockedOut])
        try tpm.forgetTries()
        try home.keybag.unlock(passcode: secret("1234"))
    }

    // Rule: disk and device secret without the TPM give nothing to guess a bound passcode against | the value left out
    //   of the passcode root | the root of the right passcode opens
    @Test
    func `a thief of the disk and the device secret has nothing to guess against`() throws {
        let (home, _) = try bound()
        let opened = try home.keybag.place.read()
        let stretching = try #require(opened.file.stretching)
        let stretched = try Keybag.stretch(
            try Passcode(secret("1234")), salt: stretching.salt, parameters: stretching.parameters)
        let guessed = try opened.roots.passcodeRoot(stretched: stretched)
        #expect(try !opened.file.isSigned(person: guessed))
        // As a keybag without its binding, which can be made with the device secret.
        var stripped = opened.file
        stripped.binding = []
        #expect(try !stripped.isSigned(person: guessed))
        let file = opened.file
        for slot in file.slots where slot.root == .passcode {
            #expect(throws: (any Error).self) { _ = try slot.unwrap(under: guessed, file.names) }
        }
        tpm.stop()
        let stolen = try copy()
        defer { stolen.remove() }
        #expect(failure { try open(at: stolen) }?.code == .tpmUnreachable)
    }

    /// The TPM counts wrong passcodes, however the files are changed between.
    @Test
    func `a thief of the machine is locked out by the TPM after 32 tries, with any files put back between`() throws {
        let (home, _) = try bound()
        try home.guardLockout(with: try .random())
        try home.keybag.lock()
        let stolen = try copy()
        defer { stolen.remove() }
        for number in 0..<32 {
            // The counter of Zamok's own limiter is put back each time.
            let attempt = TemporaryHome(at: stolen.path + "-try")
            // Not erased, which would take the counters from the TPM.
            defer { try? FileManager.default.removeItem(atPath: attempt.path) }
            try FileManager.default.copyItem(atPath: stolen.path, toPath: attempt.path)
            let home = try open(at: attempt)
            #expect(code { try home.keybag.unlock(passcode: secret("guess \(number)")) } == .wrongPasscode)
        }
        #expect(try tpm.way.lockout().isLockedOut)
        #expect(code { try open(at: stolen).keybag.unlock(passcode: secret("1234")) } == .tpmLockedOut)
        // The authorisation that TPMs come with, and more tries, are refused.
        #expect(throws: TPMError.self) { try tpm.forgetTries() }
        #expect(throws: TPMError.self) { try tpm.allow(tries: 255) }
        try tpm.restart()
        #expect(code { try open(at: stolen).keybag.unlock(passcode: secret("1234")) } == .tpmLockedOut)
    }

    /// Only the lockout's own authorisation undoes the count, once there is one.
    @Test
    func `the lockout's code undoes the count, and no other`() throws {
        let (home, _) = try bound()
        #expect(try home.lockout()?.isGuarded == false)
        #expect(try home.status().warnings.contains { $0.contains("zamok device lockout") })
        let lockoutCode = try RecoveryCode.random()
        try home.guardLockout(with: lockoutCode)
        #expect(code { try home.guardLockout(with: try .random()) } == .notAvailable)
        let lockout = try #require(try home.lockout())
        #expect(lockout.isGuarded && lockout.mostTries == 32 && lockout.seconds == 600)
        try home.keybag.lock()
        #expect(code { try home.keybag.unlock(passcode: secret("wrong")) } == .wrongPasscode)
        #expect(try home.lockout()?.tries == 1)
        try home.resetLockout(with: lockoutCode)
        #expect(try home.lockout()?.tries == 0)
        #expect(code { try home.resetLockout(with: try .random()) } == .wrongPasscode)
        #expect(code { try home.resetLockout(with: lockoutCode) } == .tpmLockedOut)
        try home.keybag.unlock(passcode: secret("1234"))
    }

    /// The recovery code replaces a TPM that is gone, also for passcodes bound to it. The passcode is still needed.
    @Test
    func `with the recovery code a bound passcode opens without its TPM`() throws {
        let (home, recovery) = try bound()
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        try home.home(ofUser: user, making: false).keybag.bindPasscode(secret("user"))
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: KeyClass(.complete))
        tpm.stop()
        #expect(failure { try open() }?.code == .tpmUnreachable)
        TPMSecrets.forget()
        try Home.recover(temporary.configuration, [recovery])
        let recovered = try temporary.open()
        #expect(code { try recovered.keybag.unlock(passcode: secret("4321")) } == .wrongPasscode)
        try recovered.moveDeviceSecret(to: .file, passcode: try Secret("1234"))
        let again = try open()
        #expect(try !again.keybag.view().file.isBound)
        try again.keybag.unlock(passcode: secret("1234"))
        #expect(try again.keybag.unwrap(wrapped).isEqual(to: key))
        // The user's own needs the TPM still, or the code.
        let bound = try again.home(ofUser: user, making: false)
        let error = failure { try bound.keybag.unlock(passcode: secret("user")) }
        #expect(error?.code == .tpmUnreachable && error?.message.contains("zamok passcode unbind --recovery") == true)
        try Home.recover(temporary.configuration, [recovery])
        try bound.keybag.unbindPasscode(secret("user"))
        TPMSecrets.forget()
        try open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
        #expect(try open().status().behind.isEmpty)
    }

    @Test
    func `a new recovery code replaces the TPM for a bound passcode after its next unlock`() throws {
        let (home, _) = try bound()
        let recovery = try home.makeRecoveryCode()
        try home.confirmRecoveryCode(recovery)
        #expect(try home.keybag.isBindingBehind(home.keybag.view().file))
        #expect(try home.status().warnings.contains { $0.contains("follows at the next unlock") })
        let root = try open()
        try root.keybag.unlock(passcode: secret("1234"))
        #expect(root.keybag.lockState == .unlocked)
        #expect(try !root.keybag.isBindingBehind(root.keybag.view().file))
        tpm.stop()
        TPMSecrets.forget()
        try Home.recover(temporary.configuration, [recovery])
        try temporary.open().keybag.unlock(passcode: secret("1234"))
    }

    @Test
    func `a new recovery code replaces the TPM for a bound passcode at once; a user needs both codes until it follows`()
        throws
    {
        let (home, old) = try bound()
        let user = UniqueIdentifier.random()
        try home.home(ofUser: user, making: true).keybag.setPasscode(secret("user"))
        try home.home(ofUser: user, making: false).keybag.bindPasscode(secret("user"))
        let before = try bytes("device-secret")
        #expect(code { _ = try home.makeRecoveryCode(passcode: try Secret("4321")) } == .wrongPasscode)
        #expect(try bytes("device-secret") == before)
        let new = try home.makeRecoveryCode(passcode: try Secret("1234"))
        #expect(try !home.keybag.isBindingBehind(home.keybag.view().file))
        tpm.stop()
        TPMSecrets.forget()
        #expect(code { try Home.recover(temporary.configuration, [old]) } == .wrongPasscode)
        try Home.recover(temporary.configuration, [new])
        let recovered = try temporary.open()
        try recovered.keybag.unlock(passcode: secret("1234"))
        let bound = try recovered.home(ofUser: user, making: false).keybag
        #expect(try bound.needsFormerRecoveryCode())
        let error = failure { try bound.unlock(passcode: secret("user")) }
        #expect(error?.code == .tpmUnreachable && error?.message.contains("--code-file OLD") == true)
        try Home.recover(temporary.configuration, [old, new])
        #expect(try !bound.needsFormerRecoveryCode())
        try bound.unbindPasscode(secret("user"))
        TPMSecrets.forget()
        try Home.recover(temporary.configuration, [new])
        try temporary.open().home(ofUser: user, making: false).keybag.unlock(passcode: secret("user"))
    }

    @Test
    func `a passcode is bound only where a TPM has the device secret and the recovery code was typed back`() throws {
        let (home, _) = try prepared()
        #expect(code { try home.keybag.bindPasscode(secret("1234")) } == .notAvailable)
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        _ = try home.makeRecoveryCode()
        let before = try bytes("keybag")
        #expect(code { try home.keybag.bindPasscode(secret("1234")) } == .notAvailable)
        #expect(try bytes("keybag") == before)
        #expect(code { try home.keybag.bindPasscode(secret("4321")) } == .wrongPasscode)
    }

    // Rule: keys in copies from before a binding open nothing that is stored after it | no new class keys at binding |
    //   the copy's key opens what came later
    @Test
    func `copies from before a passcode was bound open nothing that comes later`() throws {
        try tpm.allow(tries: 32)
        let (home, _) = try prepared()
        try home.moveDeviceSecret(to: .tpm(.none), passcode: try Secret("1234"))
        let before = try copy()
        defer { before.remove() }
        try home.keybag.bindPasscode(secret("1234"))
        let wrapped = try home.keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.complete))
        let old = try tolerant(before)
        try old.keybag.unlock(passcode: secret("1234"))
        #expect(failure { try old.keybag.unwrap(wrapped) }?.code == .keyDestroyed)
    }

    // Rule: every byte of a binding is under the keybag's codes | the binding left out of the person's code
    @Test
    func `an exchanged binding is noticed by the person's code`() throws {
        let (home, _) = try bound()
        let opened = try home.keybag.place.read()
        let right = try home.keybag.answer(try Passcode(secret("1234")), opened)
        var file = opened.file
        #expect(try file.isSigned(person: right.root))
        file.binding[file.binding.count - 1] ^= 1
        #expect(try !file.isSigned(person: right.root))
        file = opened.file
        file.binding = []
        #expect(try !file.isSigned(person: right.root))
    }

    /// The vector, written from the documents, opens by its recovery code.
    @Test(arguments: ["bound-to-a-chip", "bound-to-a-counter"])
    func `a bound keybag is what the documents say`(_ name: String) throws {
        let vector = try #require(try VectorFile.all(of: "Keybag")[name])
        let home = TemporaryHome()
        try home.fill(vector.files)
        TPMSecrets.forget()
        let keybag = try home.open { $0.usesInsecureKDF = false }.keybag
        TPMSecrets.recoveryCodes = [try RecoveryCode(typed: secret(try #require(vector.header["recovery"])))]
        defer { TPMSecrets.forget() }
        try keybag.unlock(passcode: secret("1234"))
        #expect(try keybag.classKey(.complete) == VectorFile.bytes(try #require(vector.header["complete"])))
        #expect(try bytesOf(home, "keybag") == vector.files["keybag"])
    }

    private func bytesOf(_ home: TemporaryHome, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(home.path)/\(name)")))
    }
}
