// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// The Secret Service without a bus: calls in, answers and signals out. SecretServiceProgramTests has the programs and
/// a bus.
@Suite struct SecretServiceTests {
    private let temporary = TemporaryHome()
    private let home: Home
    private let service: SecretService
    private static let passcode = Array("tall-grass".utf8)
    private static let group = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let login = root + "/collection/login"

    init() throws {
        home = try temporary.open { $0.identity = .ofCommand }
        try home.keybag.setPasscode(try SecretBytes(copying: Self.passcode))
        service = SecretService(home, group: Self.group)
    }

    /// Opens the home anew, as another process would have it.
    private func reopened() throws -> Home { try temporary.open { $0.identity = .ofCommand } }

    // MARK: Words of a client

    private func call(
        _ path: String, _ interface: String?, _ member: String, _ arguments: [BusValue] = [],
        from sender: String = ":1.1",
        _ service: SecretService? = nil
    ) throws(BusFailure) -> [BusValue] {
        try (service ?? self.service).answer(
            BusCall(sender: sender, path: path, interface: interface, member: member, arguments: arguments))
    }

    private func session(_ sender: String = ":1.1", _ service: SecretService? = nil) throws -> String {
        let answer = try call(
            Self.root, SecretService.service, "OpenSession", [.text("plain"), .variant(.text(""))], from: sender,
            service)
        return try #require(answer.last?.path)
    }

    private func create(
        _ attributes: [String: String], _ secret: String, label: String = "A label", replace: Bool = false,
        in collection: String = login, _ session: String, from sender: String = ":1.1"
    ) throws -> String {
        let properties = BusValue.properties([
            ("\(SecretService.item).Label", .text(label)),
            ("\(SecretService.item).Attributes", .attributes(attributes)),
        ])
        let answer = try call(
            collection, SecretService.collection, "CreateItem",
            [properties, try sealed(secret, session), .boolean(replace)], from: sender)
        #expect(answer[1].path == "/")
        return try #require(answer[0].path)
    }

    private func sealed(_ secret: String, _ session: String) throws -> BusValue {
        .structure([
            .path(session), .bytes(try Secret(copying: [])), .bytes(try Secret(secret)), .text("text/plain"),
        ])
    }

    private func secret(
        _ item: String, _ session: String, from sender: String = ":1.1", _ service: SecretService? = nil
    ) throws -> String? {
        let answer = try call(item, SecretService.item, "GetSecret", [.path(session)], from: sender, service)
        return try #require(answer[0].fields?[2].bytes).exposedText
    }

