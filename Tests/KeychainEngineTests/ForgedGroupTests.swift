// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// Foreign keys in the kernel's keyring, as any process of this user can put them there without the passcode.
@Suite struct ForgedGroupTests {
    let temporary = TemporaryHome()

    private func forge(_ keybag: Keybag) throws {
        let file = try keybag.view().file
        for role in [KeyGroup.Role.complete, .firstUnlock] {
            let validity = KeyGroup.Validity(
                role: role, home: file.homeIdentifier, generation: file.generation, count: keybag.process.count(role),
                deadline: nil, boot: keybag.process.clock.now().start, slots: file.slotsCode)
            let group = try KeyGroup.make(validity, file.slots.filter { $0.role == role }) { _ in
                try SecretBytes.random(count: 32)
            }
            let name = KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: role)
            _ = try KernelKeyring.add(name, group.payload, expiringIn: nil)
        }
    }

    @Test(.enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
    func `They make no item unfindable, seal nothing, and lose nothing`() throws {
        defer { try? Home.erase(temporary.configuration) }
        let home = try temporary.open { $0.holder = .kernelKeyring }
        let store = try ItemStore.of(home)
        try home.keybag.setPasscode(try SecretBytes(text: "1234"))
        _ = try store.add(.password("service", "anna", "secret"))
        try home.keybag.lockCompletely()
        for open in [store, try ItemStore.of(try temporary.open { $0.holder = .kernelKeyring })] {
            let calls: [() throws -> Void] = [
                { _ = try open.items(matching: .password("service", "anna"), withSecret: true) },
                { _ = try open.items(matching: .password("service", "anna"), withSecret: false) },
                { _ = try open.add(.password("service", "bob", "secret")) },
                {
                    var changes = ItemChanges()
                    changes.secret = try Secret("other")
                    try open.update(.password("service", "anna"), with: changes)
                },
            ]
            for call in calls {
                try forge(home.keybag)
                #expect(failure(KeychainError.self, call)?.code == .locked)
            }
        }
        try home.keybag.unlock(passcode: try SecretBytes(text: "1234"))
        #expect(
            try store.items(matching: .password("service", "anna"), withSecret: true).first?.secret?.exposedBytes
                == Array("secret".utf8))
        let bob = failure(KeychainError.self) {
            try store.items(matching: .password("service", "bob"), withSecret: false)
        }
        #expect(bob?.code == .itemNotFound)
        try home.keybag.lockCompletely()
    }
}
