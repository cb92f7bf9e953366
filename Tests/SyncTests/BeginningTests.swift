// SPDX-License-Identifier: Apache-2.0

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

/// Newcomers after the engine removed the account's first entries, and after it lost the snapshot to begin at.
@Suite struct BeginningTests {
    let folder: EngineFolder
    var one: SyncedHome
    let account: [UInt8]

    init() async throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        one.pace = Pace(snapshot: (6, 1 << 20), patience: 8, base: 4)
        account = try await one.found()
        try one.add("item", "at first")
        try one.add("closed", "of one", .whenUnlocked)
        try await work()
    }

    private var first: UInt64? {
        get async throws { try await folder.engine.read(account, from: 1, limit: 1).first?.place }
    }

    /// Rounds with edits, until the engine's first entry is another one.
    private func work() async throws {
        let before = try await first
        for step in 0..<60 {
            try one.change("item", "one \(step)")
            try await one.round()
            if try await first != before { return }
        }
        Issue.record("nothing was removed at the engine")
    }

    private func rounds(_ count: Int) async throws {
        for step in 0..<count {
            try one.change("item", "more \(step)")
            try await one.round()
        }
    }

    private func mailbox(_ code: SyncLog.RecoveryCode) -> String {
        "\(folder.path)/\(EngineName.account(account))/\(SideKey.join(id: code.mailbox(in: account), step: 1).path)"
    }

    private func recover(_ name: String, _ code: SyncLog.RecoveryCode) async throws -> SyncedHome {
        let new = try SyncedHome(name, folder.engine)
        _ = try await KeychainSync.recover(
            new.home, account: account, with: SyncLog.RecoveryCode(code.text), on: new.engine, at: "file:///test",
            name: name)
        return new
    }

    // Rule: the recovery code brings the items back though the engine has removed the first entries | recoveryCode
    //   without its message of the place to begin at | the paper is refused for ever
    @Test func `the paper brings the items back after the first entries were removed, and nothing that was changed`()
        async throws
    {
        var sync: KeychainSync? = try one.open()
        let code = try #require(await sync?.recoveryCode())
        sync = nil
        let kept = try await first
        try await rounds(30)
        #expect(try await first == kept)
        let new = try await recover("new", code)
        try await new.round()
        #expect(try new.items() == one.items())
        #expect(try new.items()["closed"] == "of one")
        try await new.round()
        // Another code finds nothing, and a byte of the message that is another one is told.
        await stops(.notAccepted) { _ = try await recover("other", SyncLog.RecoveryCode()) }
        let path = mailbox(code)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for at in [0, 10, 20, 79] {
            bytes[at] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            await stops(.differentBytes) { _ = try await recover("changed", code) }
            bytes[at] ^= 1
        }
        for bytes in [[], Array(bytes.dropLast()), bytes + [0]] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            await stops(.differentBytes) { _ = try await recover("cut", code) }
        }
    }

    // Rule: a ticket's machines begin at a snapshot where the first entries are gone, and the engine keeps what they
    //   need | ticket made without its beginning | they are told that only words let them in
    @Test func `a ticket lets machines in after the first entries were removed, early and late`() async throws {
        let ticket: FleetTicket = try await {
            var sync = try one.open()
            return try FleetTicket(try await sync.ticket(machines: 2).text)
        }()
        let (early, late) = (try SyncedHome("early", folder.engine), try SyncedHome("late", folder.engine))
        try await apply(early, ticket)
        // It waits, knows that without the engine, and goes on where it was.
        #expect(try early.open().status().standing == .waiting)
        await #expect(throws: SyncEngineError(.waiting, "")) { try await early.round() }
        try await rounds(3)
        try await early.round()
        #expect(try early.items() == one.items())
        // What it kept of the snapshot's chunks is gone, and what follows from them is kept.
        let state = try early.open().state
        #expect(state.base > 0)
        let left = try early.store.syncRead { try $0.record(RecordName.chunk(0, 0)) }
        #expect(left == nil)
        for _ in 0..<20 {
            try await rounds(1)
            try await early.round()
        }
        #expect(try #require(await first) <= ticket.place)
        try await apply(late, ticket)
        try await one.round()
        try await late.round()
        #expect(try late.items() == one.items())
        // With the name that it gave itself.
        try await one.round()
        #expect(try late.open().member.replica.mergedView == one.open().member.replica.mergedView)
    }

    private func apply(_ home: SyncedHome, _ ticket: FleetTicket) async throws {
        let sync = try await KeychainSync.join(
            home.home, with: ticket, on: home.engine, at: "file:///test", name: home.name)
        #expect(sync.isApplicant)
    }

    @Test func `a snapshot that is not the ticket's is refused`() async throws {
        let beginning = try #require(
            await {
                var sync = try one.open()
                return try await sync.member.beginning(now: KeychainSync.clock)
            }())
        let device = try DeviceKeys()
        let follow = { (named: Beginning?) async throws in
            _ = try await SyncMember.follow(account, device, on: folder.engine) { named }
        }
        try await follow(beginning)
        await stops(.fork) { try await follow(Beginning(place: beginning.place, hash: account)) }
        await stops(.notALog) { try await follow(Beginning(place: beginning.place + 1, hash: beginning.hash)) }
        await stops(.notALog) { try await follow(nil) }
    }

    // Rule: the approver of a machine makes a snapshot where the engine lost the last one | SyncMember.beginning trusts
    //   an earlier verification | the machine is added, and can't begin
    @Test func `after the engine lost its snapshots the next machine comes in all the same`() async throws {
        let snapshots = "\(folder.path)/\(EngineName.account(account))/snapshots"
        try FileManager.default.removeItem(atPath: snapshots)
        let two = try SyncedHome("two", folder.engine)
        try await two.join(account, with: one)
        #expect(try two.items() == one.items())
        try FileManager.default.removeItem(atPath: snapshots)
        var sync: KeychainSync? = try one.open()
        let code = try #require(await sync?.recoveryCode())
        sync = nil
        let new = try await recover("new", code)
        try await new.round()
        #expect(try new.items() == one.items())
        try await one.round()
        #expect(try one.open().devices.count == 3)
    }

    // Rule: a machine is added once both persons said that the words are the same | approve ignores the applicant's
    //   answer | a machine that said no is a member
    @Test(arguments: [false, true])
    func `a no at either machine is told at both, and adds no member`(_ atMember: Bool) async throws {
        let new = try SyncedHome("new", folder.engine)
        let id = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let (home, engine, account) = (new.home, new.engine, account)
        async let joined: SyncLogError.Code? = {
            do {
                _ = try await KeychainSync.join(
                    home, account: account, on: engine, at: "file:///test", name: "new", id: id,
                    patience: .seconds(60)
                ) { _ in atMember }
                return nil
            } catch let error as SyncLogError {
                return error.code
            }
        }()
        while try await engine.get(.join(id: id, step: 1), of: account) == nil { await Task.yield() }
        var sync = try one.open()
        await stops(.wrongWords) { _ = try await sync.approve(id, patience: .seconds(60)) { _ in !atMember } }
        #expect(try await joined == .wrongWords)
        #expect(sync.devices.count == 1)
        #expect(try KeychainSync.settings(of: new.home) == nil)
    }

    @Test func `an answer to the words is one byte, and nothing else`() throws {
        let id = [UInt8](repeating: 3, count: 16)
        for areSame in [false, true] {
            let message = WordsAnswer.message(areSame, step: WordsAnswer.byApplicant, id: id)
            #expect(message.count == 25)
            #expect(try WordsAnswer.read(message, step: WordsAnswer.byApplicant, id: id) == areSame)
            #expect(throws: SyncLogError.self) {
                try WordsAnswer.read(message, step: WordsAnswer.byApprover, id: id)
            }
            #expect(throws: SyncLogError.self) {
                try WordsAnswer.read(message.dropLast() + [2], step: WordsAnswer.byApplicant, id: id)
            }
            #expect(throws: SyncLogError.self) {
                try WordsAnswer.read(message.dropLast(), step: WordsAnswer.byApplicant, id: id)
            }
            #expect(throws: SyncLogError.self) {
                try WordsAnswer.read(message, step: WordsAnswer.byApplicant, id: Array(id.reversed().dropLast()) + [9])
            }
        }
    }

    // Rule: what stays on this machine is named as long as it stays | status without what is too large | the item is
    //   reported once, by number
    @Test func `an item that is too large is named by status, and no more when it is gone`() async throws {
        try one.add("large", String(repeating: "Q", count: 900_000))
        try one.add("almost", String(repeating: "Q", count: 700_000))
        #expect(try await one.round().tooLarge == 1)
        #expect(try await one.round().tooLarge == 0)
        #expect(try one.open().status().tooLarge == ["test/large"])
        try one.delete("large")
        #expect(try one.open().status().tooLarge == [])
        #expect(KeychainSync.printable("a\n1\tb\u{1B}[2J") == #"a\n1\tb\u{1b}[2J"#)
    }

    @Test func `an account whose first entry couldn't be written is none`() async throws {
        let new = try SyncedHome("new", AnyEngine(FileEngine(folder: folder.path + "/nowhere")))
        await #expect(throws: SyncEngineError(.unreachable, "")) { _ = try await new.found() }
        #expect(try KeychainSync.settings(of: new.home) == nil)
        let again = try SyncedHome("new", folder.engine, at: new.temporary)
        _ = try await again.found()
        try await again.round()
    }

    // A home that edits an item dated far ahead by another one is not reported as the one whose clock is wrong.
    @Test func `only the clock that is ahead is told of`() async throws {
        let two = try SyncedHome("two", folder.engine)
        try await two.join(account, with: one)
        try await one.round()
        let edit = try two.editAhead()
        _ = try await folder.engine.append(edit.bytes, at: edit.place, of: account)
        #expect(try await one.round().notices == [.clockAhead(author: 2, time: edit.time)])
        let three = try SyncedHome("three", folder.engine)
        try await three.join(account, with: one)
        for name in try one.items().keys { try one.change(name, "after") }
        try await one.round()
        #expect(
            try await three.round().notices.allSatisfy {
                if case .clockAhead(author: 1, _) = $0 { false } else { true }
            })
    }

    // Rule: what must be resealed after a removal is resealed, by a later round if not at once | finishRotation always
    //   false | the items stay under the keys that the removed machine has
    @Test func `everything is sealed anew after a removal, though the process ended between`() async throws {
        let two = try SyncedHome("two", folder.engine)
        try await two.join(account, with: one)
        let epoch: UInt32 = try await {
            var sync = try one.open()
            try sync.beginRotation()
            // Nothing was removed yet, so that there is nothing to do.
            try await sync.now()
            #expect(try !sync.isRotating)
            _ = try await sync.member.send { try $0.epoch(removing: [2]).entry }
            return sync.member.replica.state.epoch
        }()
        let place = try one.open().member.replica.state.place
        try await one.round()
        let sync = try one.open()
        #expect(try !sync.isRotating)
        #expect(sync.member.replica.state.epoch == epoch)
        for (key, register) in sync.member.replica.items.registers where key.first != DeviceName.kind {
            guard case .value = register.value else { continue }
            #expect(try #require(register.frontier.first).place > place)
        }
        #expect(try one.items()["closed"] == "of one")
    }

    // Rule: a copy of a home that has gone on elsewhere knows it without the engine, too | rekeyIfCopied without the
    //   check of its standing | status says that it is a member
    @Test func `a copy that has ended says so without the engine`() async throws {
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: one.temporary.path, toPath: copy.path)
        try await rounds(1)
        try await SyncedHome("one", folder.engine, at: copy).round()
        await stops(.endedHere) { try await one.round() }
        #expect(try one.open().status().standing == .ended)
    }

    // Rule: a recovery code that couldn't be shown doesn't count | recoveryCode shows it after its entry | the paper
    //   from before is void
    @Test func `a code that couldn't be shown leaves the one before`() async throws {
        var sync: KeychainSync? = try one.open()
        let code = try #require(await sync?.recoveryCode())
        await stops(.tooLarge) {
            _ = try await sync?.recoveryCode { _ in throw SyncLogError(.tooLarge, "the disk is full") }
        }
        sync = nil
        let new = try await recover("new", code)
        try await new.round()
        #expect(try new.items() == one.items())
    }

    @Test func `a home is looked at while another process makes a round`() throws {
        let round = try one.open()
        #expect(throws: SyncEngineError(.busy, "")) { _ = try one.open() }
        let reading = try KeychainSync.open(one.home, on: one.engine, isReading: true)
        #expect(try reading.status().standing == .member)
        withExtendedLifetime(round) {}
    }
}
