// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Keys that are derived from a metadata key, and kept as long as that key is there.
@Suite struct MetadataKeyTests {
    private static let holders = KernelKeyringHolder.refusal() == nil ? ["process", "kernel"] : ["process"]

    private struct Weak {
        weak var value: Secret?
        init(_ value: Secret) { self.value = value }
    }

    private func open(_ temporary: TemporaryHome, _ holder: String) throws -> Home {
        try temporary.open { $0.holder = holder == "kernel" ? .kernelKeyring : .process }
    }

    private func derived(_ keybag: Keybag, _ domain: MetadataDomain = .afterFirstUnlock) throws -> Secret {
        try keybag.metadataKey(of: domain).derived(.blindIndex, [1, 2])
    }

    @Test func `A derived key is HKDF of the metadata key, and made once`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        for domain in MetadataDomain.allCases {
            let key = try derived(keybag, domain)
            #expect(try derived(keybag, domain) === key)
            let expected = try keybag.withMetadataKey(domain) {
                Secret(try KeyDerivation.expand(from: $0, label: .blindIndex, context: [1, 2]))
            }
            #expect(try key.isEqual(to: expected))
            #expect(try !key.isEqual(to: try keybag.metadataKey(of: domain).derived(.identityTag, [1, 2])))
            #expect(try !key.isEqual(to: try keybag.metadataKey(of: domain).derived(.blindIndex, [1, 3])))
        }
        #expect(try !derived(keybag, .none).isEqual(to: derived(keybag, .afterFirstUnlock)))
    }

    // The home is left by another process: this one does nothing, and its watcher has to let the key go.
    @Test(arguments: holders) func `When another process leaves, derived keys are gone, asked for or not`(
        holder: String
    )
        throws
    {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try open(temporary, holder).keybag
        try keybag.setPasscode(secret("1234"))
        let keys = [
            Weak(try derived(keybag)), Weak(try keybag.metadataKey(of: .afterFirstUnlock).derived(.identityTag, [])),
        ]
        #expect(keys.allSatisfy { $0.value != nil })
        let other = try Worker(temporary.path)
        #expect(try other.ask("open \(holder)") == "done")
        #expect(try other.ask("lock") == "done")
        #expect(try derived(keybag) === keys[0].value)
        #expect(try other.ask("leave") == "done")
        let limit = ContinuousClock.now + .seconds(60)
        while keys.contains(where: { $0.value != nil }), ContinuousClock.now < limit {
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(keys.allSatisfy { $0.value == nil })
        #expect(failure { try derived(keybag) }?.code == .locked)
    }

    @Test(arguments: holders) func `A lock that wipes the metadata key binds the next call for a derived one`(
        holder: String
    ) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try open(temporary, holder).keybag
        try keybag.setPasscode(secret("1234"))
        let key = try derived(keybag)
        try open(temporary, holder).keybag.lockCompletely()
        #expect(failure { try derived(keybag) }?.code == .locked)
        #expect(try derived(keybag, .none).count == 32)
        try keybag.unlock(passcode: secret("1234"))
        #expect(try derived(keybag) !== key)
        #expect(try derived(keybag).isEqual(to: key))
    }

    @Test func `Another generation of the keybag keeps nothing of the one before`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let before = try MetadataDomain.allCases.map { try derived(keybag, $0) }
        try keybag.setPasscode(secret("1234"))
        let after = try MetadataDomain.allCases.map { try derived(keybag, $0) }
        for (old, new) in zip(before, after) { #expect(old !== new) }
    }
}
