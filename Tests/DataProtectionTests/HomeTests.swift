// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

@Suite struct HomeTests {
    @Test func `A new home wraps and unwraps keys of every class that needs no passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let key = try SecretBytes.random(count: 32)
        for protection in [ProtectionClass.complete, .completeUntilFirstUserAuthentication, .none] {
            for thisDeviceOnly in [false, true] {
                let keyClass = KeyClass(protection, thisDeviceOnly: thisDeviceOnly)
                let wrapped = try home.keybag.wrap(key, for: keyClass)
                #expect(wrapped.bytes.count == 40)
                let isSame = try home.keybag.unwrap(wrapped).isEqual(to: key)
                let isSameElsewhere = try temporary.open().keybag.unwrap(wrapped).isEqual(to: key)
                #expect(isSame && isSameElsewhere)
            }
        }
        #expect(home.keybag.lockState == .unlocked)
    }

    @Test func `Two openings have the same metadata keys, two domains different ones`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        try home.keybag.withMetadataKey(.none) { first in
            let again = try temporary.open().keybag.withMetadataKey(.none) { try first.isEqual(to: $0) }
            let other = try home.keybag.withMetadataKey(.afterFirstUnlock) { try first.isEqual(to: $0) }
            #expect(again && !other)
        }
    }

    // Rule: modes don't depend on the umask | 0640 in place of 0600 | also "Modes do not depend on the umask"
    @Test func `Files are 0600 and the folder 0700`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        let names = ["attempts", "device-secret", "epoch", "generation", "keybag", "keybag.lock", "stores-seen"]
        #expect(temporary.names == names)
        #expect(try temporary.mode("") == 0o700)
        for name in temporary.names { #expect(try temporary.mode(name) == 0o600, "\(name)") }
    }

    @Test func `The class whenPasscodeSet needs a passcode`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let error = failure { try home.keybag.wrap(try SecretBytes.random(count: 32), for: KeyClass(.whenPasscodeSet)) }
        #expect(error?.code == .noPasscode)
    }
}
