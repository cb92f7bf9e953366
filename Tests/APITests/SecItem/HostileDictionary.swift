// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItem
import TestSupport

/// Makes dictionaries that are nearly right, and dictionaries that are not right at all. The same seed makes the same
/// ones in the same order.
struct HostileDictionary {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next dictionary: an honest one after none to a few changes.
    mutating func next() -> NSMutableDictionary {
        let result = NSMutableDictionary()
        if below(16) != 0 { result["class"] = pick(["genp", "genp", "inet", "cert", "keys", "idnt", "apls", ""]) }
        for key in ["acct", "svce", "labl"] where below(2) == 0 { result[key] = pick(["a", "b", "c"]) }
        for _ in 0..<below(6) { result.setObject(value(depth: 0), forKey: key()) }
        if below(64) == 0 { result["labl"] = result }
        if below(256) == 0 { for number in 0..<below(700) { result["m_\(number)k"] = number } }
        return result
    }

    /// Undoes what keeps a dictionary that contains itself alive.
    static func release(_ dictionary: NSMutableDictionary) { dictionary.removeAllObjects() }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }

    private mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    // MARK: Keys

    private static let keys = [
        "class", "acct", "svce", "labl", "gena", "desc", "icmt", "crtr", "type", "invi", "nega", "sdmn", "srvr", "ptcl",
        "atyp", "port", "path", "agrp", "pdmn", "accc", "sync", "cdat", "mdat", "tomb", "sha1", "musr", "tkid", "vwht",
        "ggrp", "sysb", "clip", "nleg", "acls", "kcls", "klbl", "atag", "bsiz", "esiz", "sdat", "edat", "issr", "slnr",
        "pkhh", "v_Data", "v_Ref", "v_PersistentRef", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit",
        "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_HostOrSubdomainOfHost",
        "m_CaseInsensitive", "m_ItemList", "u_AuthUI", "u_NoAuthUI", "u_OpPrompt", "u_AuthCtx", "u_ItemList",
        "u_Keychain",
        "f_callback", "persistref", "", "c", "x", "xx", "zamok", "ключ", "\u{0}\u{0}\u{0}\u{0}", "👩‍👩‍👧‍👧",
        "e\u{301}e\u{301}",
    ]

    private mutating func key() -> AnyHashable {
        switch below(24) {
        case 0: NSNumber(value: below(100))
        case 1: NSData(data: Data([1, 2, 3, 4]))
        case 2: NSDate(timeIntervalSinceReferenceDate: Double(below(10)))
        case 3: NSString(string: text())
        default: NSString(string: pick(Self.keys))
        }
    }

    // MARK: Values

    private mutating func value(depth: Int) -> Any {
        switch below(depth < 4 ? 20 : 14) {
        case 0, 1, 2, 3: text()
        case 4, 5: data()
        case 6, 7: number()
        case 8, 9: below(2) == 0
        case 10: pick([Date(), .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: .nan)])
        case 11: NSNull()
        case 12: thing()
        case 13: NSDate(timeIntervalSinceReferenceDate: Double(below(1 << 30)) / 7)
        case 14, 15: (0..<below(5)).map { _ in value(depth: depth + 1) }
        case 16: Dictionary(uniqueKeysWithValues: (0..<below(4)).map { ("k\($0)", value(depth: depth + 1)) })
        case 17: deepList()
        case 18: listInItself()
        default: NSSet(array: [1, "two"])
        }
    }

    private static let texts = [
        "", "a", "genp", "inet", "ak", "ck", "dk", "aku", "cku", "dku", "akpu", "f", "syna", "m_LimitAll", "m_LimitOne",
        "u_AuthUIS", "u_AuthUIF", "0", "1", "-1", "443", "2147483647", "2147483648", "true", "test", "other", "*",
        "com.apple.token", "\u{0}", "\u{FEFF}", "%s%n", "'; DROP TABLE item; --", "../../etc/passwd", "замок",
    ]

    private mutating func text() -> String {
        switch below(8) {
        case 0: String(repeating: pick(["x", "ж", "👍", "\u{301}"]), count: below(3000))
        case 1: String(decoding: (0..<below(40)).map { _ in UInt8(below(256)) }, as: UTF8.self)
        default: pick(Self.texts)
        }
    }

    private mutating func data() -> Data {
        switch below(6) {
        case 0: Data()
        case 1: Data("genp".utf8) + Data(count: pick([7, 8, 9, 15, 16, 17]))
        case 2: Data("inet".utf8) + Data(repeating: 0xFF, count: pick([8, 16]))
        case 3: Data(count: below(70_000))
        default: Data((0..<below(64)).map { _ in UInt8(below(256)) })
        }
    }

    private mutating func number() -> Any {
        pick([
            0, 1, -1, 2, below(1 << 40), Int.max, Int.min, UInt64.max, 1.5, Double.nan, -Double.infinity, Float(0.1),
            Int8(1),
            UInt8(1), NSNumber(value: 7), NSDecimalNumber(string: "123456789012345678901234567890"), Decimal(5),
        ])
    }

    private mutating func thing() -> Any {
        pick([
            NSObject(), LAContext(), URL(fileURLWithPath: "/"), UUID(), NSError(domain: "d", code: 1), Int.self, (1, 2),
            SecCertificateCreateWithData(nil, Data() as CFData) as Any, accessControl([]) as Any,
            accessControl(.userPresence) as Any, Kind.plain, Character("c"), NSMutableString(string: "mutable"),
        ])
    }

    /// A Swift value that Foundation knows nothing of.
    private enum Kind { case plain }

    private mutating func deepList() -> NSArray {
        var list = NSArray()
        for _ in 0..<below(200) { list = NSArray(object: list) }
        return list
    }

    /// Leaks, a little: nothing ends the life of a list that contains itself.
    private func listInItself() -> NSArray {
        let list = NSMutableArray()
        list.add(list)
        return list
    }
}
