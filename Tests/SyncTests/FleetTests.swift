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

/// Machines that come in without a person beside each: by a ticket, or by the recovery code.
@Suite struct FleetTests {
    let folder: EngineFolder
    let one: SyncedHome

    init() throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
    }

    private func ticket(machines: UInt16) async throws -> FleetTicket {
        var sync = try one.open()
        return try await sync.ticket(machines: machines)
    }

    private func apply(_ home: SyncedHome, _ ticket: FleetTicket) async throws {
        let sync = try await KeychainSync.join(
            home.home, with: ticket, on: home.engine, at: "file:///test", name: home.name)
        #expect(sync.isApplicant)
    }

    // Rule: a machine that applied with a ticket is added by a member's next round, and by nothing before |
    //   admitApplicants does nothing | no round of the member makes it one
    @Test func `a ticket lets so many machines in, and reads nothing`() async throws {
        _ = try await one.found()
        try one.add("item", "secret")
        let ticket = try FleetTicket(try await ticket(machines: 2).text)
        let fleet = try (0..<3).map { try SyncedHome("machine \($0)", folder.engine) }
        for home in fleet.prefix(2) { try await apply(home, ticket) }
        await #expect(throws: SyncLogError(.notAccepted, "")) { try await apply(fleet[2], ticket) }
        // A machine without a member's help waits, and is not added twice.
        await #expect(throws: SyncEngineError(.waiting, "")) { try await fleet[0].round() }
        #expect(try fleet[0].open().status().standing == .waiting)
        try await apply(fleet[0], ticket)
        try await one.round()
        for home in fleet.prefix(2) {
            #expect(try await home.round().received == 1)
            #expect(try home.items() == ["item": "secret"])
            #expect(try home.open().status().standing == .member)
        }
        #expect(try one.open().devices.map(\.isThis) == [true, false, false])
        #expect(try one.open().tickets.map(\.used) == [2])
        #expect("\(ticket)".contains("FleetTicket") && !String(reflecting: ticket).contains("signing"))
    }

    // Rule: a machine that applied with a ticket that has ended is not added | admitApplicants without mayJoin | the
    //   machine of the ended ticket is a member
    @Test func `a ticket that has ended lets no machine in, not even one that has applied`() async throws {
        let account = try await one.found()
        let ticket = try await ticket(machines: 5)
        let early = try SyncedHome("early", folder.engine)
        try await apply(early, ticket)
        var sync = try one.open()
        try await sync.end(ticket: ticket.number)
        #expect(sync.devices.count == 1)
        #expect(sync.tickets.isEmpty)
        await #expect(throws: SyncLogError(.notAccepted, "")) { try await early.round() }
        // What the round learned is known without the engine, too.
        #expect(try early.open().status().standing == .refused)
        let late = try SyncedHome("late", folder.engine)
        await #expect(throws: SyncLogError(.notAccepted, "")) { try await apply(late, ticket) }
        await #expect(throws: SyncLogError(.notAMember, "")) { try await sync.end(ticket: ticket.number) }
        #expect(sync.devices.count == 1)
        #expect(ticket.account == account)
    }

    @Test func `a locked member adds no machine, and does once it is unlocked`() async throws {
        let passcode = Array("passcode".utf8)
        _ = try await one.found()
        try one.home.keybag.setPasscode(try SecretBytes(copying: passcode))
        let ticket = try await ticket(machines: 1)
        let other = try SyncedHome("other", folder.engine)
        try await apply(other, ticket)
        try one.home.keybag.lock()
        try await one.round()
        await #expect(throws: SyncEngineError(.waiting, "")) { try await other.round() }
        try one.home.keybag.unlock(passcode: try SecretBytes(copying: passcode))
        #expect(try KeychainSync.hasChanges(one.home))
        try await one.round()
        try await other.round()
    }

    @Test func `a ticket shown in another log is refused, and what is cut is none`() async throws {
        _ = try await one.found()
        let text = try await ticket(machines: 1).text
        let elsewhere = try EngineFolder()
        let stranger = try SyncedHome("stranger", elsewhere.engine)
        await #expect(throws: SyncLogError(.noSuchAccount, "")) { try await apply(stranger, try FleetTicket(text)) }
        withExtendedLifetime(elsewhere) {}
        for cut in [
            "", "zamok-ticket-1", String(text.dropLast(8)), text + "AAAA", "zamok-ticket-2 " + text.dropFirst(15),
        ] {
            #expect(throws: SyncLogError(.malformed, "")) { _ = try FleetTicket(cut) }
        }
    }

    private func recoveryCode(of home: SyncedHome) async throws -> SyncLog.RecoveryCode {
        var sync = try home.open()
        return try await sync.recoveryCode()
    }

    private func removeOthers(keepingCodes: Bool = false) async throws -> EndedCodes {
        var sync = try one.open()
        try await sync.now()
        return try await sync.remove(
            sync.devices.filter { !$0.isThis }.map(\.number), keepingCodes: keepingCodes)
    }

    // Rule: a removal ends the tickets and codes by which the removed machine could come back | codes kept | the
    //   machine is in again, and reads what came later
    @Test func `a removed machine comes back by no ticket and no recovery code`() async throws {
        let account = try await one.found()
        let ticket = try await ticket(machines: 5)
        let lost = try SyncedHome("lost", folder.engine)
        try await apply(lost, ticket)
        try await one.round()
        try await lost.round()
        let code = try await recoveryCode(of: lost)
        let ended = try await removeOthers()
        #expect(ended.tickets == [ticket.number] && ended.recoveryCode)
        #expect(try one.open().tickets.isEmpty)
        #expect(try !one.open().hasRecoveryCode)
        try one.add("later", "secret")
        try await one.round()
        let again = try SyncedHome("again", folder.engine)
        await #expect(throws: SyncLogError(.notAccepted, "")) { try await apply(again, ticket) }
        let paper = try SyncedHome("paper", folder.engine)
        await #expect(throws: SyncLogError.self) {
            _ = try await KeychainSync.recover(
                paper.home, account: account, with: code, on: paper.engine, at: "file:///test", name: "paper")
        }
        #expect(try paper.items().isEmpty && again.items().isEmpty)
        #expect(try one.open().devices.count == 1)
    }

    @Test func `codes that the removed machine never saw can be kept`() async throws {
        _ = try await one.found()
        let ticket = try await ticket(machines: 5)
        let lost = try SyncedHome("lost", folder.engine)
        try await apply(lost, ticket)
        try await one.round()
        _ = try await recoveryCode(of: one)
        #expect(try await removeOthers(keepingCodes: true) == EndedCodes())
        #expect(try one.open().tickets.map(\.number) == [ticket.number])
        #expect(try one.open().hasRecoveryCode)
    }

    // Rule: the recovery code adds a machine without any other, and none once it has ended | endRecoveryCode without
    //   its entry | the ended code adds a machine
    @Test func `all machines are lost, and the paper brings the items back`() async throws {
        try one.add("item", "secret")
        let account = try await one.found()
        var sync = try one.open()
        let code = try await sync.recoveryCode()
        #expect(sync.hasRecoveryCode)
        let new = try SyncedHome("new", folder.engine)
        _ = try await KeychainSync.recover(
            new.home, account: account, with: SyncLog.RecoveryCode(code.text), on: new.engine, at: "file:///test",
            name: "new")
        try await new.round()
        #expect(try new.items() == ["item": "secret"])
        var found = try new.open()
        try await found.remove([1], keepingCodes: true)
        #expect(found.devices.map(\.number) == [3])
        try await found.endRecoveryCode()
        #expect(!found.hasRecoveryCode)
        let late = try SyncedHome("late", folder.engine)
        await #expect(throws: SyncLogError(.notAccepted, "")) {
            try await KeychainSync.recover(
                late.home, account: account, with: code, on: late.engine, at: "file:///test", name: "late")
        }
        let wrong = SyncLog.RecoveryCode()
        await #expect(throws: SyncLogError(.notAccepted, "")) {
            try await KeychainSync.recover(
                late.home, account: account, with: wrong, on: late.engine, at: "file:///test", name: "late")
        }
        await #expect(throws: SyncLogError(.endedHere, "")) { try await late.round() }
    }

    @Test func `a machine says what it signs in with, and what is no secret of it`() async throws {
        let home = try SyncedHome("named", folder.engine)
        let url = "etcd://a:1,b:2?user=anna&password-file=/p&cert=/c.pem&key=/k.pem"
        var sync = try await KeychainSync.create(home.home, on: home.engine, at: url, name: "named")
        try await sync.now()
        #expect(sync.devices.map(\.name) == ["named"])
        #expect(sync.devices.map(\.credential) == ["user anna, certificate /c.pem"])
        #expect(EngineCredential.named(in: "file:///srv/zamok") == nil)
        #expect(DeviceName.read(DeviceName.value("a", signsInWith: nil)) == ("a", nil))
    }

    // Rule: no machine removes itself | KeychainSync.remove without that check | no error, and an account without this
    //   machine
    @Test func `a machine that is to remove itself is told to leave`() async throws {
        _ = try await one.found()
        var sync = try one.open()
        await #expect(throws: SyncLogError(.notAMember, "")) { try await sync.remove([1]) }
        #expect(sync.devices.count == 1)
    }

    // Rule: a conflict is new until a person was told of it | tell keeps nothing | the second look says new again
    @Test func `a conflict is new once`() async throws {
        try one.add("item", "first")
        let two = try SyncedHome("two", folder.engine)
        try await two.join(try await one.found(), with: one)
        try one.change("item", "here")
        try two.change("item", "there")
        try await one.round()
        try await two.round()
        let sync = try two.open()
        #expect(sync.conflicts.count == 1)
        #expect(try sync.areNew(sync.conflicts) == [true])
        try sync.tell(sync.conflicts)
        #expect(try sync.areNew(sync.conflicts) == [false])
    }

    // Rule: a check without the log tells a person's change from what a round wrote | hasChanges without
    //   `changes(after:)` | a change is not seen
    @Test func `a look at the revisions sees a change, and no round`() async throws {
        #expect(throws: KeychainError.self) { try KeychainSync.hasChanges(one.home) }
        _ = try await one.found()
        try await one.round()
        #expect(try !KeychainSync.hasChanges(one.home))
        try one.add("item", "a")
        #expect(try KeychainSync.hasChanges(one.home))
        try await one.round()
        #expect(try !KeychainSync.hasChanges(one.home))
        try one.delete("item")
        #expect(try KeychainSync.hasChanges(one.home))
    }

    // Rule: a head is stated at most once in ten minutes, however many rounds there are | SyncMember.state without a
    //   check of the last one | each round puts another
    @Test func `many rounds state one head`() async throws {
        let account = try await one.found()
        var home = one
        home.pace = Pace()
        let stated = { try await home.engine.get(.head(1), of: account) }
        try await home.round()
        let first = try #require(try await stated())
        try home.add("item", "a")
        try await home.round()
        #expect(try await stated() == first)
        home.pace.heads = 1
        await later()
        try await home.round()
        let last = try HeadStatement(#require(try await stated()), by: 1, in: home.open().member.replica.state)
        #expect(try last.place == home.open().status().place)
    }

    // Rule: a check of the revisions waits for what is being written | hasChanges without `afterWriters` | what was
    //   written and not ended is not seen
    @Test func `a look that begins in the middle of a change sees it`() async throws {
        _ = try await one.found()
        try one.add("item", "a")
        try await one.round()
        let key = try #require(try one.open().member.replica.items.keys.first { TravellingItem.isKey($0) })
        try beginChanging(key)
        #expect(try KeychainSync.hasChanges(one.home))
    }

    /// Returns when it is written, and before it has ended.
    private func beginChanging(_ key: [UInt8]) throws {
        guard case .item(let item) = try one.store.syncRead({ try $0.item(key) })?.content else { return }
        let changed = TravellingItem(item.itemClass, uuid: item.uuid, attributes: item.attributes, secret: [1, 2, 3])
        let (store, isWritten) = (one.store, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? store.syncWrite { access in
                _ = try access.put(changed, insteadOf: nil)
                isWritten.signal()
                Thread.sleep(forTimeInterval: 0.3)
            }
        }
        isWritten.wait()
    }
}
