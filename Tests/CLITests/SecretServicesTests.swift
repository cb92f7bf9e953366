// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// The Secret Service where each program has items of its own.
@Suite struct SecretServicesTests {
    private let temporary = TemporaryHome()
    private let services: SecretServices
    private static let root = "/org/freedesktop/secrets"
    private static let login = root + "/collection/login"
    private static let mail = ProgramName.flatpak("org.example.Mail")

    init() throws {
        let home = try temporary.open { $0.identity = .ofCommand }
        services = SecretServices(home, group: "g", isSeparate: true)
        services.met(":1.1", Self.mail)
        services.met(":1.2", .executable("/usr/bin/other"))
        services.met(":1.3", Self.mail)
    }

    private func call(_ client: String, _ path: String, _ member: String, _ values: [BusValue]) throws -> [BusValue] {
        try #require(services.service(of: client)).answer(
            BusCall(sender: client, path: path, interface: nil, member: member, arguments: values))
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? BusFailure)?.name ?? "\(error)" }
        return nil
    }

    private func session(_ client: String) throws -> String {
        try #require(try call(client, Self.root, "OpenSession", [.text("plain"), .variant(.text(""))]).last?.path)
    }

    private func create(_ client: String, _ session: String, in collection: String = login) throws -> String {
        let properties = BusValue.properties([("\(SecretService.item).Attributes", .attributes(["a": "1"]))])
        let value = BusValue.structure([
            .path(session), .bytes(try Secret(copying: [])), .bytes(try Secret("s-\(client)")), .text(""),
        ])
        return try #require(try call(client, collection, "CreateItem", [properties, value, .boolean(false)])[0].path)
    }

    private func search(_ client: String) throws -> [String]? {
        try call(client, Self.root, "SearchItems", [.attributes(["a": "1"])])[0].paths
    }

    // Rule: with --separate a program has a keychain's group of its own | the first program's for all | it finds
    //   another's items
    @Test func `a program finds its own items alone, by every call that could name another's`() throws {
        let (mine, theirs) = (try session(":1.1"), try session(":1.2"))
        let item = try create(":1.1", mine)
        #expect(try search(":1.1") == [item] && search(":1.3") == [item])
        #expect(try search(":1.2") == [])
        let noObject = "org.freedesktop.Secret.Error.NoSuchObject"
        for (member, values) in [("GetSecret", [BusValue.path(theirs)]), ("Delete", [])] {
            #expect(failure { _ = try call(":1.2", item, member, values) } == noObject, "\(member)")
        }
        #expect(
            try call(":1.2", Self.root, "GetSecrets", [.paths([item]), .path(theirs)])[0].signature == "a{o(oayays)}")
        let given = try call(":1.2", Self.root, "GetSecrets", [.paths([item]), .path(theirs)])[0]
        guard case .array(_, let secrets) = given else { throw BusFailure.failed("no array") }
        #expect(secrets.isEmpty)
        // No number of a session is given twice, and none is taken from another program.
        #expect(mine != theirs)
        #expect(
            failure { _ = try call(":1.2", item, "GetSecret", [.path(mine)]) }
                == "org.freedesktop.Secret.Error.NoSession")
        let other = try create(":1.2", theirs)
        #expect(try search(":1.2") == [other] && search(":1.1") == [item])
        // In memory, too.
        let kept = try create(":1.1", mine, in: Self.root + "/collection/session")
        #expect(failure { _ = try call(":1.2", kept, "GetSecret", [.path(theirs)]) } == noObject)
    }

    // Rule: signals of an item go to clients of its program | to all | another program hears of it
    @Test func `only clients of an item's program get its signals`() throws {
        let mine = try session(":1.1")
        _ = services.takeSignals()
        let item = try create(":1.1", mine)
        let signals = services.takeSignals()
        #expect(Set(signals.map(\.destination)) == [":1.1", ":1.3"])
        #expect(signals.allSatisfy { $0.member == "ItemCreated" && $0.arguments[0].path == item })
    }

    @Test func `an unidentified client is not served, and one that left is forgotten`() throws {
        #expect(services.service(of: ":1.9") == nil)
        services.left(":1.2")
        #expect(services.service(of: ":1.2") == nil)
        services.met(":1.2", Self.mail)
        #expect(services.service(of: ":1.2") === services.service(of: ":1.1"))
    }
}
