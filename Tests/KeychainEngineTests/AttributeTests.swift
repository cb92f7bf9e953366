// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory
import Statuses
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct AttributeTests {
    @Test(arguments: [
        ("acct", GivenValue.text("a"), AttributeValue.text("a")), ("acct", .data([1]), .data([1])),
        ("acct", .number(5), .number(5)),
        ("port", .text("443"), .number(443)), ("port", .text("0443"), .text("0443")),
        ("port", .text("+1"), .text("+1")),
        ("port", .text("2147483648"), .text("2147483648")), ("port", .boolean(true), .number(1)),
        ("agrp", .data(Array("group".utf8)), .text("group")), ("pdmn", .text("ak"), .text("ak")),
        ("cdat", .date(1.5), .date(1.5)),
        ("musr", .data([]), .data([])), ("sync", .boolean(false), .number(0)),
    ])
    func `Values are coerced by the attribute's kind`(name: String, given: GivenValue, expected: AttributeValue) throws
    {
        #expect(try AttributeTable.of(.internetPassword).coerce(given, for: AttributeName(name)) == expected)
    }

    @Test(arguments: [
        ("acct", GivenValue.boolean(true), KeychainError.Code.parameter), ("acct", .date(1), .parameter),
        ("acct", .unusable, .parameter),
        ("port", .data([1]), .parameter), ("agrp", .number(1), .parameter), ("agrp", .data([0xFF]), .parameter),
        ("pdmn", .text("f"), .parameter), ("cdat", .text("1"), .parameter), ("cdat", .date(.nan), .parameter),
        ("cdat", .date(1e300), .parameter), ("cdat", .date(252_423_993_600), .parameter),
        ("musr", .data([1]), .parameter),
        ("svce", .text("a"), .noSuchAttribute), ("volm", .text("a"), .noSuchAttribute),
        ("sysb", .number(1), .missingEntitlement),
    ])
    func `What an attribute does not take is refused`(name: String, given: GivenValue, code: KeychainError.Code) {
        let table = AttributeTable.of(.internetPassword)
        #expect(failure(KeychainError.self) { try table.coerce(given, for: AttributeName(name)) }?.code == code)
    }

    @Test func `Data attributes take numbers as 4 bytes, text as UTF-8`() throws {
        let table = AttributeTable.of(.certificate)
        #expect(try table.coerce(.number(0x0102_0304), for: "slnr") == .data([4, 3, 2, 1]))
        #expect(try table.coerce(.text("é"), for: "slnr") == .data([0xC3, 0xA9]))
    }

    @Test func `Identity is of bytes: text equals its data, composed text differs from decomposed, unset equals empty`()
    {
        let table = AttributeTable.of(.genericPassword)
        func identity(_ service: AttributeValue) -> [UInt8] { table.identityBytes(of: ["svce": service]) }
        #expect(identity(.text("a")) == identity(.data([97])))
        #expect(identity(.text("é")) != identity(.text("e\u{301}")))
        #expect(identity(.text("a")) != identity(.text("A")))
        #expect(identity(.text("")) == table.identityBytes(of: [:]))
        #expect(table.primary.map(\.name.text) == ["acct", "agrp", "ggrp", "musr", "svce", "sync", "tkid", "vwht"])
    }

    @Test func `No two ways of dividing bytes between attributes give one identity`() {
        let table = AttributeTable.of(.genericPassword)
        #expect(
            table.identityBytes(of: ["acct": .text("ab"), "svce": .text("c")])
                != table.identityBytes(of: ["acct": .text("a"), "svce": .text("bc")]))
    }

    @Test func `Every class has the attributes that every item has`() {
        for itemClass in ItemClass.allCases {
            for name in ["agrp", "sync", "labl", "pdmn", "cdat", "mdat", "tomb", "accc"] {
                #expect(AttributeTable.of(itemClass)[AttributeName(name)] != nil)
            }
        }
        #expect(AttributeTable.of(.identity)["klbl"] != nil && AttributeTable.of(.identity)["issr"] != nil)
    }

    @Test func `Attributes are read back as they were written, and no variant of the bytes traps`() throws {
        let attributes: Attributes = [
            "acct": .text("é"), "svce": .data([0, 255]), "port": .number(-1), "cdat": .date(0.1), "labl": .text(""),
            "musr": .data([]),
        ]
        let bytes = EncodedAttributes(attributes, hasSecret: true).bytes
        #expect(try EncodedAttributes(bytes) == EncodedAttributes(attributes, hasSecret: true))
        var mutator = Mutator(corpus: [bytes, EncodedAttributes([:], hasSecret: false).bytes], seed: 7)
        for _ in 0..<20_000 {
            let variant = mutator.next()
            // One form only: what is read is written again as it was.
            if let read = try? EncodedAttributes(variant) { #expect(read.bytes == variant) }
        }
    }

    @Test func `Persistent references have 20 or 12 bytes of a known class; nothing else is one`() {
        let reference = PersistentReference(.genericPassword, uuid: Array(0..<16))
        #expect(reference.bytes.count == 20 && PersistentReference(bytes: reference.bytes) == reference)
        let older = PersistentReference(bytes: Array("inet".utf8) + [0, 0, 0, 0, 0, 0, 1, 2])
        #expect(older?.target == .row(258) && older?.isOlderForm == true && older?.itemClass == .internetPassword)
        var mutator = Mutator(corpus: [reference.bytes], seed: 3)
        for _ in 0..<20_000 {
            let variant = mutator.next()
            let isRight =
                [12, 20].contains(variant.count)
                && ItemClass(rawValue: String(decoding: variant.prefix(4), as: UTF8.self)) != nil
            #expect((PersistentReference(bytes: variant) != nil) == isRight)
        }
    }
}

@Suite struct StatusTests {
    @Test func `Every code has one name, and unknown ones keep their number`() {
        let table = Status.table
        #expect(Set(table.map(\.rawValue)).count == table.count && Set(table.map(\.name)).count == table.count)
        for row in table { #expect(KeychainError.Code(rawValue: row.rawValue).name == row.name) }
        #expect(KeychainError.Code(rawValue: -99_999).rawValue == -99_999)
        #expect(KeychainError.Code(rawValue: -99_999).name == nil)
    }

    @Test(arguments: [
        0, -4, -50, -108, -25_291, -25_299, -25_300, -25_308, -26_275, -25_293, -34, -36, -61, -128, -25_316, -34_018,
        -25_302,
    ])
    func `The codes that programs rely on are named`(status: Int32) {
        #expect(KeychainError.Code(rawValue: status).name != nil)
    }

    @Test func `States of the home stay different states`() {
        let codes: [DataProtectionError.Code: KeychainError.Code] = [
            .locked: .locked, .wrongPasscode: .authenticationFailed, .noPasscode: .notAvailable, .damaged: .damaged,
            .keyDestroyed: .keyDestroyed,
            .diskFull: .diskFull, .io: .inputOutput, .cancelled: .userCancelled, .readOnly: .readOnly,
            .invalidArgument: .parameter, .outOfMemory: .outOfMemory,
        ]
        for (from, to) in codes { #expect(KeychainError(DataProtectionError(from, "")).code == to) }
    }
}
