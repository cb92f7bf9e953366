// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import Keychains
import SecretMemory
import TestSupport
import Testing

/// Files of other password managers.
@Suite struct ForeignListingTests {
    private static let csv = Array(
        "name,url,username,password,note\r\na,https://x.example:1/y,me,\"p,\"\"q\",n\r\nb,,you,z,\n".utf8)
    private static let bitwarden = Array(
        #"{"encrypted":false,"items":[{"type":1,"name":"a","login":{"uris":[{"uri":"https://x.example"}],"username":"u","password":"p","totp":"GEZ"}},{"type":2,"notes":"n"}]}"#
            .utf8)
    private static let keepass = Array(
        #"<?xml version="1.0"?><KeePassFile><Meta><RecycleBinUUID>B</RecycleBinUUID></Meta><Root><Group><UUID>A</UUID><Entry><String><Key>Title</Key><Value>t&#x41;</Value></String><String><Key>Password</Key><Value ProtectInMemory="True"><![CDATA[p]]></Value></String><History><Entry/></History></Entry></Group></Root></KeePassFile>"#
            .utf8)
    private static let variables = Array("# c\nexport A=\"b\"\r\nC = d\n".utf8)

    private static func items(_ listing: ItemListing) throws -> [String] {
        var found: [String] = []
        while let record = try listing.next() {
            let name = record[.service] ?? record[.server] ?? ""
            let secret = try record.secret.flatMap { try String(exposing: $0) } ?? ""
            found.append("\(name)/\(record[.account] ?? "")=\(secret)")
        }
        return found
    }

    @Test func `each form becomes the items that it holds`() throws {
        #expect(try Self.items(CSVListing.listing(Self.csv)) == ["x.example/me=p,\"q", "b/you=z"])
        #expect(
            try Self.items(BitwardenText.listing(Self.bitwarden)) == [
                "x.example/u=p", "otp/x.example/u=otpauth://totp/a?secret=GEZ", "note/=n",
            ])
        #expect(try Self.items(KeePassText.listing(Self.keepass)) == ["tA/=p"])
        #expect(try Self.items(EnvironmentText.listing(Self.variables, service: "s")) == ["s/A=b", "s/C=d"])
        let parts = PassText.parts(
            1, path: "web/x.example/me", text: Array("p\notpauth://totp/t?secret=GEZDGNBV\npin 1\n".utf8))
        #expect(
            try Self.items(PassText.listing(parts)) == [
                "web/x.example/me=p", "otp/web/x.example/me=otpauth://totp/t?secret=GEZDGNBV",
                "web/x.example/me notes=pin 1",
            ])
    }

    @Test func `a listing can be read again from its start`() throws {
        let listing = try CSVListing.listing(Self.csv)
        let first = try Self.items(listing)
        listing.rewind()
        #expect(try Self.items(listing) == first)
    }

    @Test func `a quote that is not closed, a foreign document and an open element are refused`() {
        #expect(throws: KeychainError.self) { try CSVListing.listing(Array("name,password\n\"".utf8)) }
        for text in [
            "<KeePassFile>", "<KeePassFile></Other>", "<Other/>", "<!DOCTYPE x><KeePassFile/>", "<KeePassFile a=b/>",
            "<KeePassFile>&x;</KeePassFile>",
        ] {
            #expect(throws: KeychainError.self) { try KeePassText.listing(Array(text.utf8)) }
        }
        let deep = String(repeating: "<Group>", count: 100)
        #expect(throws: KeychainError.self) { try KeePassText.listing(Array("<KeePassFile>\(deep)".utf8)) }
    }

    @Test(arguments: ["csv", "bitwarden", "keepass", "env"]) func `hostile text ends in items or in a refusal`(
        _ form: String
    ) throws {
        let seed: UInt64 = 20_261_122
        var mutator = Mutator(corpus: [Self.csv, Self.bitwarden, Self.keepass, Self.variables], seed: seed)
        for number in 0..<3000 {
            let text = mutator.next()
            do {
                let listing =
                    switch form {
                    case "csv": try CSVListing.listing(text)
                    case "bitwarden": try BitwardenText.listing(text)
                    case "keepass": try KeePassText.listing(text)
                    default: try EnvironmentText.listing(text, service: "s")
                    }
                _ = try Self.items(listing)
            } catch let error as KeychainError {
                #expect(!error.message.isEmpty, "seed \(seed), input \(number)")
            }
        }
    }
}

/// Secrets in a stream, however it is cut.
@Suite struct MaskedTextTests {
    @Test func `a secret is masked at every cut`() {
        let text = Array("a s3cret-value b s3cret-valu s3cret-value".utf8)
        for cut in 0...text.count {
            var masked = MaskedText([Array("s3cret-value".utf8), Array("s3cr".utf8)])
            let shown =
                masked.masked(Array(text[..<cut]))
                + (cut > 0 && cut < text.count
                    ? masked.masked(Array(text[cut...])) : cut == 0 ? masked.masked(text) : []) + masked.masked([])
            #expect(String(decoding: shown, as: UTF8.self) == "a *** b ***et-valu ***", "cut at \(cut)")
        }
    }

    @Test func `lines of a secret are masked, and short ones are not`() {
        var masked = MaskedText([Array("line one\nline two\nab".utf8)])
        let shown = masked.masked(Array("x line two ab line".utf8)) + masked.masked([])
        #expect(String(decoding: shown, as: UTF8.self) == "x *** ab line")
    }
}
