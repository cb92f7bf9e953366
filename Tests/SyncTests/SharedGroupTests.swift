// SPDX-License-Identifier: Apache-2.0

import Crypto
import DataProtection
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSync

/// Persons with an account each share a group over one folder.
@Suite struct SharedGroupTests {
    let folder: EngineFolder
    let anna, ben, carol: SyncedHome

    init() throws {
        folder = try EngineFolder()
        let homes = try ["anna", "ben", "carol"].map { [folder] name in
            let place = TemporaryHome()
            return try SyncedHome(name, folder.engine, of: place.open(groups: Self.accessGroups), in: place)
        }
        (anna, ben, carol) = (homes[0], homes[1], homes[2])
    }

    private static let group = "family"
    private static let accessGroups = ["own", "shared.family", "shared.family#1", "shared.family#2"]
    private static let shared: Attributes = [.accessGroup: .text("shared.family"), .synchronizable: .number(1)]

    private func found() async throws {
        for home in [anna, ben, carol] { _ = try await home.found() }
        var sync = try await KeychainSync.createGroup(
            Self.group, anna.home, on: folder.engine, at: "file:///test", as: "Anna")
        try await sync.now()
    }

    private func open(_ home: SyncedHome) throws -> KeychainSync {
        try KeychainSync.open(home.home, on: folder.engine, group: Self.group)
    }

    @discardableResult
    private func round(_ home: SyncedHome) async throws -> SyncReport {
        var sync = try open(home)
        return try await sync.now()
    }

    /// Anna takes a person in; both see the same words.
    private func invite(
        _ home: SyncedHome, as name: String, _ role: GroupRole = .writer, isKnown: Bool = false,
        from inviting: String? = "Anna", by owner: SyncedHome? = nil
    ) async throws {
        let id = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let words = Locked<[String]>([])
        let knew = Locked<[Bool]>([])
        var sync = try open(owner ?? anna)
        let (group, engine, place) = (try sync.status().account, folder.engine, home.home)
        async let accepted: Void = {
            var sync = try await KeychainSync.acceptGroup(
                Self.group, place, id: group, on: engine, at: "file:///test", name: name, invitation: id,
                patience: .seconds(1800), from: inviting
            ) { shown, known in
                words.withLock { $0.append(shown) }
                knew.withLock { $0.append(known) }
                return true
            }
            try await sync.now()
        }()
        try await sync.invite(id, patience: .seconds(1800), as: name, role: role) { shown, known in
            words.withLock { $0.append(shown) }
            knew.withLock { $0.append(known) }
            return true
        }
        try await accepted
        #expect(words.withLock { $0.count == 2 && $0[0] == $0[1] })
        #expect(knew.withLock { $0 } == [isKnown, isKnown])
        try await round(home)
    }

    // Rule: members write into their access group alone | `LogStore.has(key:)` took each key | Anna had the item again
    @Test func `a group's items are in no other log, and go both ways`() async throws {
        try await found()
        try await invite(ben, as: "Ben")
        try anna.add("wifi", "one", .afterFirstUnlock, Self.shared)
        try anna.add("own", "hers")
        try await anna.round()
        // Nothing of the group is in the account's log, and the other way round.
        #expect(try anna.open().member.replica.items.keys.filter { TravellingItem.isKey($0) }.count == 1)
        try await round(anna)
        #expect(try open(anna).member.replica.items.keys.filter { TravellingItem.isKey($0) }.count == 1)
        try await round(ben)
        #expect(try ben.items() == ["wifi": "one"])
        try ben.change("wifi", "two")
        try await round(ben)
        try await round(anna)
        #expect(try anna.items() == ["wifi": "two", "own": "hers"])
        #expect(try open(anna).persons.map(\.name) == ["Anna", "Ben"])
        #expect(try KeychainSync.groups(of: ben.home) == [Self.group])
        // A member puts nothing into another access group of another member.
        let replica = try open(ben).member.replica
        let key = try #require(try anna.open().member.replica.items.keys.first { TravellingItem.isKey($0) })
        guard case .value(let value) = try anna.open().member.replica.items[key].value else { return }
        let entry = try replica.writer().edits([
            NewOperation(
                key: key, protectionClass: .completeUntilFirstUserAuthentication, time: 1 << 50, context: Context(),
                change: .put(value: value, from: nil))
        ])
        _ = try await folder.engine.append(entry.bytes, at: entry.place, of: replica.state.account)
        try anna.delete("own")
        try await round(anna)
        #expect(try anna.items() == ["wifi": "two"])
    }

