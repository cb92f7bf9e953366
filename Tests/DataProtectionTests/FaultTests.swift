// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// The system refuses one step: the call says so, and the home goes on as it was or as it should become.
@Suite struct FaultTests {
    private static let changing: [FileHooks.Operation] = [.make, .setMode, .write, .sync, .rename, .remove]

    /// Lets the n-th changing step fail, once.
    private final class Fault: Sendable {
        private let left = Locked(Int.max)
        let number: Int32
        init(_ number: Int32) { self.number = number }
        func arm(_ step: Int) { left.withLock { $0 = step } }
        /// False: it never came to that step.
        var wasMet: Bool { left.withLock { $0 <= 0 } }
        var fileSystem: FileHooks {
            FileHooks { step in
                guard FaultTests.changing.contains(step.operation) else { return 0 }
                return self.left.withLock { left in
                    left = left == Int.max ? left : left - 1
                    return left == 0 ? self.number : 0
                }
            }
        }
    }

    @Test(arguments: DurabilityTests.changes, [ENOSPC, EIO])
    func `A step that fails leaves the old state or the new one, for the open home too`(
        change: DurabilityTests.Change, number: Int32
    ) throws {
        var step = 0
        while true {
            step += 1
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            let fault = Fault(number)
            let keybag = try temporary.open { $0.fileSystem = fault.fileSystem }.keybag
            if let before = change.before { try keybag.setPasscode(secret(before)) }
            let kept = try Kept(keybag, PasscodeTests.everyClass.dropLast())
            fault.arm(step)
            let error = failure { try carryOut(change, keybag) }
            guard fault.wasMet else { break }
            fault.arm(.max)
            // Removing a leftover may fail unseen; everything else is told.
            if let error { #expect(error.code == (number == ENOSPC ? .diskFull : .io), "step \(step): \(error)") }
            try kept.check(keybag)
            #expect(keybag.lockState == .unlocked, "step \(step)")
            let other = try temporary.open().keybag
            let hasPasscode = try other.hasPasscode
            #expect(try keybag.hasPasscode == hasPasscode)
            if error == nil { #expect(hasPasscode == (change.after != nil)) }
            if hasPasscode {
                let opens = [change.before, change.after].compactMap(\.self).contains { passcode in
                    failure { try other.unlock(passcode: secret(passcode)) } == nil
                }
                #expect(opens, "step \(step)")
            }
            try kept.check(other)
            #expect(try other.place.epoch.isEmpty(.first) != other.place.epoch.isEmpty(.second), "step \(step)")
        }
        #expect(step > 8)
    }

    @Test(arguments: [ENOSPC, EIO]) func `A key that can't be marked as one of files is told, and nothing else changes`(
        number: Int32
    ) throws {
        var step = 0
        while true {
            step += 1
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            let fault = Fault(number)
            let keybag = try temporary.open { $0.fileSystem = fault.fileSystem }.keybag
            try keybag.setPasscode(secret("1234"))
            let kept = try Kept(keybag, PasscodeTests.everyClass.dropLast())
            let id = kept.wrapped[0].classKeyID
            fault.arm(step)
            let error = failure { try keybag.rememberFile(under: id) }
            guard fault.wasMet else { break }
            fault.arm(.max)
            if let error { #expect(error.code == (number == ENOSPC ? .diskFull : .io), "step \(step): \(error)") }
            let other = try temporary.open().keybag
            #expect(try error != nil || other.hasFileKeys)
            #expect(keybag.lockState == .unlocked && other.lockState == keybag.lockState, "step \(step)")
            try keybag.rememberFile(under: id)
            #expect(try temporary.open().keybag.hasFileKeys)
            try kept.check(keybag)
        }
        #expect(step > 4)
    }

    private func carryOut(_ change: DurabilityTests.Change, _ keybag: Keybag) throws {
        switch (change.before, change.after) {
        case (nil, let after?): try keybag.setPasscode(secret(after))
        case (let before?, nil): try keybag.removePasscode(secret(before))
        case (let before?, let after?):
            try keybag.changePasscode(
                from: secret(before), to: secret(after), rotatingKeys: change.command.hasSuffix("rotating"))
        case (nil, nil): break
        }
    }

    @Test(arguments: [ENOSPC, EIO, EROFS]) func `A home that can't be made leaves nothing that prevents the next try`(
        number: Int32
    ) throws {
        var step = 0
        while true {
            step += 1
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            let fault = Fault(number)
            fault.arm(step)
            let error = failure { try temporary.open { $0.fileSystem = fault.fileSystem } }
            guard fault.wasMet else { break }
            let code: DataProtectionError.Code = number == ENOSPC ? .diskFull : number == EROFS ? .readOnly : .io
            if let error { #expect(error.code == code, "step \(step)") }
            let kept = try Kept(try temporary.open().keybag, PasscodeTests.everyClass.dropLast())
            try kept.check(try temporary.open().keybag)
        }
        #expect(step > 8)
    }

    @Test func `A full disk is told as such and hinders no unlock that needs no space`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open().keybag.setPasscode(secret("old"))
        let keybag = try temporary.open {
            // Overwriting in place needs no space; making files does.
            $0.fileSystem = FileHooks { $0.operation == .make && $0.name == "keybag.new" ? ENOSPC : 0 }
        }.keybag
        try keybag.unlock(passcode: secret("old"))
        let error = failure { try keybag.changePasscode(from: secret("old"), to: secret("new")) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("nothing was changed") == true)
        try keybag.unlock(passcode: secret("old"))
    }
}
