// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import LocalAuthentication
import SecItem
import TestSupport
import Testing

/// Items with SecAccessControl, through the four functions.
@Suite struct GuardedItemTests {
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()
    let functions: Functions

    init() throws {
        let prompter = prompter
        functions = Functions(home: try temporary.open { $0.prompter = prompter })
        try functions.home.keybag.setPasscode(secret("1234"))
    }

    private func control(
        _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) throws -> SecAccessControl {
        let control = SecAccessControlCreateWithFlags(nil, protection, flags, nil)
        return try #require(control)
    }

    private func add(_ flags: SecAccessControlCreateFlags, _ more: Item = [:]) throws -> OSStatus {
        functions.add(
            generic + [kSecAttrAccessControl: try control(flags), kSecValueData: bytes("secret")] + more)
    }

    private var data: Item { generic + [kSecReturnData: true] }

    // Rule: a cancelled prompt is -128 | reported as a failure (-25293) | also "Cancelled, wrong, forbidden and absent
    //   are different answers" and eight others
    // Rule: an item that asks is left out where the caller skips it alone | everywhere | 44 of them
    @Test func `answered, cancelled and wrong are an item, -128 and -25293, and wrong ones are counted`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        #expect(prompter.asked.isEmpty)
        prompter.add(.text("1234"), .cancels, .text("wrong"))
        #expect(functions.find(data).object as? Data == bytes("secret"))
        #expect(functions.find(data).status == errSecUserCanceled)
        #expect(functions.find(data).status == errSecAuthFailed)
        #expect(try functions.home.status().failedAttempts == 1)
        #expect(prompter.asked.count == 3)
    }

    // Rule: fields and existence of a guarded item ask too | only its secret | also "a list of attributes asks once
    //   ...", "the object of a guarded key ..."
    @Test func `attributes and existence ask once for each call, and give the access control back`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        #expect(functions.status(generic) == errSecUserCanceled)
        prompter.add(.text("1234"), .text("1234"), .text("1234"))
        #expect(functions.status(generic) == errSecSuccess)
        let found = functions.find(generic + [kSecReturnAttributes: true]).object as? [String: Any]
        let stored = try #require(found?[String(kSecAttrAccessControl)] as? SecAccessControl)
        #expect(try stored == control(.userPresence))
        #expect(found?["pdmn"] as? String == "ak")
        // What was found is a valid query for the same item.
        let again = (found ?? [:]).merging([kSecClass as String: kSecClassGenericPassword]) { $1 }
        let status = Home.withCurrent(functions.home) { SecItemCopyMatching(again as CFDictionary, nil) }
        #expect(status == errSecSuccess)
        #expect(prompter.asked.count == 4)
    }

    @Test func `attributes and existence are -25308 where asking is forbidden, of absent items -25300`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        let silent: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        for wanted: Item in [
            [:], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true], [kSecMatchLimit: kSecMatchLimitAll],
        ] {
            #expect(functions.status(generic + wanted + silent) == errSecInteractionNotAllowed)
        }
        #expect(functions.status(generic + [kSecAttrAccount: "other"] + silent) == errSecItemNotFound)
        #expect(prompter.asked.isEmpty)
    }

    @Test func `a list of attributes asks once, and leaves guarded items out where they are skipped`() throws {
        for account in ["a", "b"] {
            #expect(try add(.userPresence, [kSecAttrAccount: account]) == errSecSuccess)
        }
        #expect(functions.add(generic + [kSecAttrAccount: "open"]) == errSecSuccess)
        let all: Item = [kSecClass: kSecClassGenericPassword]
        #expect(functions.list(all + [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])?.count == 1)
        prompter.add(.text("1234"))
        #expect(functions.list(all)?.count == 3)
        #expect(prompter.asked.count == 1)
    }

    // Rule: kSecUseAuthenticationUIFail shows no prompt | ignored | also "one context asks once …", "a list skips what
    //   would ask, and is refused where it may not ask"
    // Rule: kSecUseAuthenticationUISkip leaves out what would ask | ignored | also "a list skips what would ask, and is
    //   refused where it may not ask"
    @Test func `where asking is forbidden it is -25308, and -25300 where it is skipped`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        let context = LAContext()
        context.interactionNotAllowed = true
        let forbidding: [Item] = [
            [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecUseNoAuthenticationUI: true],
            [kSecUseAuthenticationContext: context],
        ]
        for more in forbidding { #expect(functions.find(data + more).status == errSecInteractionNotAllowed) }
        let skipping: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(functions.find(data + skipping).status == errSecItemNotFound)
        #expect(functions.find(generic + skipping).status == errSecItemNotFound)
        #expect(functions.update(generic + skipping, [kSecValueData: bytes("new")]) == errSecParam)
        let failing: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        #expect(functions.update(generic + failing, [kSecValueData: bytes("new")]) == errSecInteractionNotAllowed)
        #expect(prompter.asked.isEmpty)
    }

    @Test func `a list skips what would ask, and is refused where it may not ask`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        let open = generic + [kSecAttrAccount: "open", kSecValueData: bytes("open")]
        #expect(functions.add(open) == errSecSuccess)
        var all: Item = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
        all[kSecMatchLimit] = kSecMatchLimitAll
        let skipping: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(functions.find(all + skipping).object as? [Data] == [bytes("open")])
        let failing: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        #expect(functions.find(all + failing).status == errSecInteractionNotAllowed)
        prompter.add(.text("1234"))
        #expect((functions.find(all).object as? [Data])?.count == 2)
    }

    @Test func `one context asks once, though asking is forbidden later; a lock ends that`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        let context = LAContext()
        context.localizedReason = "to sign in"
        let query = data + [kSecUseAuthenticationContext: context]
        prompter.add(.text("1234"))
        #expect(functions.find(query).status == errSecSuccess)
        let silent: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        #expect(functions.find(query + silent).object as? Data == bytes("secret"))
        let skipping: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(functions.find(query + skipping).object as? Data == bytes("secret"))
        #expect(prompter.asked.map(\.reason) == ["to sign in"])
        try functions.home.keybag.lock()
        try functions.home.keybag.unlock(passcode: secret("1234"))
        #expect(functions.find(query + silent).status == errSecInteractionNotAllowed)
        prompter.add(.text("1234"))
        #expect(functions.find(query + [kSecUseOperationPrompt: "once more"]).status == errSecSuccess)
        #expect(prompter.asked.map(\.reason) == ["to sign in", "once more"])
        context.invalidate()
        #expect(functions.find(query).status == errSecAuthFailed)
        #expect(prompter.asked.count == 2)
    }

    @Test func `a policy that was evaluated before is enough`() async throws {
        #expect(try add(.devicePasscode) == errSecSuccess)
        let context = LAContext()
        prompter.add(.text("1234"))
        let succeeded = try await Home.withCurrent(functions.home) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "why")
        }
        #expect(succeeded)
        #expect(functions.find(data + [kSecUseAuthenticationContext: context]).status == errSecSuccess)
        #expect(prompter.asked.count == 1)
    }

    @Test func `the time of reuse lends an answer to another context, until a lock`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        func query() -> Item {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 300
            return data + [kSecUseAuthenticationContext: context]
        }
        prompter.add(.text("1234"))
        for _ in 0..<3 { #expect(functions.find(query()).status == errSecSuccess) }
        #expect(prompter.asked.count == 1)
        #expect(functions.find(data).status == errSecUserCanceled)
        try functions.home.keybag.lock()
        try functions.home.keybag.unlock(passcode: secret("1234"))
        #expect(functions.find(query()).status == errSecUserCanceled)
    }

    // Rule: a lock while the user types takes the class key from the call that asked | the outer layer, once opened,
    //   kept for the next try | also "A lock while the user types leaves what the class leaves, and the next call asks
    //   again" (`ak`)
    @Test func `locked while the user types it is -25308, as when locked before; then no prompt is shown`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        let keybag = functions.home.keybag
        prompter.add(.meanwhile({ try? keybag.lock() }, "1234"))
        #expect(functions.find(data).status == errSecInteractionNotAllowed)
        #expect(prompter.asked.count == 1)
        #expect(functions.find(data).status == errSecInteractionNotAllowed)
        #expect(prompter.asked.count == 1)
    }

    @Test func `an application password comes from the context`() throws {
        let context = LAContext()
        #expect(context.setCredential(Data("own".utf8), type: .applicationPassword))
        #expect(try add(.applicationPassword, [kSecUseAuthenticationContext: context]) == errSecSuccess)
        #expect(functions.find(data + [kSecUseAuthenticationContext: context]).object as? Data == bytes("secret"))
        #expect(prompter.asked.isEmpty)
        let wrong = LAContext()
        #expect(wrong.setCredential(Data("other".utf8), type: .applicationPassword))
        #expect(functions.find(data + [kSecUseAuthenticationContext: wrong]).status == errSecAuthFailed)
        prompter.add(.text("own"))
        #expect(functions.find(data).object as? Data == bytes("secret"))
        #expect(prompter.asked.map(\.purpose) == [.applicationPassword])
    }

    @Test func `-50: beside an accessibility, on a synchronizable item, or as something else`() throws {
        #expect(try add(.userPresence, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecParam)
        #expect(try add(.userPresence, [kSecAttrSynchronizable: true]) == errSecParam)
        #expect(functions.add(generic + [kSecAttrAccessControl: "ak"]) == errSecParam)
        #expect(functions.status(generic) == errSecItemNotFound)
    }

    // Rule: constraints that can't be met are refused, not dropped | dropped | 4 cases; also "A constraint that can't
    //   be met here is not stored"
    @Test(
        arguments: [.biometryAny, .biometryCurrentSet, .watch, [.biometryAny, .devicePasscode, .and]]
            as [SecAccessControlCreateFlags])
    func `-25293: a constraint that can't be met here is not stored`(flags: SecAccessControlCreateFlags) throws {
        #expect(try add(flags) == errSecAuthFailed)
        #expect(functions.status(generic) == errSecItemNotFound)
    }

    @Test func `-25291: no passcode to be asked for`() throws {
        let other = TemporaryHome()
        let fresh = Functions(home: try other.open())
        let item = generic + [kSecAttrAccessControl: try control(.userPresence), kSecValueData: bytes("x")]
        #expect(fresh.add(item) == errSecNotAvailable)
    }

    @Test func `an update can set and, after asking, take away an access control`() throws {
        #expect(functions.add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess)
        #expect(functions.update(generic, [kSecAttrAccessControl: try control(.userPresence)]) == errSecSuccess)
        #expect(functions.find(data).status == errSecUserCanceled)
        #expect(functions.update(generic, [kSecAttrAccessControl: try control([])]) == errSecUserCanceled)
        prompter.add(.text("1234"))
        #expect(functions.update(generic, [kSecAttrAccessControl: try control([])]) == errSecSuccess)
        #expect(functions.find(data).object as? Data == bytes("secret"))
    }

    @Test func `a change of attributes asks, deleting does not`() throws {
        #expect(try add(.userPresence) == errSecSuccess)
        #expect(functions.update(generic, [kSecAttrLabel: "label"]) == errSecUserCanceled)
        prompter.add(.text("1234"))
        #expect(functions.update(generic, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(prompter.asked.count == 2)
        #expect(functions.delete(generic) == errSecSuccess)
        #expect(functions.status(generic) == errSecItemNotFound)
        #expect(prompter.asked.count == 2)
    }

    @Test func `the object of a guarded key asks, and so do its attributes`() throws {
        let key = try #require(Keys.curves.first)
        let item: Item = [kSecValueRef: key, kSecAttrAccessControl: try control(.userPresence)]
        #expect(functions.add(item) == errSecSuccess)
        let query: Item = [kSecClass: kSecClassKey]
        #expect(functions.find(query + [kSecReturnAttributes: true]).status == errSecUserCanceled)
        #expect(functions.find(query + [kSecReturnRef: true]).status == errSecUserCanceled)
        prompter.add(.text("1234"))
        #expect(functions.find(query + [kSecReturnRef: true]).object as? SecKey == key)
        #expect(prompter.asked.count == 3)
    }
}