    // Rule: a reader edits nothing | in `GroupPersons.allows` edits asked for no role | the forged edit was taken
    @Test func `a reader's edits are put back by its own home, and refused by the others if it forges them`()
        async throws
    {
        try await found()
        try anna.add("wifi", "one", .afterFirstUnlock, Self.shared)
        try await round(anna)
        try await invite(ben, as: "Ben", .reader)
        #expect(try ben.items() == ["wifi": "one"])
        for edit in [
            { try ben.change("wifi", "mine") }, { try ben.delete("wifi") },
            { try ben.add("new", "no", .afterFirstUnlock, Self.shared) },
        ] as [() throws -> Void] {
            #expect(throws: KeychainError(.readOnly, "")) { try edit() }
        }
        // What was edited before it became a reader, or by a program of another version.
        let place = try LogStore(ben.home, Self.group)
        try place.syncWrite { try $0.note(SyncAccess.onlyReads, false) }
        try ben.change("wifi", "mine")
        try ben.add("new", "stays here", .afterFirstUnlock, Self.shared)
        let report = try await round(ben)
        #expect(report.sent == 0 && report.putBack == 2)
        #expect(report.setAside == SetAside(accessGroup: "shared.family#1", count: 2))
        #expect(try secrets(ben, "shared.family") == ["wifi": "one"])
        #expect(try secrets(ben, "shared.family#1") == ["wifi": "mine", "new": "stays here"])
        #expect(try await round(ben).putBack == 0)
        try ben.delete("new")
        #expect(try open(ben).role == .reader)
        let replica = try open(ben).member.replica
        let key = try #require(replica.items.keys.first { TravellingItem.isKey($0) })
        guard case .value(let value) = replica.items[key].value else { return }
        let forged = try replica.writer().edits([
            NewOperation(
                key: key, protectionClass: .completeUntilFirstUserAuthentication, time: 1 << 50,
                context: replica.items[key].context,
                change: .put(value: value.dropLast(3) + Array("bad".utf8), from: nil))
        ])
        #expect(throws: SyncLogError.self) { try replica.mustCount(forged) }
        _ = try await folder.engine.append(forged.bytes, at: forged.place, of: replica.state.account)
        let told = try await round(anna)
        #expect(told.notices == [.void(place: forged.place, .notAllowed)])
        #expect(try open(anna).author(at: forged.place) == "Ben")
        #expect(try anna.items() == ["wifi": "one"])
        // Neither may it let others in, nor make itself more.
        let writer = try open(ben).member.replica.writer()
        for entry in [
            try writer.addition(of: [UInt8](repeating: 7, count: 32), .owner, DeviceKeys().record),
            try writer.role(of: try #require(try open(ben).persons.first { $0.isThis }).person, .owner),
            try writer.epoch(removing: [1]).entry,
            try writer.ticket(key: P256.Signing.PrivateKey().publicKey, machines: 3),
        ] {
            var sync = try open(ben)
            try await sync.member.pull()
            #expect(throws: SyncLogError.self) { try sync.member.replica.mustCount(entry) }
        }
    }

    // Rule: a removed member opens nothing later | `epoch` gave the old keys again | it opened the item
    @Test func `a removed member opens nothing later, writes nothing, and what it could read is marked`() async throws {
        try await found()
        try anna.add("wifi", "one", .afterFirstUnlock, Self.shared)
        try anna.add("door", "two", .afterFirstUnlock, Self.shared)
        try await round(anna)
        try await invite(ben, as: "Ben")
        try await invite(carol, as: "Carol")
        let before = try open(ben).member.replica
        do {
            var sync = try open(anna)
            try await sync.remove(sync.person(named: "Ben"))
            #expect(sync.exposed.map(\.title) == ["test/door", "test/wifi"])
            #expect(sync.exposed.allSatisfy { $0.readers == ["Ben"] })
        }
        try anna.change("wifi", "changed")
        try anna.add("later", "secret", .afterFirstUnlock, Self.shared)
        try await round(anna)
        try await round(carol)
        #expect(try carol.items() == ["wifi": "changed", "door": "two", "later": "secret"])
        #expect(try open(carol).exposed.map(\.title) == ["test/door"])
        var member = try open(ben).member
        try await member.pull()
        #expect(member.replica.items.keys.count { TravellingItem.isKey($0) } == 2)
        #expect(member.replica.keys[member.replica.state.epoch, .completeUntilFirstUserAuthentication] == nil)
        let ring = try open(anna).member.replica.keys
        let new = try #require(ring[member.replica.state.epoch, .completeUntilFirstUserAuthentication])
        #expect(
            (1..<member.replica.state.epoch).allSatisfy {
                member.replica.keys[$0, .completeUntilFirstUserAuthentication] != new
            })
        await #expect(throws: SyncLogError.self) { try await round(ben) }
        #expect(try ben.items() == ["wifi": "one", "door": "two"])
        // What it writes under the old keys, at the place that it had, or as it should be at the end.
        let head = member.replica.state
        var late = try before.writer().edits([
            NewOperation(
                key: [1], protectionClass: .none, time: 1, context: Context(), change: .delete)
        ])
        late.place = head.place + 1
        late.previous = head.hash
        try late.sign(with: before.device.signing)
        _ = try await folder.engine.append(late.bytes, at: late.place, of: head.account)
        let told = try await round(carol)
        #expect(told.notices == [.void(place: late.place, .endedAuthor)])
        #expect(try open(carol).author(at: late.place) == "Ben")
        #expect(try open(carol).persons.map(\.name) == ["Anna", "Carol"])
    }

