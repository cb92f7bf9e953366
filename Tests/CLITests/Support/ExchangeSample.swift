// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Credentials
@testable import Keychains

/// A document of the Credential Exchange Format with every kind of credential, and what tests need around it.
enum ExchangeSample {
    static func field(_ type: String, _ value: String, _ label: String? = nil) -> String {
        let more = label.map {
            #","id":"ZmllbGQ","label":"\#($0)","extensions":[{"name":"of-a-field","deep":[1,2.50]}]"#
        }
        return #"{"fieldType":"\#(type)","value":"\#(value)"\#(more ?? "")}"#
    }

    static func item(_ number: Int, _ title: String, _ credentials: [String], more: String = "") -> String {
        #"{"id":"\#(identifier(number))","creationAt":17000000\#(10 + number),"modifiedAt":-11644473600,"title":"\#(title)"\#(more),"credentials":[\#(credentials.joined(separator: ","))]}"#
    }

    static func identifier(_ number: Int) -> String { ExchangeRules.base64URL(Array("item \(number)".utf8)) }

    static func password(_ user: String, _ secret: String) -> String {
        #"{"type":"basic-auth","username":\#(field("string", user, "Name")),"password":\#(field("concealed-string", secret, "Word"))}"#
    }

    /// PKCS#8 of an Ed25519 key.
    static let key = ExchangeRules.base64URL(
        [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20] + Array(1...32))

    /// Kinds without an item of their own, each as JSON.
    static let kept: [String] = [
        #"{"type":"passkey","credentialId":"Y3JlZA","rpId":"a.example","username":"anna","userDisplayName":"Anna","userHandle":"aGFuZGxl","key":"\#(key)","fido2Extensions":{"hmacCredentials":{"algorithm":"hmac-sha256","credWithUV":"AAAA","credWithoutUV":"AAAA"},"credBlob":"AAAA","largeBlob":{"uncompressedSize":9007199254740993,"data":"AAAA"},"payments":false}}"#,
        #"{"type":"credit-card","number":\#(field("concealed-string", "4111111111111111")),"expiryDate":\#(field("year-month", "2031-08")),"pin":\#(field("concealed-string", "0000"))}"#,
        #"{"type":"address","streetAddress":\#(field("string", "1 Long Road\\nBack")),"country":\#(field("country-code", "GB")),"territory":\#(field("subdivision-code", "GB-LND"))}"#,
        #"{"type":"person-name","given":\#(field("string", "Anna")),"surname":\#(field("string", "Ėglė"))}"#,
        #"{"type":"identity-document","documentNumber":\#(field("string", "X1")),"birthDate":\#(field("date", "1990-01-01"))}"#,
        #"{"type":"passport","passportNumber":\#(field("string", "P1")),"issuingCountry":\#(field("country-code", "LT"))}"#,
        #"{"type":"drivers-license","licenseNumber":\#(field("string", "D1")),"licenseClass":\#(field("string", "B"))}"#,
        #"{"type":"file","id":"ZmlsZQ","name":"a.pdf","decryptedSize":2048576,"integrityHash":"AAAA"}"#,
        #"{"type":"item-reference","reference":{"item":"\#(identifier(1))","account":"YWNjb3VudA"}}"#,
        #"{"type":"custom-fields","id":"c2VjdGlvbg","label":"More","fields":[\#(field("email", "a@b.example", "Mail")),\#(field("boolean", "true")),\#(field("number", "007")),\#(field("of-tomorrow", "\\u0000\\ud83d\\ude00"))],"extensions":[{"name":"x"}]}"#,
        #"{"type":"of-tomorrow","secret":{"nested":[null,true,1e3,-0.10,"\u202e"]},"more":{}}"#,
        #"{"type":"totp","secret":"GEZDGNBV","period":30,"digits":6,"algorithm":"sha3-256"}"#,
        #"{"type":"basic-auth","username":\#(field("string", "only a name"))}"#,
        #"{"type":"ssh-key","keyType":"ssh-ed25519","privateKey":"AAAA"}"#,
    ]