    private func search(
        _ attributes: [String: String], _ service: SecretService? = nil
    ) throws -> (unlocked: [String], locked: [String]) {
        let answer = try call(Self.root, SecretService.service, "SearchItems", [.attributes(attributes)], service)
        return (try #require(answer[0].paths), try #require(answer[1].paths))
    }

    private func property(_ path: String, _ interface: String, _ name: String) throws -> BusValue {
        let answer = try call(path, "org.freedesktop.DBus.Properties", "Get", [.text(interface), .text(name)])
        return try #require(answer[0].content)
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? BusFailure)?.name }
        return nil
    }

    private static let isLocked = "org.freedesktop.Secret.Error.IsLocked"
    private static let noSession = "org.freedesktop.Secret.Error.NoSession"
    private static let noObject = "org.freedesktop.Secret.Error.NoSuchObject"

    // MARK: Items

    @Test func `an item is found by any of its attributes, and by no others, also by a provider that comes later`()
        throws
    {
        let session = try session()
        let attributes = [
            "xdg:schema": "org.example.Mail", "server": "mail.example.com", "user": "anna & levin=%\u{1}é",
        ]
        let mail = try create(attributes, "m-secret", session)
        let other = try create(["xdg:schema": "org.example.Mail", "server": "b"], "o-secret", session)
        for some in [attributes, ["server": "mail.example.com"], ["user": "anna & levin=%\u{1}é"]] {
            #expect(try search(some).unlocked == [mail])
        }
        #expect(try search(["xdg:schema": "org.example.Mail"]).unlocked == [mail, other])
        #expect(try search([:]).unlocked == [mail, other])
        for none in [["server": "mail"], ["server": "mail.example.com", "user": "x"], ["Server": "b"], ["user": ""]] {
            #expect(try search(none).unlocked == [])
        }
        let later = SecretService(try reopened(), group: Self.group)
        #expect(try search(["server": "mail.example.com"], later).unlocked == [mail])
        let laterSession = try self.session(":1.9", later)
        #expect(try secret(mail, laterSession, from: ":1.9", later) == "m-secret")
        #expect(try property(mail, SecretService.item, "Attributes").attributes == attributes)
        #expect(try property(mail, SecretService.item, "Label").text == "A label")
    }

    // Rule: CreateItem with replace changes the item that is there | add in both cases | there are two items
    @Test func `the same attributes replace only where that is asked for, and the path stays`() throws {
        let session = try session()
        let first = try create(["a": "1", "b": "2"], "one", session)
        let second = try create(["b": "2", "a": "1"], "two", session)
        #expect(first != second)
        #expect(try create(["a": "1", "b": "2"], "three", label: "New", replace: true, session) == first)
        #expect(try search(["a": "1"]).unlocked == [first, second])
        #expect(try secret(first, session) == "three")
        #expect(try secret(second, session) == "two")
        #expect(try property(first, SecretService.item, "Label").text == "New")
        // A part of the attributes is another set.
        #expect(try create(["a": "1"], "four", replace: true, session) != first)
    }

    @Test func `what another process writes is found at once, and what it deletes is not`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        let other = SecretService(try reopened(), group: Self.group)
        let otherSession = try self.session(":1.1", other)
        let properties = BusValue.properties([("\(SecretService.item).Attributes", .attributes(["a": "2"]))])
        let made = try call(
            Self.login, nil, "CreateItem", [properties, try sealed("x", otherSession), .boolean(false)], other)
        _ = service.takeSignals()
        service.lookAround()
        let told = service.takeSignals()
        #expect(told.map(\.member) == ["ItemCreated"])
        #expect(told.first?.arguments[0].path == made[0].path)
        #expect(try search(["a": "2"]).unlocked == [try #require(made[0].path)])
        _ = try call(item, SecretService.item, "Delete", [], other)
        #expect(try search(["a": "1"]).unlocked == [])
        #expect(failure { _ = try secret(item, session) } == Self.noObject)
    }

    @Test func `neither attributes nor labels nor secrets are in a file of the home`() throws {
        let session = try session()
        _ = try create(["application": "needle-attribute"], "needle-secret", label: "needle-label", session)
        for needle in ["needle-attribute", "needle-secret", "needle-label", "application"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: temporary.path) {
                let bytes = FileManager.default.contents(atPath: "\(temporary.path)/\(name)") ?? Data()
                #expect(bytes.firstRange(of: Data(needle.utf8)) == nil, "\(needle) in \(name)")
            }
        }
    }

    @Test func `a change of secret, label or attributes is stored, told by its path alone, and searchable`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        _ = service.takeSignals()
        _ = try call(item, SecretService.item, "SetSecret", [try sealed("two", session)])
        #expect(try secret(item, session) == "two")
        let properties = "org.freedesktop.DBus.Properties"
        _ = try call(
            item, properties, "Set",
            [.text(SecretService.item), .text("Attributes"), .variant(.attributes(["a": "2"]))])
        #expect(try search(["a": "1"]).unlocked == [])
        #expect(try search(["a": "2"]).unlocked == [item])
        let signals = service.takeSignals()
        #expect(signals.map(\.member) == ["ItemChanged", "ItemChanged", "PropertiesChanged"])
        #expect(signals.prefix(2).allSatisfy { $0.path == Self.login && $0.arguments[0].path == item })
        #expect(
            failure {
                _ = try call(
                    item, properties, "Set", [.text(SecretService.item), .text("Locked"), .variant(.boolean(false))])
            } == "org.freedesktop.DBus.Error.PropertyReadOnly")
    }

    // MARK: Locks

    // Rule: GetSecrets of locked items is IsLocked | locked items left out like those that are gone | an empty answer
    @Test func `while locked every call that can says so, and items are still found as locked`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        let answer = try call(Self.root, SecretService.service, "Lock", [.paths([Self.login])])
        #expect(answer[0].paths == [Self.login])
        #expect(home.keybag.lockState == .locked)
        #expect(service.takeSignals().suffix(2).map(\.member) == ["PropertiesChanged", "CollectionChanged"])
        #expect(try search(["a": "1"]) == ([], [item]))
        #expect(try property(Self.login, SecretService.collection, "Locked").bool == true)
        #expect(try property(item, SecretService.item, "Locked").bool == true)
        let calls: [(String, String, [BusValue])] = [
            (item, "GetSecret", [.path(session)]), (item, "SetSecret", [try sealed("x", session)]),
            (item, "Delete", []),
            (Self.root, "GetSecrets", [.paths([item]), .path(session)]),
            (Self.login, "CreateItem", [.array("{sv}", []), try sealed("x", session), .boolean(true)]),
            (Self.root, "CreateCollection", [.array("{sv}", []), .text("")]),
            (Self.root, "SetAlias", [.text("mail"), .path(Self.login)]),
        ]
        for (path, member, arguments) in calls {
            #expect(failure { _ = try call(path, nil, member, arguments) } == Self.isLocked, "\(member)")
        }
        #expect(failure { _ = try secret(item + "0", session) } == Self.isLocked)
        try home.keybag.unlock(passcode: try SecretBytes(copying: Self.passcode))
        #expect(try secret(item, session) == "one")
        #expect(failure { _ = try secret(item + "0", session) } == Self.noObject)
    }

    @Test func `before the first unlock a search is refused, and the collection is there to be unlocked`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        try home.keybag.lockCompletely()
        for body in [
            { _ = try search(["a": "1"]) }, { _ = try secret(item, session) },
            { _ = try property(item, SecretService.item, "Label") },
            { _ = try property(Self.login, SecretService.collection, "Items") },
        ] { #expect(failure(body) == Self.isLocked) }
        #expect(try property(Self.login, SecretService.collection, "Locked").bool == true)
        let all = try call(Self.login, "org.freedesktop.DBus.Properties", "GetAll", [.text(SecretService.collection)])
        #expect(all[0].properties?["Locked"]?.bool == true)
    }

    @Test func `an item's path below an alias is the item's, for every call that takes paths`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        let aliased = item.replacing("/collection/login/", with: "/aliases/default/")
        #expect(try secret(aliased, session) == "one")
        let given = try call(Self.root, SecretService.service, "GetSecrets", [.paths([aliased]), .path(session)])
        guard case .array(_, let secrets) = given[0] else { throw BusFailure.failed("no array") }
        #expect(secrets.count == 1)
        try home.keybag.lock()
        let prompt = try call(Self.root, SecretService.service, "Unlock", [.paths([aliased])])
        #expect(prompt[0].paths == [] && prompt[1].path != "/")
        #expect(
            failure {
                _ = try call(Self.root, SecretService.service, "GetSecrets", [.paths([aliased]), .path(session)])
            } == Self.isLocked)
        try home.keybag.lockCompletely()
        #expect(failure { _ = try call(Self.root, nil, "ReadAlias", [.text("mail")]) } == Self.isLocked)
    }

    @Test func `two providers that replace the same item at once leave one`() async throws {
        let attributes = ["a": "1"]
        let services = try (0..<4).map { _ in SecretService(try reopened(), group: Self.group) }
        let turns = 10
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, service) in services.enumerated() {
                let mine = UncheckedService(service: service)
                group.addTask {
                    for turn in 0..<turns {
                        let item = SecretItem(account: "", attributes: attributes.merging(["turn": "\(turn)"]) { $1 })
                        _ = try mine.service.store(
                            item, try Secret("from \(number)"), in: SecretItems.loginCollection, replaces: true)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try search(attributes).unlocked.count == turns)
    }

    // Rule: a prompt is its client's alone | its owner not compared | another client dismisses it
    @Test func `an unlock asks once, tells its owner alone, and a dismissed one changes nothing`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", session)
        try home.keybag.lock()
        func ask() throws -> String {
            let answer = try call(Self.root, SecretService.service, "Unlock", [.paths([Self.login, item])])
            #expect(answer[0].paths == [])
            return try #require(answer[1].path)
        }
        let prompt = try ask()
        #expect(failure { _ = try call(prompt, nil, "Prompt", [.text("")], from: ":1.2") } == Self.noObject)
        #expect(failure { _ = try call(prompt, nil, "Dismiss", from: ":1.2") } == Self.noObject)
        _ = service.takeSignals()
        _ = try call(prompt, nil, "Prompt", [.text("")])
        let name = try #require(service.takeQuestions().first)
        #expect(failure { _ = try call(prompt, nil, "Prompt", [.text("")]) } == "org.freedesktop.DBus.Error.Failed")
        service.finish(name, .dismissed)
        var signal = try #require(service.takeSignals().first)
        #expect(signal.member == "Completed" && signal.destination == ":1.1" && signal.arguments[0].bool == true)
        #expect(failure { _ = try call(prompt, nil, "Prompt", [.text("")]) } == Self.noObject)

        _ = try call(try ask(), nil, "Prompt", [.text("")])
        try home.keybag.unlock(passcode: try SecretBytes(copying: Self.passcode))
        service.finish(try #require(service.takeQuestions().first), .unlocked)
        signal = try #require(service.takeSignals().first)
        #expect(signal.arguments[0].bool == false && signal.arguments[1].content?.paths == [Self.login, item])
        #expect(try secret(item, session) == "one")
    }

    // Rule: a lock destroys the collection of the session | forgetMemory not called | its items are there after the
    //   lock
    @Test func `the collection session is in no file, and a lock destroys it`() throws {
        let session = try session()
        let item = try create(["a": "1"], "one", in: Self.root + "/aliases/session", session)
        #expect(try search(["a": "1"]).unlocked == [item])
        #expect(try secret(item, session) == "one")
        let later = SecretService(try reopened(), group: Self.group)
        #expect(try search(["a": "1"], later).unlocked == [])
        try home.keybag.lock()
        #expect(failure { _ = try secret(item, session) } == Self.noObject)
        try home.keybag.unlock(passcode: try SecretBytes(copying: Self.passcode))
        #expect(try search(["a": "1"]).unlocked == [])
    }
}

/// One task alone uses it.
private struct UncheckedService: @unchecked Sendable {
    let service: SecretService
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        replacingOccurrences(of: part, with: other)
    }
}

extension Secret {
    fileprivate var exposedText: String { String(decoding: exposedBytes, as: UTF8.self) }
}