    // Rule: nothing is sealed under keys that a member that left has | `allows` asked for no epoch | the edit was taken
    @Test func `who left has none of the next keys, and the last owner doesn't leave`() async throws {
        try await found()
        try await invite(ben, as: "Ben")
        do {
            var sync = try open(anna)
            await #expect(throws: SyncLogError.self) { try await sync.leaveGroup() }
        }
        let epoch = try open(anna).member.replica.state.epoch
        do {
            var sync = try open(ben)
            try await sync.leaveGroup()
        }
        #expect(try KeychainSync.groups(of: ben.home) == [])
        do {
            var sync = try open(anna)
            try await sync.member.pull()
            let writer = try sync.member.replica.writer()
            let early = try writer.edits([
                NewOperation(key: [1], protectionClass: .none, time: 1, context: Context(), change: .delete)
            ])
            #expect(throws: SyncLogError.self) { try sync.member.replica.mustCount(early) }
            try await sync.now()
            #expect(sync.member.replica.state.epoch == epoch + 1)
            #expect(sync.persons.map(\.name) == ["Anna"])
        }
        // It may come back, and no words are compared a second time.
        try await invite(ben, as: "Ben", isKnown: true)
    }

    @Test func `an owner can be made, and the log of a group is none of an account`() async throws {
        try await found()
        try await invite(ben, as: "Ben")
        do {
            var sync = try open(anna)
            try await sync.setRole(of: sync.person(named: "Ben"), to: .owner)
            try await sync.setRole(of: sync.person(named: "Anna"), to: .reader)
        }
        var sync = try open(ben)
        try await sync.now()
        #expect(sync.persons.map(\.role) == [.reader, .owner])
        await #expect(throws: SyncLogError.self) { try await sync.setRole(of: sync.person(named: "Ben"), to: .reader) }
        // What a snapshot says of the log has the persons.
        let state = sync.member.replica.state
        #expect(try LogState(reading: state.bytes).group == state.group)
        #expect(throws: SyncLogError.self) { try KeychainSync.mustBe(nil, state) }
        #expect(throws: KeychainError.self) { try KeychainSync.mustBeGroupName("../x") }
    }

