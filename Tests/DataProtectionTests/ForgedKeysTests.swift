// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Keys of another origin where a home's keys are looked for, and keybags that were changed with the device secret.
@Suite struct ForgedKeysTests {
    private static let roles = [KeyGroup.Role.complete, .firstUnlock]

    /// A group as any process of this user can make it without the passcode: everything right but the keys.
    private func forged(_ role: KeyGroup.Role, _ keybag: Keybag, slots: UniqueIdentifier? = nil) throws -> KeyGroup {
        let file = try keybag.view().file
        let validity = KeyGroup.Validity(
            role: role, home: file.homeIdentifier, generation: file.generation, count: keybag.process.count(role),
            deadline: nil, boot: keybag.process.clock.now().start, slots: slots ?? file.slotsCode)
        return try KeyGroup.make(validity, file.slots.filter { $0.role == role }) { _ in
            try SecretBytes.random(count: 32)
        }
    }

    private func name(_ group: KeyGroup) -> String {
        KernelKeyringHolder.name(group.validity.home, generation: group.validity.generation, role: group.validity.role)
    }

    @Test(.enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
    func `Forged groups in the kernel's keyring unlock no process, and the first to meet them revokes them`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.lockCompletely()
        let worker = try Worker(temporary.path)
        _ = try worker.ask("open kernel")
        for round in 0..<2 {
            for role in Self.roles {
                let group = try forged(role, keybag)
                _ = try KernelKeyring.add(name(group), group.payload, expiringIn: nil)
            }
            // A process that has the home open, one that knows nothing yet, and one that asks for the state alone.
            if round == 0 {
                #expect(kept.codes(keybag) == [.locked, .locked, nil, .locked])
                #expect(failure { try keybag.wrap(kept.key, for: KeyClass(.complete)) }?.code == .locked)
                #expect(failure { try keybag.withMetadataKey(.afterFirstUnlock) { _ in } }?.code == .locked)
                for role in Self.roles { #expect(try KernelKeyring.find(name(try forged(role, keybag))) == nil) }
            } else {
                #expect(try worker.ask("state") == "beforeFirstUnlock")
                #expect(try Worker(temporary.path).ask("open kernel") == "done")
            }
            #expect(keybag.lockState == .beforeFirstUnlock)
            #expect(try temporary.open { $0.holder = .kernelKeyring }.keybag.lockState == .beforeFirstUnlock)
        }
        try keybag.unlock(passcode: secret("1234"))
        #expect(try worker.ask("state") == "unlocked")
        try kept.check(keybag)
        // In place of a good group that was checked before, under the same serial number: no check is kept for ever.
        let group = try forged(.complete, keybag)
        let serial = try KernelKeyring.find(name(group))
        let bytes = try #require(try group.payload.exposingBytes(0..<group.payload.count))
        let ring = unsafe zamok_key_search(ZAMOK_KEYRING_USER, "keyring", name(group), 0)
        let updated = unsafe zamok_key_add("user", name(group), bytes, bytes.count, ring)
        #expect(updated == serial)
        #expect(kept.codes(keybag) == [.locked, nil, nil, .locked])
        #expect(try worker.ask("state") == "locked")
        try keybag.lockCompletely()
    }

    // Rule: a group of keys that doesn't fit the keybag is not used | `KeyGroup.fits` takes every group | and the two
    //   other tests of groups
    @Test func `A group with one key exchanged, one missing, or of other slots doesn't fit`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .process }.keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
        let view = try keybag.view()
        for role in Self.roles {
            let good = try #require(try keybag.group(role, view))
            let slots = view.file.slots.filter { $0.role == role }
            #expect(slots.contains(where: \.isRetired) && slots.count >= 2)
            #expect(try good.fits(view.file))
            for wrong in slots {
                let exchanged = try KeyGroup.make(good.validity, slots) { slot in
                    guard slot != wrong, let key = try good.key(slot.kind, slot.id) else {
                        return try .random(count: 32)
                    }
                    return key
                }
                #expect(try !exchanged.fits(view.file), "\(wrong.name)")
                let short = try good.renewed(good.validity) { kind, id in (kind, id) != (wrong.kind, wrong.id) }
                #expect(try !short.fits(view.file), "\(wrong.name)")
            }
            var other = good.validity
            for slots in [nil, UniqueIdentifier.random()] {
                other.slots = slots
                #expect(try !good.renewed(other) { _, _ in true }.fits(view.file))
            }
        }
    }

    @Test func `Forged groups in memory that a program inherits unlock nothing`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .process }.keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.lockCompletely()
        let groups = try Self.roles.map { try forged($0, keybag) }
        let handOver = try KeyHandOver(groups, process: keybag.process, place: keybag.place)
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("state") == "beforeFirstUnlock")
        let inheriting = try temporary.open {
            $0.holder = .process
            $0.environment = { $0 == KeyHandOver.variable ? "\(handOver.descriptor)" : nil }
        }
        #expect(inheriting.keybag.lockState == .beforeFirstUnlock)
        #expect(failure { try inheriting.keybag.withMetadataKey(.afterFirstUnlock) { _ in } }?.code == .locked)
    }

    // MARK: The keybag

    /// Changes the keybag as is possible with device secret and epoch: with a right HMAC.
    private func change(
        _ temporary: TemporaryHome, _ change: (inout KeybagFile, borrowing KeyRoots) throws -> Void
    ) throws -> [UInt8] {
        let opened = try temporary.open().keybag.place.read()
        var file = opened.file
        try change(&file, opened.roots)
        let bytes = try file.encoded(under: try opened.roots.authenticationKey())
        try temporary.put(bytes, KeybagFile.fileName)
        return bytes
    }

    /// Another pair of which the attacker knows the private half; the check value fits it.
    private static func exchangePublicKey(
        _ kind: KeybagSlot.Kind, _ file: inout KeybagFile, _ roots: borrowing KeyRoots
    ) throws {
        let index = try #require(file.slots.firstIndex { $0.kind == kind && !$0.isRetired })
        let pair = try KeyAgreement.generate()
        let wrapped = file.slots[index].wrapped
        file.slots[index].publicKey = pair.publicKey
        try file.slots[index].wrap(pair.privateKey, under: roots.device, file.names)
        file.slots[index].wrapped = wrapped
    }

    enum Change: String, CaseIterable {
        case accessControl, unlessOpen, limit, rounds, classNone, ownClassKey, retired, twoSlots, order, code
    }

    private static func apply(_ change: Change, _ file: inout KeybagFile, _ roots: borrowing KeyRoots) throws {
        func number(_ protection: ProtectionClass) throws -> Int {
            try #require(
                file.slots.firstIndex { $0.kind == .classKey && $0.keyClass?.protection == protection && !$0.isRetired }
            )
        }
        switch change {
        case .accessControl: try exchangePublicKey(.accessControlKey, &file, roots)
        case .unlessOpen: try exchangePublicKey(.classKeyPair, &file, roots)
        case .limit: file.eraseAfter = 5
        case .rounds:
            // The check values stay: only the passcode's own root could say so.
            file.slots.removeAll(where: \.isRetired)
            file.personCode[3] ^= 1
        case .classNone:
            let index = try number(.none)
            try file.slots[index].wrap(try .random(count: 32), under: roots.device, file.names)
        case .ownClassKey:
            let index = try number(.complete)
            try file.slots[index].wrap(try .random(count: 32), under: roots.device, file.names)
        case .retired:
            let index = try #require(file.slots.firstIndex { $0.isRetired && $0.root == .device })
            try file.slots[index].wrap(try .random(count: 32), under: roots.device, file.names)
        case .twoSlots:
            file.slots[try number(.complete)].id = .random()
            file.slots[try number(.completeUntilFirstUserAuthentication)].id = .random()
        case .order: file.slots.swapAt(0, 1)
        case .code: file.personCode = [UInt8](repeating: 7, count: 32)
        }
    }

    // Rule: the passcode authenticates what only a person changes | the person's code is not compared
    @Test(arguments: Change.allCases)
    func `A keybag changed with the device secret is refused at the next answer, and stays as it is`(
        how: Change
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        do {
            let keybag = try temporary.open().keybag
            try keybag.setPasscode(secret("1234"))
            try keybag.lockCompletely()
        }
        let bytes = try change(temporary) { try Self.apply(how, &$0, $1) }
        let keybag = try temporary.open().keybag
        for _ in 0..<2 {
            // Still told apart: a change makes neither a wrong passcode look like damage nor the right one look wrong.
            #expect(failure { try keybag.unlock(passcode: secret("1235")) }?.code == .wrongPasscode)
            let error = failure { try keybag.unlock(passcode: secret("1234")) }
            #expect(error?.code == .damaged && error?.message.contains("device secret") == true)
            #expect(keybag.lockState == .beforeFirstUnlock)
            #expect(try temporary.bytes(KeybagFile.fileName) == bytes)
        }
        for refused in [
            failure { try keybag.accessControlKey(passcode: secret("1234")) },
            failure { try keybag.changePasscode(from: secret("1234"), to: secret("5678")) },
            failure { try keybag.removePasscode(secret("1234")) },
            failure { try keybag.setErase(afterFailedAttempts: nil, passcode: secret("1234")) },
        ] { #expect(refused?.code == .damaged) }
        #expect(try temporary.bytes(KeybagFile.fileName) == bytes)
        #expect(try temporary.open().status().failedAttempts == 0)
    }

    @Test func `Without a passcode the same is found when the keys are derived`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        let bytes = try change(temporary) { file, roots in try Self.apply(.unlessOpen, &file, roots) }
        let keybag = try temporary.open().keybag
        #expect(failure { try keybag.withMetadataKey(.afterFirstUnlock) { _ in } }?.code == .damaged)
        #expect(failure { try keybag.setPasscode(secret("1234")) }?.code == .damaged)
        #expect(try temporary.bytes(KeybagFile.fileName) == bytes)
    }

    @Test(arguments: [Change.unlessOpen, .classNone, .ownClassKey, .code])
    func `Without a passcode a keybag that was found right is checked again when it is another one`(how: Change) throws
    {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        for _ in 0..<2 {
            try keybag.withMetadataKey(.afterFirstUnlock) { _ in }
            #expect(failure { try keybag.lockCompletely() }?.code == .noPasscode)
        }
        let right = try temporary.bytes(KeybagFile.fileName)
        _ = try change(temporary) { try Self.apply(how, &$0, $1) }
        #expect(failure { try keybag.withMetadataKey(.afterFirstUnlock) { _ in } }?.code == .damaged)
        try temporary.put(right, KeybagFile.fileName)
        try keybag.withMetadataKey(.afterFirstUnlock) { _ in }
    }

    @Test func `Retired keys go without the passcode, and the next unlock agrees`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.lockCompletely()
        try keybag.rewrite { file, _ in file.slots.removeAll(where: \.isRetired) }
        try keybag.unlock(passcode: secret("1234"))
        try keybag.acceptRestoredCopy(above: 90)
        try keybag.unlock(passcode: secret("1234"))
    }
}
