// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Credentials
@testable import Keychains

/// Documents of the Credential Exchange Format: what becomes an item, what is kept, what comes back, what is refused.
@Suite struct ExchangeDocumentTests {
    private static func keychain(_ temporary: TemporaryHome) throws -> Keychain {
        Keychain(home: try temporary.open { $0.identity = .ofCommand })
    }

    private static func name(_ record: ItemRecord) throws -> String {
        let name = record[.service] ?? record[.server] ?? record[.label] ?? ""
        return "\(name)/\(record[.account] ?? "")=\(try record.secret.flatMap { try String(exposing: $0) } ?? "?")"
    }

    @Test func `passwords, codes, notes and keys become items, and all else is kept`() throws {
        let listing = try ExchangeSample.listing(ExchangeSample.document())
        let records = try ExchangeSample.all(listing)
        let natives = records.filter { !KeptEntry.isOne($0) && $0.itemClass != .key }
        #expect(
            try natives.map(Self.name) == [
                "mail.example/anna=pa\"ss", "two.example/anna=pa\"ss",
                "otp/Codes/anna=otpauth://totp/Mail%20%26%20co:anna?secret=GEZDGNBVGY3TQOJQ&issuer=Mail%20%26%20co&algorithm=SHA256&digits=8&period=60",
                "Codes notes/=two\nlines", "A note/=alone", "API/bot=k-1", "At home/Net=open", "Made/=g-1",
            ])
        #expect(natives.first?[.comment] == "collection: Work\ntags: work, post")
        let keys = records.filter { $0.itemClass == .key }
        #expect(keys.map { $0[.label] } == ["anna@server"])
        let kept = records.filter(KeptEntry.isOne)
        #expect(kept.count == 11 && kept.allSatisfy { $0[.group] == "cxf" })
        // No secret of an item is in the entry beside it.
        let texts = try kept.compactMap { try $0.secret.flatMap { try String(exposing: $0) } }
        for secret in [#""pa\"ss""#, "GEZDGNBVGY3TQOJQ", "two\\u000alines", "alone", "k-1", "open", "g-1"] {
            #expect(texts.allSatisfy { !$0.contains(secret) }, "\(secret)")
        }
        #expect(texts.count { $0.contains(ExchangeSample.key) } == 2, "passkeys have the same key, the SSH key is gone")
        #expect(listing.kept.values.reduce(0, +) == 16 && listing.kept["passkey"] == 2 && listing.refusals.isEmpty)
    }

    // Rule: unknown kinds come back | they were left out of what is kept | the documents differed
    @Test func `what was imported comes back, and again from another home`() throws {
        let (first, second) = (TemporaryHome(), TemporaryHome())
        let one = try Self.keychain(first)
        let text = ExchangeSample.document()
        let added = try one.add(contentsOf: ExchangeSample.listing(text))
        #expect(added.count == 20 && added.isStored)
        let (out, result) = try ExchangeSample.export(one)
        #expect(result == ExchangeWriter.Result(count: 10))
        #expect(try ExchangeSample.accounts(out) == ExchangeSample.accounts(text))
        #expect(try ExchangeJSONReader.value(Array(out.utf8))["ofTomorrow"] == .list([.number("1")]))
        // Again: nothing is new, and from another home comes the same.
        #expect(try one.add(contentsOf: ExchangeSample.listing(out)).count == 0)
        let two = try Self.keychain(second)
        #expect(try two.add(contentsOf: ExchangeSample.listing(out)).count == 20)
        #expect(try ExchangeSample.accounts(ExchangeSample.export(two).text) == ExchangeSample.accounts(text))
    }

    // Rule: a deleted item leaves no export | its secret was kept in the link | it came back
    @Test func `a change and a deletion since the import count`() throws {
        let temporary = TemporaryHome()
        let keychain = try Self.keychain(temporary)
        _ = try keychain.add(contentsOf: ExchangeSample.listing(ExchangeSample.document()))
        var server = ItemRecord(.internetPassword)
        try server.set(.server, "mail.example")
        var change = ItemRecord(.internetPassword)
        change.secret = try Secret("changed")
        try keychain.update(matching: server, with: change)
        for name in ["A note", "otp/Codes"] {
            var gone = ItemRecord(.genericPassword)
            try gone.set(.service, name)
            #expect(try keychain.delete(matching: gone) == 1)
        }
        var new = ItemRecord(.genericPassword)
        try new.set(.service, "new")
        new.secret = try Secret("n-1")
        try keychain.add(new)
        let out = try ExchangeSample.export(keychain).text
        #expect(out.contains(#""value":"changed""#) && !out.contains("alone") && !out.contains("GEZDGNBVGY3TQOJQ"))
        // The second address has the former password, and is an item of the account of this keychain.
        let accounts = try #require(try ExchangeSample.accounts(out).list)
        let own = try #require(accounts.first { $0["id"]?.text == "emFtb2s" }?["items"]?.list)
        #expect(Set(own.compactMap { $0["title"]?.text }) == ["two.example", "new"] || own.count == 2)
        #expect(
            accounts.count == 2
                && accounts.allSatisfy { $0["items"]?.list?.contains { $0["title"]?.text == "A note" } != true })
    }

    @Test func `items of a keychain leave and come back elsewhere`() throws {
        let (first, second) = (TemporaryHome(), TemporaryHome())
        let one = try Self.keychain(first)
        func add(_ itemClass: ItemClass, _ fields: [(ItemField, String)], _ secret: String) throws {
            var record = ItemRecord(itemClass)
            for (field, value) in fields { try record.set(field, value) }
            record.secret = try Secret(secret)
            try one.add(record)
        }
        try add(.internetPassword, [(.server, "a.example"), (.account, "u"), (.port, "8443"), (.comment, "c")], "p")
        try add(.genericPassword, [(.service, "otp/a.example"), (.account, "u")], "otpauth://totp/A?secret=GEZDGNBV")
        try add(.genericPassword, [(.service, "otp/b")], "otpauth://hotp/B?secret=GEZDGNBV&counter=1")
        try add(.genericPassword, [(.service, "n"), (.description, "secure note")], "text")
        var binary = ItemRecord(.genericPassword)
        try binary.set(.service, "b")
        binary.secret = try Secret(copying: [0xFF])
        try one.add(binary)
        let (out, result) = try ExchangeSample.export(one)
        #expect(result == ExchangeWriter.Result(count: 3, binary: 1, byCounter: 1))
        let two = try Self.keychain(second)
        let listing = try ExchangeSample.listing(out)
        _ = try two.add(contentsOf: listing)
        #expect(listing.refusals.isEmpty && listing.kept.isEmpty)
        #expect(try ExchangeSample.accounts(ExchangeSample.export(two).text) == ExchangeSample.accounts(out))
        var code = ItemRecord(.genericPassword)
        try code.set(.service, "otp/a.example")
        try code.set(.account, "u")
        #expect(try two.records(matching: code).count == 1)
    }

    static let hostile: [(what: String, text: String)] = [
        ("depth", String(repeating: #"{"accounts":["#, count: 40_000)),
        ("depth of a value", ExchangeSample.document(items: [String(repeating: "[", count: 100_000)])),
        (
            "depth of collections",
            ExchangeSample.document(
                collections: String(repeating: #"{"id":"AA","title":"t","subCollections":["#, count: 50))
        ),
        ("two names", #"{"version":{"major":1,"minor":0},"version":{"major":1,"minor":0},"accounts":[]}"#),
        ("two names with an escape", ExchangeSample.document(items: [#"{"id":"AA","\u0069d":"AQ","credentials":[]}"#])),
        ("two lists of items", #"{"version":{"major":1,"minor":0},"accounts":[{"id":"AA","items":[],"items":[]}]}"#),
        (
            "two identifiers",
            ExchangeSample.document(items: [ExchangeSample.item(1, "", []), ExchangeSample.item(1, "", [])])
        ),
        (
            "two spellings",
            ExchangeSample.document(items: [#"{"id":"AA","credentials":[]}"#, #"{"id":"AA==","credentials":[]}"#])
        ),
        (
            "a collection within itself",
            ExchangeSample.document(collections: #"{"id":"AA","title":"","subCollections":[{"id":"AA","title":""}]}"#)
        ),
        ("a title that turns", ExchangeSample.document(collections: #"{"id":"AA","title":"a\u202eb"}"#)),
        ("no Base64url", ExchangeSample.document(items: [#"{"id":"A+/","credentials":[]}"#])),
        ("one letter", ExchangeSample.document(items: [#"{"id":"A","credentials":[]}"#])),
        ("left-over bits", ExchangeSample.document(items: [#"{"id":"AB","credentials":[]}"#])),
        (
            "a long identifier",
            ExchangeSample.document(items: [#"{"id":"\#(String(repeating: "A", count: 88))","credentials":[]}"#])
        ),
        ("an empty identifier", ExchangeSample.document(items: [#"{"id":"","credentials":[]}"#])),
        ("version 2", ExchangeSample.document(version: #"{"major":2,"minor":0}"#)),
        ("version 0", ExchangeSample.document(version: #"{"major":0,"minor":9}"#)),
        ("version 1.0 as a text", ExchangeSample.document(version: #""1.0""#)),
        ("no version", #"{"accounts":[]}"#),
        ("a minor version out of range", ExchangeSample.document(version: #"{"major":1,"minor":256}"#)),
        ("a number out of range", ExchangeSample.document(version: #"{"major":1,"minor":0,"x":1e999}"#)),
        (
            "a long number",
            ExchangeSample.document(version: #"{"major":1,"minor":0,"x":\#(String(repeating: "1", count: 100))}"#)
        ),
        ("half a pair", ExchangeSample.document(items: [ExchangeSample.item(1, "\\ud800", [])])),
        ("the other half", ExchangeSample.document(items: [ExchangeSample.item(1, "\\udc00\\ud800", [])])),
        ("a raw control character", ExchangeSample.document(items: [ExchangeSample.item(1, "\u{1}", [])])),
        ("a comma too many", #"{"version":{"major":1,"minor":0},"accounts":[],}"#),
        ("more after the end", ExchangeSample.document() + "{}"), ("nothing", ""), ("a list", "[]"),
        ("an archive", "PK\u{3}\u{4}"), ("a sealed message", "eyJhbGciOiJkaXIifQ..."),
        ("items and accounts", #"{"version":{"major":1,"minor":0},"items":[],"accounts":[]}"#),
        ("an item that is none", ExchangeSample.document(items: ["1"])),
        ("accounts that are none", #"{"version":{"major":1,"minor":0},"accounts":{"id":"AA"}}"#),
    ]

    @Test(arguments: hostile.indices) func `a document that breaks the format is refused whole`(_ number: Int) throws {
        let (what, text) = Self.hostile[number]
        let error = #expect(throws: KeychainError.self, "\(what)") { try ExchangeSample.listing(text) }
        #expect(error.map { [.unknownFormat, .unsupportedFormat, .dataTooLarge].contains($0.code) } == true, "\(what)")
        #expect(error?.message.utf8.count ?? 0 < 300, "\(what)")
    }

    @Test func `bytes that are no text are refused`() throws {
        let text = Array(ExchangeSample.document().utf8)
        for byte: UInt8 in [0xFF, 0xC0, 0xED] {
            var bytes = text
            bytes[try #require(text.firstRange(of: Array("Mail".utf8))).lowerBound] = byte
            #expect(throws: KeychainError.self) { try ExchangeText.listing(try Secret(copying: bytes)) }
        }
    }

    // Rule: an object ends with its bracket | the end was not looked for | a cut document was read
    @Test func `a document that is cut anywhere is refused`() throws {
        let text = Array(ExchangeSample.document().utf8)
        for count in 0..<text.count {
            #expect(throws: KeychainError.self, "\(count) bytes") {
                _ = try ExchangeDocument(Array(text.prefix(count)))
            }
        }
    }

    @Test(arguments: [
        ("a name with NUL", ExchangeSample.item(1, "a\\u0000b", [])),
        ("a name with a line", ExchangeSample.item(1, "a\\nb", [])),
        ("a name that turns", ExchangeSample.item(1, "a\\u202eb", [])),
        ("a user that turns", ExchangeSample.item(1, "t", [ExchangeSample.password("a\\u2066b", "p")])),
        (
            "an address that turns",
            ExchangeSample.item(1, "t", [], more: #","scope":{"urls":["https://a\u202e.example"]}"#)
        ),
        ("a time out of range", #"{"id":"AA","creationAt":1e30,"credentials":[]}"#),
        ("a time of a fraction", #"{"id":"AA","modifiedAt":1.5,"credentials":[]}"#),
        ("no credentials", #"{"id":"AA","title":"t"}"#),
        ("a credential without a type", ExchangeSample.item(1, "", ["{}"])),
        ("a key that is no Base64url", ExchangeSample.item(1, "", [#"{"type":"passkey","key":"a b"}"#])),
        ("a field that is none", ExchangeSample.item(1, "", [#"{"type":"x","y":{"fieldType":"string","value":1}}"#])),
        (
            "a field's identifier",
            ExchangeSample.item(1, "", [#"{"type":"x","y":{"fieldType":"string","value":"","id":"*"}}"#])
        ),
        ("a reference to nothing", ExchangeSample.item(1, "", [#"{"type":"item-reference"}"#])),
        ("tags that are none", ExchangeSample.item(1, "", [], more: #","tags":"a""#)),
    ])
    func `an item that breaks a rule is refused, named, and the others come`(_ what: String, _ item: String) throws {
        let listing = try ExchangeSample.listing(
            ExchangeSample.document(items: [item, ExchangeSample.item(99, "Good", [ExchangeSample.password("u", "p")])])
        )
        let records = try ExchangeSample.all(listing)
        #expect(listing.refusals.map(\.line) == [1], "\(what)")
        #expect(
            records.compactMap { $0[.service] } == ["cxf", "Good", "cxf/\(ExchangeSample.identifier(99))"], "\(what)")
    }

    @Test func `one name for two secrets mixes neither`() throws {
        let temporary = TemporaryHome()
        let keychain = try Self.keychain(temporary)
        let items = (1...3).map { ExchangeSample.item($0, "Same", [ExchangeSample.password("u", "p-\($0)")]) }
        let text = ExchangeSample.document(items: items)
        #expect(try keychain.add(contentsOf: ExchangeSample.listing(text)).count == 5)
        #expect(try ExchangeSample.accounts(ExchangeSample.export(keychain).text) == ExchangeSample.accounts(text))
    }

    @Test func `a listing can be read again from its start`() throws {
        let listing = try ExchangeSample.listing(ExchangeSample.document())
        let (first, kept) = (try ExchangeSample.all(listing).map(Self.name), listing.kept)
        listing.rewind()
        #expect(try ExchangeSample.all(listing).map(Self.name) == first && listing.kept == kept)
    }

    @Test func `what one part could multiply is bounded`() throws {
        let urls = (0..<20_000).map { "\"https://h\($0).example\"" }.joined(separator: ",")
        let tags = (0..<20_000).map { "\"tag \($0)\"" }.joined(separator: ",")
        let links = (0..<20_000).map { _ in #"{"item":"\#(ExchangeSample.identifier(1))"}"# }.joined(separator: ",")
        let item = ExchangeSample.item(
            1, "t", [ExchangeSample.password("u", String(repeating: "p", count: 1 << 20))],
            more: #","scope":{"urls":[\#(urls)]},"tags":[\#(tags)]"#)
        let listing = try ExchangeSample.listing(
            ExchangeSample.document(items: [item], collections: #"{"id":"AA","title":"t","items":[\#(links)]}"#))
        #expect(try ExchangeSample.all(listing).count == 2 && listing.kept == ["basic-auth": 1])
    }

    @Test func `more items than the limit are refused`() throws {
        let item = #"{"id":"X","credentials":[]}"#
        let items = (0...100_000).map {
            item.replacing("X", with: ExchangeRules.base64URL(Array("\($0)".utf8)))
        }
        let error = #expect(throws: KeychainError.self) {
            try ExchangeSample.listing(ExchangeSample.document(items: items, collections: ""))
        }
        #expect(error?.code == .dataTooLarge)
    }

    @Test func `hostile documents end in items or in a refusal`() throws {
        let run = FuzzRun.tried(
            "exchange documents", corpus: [Array(ExchangeSample.document().utf8), Array(ExchangeSample.items[0].utf8)],
            bounded: 3000
        ) { input in
            let listing = try ExchangeText.listing(try Secret(copying: Array(input)))
            try ExchangeSample.all(listing)
            return true
        }
        #expect(run.isBounded)
    }

    @Test func `a kept entry that can't be read ends no export`() throws {
        let temporary = TemporaryHome()
        let keychain = try Self.keychain(temporary)
        _ = try keychain.add(contentsOf: ExchangeSample.listing(ExchangeSample.document()))
        for (number, text) in ["{", #"{"version":2}"#].enumerated() {
            var record = ItemRecord(.genericPassword)
            try record.set(.service, "cxf/odd\(number)")
            try record.set(.account, "YWNjb3VudA")
            try record.set(.group, KeptEntry.group)
            record.secret = try Secret(text)
            try keychain.add(record)
        }
        #expect(try ExchangeSample.export(keychain).result == ExchangeWriter.Result(count: 10, unreadable: 2))
    }

    @Test func `kinds without number are counted together`() throws {
        let kinds = (0..<1000).map { #"{"type":"k\#($0)"}"# }
        let listing = try ExchangeSample.listing(ExchangeSample.document(items: [ExchangeSample.item(1, "t", kinds)]))
        try ExchangeSample.all(listing)
        #expect(listing.kept.count == 33 && listing.kept["more kinds"] == 968)
    }

    @Test func `a kept entry that is damaged or of a later version is told`() throws {
        for text in [
            "", "{", "{}", #"{"version":1}"#, #"{"version":1,"account":"AA","item":1}"#,
            #"{"version":1,"account":"AA","item":{},"links":[1]}"#,
        ] {
            let error = #expect(throws: KeychainError.self) { try KeptEntry(try Secret(copying: Array(text.utf8))) }
            #expect(error?.code == .damaged, "\(text)")
        }
        let later = #expect(throws: KeychainError.self) { try KeptEntry(try Secret(#"{"version":2}"#)) }
        #expect(later?.code == .unsupportedFormat)
    }
}

/// Documents that other programs published. They can't be part of the repository.
@Suite(.enabled(if: ExchangeSample.published != nil, ExchangeSample.unpublished))
struct PublishedExchangeTests {
    @Test func `published documents come back whole`() throws {
        let folder = URL(fileURLWithPath: try #require(ExchangeSample.published))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        try #require(!files.isEmpty)
        for file in files {
            let temporary = TemporaryHome()
            let keychain = Keychain(home: try temporary.open { $0.identity = .ofCommand })
            let text = try String(contentsOf: file, encoding: .utf8)
            let listing = try ExchangeSample.listing(text)
            _ = try keychain.add(contentsOf: listing)
            #expect(listing.refusals.isEmpty, "\(file.lastPathComponent)")
            let out = try ExchangeSample.export(keychain).text
            #expect(try ExchangeSample.accounts(out) == ExchangeSample.accounts(text), "\(file.lastPathComponent)")
        }
    }
}