    static let items: [String] = [
        item(
            1, "Mail", [password("anna", "pa\\\"ss"), kept[0]],
            more:
                #","subtitle":"at work","favorite":true,"scope":{"urls":["https://mail.example/in","https://two.example:8443"],"androidApps":[{"bundleId":"example.mail","certificate":{"fingerprint":"AAAA","hashAlg":"sha256"},"name":"Mail"}]},"tags":["work","post"],"extensions":[{"name":"shared","accessors":[]}]"#
        ),
        item(
            2, "Codes",
            [
                #"{"type":"totp","secret":"GEZDGNBVGY3TQOJQ","period":60,"digits":8,"username":"anna","algorithm":"sha256","issuer":"Mail & co"}"#,
                #"{"type":"note","content":\#(field("string", "two\\nlines", "Note"))}"#,
            ]),
        item(3, "A note", [#"{"type":"note","content":\#(field("string", "alone"))}"#]),
        item(
            4, "Server",
            [
                #"{"type":"ssh-key","keyType":"ssh-ed25519","privateKey":"\#(key)","keyComment":"anna@server","creationDate":\#(field("date", "2023-01-01"))}"#
            ]
        ),
        item(
            5, "API",
            [
                #"{"type":"api-key","key":\#(field("concealed-string", "k-1")),"username":\#(field("string", "bot")),"keyType":\#(field("string", "Bearer")),"url":\#(field("string", "https://api.example"))}"#
            ]
        ),
        item(
            6, "At home",
            [
                #"{"type":"wifi","ssid":\#(field("string", "Net")),"networkSecurityType":\#(field("wifi-network-security-type", "wpa2-personal")),"passphrase":\#(field("concealed-string", "open")),"hidden":\#(field("boolean", "false"))}"#
            ]
        ),
        item(7, "Made", [#"{"type":"generated-password","password":"g-1"}"#]),
        item(8, "Kept", kept),
        item(9, "", []),
        // A second password of the same name.
        item(10, "Again", [password("anna", "other")], more: #","scope":{"urls":["https://mail.example/in"]}"#),
    ]

    static func document(
        version: String = #"{"major":1,"minor":0}"#, items: [String] = items, collections: String = collections
    ) -> String {
        #"{"version":\#(version),"exporterRpId":"exporter.example","exporterDisplayName":"Exporter","timestamp":1700000000,"ofTomorrow":[1],"accounts":[{"id":"YWNjb3VudA","username":"anna","email":"anna@b.example","fullName":"Anna Ė","items":[\#(items.joined(separator: ","))],"collections":[\#(collections)],"extensions":[{"name":"y"}]}]}"#
    }

    /// A folder of documents that other programs published. They can't be part of the repository.
    static let published = ProcessInfo.processInfo.environment["ZAMOK_CXF_FIXTURES"]
    static let unpublished: Comment = "ZAMOK_CXF_FIXTURES does not name a folder of documents"

    static let collections =
        #"{"id":"Y29sbGVjdGlvbg","title":"Work","items":[{"item":"\#(identifier(1))"},{"item":"Z29uZQ","account":"b3RoZXI"}],"subCollections":[{"id":"aW5uZXI","creationAt":1,"title":"Inner","items":[]}],"extensions":[]}"#

    static func listing(_ text: String) throws -> ItemListing { try ExchangeText.listing(try Secret(text)) }

    /// All items, and the listing after the last one.
    @discardableResult
    static func all(_ listing: ItemListing) throws -> [ItemRecord] {
        var records: [ItemRecord] = []
        while let record = try listing.next() { records.append(record) }
        return records
    }

    /// A keychain's document.
    static func export(_ keychain: Keychain) throws -> (text: String, result: ExchangeWriter.Result) {
        var text = ""
        var writer = ExchangeWriter(keychain) { text += try String(exposing: $0) ?? "?" }
        let result = try writer.write(at: Date(timeIntervalSince1970: 1_800_000_000))
        return (text, result)
    }

    /// The accounts of a document in an order that depends on nothing but their contents.
    static func accounts(_ text: String) throws -> ExchangeJSON {
        let whole = try ExchangeJSONReader.value(Array(text.utf8))
        let accounts = whole["accounts"] ?? (whole["items"] == nil ? nil : .list([whole]))
        return .list(
            try #require(accounts?.list).map { account in
                var account = account
                account["items"] = .list(
                    (account["items"]?.list ?? []).sorted { ($0["id"]?.text ?? "") < ($1["id"]?.text ?? "") })
                return sorted(account)
            })
    }

    private static func sorted(_ value: ExchangeJSON) -> ExchangeJSON {
        switch value {
        case .list(let list): .list(list.map(sorted))
        case .object(let members):
            .object(members.map { .init(name: $0.name, value: sorted($0.value)) }.sorted { $0.name < $1.name })
        default: value
        }
    }
}
