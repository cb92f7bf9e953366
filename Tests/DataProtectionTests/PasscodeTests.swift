// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Both holders; the kernel's only where the system has it.
let holders: [HolderChoice] = KernelKeyringHolder.refusal() == nil ? [.process, .kernelKeyring] : [.process]

@Suite struct PasscodeTests {
    static let everyClass = [ProtectionClass.complete, .completeUntilFirstUserAuthentication, .none, .whenPasscodeSet]

    @Test(arguments: holders) func `Setting a passcode leaves the home unlocked and everything readable`(
        holder: HolderChoice
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = holder }.keybag
        let kept = try Kept(keybag, PasscodeTests.everyClass.dropLast())
        try keybag.setPasscode(secret("1234"))
        #expect(keybag.lockState == .unlocked)
        #expect(try keybag.hasPasscode)
        try kept.check(keybag)
        let wrapped = try keybag.wrap(kept.key, for: KeyClass(.complete))
        #expect(keybag.isRetired(kept.wrapped[0].classKeyID))
        #expect(!keybag.isRetired(wrapped.classKeyID))
        try keybag.lockCompletely()
    }

    @Test(arguments: holders) func `Locked, before first unlock and unlocked give each class what it promises`(
        holder: HolderChoice
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = holder }.keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.lock()
        #expect(keybag.lockState == .locked)
        #expect(kept.codes(keybag) == [.locked, nil, nil, .locked])
        try keybag.lockCompletely()
        #expect(keybag.lockState == .beforeFirstUnlock)
        #expect(kept.codes(keybag) == [.locked, .locked, nil, .locked])
        #expect(failure { try keybag.withMetadataKey(.afterFirstUnlock) { _ in } }?.code == .locked)
        try keybag.withMetadataKey(.none) { _ in }
        try keybag.unlock(passcode: secret("1234"))
        #expect(keybag.lockState == .unlocked)
        try kept.check(keybag)
        try keybag.lockCompletely()
    }

    @Test(arguments: holders) func `A change keeps the keys and the lock state; only the new passcode opens`(
        holder: HolderChoice
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = holder }.keybag
        try keybag.setPasscode(secret("old"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.changePasscode(from: secret("old"), to: secret("new"))
        #expect(keybag.lockState == .unlocked)
        try kept.check(keybag)
        #expect(!keybag.isRetired(kept.wrapped[0].classKeyID))
        try keybag.lock()
        try keybag.changePasscode(from: secret("new"), to: secret("newer"))
        #expect(keybag.lockState == .locked)
        #expect(failure { try keybag.unlock(passcode: secret("new")) }?.code == .wrongPasscode)
        try keybag.unlock(passcode: secret("newer"))
        try kept.check(keybag)
        try keybag.lockCompletely()
    }

    @Test(arguments: holders) func `Removal loses whenPasscodeSet and keeps the rest readable without a passcode`(
        holder: HolderChoice
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = holder }.keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.lock()
        try keybag.removePasscode(secret("1234"))
        #expect(keybag.lockState == .unlocked)
        #expect(kept.codes(keybag) == [nil, nil, nil, .keyDestroyed])
        #expect(kept.codes(try temporary.open().keybag) == [nil, nil, nil, .keyDestroyed])
        #expect(failure { try keybag.lock() }?.code == .noPasscode)
    }

    @Test func `Rotation draws new keys and keeps the old ones until they are removed`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
        try kept.check(keybag)
        #expect(kept.wrapped.allSatisfy { keybag.isRetired($0.classKeyID) })
        let fresh = try Kept(keybag, PasscodeTests.everyClass)
        try keybag.removeRetiredKeys()
        #expect(keybag.lockState == .unlocked)
        #expect(kept.codes(keybag) == [.keyDestroyed, .keyDestroyed, .keyDestroyed, .keyDestroyed])
        try fresh.check(keybag)
        try keybag.lock()
        try keybag.unlock(passcode: secret("1234"))
        try fresh.check(keybag)
    }

    @Test func `A passcode is set once, removed once, and never empty`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        #expect(failure { try keybag.setPasscode(secret("")) }?.code == .invalidArgument)
        #expect(failure { try keybag.unlock(passcode: secret("x")) }?.code == .noPasscode)
        #expect(failure { try keybag.removePasscode(secret("x")) }?.code == .noPasscode)
        #expect(failure { try keybag.lock() }?.code == .noPasscode)
        try keybag.setPasscode(secret("x"))
        #expect(failure { try keybag.setPasscode(secret("y")) }?.code == .passcodeExists)
        #expect(failure { try keybag.changePasscode(from: secret("x"), to: secret("")) }?.code == .invalidArgument)
    }

    // Rule: a passcode that ends with a zero byte, which HMAC can't tell from the one without, is refused | not looked
    //   at | set
    @Test func `A passcode with zeros behind it is no passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        #expect(failure { try keybag.setPasscode(secret("1234\0")) }?.code == .invalidArgument)
        try keybag.setPasscode(secret("1234"))
        try keybag.lock()
        for typed in ["1234\0", "1234\0\0", "\0"] {
            #expect(failure { try keybag.unlock(passcode: secret(typed)) }?.code == .invalidArgument)
        }
        #expect(keybag.lockState != .unlocked)
        try keybag.changePasscode(from: secret("1234"), to: secret("12\u{0}34"))
        #expect(failure { try keybag.changePasscode(from: secret("1234"), to: secret("x")) }?.code == .wrongPasscode)
    }

    @Test func `Two ways to type one passcode are one passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("pa\u{DF}w\u{F6}rt"))
        try keybag.unlock(passcode: secret("pa\u{DF}wo\u{308}rt"))
        #expect(failure { try keybag.unlock(passcode: secret("pa\u{DF}wort")) }?.code == .wrongPasscode)
    }
}

/// A key wrapped under several classes, to be unwrapped later.
struct Kept: ~Copyable {
    let key: SecretBytes
    let wrapped: [WrappedKey]

    init(_ keybag: Keybag, _ classes: some Sequence<ProtectionClass>) throws {
        let key = try SecretBytes.random(count: 32)
        wrapped = try classes.map { try keybag.wrap(key, for: KeyClass($0)) }
        self.key = key
    }

    /// What unwrapping each says; nil: the key came back.
    borrowing func codes(_ keybag: Keybag) -> [DataProtectionError.Code?] {
        wrapped.map { wrapped in failure { try keybag.unwrap(wrapped) }?.code }
    }

    borrowing func check(_ keybag: Keybag) throws {
        for wrapped in wrapped {
            let isSame = try keybag.unwrap(wrapped).isEqual(to: key)
            #expect(isSame, "\(wrapped.keyClass)")
        }
    }
}
