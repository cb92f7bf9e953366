// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

@Suite struct CompleteUnlessOpenTests {
    private let file = [UInt8](repeating: 7, count: 16)

    @Test func `Files can be sealed while locked and before first unlock, and open only while unlocked`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let key = try SecretBytes.random(count: 32)
        for isDeviceOnly in [false, true] {
            try keybag.lockCompletely()
            let sealed = try keybag.sealForCompleteUnlessOpen(key, fileIdentifier: file, thisDeviceOnly: isDeviceOnly)
            let again = try #require(CompleteUnlessOpenKey(bytes: sealed.bytes))
            #expect(again == sealed)
            #expect(sealed.bytes.count == CompleteUnlessOpenKey.size)
            #expect(failure { try keybag.openCompleteUnlessOpen(again, fileIdentifier: file) }?.code == .locked)
            try keybag.unlock(passcode: secret("1234"))
            let opened = try keybag.openCompleteUnlessOpen(again, fileIdentifier: file)
            #expect(try opened.isEqual(to: key))
        }
    }

    @Test func `What is changed, of another file or class, or of a destroyed key is told apart`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let key = try SecretBytes.random(count: 32)
        let sealed = try keybag.sealForCompleteUnlessOpen(key, fileIdentifier: file)
        let code = { (bytes: [UInt8], file: [UInt8]) throws -> DataProtectionError.Code? in
            failure {
                try keybag.openCompleteUnlessOpen(
                    try #require(CompleteUnlessOpenKey(bytes: bytes)), fileIdentifier: file)
            }?.code
        }
        #expect(try code(sealed.bytes, file) == nil)
        #expect(try code(sealed.bytes, [UInt8](repeating: 8, count: 16)) == .damaged)
        for index in [9, 30, 41, 60, 80] {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(try code(bytes, file) == .damaged, "\(index)")
        }
        for index in [1, 8] {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(try code(bytes, file) == .keyDestroyed)
        }
        var otherClass = sealed.bytes
        otherClass[0] |= 0x80
        #expect(try code(otherClass, file) == .keyDestroyed)
        var zeroPoint = sealed.bytes
        zeroPoint.replaceSubrange(9..<41, with: [UInt8](repeating: 0, count: 32))
        #expect(try code(zeroPoint, file) == .damaged)
        #expect(CompleteUnlessOpenKey(bytes: Array(sealed.bytes.dropLast())) == nil)
        #expect(CompleteUnlessOpenKey(bytes: [1] + sealed.bytes.dropFirst()) == nil)
        #expect(failure { try keybag.sealForCompleteUnlessOpen(key, fileIdentifier: [1]) }?.code == .invalidArgument)
        #expect(failure { try keybag.wrap(key, for: KeyClass(.completeUnlessOpen)) }?.code == .invalidArgument)
    }

    /// Everything that is on the disk in clear, and no authenticity key.
    @Test func `A file key made by writing to the disk alone does not open`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let keyClass = KeyClass(.completeUnlessOpen)
        let slot = try #require(try keybag.view().file.current(.classKeyPair, keyClass))
        let classKey = try #require(slot.publicKey)
        let pair = try KeyAgreement.generate()
        let shared = try KeyAgreement.sharedSecret(of: pair.privateKey, with: classKey)
        var context = ByteWriter()
        context.append([keyClass.code])
        context.integer(slot.id.value)
        context.append(pair.publicKey + classKey + file)
        let forgedKey = try SecretBytes.random(count: 32)
        for guess in [nil, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 1, count: 32)] {
            let material =
                try guess.map { try shared.joined(with: try SecretBytes(copying: $0)) }
                ?? shared.joined(with: SecretBytes(copying: []))
            let wrapping = try KeyDerivation.derive(
                from: material, salt: [], label: .completeUnlessOpen, context: context.bytes
            )
            var bytes = ByteWriter()
            bytes.append([keyClass.code])
            bytes.integer(slot.id.value)
            bytes.append(pair.publicKey + (try KeyWrap.wrap(forgedKey, under: wrapping)))
            let forged = try #require(CompleteUnlessOpenKey(bytes: bytes.bytes))
            #expect(failure { try keybag.openCompleteUnlessOpen(forged, fileIdentifier: file) }?.code == .damaged)
        }
    }

    @Test func `Files survive setting, changing, rotating and removing the passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let key = try SecretBytes.random(count: 32)
        let sealed = try keybag.sealForCompleteUnlessOpen(key, fileIdentifier: file)
        let check = {
            let opened = try keybag.openCompleteUnlessOpen(sealed, fileIdentifier: file)
            #expect(try opened.isEqual(to: key))
        }
        try keybag.setPasscode(secret("1"))
        try check()
        #expect(keybag.isRetired(sealed.classKeyID))
        try keybag.changePasscode(from: secret("1"), to: secret("2"), rotatingKeys: true)
        try check()
        try keybag.removePasscode(secret("2"))
        try check()
        try keybag.removeRetiredKeys()
        #expect(failure { try keybag.openCompleteUnlessOpen(sealed, fileIdentifier: file) }?.code == .keyDestroyed)
    }
}

@Suite struct AccessControlTests {
    let context: [UInt8] = [1, 2, 3]

    @Test func `Sealing does not ask; opening takes the passcode, in every lock state, through the limiter`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let key = try SecretBytes.random(count: 32)
        #expect(failure { try keybag.sealForAccessControl(key, context: context) }?.code == .noPasscode)
        #expect(failure { try keybag.accessControlKey(passcode: secret("1234")) }?.code == .noPasscode)
        #expect(try keybag.accessControlKeyIdentifier == nil)
        try keybag.setPasscode(secret("1234"))
        let sealed = try keybag.sealForAccessControl(key, context: context)
        #expect(try keybag.accessControlKeyIdentifier == sealed.identifier)
        #expect(sealed.bytes.count == key.count + AccessControlSeal.overhead)
        try keybag.lockCompletely()
        let second = try keybag.sealForAccessControl(key, context: context)
        #expect(second.bytes != sealed.bytes)
        for seal in [sealed, second] {
            let opened = try keybag.accessControlKey(passcode: secret("1234")).open(seal, context: context)
            #expect(try opened.isEqual(to: key))
        }
        #expect(keybag.lockState == .beforeFirstUnlock)
        #expect(failure { try keybag.accessControlKey(passcode: secret("1")) }?.code == .wrongPasscode)
        #expect(try temporary.open().status().failedAttempts == 1)
    }

    @Test func `A seal opens in its own context alone, and not when a bit of it is changed`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let sealed = try keybag.sealForAccessControl(try SecretBytes.random(count: 40), context: context)
        let key = try keybag.accessControlKey(passcode: secret("1234"))
        #expect(failure { try key.open(sealed, context: [1, 2, 4]) }?.code == .damaged)
        for place in [0, 31, 32, sealed.bytes.count - 1] {
            var bytes = sealed.bytes
            bytes[place] ^= 1
            let changed = AccessControlSeal(identifier: sealed.identifier, bytes: bytes)
            #expect(failure { try key.open(changed, context: context) }?.code == .damaged)
        }
        for count in [0, 1, 31, 32, 33, 40, sealed.bytes.count - 1] {
            let cut = AccessControlSeal(identifier: sealed.identifier, bytes: Array(sealed.bytes.prefix(count)))
            #expect(failure { try key.open(cut, context: context) }?.code == .damaged)
        }
    }

    @Test func `It is in no group that a holder keeps`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let view = try keybag.view()
        let identifier = try #require(try keybag.accessControlKeyIdentifier)
        for role in KeyGroup.Role.allCases {
            let group = try #require(try keybag.group(role, view))
            for kind in KeybagSlot.Kind.allCases {
                let found = try group.key(kind, identifier) == nil
                #expect(found)
            }
        }
    }

    @Test func `Rotation keeps old items readable, removal of the passcode destroys them`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1"))
        let key = try SecretBytes.random(count: 32)
        let sealed = try keybag.sealForAccessControl(key, context: context)
        try keybag.changePasscode(from: secret("1"), to: secret("2"), rotatingKeys: true)
        #expect(keybag.isRetiredAccessControlKey(sealed.identifier))
        let second = try keybag.accessControlKey(passcode: secret("2"))
        #expect(second.identifier != sealed.identifier)
        let opened = try second.open(sealed, context: context)
        #expect(try opened.isEqual(to: key))
        let other = AccessControlSeal(identifier: second.identifier, bytes: sealed.bytes)
        #expect(failure { try second.open(other, context: context) }?.code == .damaged)
        try keybag.requireAccessControlKey(sealed.identifier)
        try keybag.removePasscode(secret("2"))
        try keybag.setPasscode(secret("3"))
        let third = try keybag.accessControlKey(passcode: secret("3"))
        #expect(failure { try third.open(sealed, context: context) }?.code == .keyDestroyed)
        #expect(failure { try keybag.requireAccessControlKey(sealed.identifier) }?.code == .keyDestroyed)
    }
}
