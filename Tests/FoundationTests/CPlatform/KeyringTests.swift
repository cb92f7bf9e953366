// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Testing

/// Whether this kernel, in this sandbox, offers its key service.
let hasKeyring = zamok_keyring_serial(ZAMOK_KEYRING_PROCESS, 1) > 0

@Suite(.enabled(if: hasKeyring, "no kernel key service here"))
struct `Kernel keyring` {
    private let name = "zamok-test:\(UUID())"
    private let payload: [UInt8] = Array(0..<64)

    private func add() -> Int32 {
        unsafe zamok_key_add("user", name, payload, payload.count, ZAMOK_KEYRING_PROCESS)
    }

    @Test func `a key is added, found, read, and described`() {
        let key = add()
        #expect(key > 0)
        #expect(unsafe zamok_key_search(ZAMOK_KEYRING_PROCESS, "user", name, 0) == key)
        var read = [UInt8](repeating: 0, count: 100)
        #expect(unsafe zamok_key_read(key, &read, read.count) == 64)
        #expect(read.prefix(64).elementsEqual(payload))
        var text = [CChar](repeating: 0, count: 256)
        let count = unsafe zamok_key_describe(key, &text, text.count)
        #expect(count > 0)
        #expect(String(decoding: text.prefix(Int(count) - 1).map(UInt8.init), as: UTF8.self).hasSuffix(";\(name)"))
        #expect(zamok_key_unlink(key, ZAMOK_KEYRING_PROCESS) == 0)
    }

    @Test func `the size of a payload is told even when the buffer is too small`() {
        let key = add()
        var read = [UInt8](repeating: 0xAA, count: 8)
        #expect(unsafe zamok_key_read(key, &read, 4) == 64)
        #expect(read.suffix(4).elementsEqual([0xAA, 0xAA, 0xAA, 0xAA]))
        zamok_key_unlink(key, ZAMOK_KEYRING_PROCESS)
    }

    @Test func `a revoked key can be neither read nor found`() {
        let key = add()
        #expect(zamok_key_revoke(key) == 0)
        var read = [UInt8](repeating: 0, count: 64)
        #expect(unsafe zamok_key_read(key, &read, read.count) == -Int64(EKEYREVOKED))
        #expect(read.allSatisfy { $0 == 0 })
        #expect(unsafe zamok_key_search(ZAMOK_KEYRING_PROCESS, "user", name, 0) < 0)
    }

    @Test func `permissions decide what may be done`() {
        let key = add()
        let viewOnly = (ZAMOK_KEY_VIEW | ZAMOK_KEY_SETATTR | ZAMOK_KEY_SEARCH) << 24
        #expect(zamok_key_set_permissions(key, viewOnly | ZAMOK_KEY_VIEW << 16) == 0)
        #expect(zamok_key_link(key, ZAMOK_KEYRING_THREAD) == -EACCES)
        zamok_key_unlink(key, ZAMOK_KEYRING_PROCESS)
    }

    @Test func `a key linked to the user keyring outlives its process keyring`() {
        let key = add()
        let all = ZAMOK_KEY_ALL << 24
        let user = (ZAMOK_KEY_VIEW | ZAMOK_KEY_READ | ZAMOK_KEY_WRITE | ZAMOK_KEY_SEARCH) << 16
        #expect(zamok_key_set_permissions(key, all | user) == 0)
        #expect(zamok_key_link(key, ZAMOK_KEYRING_USER) == 0)
        #expect(zamok_key_unlink(key, ZAMOK_KEYRING_PROCESS) == 0)
        #expect(unsafe zamok_key_search(ZAMOK_KEYRING_USER, "user", name, 0) == key)
        #expect(zamok_key_unlink(key, ZAMOK_KEYRING_USER) == 0)
        #expect(unsafe zamok_key_search(ZAMOK_KEYRING_USER, "user", name, 0) == -ENOKEY)
    }

    @Test func `what was never added is ENOKEY`() {
        #expect(unsafe zamok_key_search(ZAMOK_KEYRING_PROCESS, "user", name, 0) == -ENOKEY)
    }
}
