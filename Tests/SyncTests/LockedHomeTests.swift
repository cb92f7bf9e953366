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

/// A home that sends and takes in while a class of its items is locked.
@Suite struct LockedHomeTests {
    private let folder: EngineFolder
    private let one: SyncedHome
    private let two: SyncedHome
    private let account: [UInt8]

    init() async throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        two = try SyncedHome("two", folder.engine)
        account = try await one.found()
        try await two.join(account, with: one)
        try one.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        try two.add("item", "first", .whenUnlocked)
        try await both()
    }

    private func both() async throws {
        for _ in 0..<2 {
            try await two.round()
            try await one.round()
        }
    }

    private func unlock() throws {
        try one.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
    }

    /// The values of all edits that the log has.
    private func values(_ home: SyncedHome) throws -> [String] {
        let replica = try home.open().member.replica
        return [replica.items, replica.former].flatMap { items in
            items.registers.values.flatMap(\.operations).compactMap { operation in
                guard case .put(let value, _) = operation.change else { return nil }
                return String(decoding: value.suffix(5), as: UTF8.self)
            }
        }
    }

    // Rule: what was put while a class was locked is replaced, once it is open, by what counts under that class |
    //   reopened always empty | the home has an item or value that no other one has
    @Test(arguments: [true, false])
    func `an item that was put while its class was locked is what the log says once it is open`(
        isDeleted: Bool
    ) async throws {
        // Dated ahead, and applied here before the lock.
        let edit = try two.editAhead(deleting: isDeleted)
        _ = try await folder.engine.append(edit.bytes, at: edit.place, of: account)
        try await one.round()
        #expect(try one.items() == (isDeleted ? [:] : ["item": "first"]))
        try one.home.keybag.lock()
        if !isDeleted { try one.delete("item") }
        try one.add("item", "other", .afterFirstUnlock)
        try await one.round()
        try await two.round()
        #expect(try two.items() == (isDeleted ? [:] : ["item": "first"]))
        try unlock()
        try await both()
        #expect(try one.items() == two.items())
        #expect(try one.items() == (isDeleted ? [:] : ["item": "first"]))
        // The one that lost is kept.
        #expect(try values(two).contains("other") && values(one).contains("other"))
        #expect(try one.open().status().unsent == 0)
    }

    // Rule: a local change that waits for its class is not replaced by others' edits of the item | isHeldUp always
    //   false | the change is nowhere
    @Test(arguments: [true, false])
    func `a change that waits for its class is not lost to another machine's`(isLater: Bool) async throws {
        if isLater { try one.change("item", "own 1") }
        try two.change("item", "other", [.accessible: .text(Accessibility.afterFirstUnlock.rawValue)])
        if !isLater { try one.change("item", "own 1") }
        try one.home.keybag.lock()
        try two.add("beside", "aside")
        try await two.round()
        // Neither a loop nor a loss.
        #expect(try await one.round().waiting > 0)
        #expect(try await one.round().waiting > 0)
        try unlock()
        #expect(try one.items() == ["item": "own 1"])
        try await both()
        #expect(try one.items() == two.items())
        #expect(try one.items() == ["item": isLater ? "other" : "own 1", "beside": "aside"])
        #expect(try Set(values(two)).isSuperset(of: ["own 1", "other"]))
    }

    @Test func `nothing is held up where no item is the same`() async throws {
        try one.change("item", "own 1")
        try one.home.keybag.lock()
        try two.add("beside", "aside")
        try await two.round()
        #expect(try await one.round().received == 1)
        try unlock()
        try await both()
        #expect(try one.items() == ["item": "own 1", "beside": "aside"] && two.items() == one.items())
    }

    // Rule: a recovery code that can't be written, as while a class is locked, is not shown | recoveryCode doesn't try
    //   its entry first | the paper has a void code
    @Test func `a locked home shows no recovery code`() async throws {
        try one.home.keybag.lock()
        var sync = try one.open()
        var isShown = false
        await #expect(throws: (any Error).self) { try await sync.recoveryCode { _ in isShown = true } }
        #expect(!isShown)
        try unlock()
    }
}
