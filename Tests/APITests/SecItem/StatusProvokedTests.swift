// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecItem
import TestSupport
import Testing

/// The ten codes that code for Apple's keychain knows best, each provoked by what really makes it.
@Suite struct StatusProvokedTests {
    let temporary = TemporaryHome()

    private func functions(_ change: (inout Home.Configuration) -> Void = { _ in }) throws -> Functions {
        Functions(home: try temporary.open(change))
    }

    @Test func `0: an item is added`() throws {
        #expect(try functions().add(generic) == errSecSuccess)
    }

    @Test func `-4: a condition that only certificates can meet`() throws {
        let functions = try functions()
        #expect(functions.status(generic + [kSecMatchHostOrSubdomainOfHost: "host"]) == errSecUnimplemented)
    }

    @Test func `-50: a secret that is no data`() throws {
        #expect(try functions().add(generic + [kSecValueData: 5]) == errSecParam)
    }

    @Test func `-108: a program whose memory has run out`() throws {
        let child = try Child("keychain-program", ["exhaust"], environment: ["ZAMOK_HOME": temporary.path])
        let rest = try child.rest()
        #expect(rest.status == 0)
        #expect(rest.text == "\(errSecAllocate)\n")
    }

    @Test(arguments: ["relative", "/dev/null/home"]) func `-25291: no place for a home`(_ path: String) throws {
        let child = try Child(
            "keychain-program", ["add", "service", "account", "secret"], environment: ["ZAMOK_HOME": path])
        let rest = try child.rest()
        #expect(rest.text.split(separator: "\n").last == "\(errSecNotAvailable)")
    }

    @Test func `-25291: a class that exists with a passcode only`() throws {
        let functions = try functions()
        let item = generic + [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
        #expect(functions.add(item + [kSecValueData: bytes("x")]) == errSecNotAvailable)
        #expect(functions.add(item) == errSecNotAvailable, "without a secret, too")
        #expect(functions.add(generic) == errSecSuccess)
        #expect(functions.update(generic, [kSecAttrAccessible: "akpu"]) == errSecNotAvailable)
        try functions.home.keybag.setPasscode(secret("1234"))
        #expect(functions.update(generic, [kSecAttrAccessible: "akpu"]) == errSecSuccess)
    }

    @Test func `-25299: the same item twice`() throws {
        let functions = try functions()
        #expect(functions.add(generic) == errSecSuccess)
        #expect(functions.add(generic) == errSecDuplicateItem)
    }

    @Test func `-25300: nothing there`() throws {
        #expect(try functions().status(generic) == errSecItemNotFound)
    }

    @Test func `-25308: a real passcode, and a lock`() throws {
        let functions = try functions()
        try functions.home.keybag.setPasscode(secret("1234"))
        #expect(functions.add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        try functions.home.keybag.lock()
        #expect(functions.find(generic + [kSecReturnData: true]).status == errSecInteractionNotAllowed)
        #expect(
            functions.add(generic + [kSecAttrAccount: "b", kSecValueData: bytes("x")]) == errSecInteractionNotAllowed)
        #expect(functions.update(generic, [kSecValueData: bytes("y")]) == errSecInteractionNotAllowed)
    }

    @Test func `-26275: a row whose bytes were changed in the file`() throws {
        let functions = try functions()
        #expect(functions.add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        try damage("secret")
        #expect(functions.find(generic + [kSecReturnData: true]).status == errSecDecode)
        #expect(functions.status(generic) == errSecSuccess, "its attributes are whole")
        try damage("attributes")
        #expect(functions.status(generic) == errSecDecode)
        #expect(functions.add(generic) == errSecDecode, "it may be anything, and is not replaced")
    }

    @Test func `-25293: a wrong passcode, as the functions tell every error of the home`() throws {
        let home = try temporary.open()
        try home.keybag.setPasscode(secret("1234"))
        try home.keybag.lock()
        let error = try #require(throws: DataProtectionError.self) {
            try home.keybag.unlock(passcode: secret("4321"))
        }
        #expect(KeychainError(error).code.rawValue == errSecAuthFailed)
    }

    /// Changes the last byte of a column of every row.
    private func damage(_ column: String) throws {
        let database = try SQLiteFile(temporary.path + "/keychain.db")
        for row in try database.rows("SELECT id, \(column) FROM item") {
            var sealed = try #require(row[1].bytes)
            sealed[sealed.endIndex - 1] ^= 1
            try database.execute("UPDATE item SET \(column) = ? WHERE id = ?", [.blob(sealed), row[0]])
        }
    }

    @Test func `a damaged item costs itself alone`() throws {
        let functions = try functions()
        #expect(functions.add(generic + [kSecAttrAccount: "a", kSecValueData: bytes("x")]) == errSecSuccess)
        try damage("attributes")
        #expect(functions.add(generic + [kSecAttrAccount: "b", kSecValueData: bytes("y")]) == errSecSuccess)
        #expect(functions.list([kSecClass: kSecClassGenericPassword])?.count == 1)
        #expect(functions.data(generic + [kSecAttrAccount: "b"]) == bytes("y"))
    }

    @Test func `more than 16 MiB are too large, and nothing is stored`() throws {
        let functions = try functions()
        #expect(functions.add(generic + [kSecValueData: Data(count: 16 << 20 + 1)]) == errSecDataTooLarge)
        #expect(functions.status(generic) == errSecItemNotFound)
    }

    @Test func `a home that can't be opened is told as it is, never as empty`() throws {
        let functions = try functions()
        #expect(functions.add(generic) == errSecSuccess)
        try FileManager.default.removeItem(atPath: temporary.path + "/device-secret")
        let program = try Child(
            "keychain-program", ["find", "service", "account"], environment: ["ZAMOK_HOME": temporary.path])
        #expect(try program.rest().text == "\(errSecNotAvailable)\n")
    }
}
