// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("10. Protection", .keychain)
struct ProtectionTests {
    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `six accessibilities need no passcode`(code: String) {
        #expect(add(generic + [kSecAttrAccessible: code, kSecValueData: bytes("x")]) == errSecSuccess)
        #expect(data(generic + [kSecAttrAccessible: code]) == bytes("x"))
        #expect(attributes(generic)["pdmn"] as? String == code)
    }

    @Test func `a wrong accessibility is refused in add, search and update`() {
        #expect(add(generic + [kSecAttrAccessible: "zz"]) == errSecParam)
        #expect(add(generic) == errSecSuccess)
        #expect(status(generic + [kSecAttrAccessible: "zz"]) == errSecParam)
        #expect(update(generic, [kSecAttrAccessible: "zz"]) == errSecParam)
        #expect(delete(generic + [kSecAttrAccessible: "zz"]) == errSecParam)
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"])
    func `an access control without constraints protects like its accessibility`(code: String) throws {
        let control = try #require(accessControl(code as CFString, []).control)
        let added = add(generic + [kSecAttrAccessControl: control, kSecValueData: bytes("x")])
        #expect(added == add(generic + [kSecAttrAccount: "b", kSecAttrAccessible: code]))
        guard added == errSecSuccess else { return }
        #expect(attributes(generic)["pdmn"] as? String == code)
        #expect(data(generic) == bytes("x"))
    }
}

@Suite("10. Access controls")
struct AccessControlTests {
    @Test func `without flags there is one for each accessibility`() {
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
            #expect(accessControl(code as CFString, []).control != nil)
        }
    }

    @Test(arguments: ["", "zz", "AK", "genp"])
    func `another protection is a wrong parameter`(code: String) {
        let answer = accessControl(code as CFString, [])
        #expect(answer.control == nil)
        #expect(answer.code == Int(errSecParam))
        #expect(answer.domain == NSOSStatusErrorDomain)
    }

    // Rule: flags of an access control exclude each other | any taken | 9 cases
    @Test(
        arguments: [
            [.or, .and], [.or, .and, .devicePasscode], [.biometryAny, .biometryCurrentSet],
            [.userPresence, .devicePasscode], [.userPresence, .biometryAny], [.userPresence, .or],
            [.userPresence, .and],
            [.userPresence, .watch], [.userPresence, .applicationPassword, .or],
        ] as [SecAccessControlCreateFlags])
    func `some flags exclude each other`(flags: SecAccessControlCreateFlags) {
        let answer = accessControl(kSecAttrAccessibleWhenUnlocked, flags)
        #expect(answer.control == nil)
        #expect(answer.code == Int(errSecParam))
    }

    @Test(
        arguments: [
            [.userPresence], [.devicePasscode], [.biometryAny], [.biometryCurrentSet], [.applicationPassword],
            [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage], [.biometryAny, .or],
            [.biometryAny, .or, .devicePasscode], [.devicePasscode, .and, .biometryCurrentSet], [.or], [.and],
            [.privateKeyUsage], [.devicePasscode, .applicationPassword],
        ] as [SecAccessControlCreateFlags])
    func `others go together`(flags: SecAccessControlCreateFlags) {
        let answer = accessControl(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags)
        #expect(answer.control != nil)
        #expect(answer.code == nil)
    }

    @Test func `flags have Apple's bits`() {
        let bits: [(SecAccessControlCreateFlags, Int)] = [
            (.userPresence, 0), (.biometryAny, 1), (.biometryCurrentSet, 3), (.devicePasscode, 4), (.or, 14),
            (.and, 15),
            (.privateKeyUsage, 30), (.applicationPassword, 31),
        ]
        for (flag, bit) in bits { #expect(flag.rawValue == 1 << bit) }
    }

    @Test func `equal ones are equal`() {
        let left = accessControl(kSecAttrAccessibleWhenUnlocked, []).control
        let right = accessControl(kSecAttrAccessibleWhenUnlocked, []).control
        let other = accessControl(kSecAttrAccessibleAlways, []).control
        #expect(CFEqual(left, right))
        #expect(!CFEqual(left, other))
    }
}
