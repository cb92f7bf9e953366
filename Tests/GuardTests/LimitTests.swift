// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Guards

/// Limits of grants: until when, how often, and by whose word.
@Suite("Limits of grants") struct LimitTests {
    private let scene: GuestHome
    private let item: UsedItem

    init() throws {
        scene = try GuestHome(try #require(GuestName("agent")))
        item = UsedItem(reference: try #require(try scene.addToken()).bytes, name: "api/me", account: "me")
    }

    /// Answers as told, and keeps what it was asked.
    private final class Person: Prompter, GrantPrompter {
        let answers: Locked<[GrantAnswer]>
        let asked = Locked<[String]>([])
        let meanwhile = Locked<(@Sendable () -> Void)?>(nil)

        init(_ answers: GrantAnswer...) { self.answers = Locked(answers) }

        func permits(_ wish: GrantWish) -> GrantAnswer {
            asked.withLock { $0.append("\(wish.action) \(wish.item) \(wish.detail)") }
            meanwhile.withLock { $0 }?()
            return answers.withLock { $0.isEmpty ? .no : $0.removeFirst() }
        }

        func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
            throw DataProtectionError(.cancelled, "")
        }
    }

    private func allow(_ limits: GrantLimits, _ host: String = "api.example.com") throws {
        let shape = try #require(PlaceholderShape(prefix: "x", count: 30))
        let grant = UseGrant(
            scene.name, item, try #require(UseHost(word: host)), .header("authorization"), shape, limits)
        try GrantStore(scene.outside).allow(try #require(grant), .whenUnlockedThisDeviceOnly)
    }

    private func uses(_ person: Person? = nil) -> GuestUses {
        GuestUses(scene.name, scene.home, [.init("PLACE", item)], bases: [], process: 1, prompter: person)
    }

    private func question(_ path: String = "/", found: Bool = true) throws -> ProxyQuestion {
        ProxyQuestion(
            host: try #require(UseHost(word: "api.example.com")), method: "GET", path: path,
            found: found ? [("PLACE", .header("authorization"))] : [])
    }

    private func refusal(_ verdict: ProxyVerdict) -> String? {
        if case .refused(403, let text) = verdict { text } else { nil }
    }

    @Test func `words`() {
        #expect(GrantLimits.Rate(word: "100/h").map { [$0.count, $0.seconds] } == [100, 3600])
        #expect(GrantLimits.Rate(word: "3/run").map { "\($0)" } == "3/run")
        for word in ["", "100", "0/h", "10001/h", "-1/h", "+1/h", "1/y", "1/h/m", "1 /h", "/h"] {
            #expect(GrantLimits.Rate(word: word) == nil, "\(word)")
        }
    }

    // Rule: a grant is stored with its limits | the rate was not written | none came back
    @Test func `limits are stored`() throws {
        let store = GrantStore(scene.outside)
        let all = [
            GrantLimits(asks: true), GrantLimits(end: 4_102_444_800), GrantLimits(rate: .init(count: 5, seconds: 0)),
            GrantLimits(asks: true, end: -1, rate: .init(count: 10_000, seconds: 86_400)), .none,
        ]
        for limits in all {
            try allow(limits)
            #expect(try store.uses(of: scene.name).map(\.limits) == [limits])
            try scene.allow(Grant(guest: scene.name, group: "a", actions: .read, limits))
            #expect(try store.grants(of: scene.name).map(\.limits) == [limits])
        }
    }

    // Rule: a grant permits nothing from its end on | the end was not looked at | the secret was given, and it went on
    @Test func `an end`() throws {
        try allow(GrantLimits(end: 4_102_444_800))
        let uses = uses()
        #expect(refusal(uses.verdict(try question())) == nil)
        try allow(GrantLimits(end: 1_000_000_000))
        for isStill in [false, true] {
            #expect(refusal(uses.verdict(try question(), isStill: isStill)) == "the grant to use api/me has ended")
        }
        try scene.allow(Grant(guest: scene.name, group: "zamok", actions: .read, GrantLimits(end: 1_000_000_000)))
        #expect(try read(GuestItems(scene.name, scene.home)) == KeychainError.Code.missingEntitlement)
    }

    // Rule: a run has as many uses as the grant says | uses were not counted | five were given
    @Test func `a number of uses`() throws {
        try allow(GrantLimits(rate: .init(count: 2, seconds: 0)))
        let uses = uses()
        for _ in 0..<2 { #expect(refusal(uses.verdict(try question())) == nil) }
        // What uses nothing goes on.
        #expect(refusal(uses.verdict(try question(found: false))) == nil)
        #expect(refusal(uses.verdict(try question(), isStill: true)) == nil)
        #expect(refusal(uses.verdict(try question())) == "api/me was used as often as it is granted: 2/run")
        #expect(refusal(self.uses().verdict(try question())) == nil)
        let run = RunUses()
        let rate = GrantLimits.Rate(count: 2, seconds: 60)
        let began = ContinuousClock.now
        #expect(
            [0, 30, 59, 60, 61, 90].map { run.take("a", rate, began + .seconds($0)) } == [
                true, true, false, true, false, true,
            ])
        try scene.allow(
            Grant(guest: scene.name, group: "zamok", actions: .read, GrantLimits(rate: .init(count: 1, seconds: 0))))
        let items = GuestItems(scene.name, scene.home)
        #expect(try read(items) == nil && read(items) == KeychainError.Code.missingEntitlement)
    }

    // Rule: what a grant asks about is given by a person's word alone | a refusal was taken for once | the secret was
    //   given
    @Test func `a person is asked about a use`() throws {
        try allow(GrantLimits(asks: true))
        #expect(
            refusal(uses().verdict(try question())) == "api/me is granted if a person permits it, and none was asked")
        let person = Person(.once, .no, .none, .run)
        let uses = uses(person)
        #expect(uses.verdictAtOnce(try question()) == nil)
        #expect(uses.verdictAtOnce(try question(found: false)) != nil)
        let refusals = try (0..<5).map { refusal(uses.verdict(try question("/\($0)"))) }
        #expect(refusals.map { $0 == nil } == [true, false, false, true, true])
        #expect(refusals[1] == "a person refused the use of api/me")
        #expect(person.asked.withLock { $0 } == (0..<4).map { "use api/me GET api.example.com/\($0)" })
        #expect(uses.verdictAtOnce(try question()) != nil)
    }

    // Rule: after an answer the grants are looked at again | they were not | the secret was given after it was taken
    //   back
    @Test func `a grant that is taken back while a person is asked`() throws {
        try allow(GrantLimits(asks: true))
        let person = Person(.run)
        let (outside, name) = (scene.outside, scene.name)
        person.meanwhile.withLock { $0 = { _ = try? GrantStore(outside).revoke(name, group: nil) } }
        #expect(refusal(uses(person).verdict(try question())) == "api/me is not granted")
    }

    /// The code of a call that reads the token; nil: it was read.
    private func read(_ items: GuestItems, all: Bool = false) throws -> KeychainError.Code? {
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("api")
        if all { query.limit = nil }
        return try code(items, .find(query, withSecret: true))
    }

    private func code(_ items: GuestItems, _ request: BrokerRequest) throws -> KeychainError.Code? {
        if case .failure(let error) = try BrokerAnswer(items.answer(try request.bytes, client: 1)) {
            error.code
        } else {
            nil
        }
    }

    // Rule: a person is asked about the items of a group whose grant says so, one at a time | a refusal was taken for
    //   once, and several were one | items were read, changed, added and deleted
    @Test func `a person is asked about items`() throws {
        try scene.allow(Grant(guest: scene.name, group: "zamok", actions: .all, GrantLimits(asks: true)))
        let person = Person(.no, .once, .none, .run)
        let items = GuestItems(scene.name, scene.home, prompter: person)
        #expect(try read(items) == .userCancelled && read(items) == nil && read(items) == .locked)
        #expect(try read(items) == nil && read(items) == nil)
        #expect(person.asked.withLock { $0 } == [String](repeating: "read api/me zamok", count: 4))
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("api")
        #expect(try code(items, .find(query, withSecret: false)) == nil)
        #expect(try code(items, .delete(query)) == .userCancelled)
        var changes = ItemChanges()
        changes.attributes[.label] = .text("other")
        #expect(try code(items, .update(query, changes)) == .userCancelled)
        var record = ItemRecord(.genericPassword)
        record.attributes[.service] = .text("api")
        record.attributes[.account] = .text("second")
        record.attributes[.accessGroup] = .text("zamok")
        record.secret = try Secret("another one of the API")
        #expect(try code(items, .add(record, keepingDates: false)) == .userCancelled)
        person.answers.withLock { $0 = [.once] }
        #expect(try code(items, .add(record, keepingDates: false)) == nil)
        // The answer for the first one is for it alone.
        person.answers.withLock { $0 = [.once] }
        let count = person.asked.withLock { $0.count }
        var second = query
        second.attributes[.account] = .text("second")
        #expect(try code(items, .find(second, withSecret: true)) == nil)
        #expect(person.asked.withLock { $0.count } == count + 1)
        record.attributes[.account] = .text("third")
        person.answers.withLock { $0 = [.once] }
        #expect(try code(items, .add(record, keepingDates: false)) == nil)
        #expect(try read(items, all: true) == .locked)
    }
}
