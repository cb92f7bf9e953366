// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Every way to exchange parts of a home is refused, with a message of its own, and nothing is overwritten.
@Suite struct DamageTests {
    /// A home with a passcode, and what it says after `change`; nothing in it may differ afterwards.
    private func refusal(
        _ change: (TemporaryHome) throws -> Void, unlocking: Bool = false
    ) throws -> DataProtectionError? {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.lockCompletely()
        try change(temporary)
        let before = try temporary.content()
        let error = failure {
            let opened = try temporary.open()
            if unlocking { try opened.keybag.unlock(passcode: secret("1234")) }
        }
        var after = try temporary.content()
        // A try counts in every case.
        if unlocking { after["attempts"] = before["attempts"] }
        #expect(after == before)
        return error
    }

    @Test func `Swapped, changed, foreign, older, missing, zeroed: eleven faults and as many messages`() throws {
        let faults: [(String, DataProtectionError.Code, (TemporaryHome) throws -> Void)] = [
            ("exchanged", .damaged, { try $0.edit("keybag") { $0.swapBlocks(96, 232, 136) } }),
            ("class key of complete in", .damaged, { try $0.edit("keybag") { $0[96 + 60] ^= 1 } }),
            ("header", .damaged, { try $0.edit("keybag") { $0[56] = 16 } }),
            ("outside what is accepted", .damaged, { try $0.edit("keybag") { $0[56] = 40 } }),
            ("public or private key", .damaged, { try $0.edit("keybag") { $0[$0.pairOffset + 20] ^= 1 } }),
            ("not a whole keybag", .damaged, { try $0.edit("keybag") { $0.removeLast() } }),
            ("newer version", .newerFormat, { try $0.edit("keybag") { $0[8] = 3 } }),
            ("keybag is missing", .damaged, { try $0.delete("keybag") }),
            ("device-secret is missing", .missingDeviceSecret, { try $0.delete("device-secret") }),
            ("cut short", .missingDeviceSecret, { try $0.edit("device-secret") { $0.removeLast(20) } }),
            ("being erased", .erased, { try $0.edit("epoch") { for index in 4096..<12288 { $0[index] = 0 } } }),
        ]
        var messages: Set<String> = []
        for (word, code, change) in faults {
            let error = try refusal(change)
            #expect(error?.code == code, "\(word)")
            #expect(error?.message.contains(word) == true, "\(word): \(error?.message ?? "-")")
            messages.insert(error?.message.split(separator: "/").joined() ?? "")
        }
        #expect(messages.count == faults.count)
    }

    @Test func `Another device secret or epoch is told from a wrong passcode`() throws {
        let stranger = TemporaryHome()
        defer { stranger.remove() }
        try stranger.open().keybag.setPasscode(secret("1234"))
        for name in ["device-secret", "epoch"] {
            let error = try refusal { try $0.put(try stranger.bytes(name), name) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("of another home") == true)
        }
        #expect(try refusal({ try $0.put(try stranger.bytes("keybag"), "keybag") })?.code == .damaged)
    }

    @Test(arguments: [1, 2]) func `An older keybag is called a restored copy`(changes: Int) throws {
        let error = try refusal { temporary in
            let old = try temporary.bytes("keybag")
            let keybag = try temporary.open().keybag
            for _ in 0..<changes { try keybag.changePasscode(from: secret("1234"), to: secret("1234")) }
            try temporary.put(old, "keybag")
        }
        #expect(error?.code == .restoredCopy)
        #expect(error?.message.contains("earlier state") == true)
    }

    /// With the device secret and the epoch the HMAC can be made right. The slots' own wrapping stays.
    @Test func `Slots that are exchanged under a valid HMAC do not open`() throws {
        for places in [(0, 1), (0, 2), (2, 3)] {
            let error = try refusal(
                { temporary in
                    try temporary.forge { file in
                        let passcodeSlots = file.slots.indices.filter { file.slots[$0].root == .passcode }
                        let (left, right) = (passcodeSlots[places.0 + 1], passcodeSlots[places.1 + 1])
                        (file.slots[left].wrapped, file.slots[right].wrapped) = (
                            file.slots[right].wrapped, file.slots[left].wrapped
                        )
                        if places == (0, 1) { return }
                        (file.slots[left].id, file.slots[right].id) = (file.slots[right].id, file.slots[left].id)
                    }
                }, unlocking: true
            )
            #expect(error?.code == .damaged, "\(places)")
            #expect(error?.message.contains("was changed") == true)
        }
    }

    @Test func `A public key that is replaced under a valid HMAC is noticed when unlocking`() throws {
        let error = try refusal(
            { temporary in
                let other = try KeyAgreement.generate().publicKey
                try temporary.forge { file in
                    let index = try #require(file.slots.firstIndex { $0.kind == .classKeyPair })
                    file.slots[index].publicKey = other
                }
            }, unlocking: true
        )
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("public or private key") == true)
    }

    // Rule: the keybag is authenticated as a whole | the HMAC not compared | 216 changes; also "Swapped, changed,
    //   foreign, older, missing, zeroed: eleven faults and as many messages"; the vectors
    @Test func `No byte of keybag, epoch slot or device secret can be changed unnoticed`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open().keybag.setPasscode(secret("1234"))
        for (name, range) in [
            ("keybag", 0..<2000), ("epoch", 0..<16), ("epoch", 8192..<8224), ("device-secret", 0..<64),
        ] {
            let good = try temporary.bytes(name)
            for index in range where index < good.count && (name != "keybag" || index % 7 == 0 || index < 100) {
                var bad = good
                bad[index] ^= 0x11
                try temporary.put(bad, name)
                #expect(failure { try temporary.open() } != nil, "\(name) \(index)")
            }
            try temporary.put(good, name)
        }
        _ = try temporary.open()
    }

    @Test func `No cut of a file is taken for the file`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        _ = try temporary.open()
        for name in ["keybag", "epoch", "device-secret"] {
            let good = try temporary.bytes(name)
            for count in [0, 1, 7, 8, 9, 16, 63, 96, 200, good.count - 1, good.count + 1] where count <= good.count + 1
            {
                try temporary.put(Array((good + [0]).prefix(count)), name)
                #expect(failure { try temporary.open() } != nil, "\(name) \(count)")
            }
            try temporary.put(good, name)
        }
        _ = try temporary.open()
    }
}

extension TemporaryHome {
    func edit(_ name: String, _ change: (inout [UInt8]) throws -> Void) throws {
        var bytes = try bytes(name)
        try change(&bytes)
        try put(bytes, name)
    }

    /// Changes the keybag and makes its HMAC right again, which takes the device secret and the epoch.
    func forge(_ change: (inout KeybagFile) throws -> Void) throws {
        let place = try open().keybag.place
        let opened = try place.read()
        var file = opened.file
        try change(&file)
        try put(try file.encoded(under: try opened.roots.authenticationKey()), "keybag")
    }
}

extension [UInt8] {
    fileprivate mutating func swapBlocks(_ left: Int, _ right: Int, _ count: Int) {
        for offset in 0..<count { swapAt(left + offset, right + offset) }
    }

    /// Where the first slot with a public key begins.
    fileprivate var pairOffset: Int { stride(from: 96, to: count - 136, by: 136).first { self[$0] == 2 } ?? 0 }
}
