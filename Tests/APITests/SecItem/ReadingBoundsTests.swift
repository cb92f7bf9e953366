// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import LocalAuthentication
import SecItem
import TestSupport
import Testing

@testable import SecItemEngine

/// Dictionaries that no honest program makes.
@Suite struct ReadingBoundsTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    private func status(_ query: NSDictionary) -> OSStatus {
        Home.withCurrent(functions.home) { SecItemCopyMatching(query, nil) }
    }

    @Test func `a dictionary that contains itself is read to its end`() {
        let query = NSMutableDictionary(dictionary: ["class": "genp"])
        query["labl"] = query
        #expect(status(query) == errSecParam)
        query["labl"] = nil
        query["m_ItemList"] = query
        #expect(status(query) == errSecItemNotFound)
        query.removeAllObjects()
    }

    @Test func `a list that contains itself is read to its end`() {
        let list = NSMutableArray()
        list.add(list)
        #expect(status(["class": "genp", "acct": list]) == errSecParam)
        #expect(status(["class": "genp", "m_Issuers": list]) == errSecUnimplemented)
        #expect(status(["class": "genp", "r_Data": list]) == errSecParam)
        list.removeAllObjects()
    }

    @Test func `a hundred thousand entries are refused at once`() {
        let query = NSMutableDictionary(dictionary: ["class": "genp"])
        for number in 0..<100_000 { query["m_\(number)x"] = number }
        #expect(status(query) == errSecParam)
    }

    @Test func `a long attribute is stored whole or refused, never cut`() throws {
        let long = String(repeating: "замок ", count: 100_000)
        let added = functions.add(generic + [kSecAttrLabel: long])
        guard added == errSecSuccess else {
            #expect(added == errSecDataTooLarge)
            return
        }
        let found = functions.find(generic + [kSecReturnAttributes: true]).object as? [String: Any]
        #expect(found?["labl"] as? String == long)
    }

    @Test func `a query takes a context, and nothing else in its place`() {
        let context = LAContext()
        #expect(functions.status(generic + [kSecUseAuthenticationContext: context]) == errSecItemNotFound)
        #expect(functions.status(generic + [kSecUseAuthenticationContext: "context"]) == errSecParam)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a date that is no time is no date`(seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(functions.status(generic + [kSecAttrCreationDate: date]) == errSecParam)
    }

    @Test(arguments: [1.5, -0.25, 1e300, .nan] as [Double])
    func `a number that is not whole is no attribute`(number: Double) {
        #expect(functions.status(generic + [kSecAttrType: number]) == errSecParam)
        #expect(functions.status(generic + [kSecAttrAccount: NSNumber(value: UInt64.max)]) == errSecParam)
    }

    @Test func `every kind of value is told apart`() {
        let kinds: [(Any, CFTypeID)] = [
            ("text", CFStringGetTypeID()), (Data(), CFDataGetTypeID()), (5, CFNumberGetTypeID()),
            (1.5, CFNumberGetTypeID()),
            (true, CFBooleanGetTypeID()), (Date(), CFDateGetTypeID()), ([1], CFArrayGetTypeID()),
            (["a": 1], CFDictionaryGetTypeID()),
        ]
        for (value, identifier) in kinds {
            #expect(CFGetTypeID(NSArray(array: [value]).object(at: 0) as CFTypeRef) == identifier)
        }
        #expect(CFGetTypeID(nil) == 0)
        #expect(CFGetTypeID(NSObject()) != 0)
        #expect(CFEqual(nil, nil))
        #expect(!CFEqual(nil, NSObject()))
        #expect(CFEqual("a" as CFString, "a" as CFString))
    }
}