    // Rule: a person's machines follow from its account | `takeMachines` looked at no member | it stayed in the group
    @Test func `a machine gets into the groups by its account, and out of them`() async throws {
        try await found()
        try anna.add("wifi", "one", .afterFirstUnlock, Self.shared)
        try await round(anna)
        try await invite(ben, as: "Ben", .reader)
        let place = TemporaryHome()
        let laptop = try SyncedHome(
            "laptop", folder.engine, of: place.open(groups: ["own", "shared.family"]), in: place)
        do {
            var account = try ben.open()
            #expect(try await account.offerGroups() == [])
        }
        try await laptop.join(ben.open().status().account, with: ben)
        do {
            var account = try laptop.open()
            try await account.now()
            let offered = try await account.offerGroups()
            #expect(offered.map(\.name) == [Self.group])
            try await account.follow(try #require(offered.first), on: folder.engine)
            #expect(try await account.offerGroups() == [])
        }
        await #expect(throws: SyncEngineError.self) { try await round(laptop) }
        try await takeMachines(ben)
        try await round(laptop)
        #expect(try laptop.items() == ["wifi": "one"])
        #expect(try open(laptop).role == .reader)
        #expect(try open(laptop).persons.map(\.machines) == [1, 2])
        // A machine that is lost is removed from the account alone.
        do {
            var account = try ben.open()
            try await account.remove([2])
        }
        try await takeMachines(ben)
        try await round(anna)
        #expect(try open(anna).persons.map(\.machines) == [1, 1])
        await #expect(throws: SyncLogError.self) { try await round(laptop) }
    }

    private func secrets(_ home: SyncedHome, _ accessGroup: String) throws -> [String: String] {
        var query = ItemQuery(.genericPassword)
        query.attributes[.accessGroup] = .text(accessGroup)
        query.synchronizable = .any
        query.limit = nil
        let found = (try? home.store.items(matching: query, withSecret: true)) ?? []
        return try Dictionary(
            uniqueKeysWithValues: found.map { item in
                guard case .text(let account) = item.attributes[.account] else { return ("?", "?") }
                let secret = try item.secret?.withSecretBytes { try $0.exposingBytes(0..<$0.count) } ?? []
                return (account, String(decoding: secret, as: UTF8.self))
            })
    }

    // Rule: what a group left in a home gets into no other one of its name | nothing was set aside | the stranger had
    //   it
    @Test func `what a removed member keeps, or has in a group's place, gets into no other group`() async throws {
        try await found()
        try anna.add("wifi", "one", .afterFirstUnlock, Self.shared)
        try await round(anna)
        try await invite(ben, as: "Ben")
        do {
            // What was waiting is sent under the new keys.
            try anna.add("late", "two", .afterFirstUnlock, Self.shared)
            var sync = try open(anna)
            try await sync.remove(sync.person(named: "Ben"))
            #expect(sync.exposed.map(\.title) == ["test/wifi"])
        }
        try ben.change("wifi", "mine")
        do {
            var sync = try open(ben)
            try await sync.leaveGroup()
            #expect(sync.setAside == SetAside(accessGroup: "shared.family#1", count: 1))
        }
        #expect(try KeychainSync.groups(of: ben.home) == [])
        #expect(throws: KeychainError.self) { try KeychainSync.forgetGroup(Self.group, ben.home) }
        try ben.add("stray", "three", .afterFirstUnlock, Self.shared)
        // A stranger's group of the same name, whose writer he becomes.
        do {
            var sync = try await KeychainSync.createGroup(
                Self.group, carol.home, on: folder.engine, at: "file:///test", as: "Carol")
            try await sync.now()
        }
        try await invite(ben, as: "Ben", by: carol)
        try await round(carol)
        #expect(try carol.items() == [:])
        #expect(try secrets(ben, "shared.family") == [:])
        #expect(try secrets(ben, "shared.family#1") == ["wifi": "mine"])
        #expect(try secrets(ben, "shared.family#2") == ["stray": "three"])
        // Nor do edits after the removal come back over what the group has.
        #expect(try KeychainSync.forgetGroup(Self.group, ben.home) == nil)
        try anna.change("wifi", "newer")
        try await round(anna)
        try await invite(ben, as: "Ben", isKnown: true)
        try await round(anna)
        #expect(try anna.items() == ["wifi": "newer", "late": "two"])
        #expect(try secrets(ben, "shared.family") == ["wifi": "newer", "late": "two"])
    }

    private func takeMachines(_ home: SyncedHome) async throws {
        var account = try home.open()
        try await account.now()
        var sync = try open(home)
        try await sync.takeMachines(of: account)
        try await sync.now()
    }

    // Rule: a person can't be exchanged in a hand-shake | `commitment` left out the person | `finish` took it
    @Test func `an engine exchanges neither the person nor a step of the hand-shake`() throws {
        let (anna, ben) = (try DeviceKeys(), try DeviceKeys())
        let person = [UInt8](repeating: 5, count: 32)
        let genesis = try LogWriter.genesis(ofGroupBy: [UInt8](repeating: 4, count: 32), anna)
        let state = try LogState(genesis: genesis)
        let (id, nonce) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 32))
        let applicant = try Applicant(ben.record, id: id, nonce: nonce, for: HandshakePerson(person, ben))
        let approver = try Approver(
            applicant.first, state: state, as: 1, nonce: nonce,
            as: HandshakePerson([UInt8](repeating: 4, count: 32), anna))
        let answered = try applicant.answer(approver.second)
        let finished = try approver.finish(answered.third)
        #expect(finished.words == answered.words)
        #expect(finished.person?.id == person && finished.record == ben.record)
        for at in [24, 56, answered.third.count - 160, answered.third.count - 96, answered.third.count - 64] {
            var changed = answered.third
            changed[at] ^= 1
            #expect(throws: SyncLogError.self) { try approver.finish(changed) }
        }
        // The person, signed anew by the same machine.
        var third = Array(answered.third.dropLast(64))
        third[third.count - 96] ^= 1
        third += try HandshakePerson(person, ben).signed(applicant.first + approver.second + third)
        #expect(throws: SyncLogError.self) { try approver.finish(third) }
        for at in [24, approver.second.count - 1] {
            var changed = approver.second
            changed[at] ^= 1
            #expect(throws: SyncLogError.self) { try applicant.answer(changed) }
        }
    }
}
