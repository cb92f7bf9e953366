// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// How long an answer of a person counts.
@Suite struct AuthenticationContextTests {
    /// A home with the passcode "1234", and a prompter that answers.
    private func stage(
        _ temporary: TemporaryHome, clock: AttemptTests.HandClock? = nil, _ answers: ScriptedPrompter
    ) throws -> Home {
        let home = try temporary.open {
            $0.prompter = answers
            if let clock { $0.clock = clock.clock }
        }
        try home.keybag.setPasscode(secret("1234"))
        return home
    }

    @Test func `A context asks once, with its reason; another one asks again`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter(.text("1234"), .text("1234"))
        let home = try stage(temporary, prompter)
        let context = AuthenticationContext()
        context.reason = "to sign in"
        for _ in 0..<3 { try context.authenticate(in: home) }
        #expect(prompter.asked.map(\.reason) == ["to sign in"])
        #expect(prompter.asked.map(\.purpose) == [.passcode])
        try AuthenticationContext().authenticate(in: home, reason: "of this call")
        #expect(prompter.asked.map(\.reason) == ["to sign in", "of this call"])
    }

    // Rule: a wrong passcode at a prompt is counted | the counter put back after it | also "A wrong passcode in one
    //   process counts in the other" (both), "Sealing does not ask; opening takes the passcode, in every lock state,
    //   through the limiter", "answered, cancelled and wrong …"
    @Test func `A wrong passcode is counted, and too many are told before the next is tried`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter()
        let home = try stage(temporary, prompter)
        let context = AuthenticationContext()
        for count in 1...5 {
            prompter.add(.text("wrong"))
            #expect(failure { try context.authenticate(in: home) }?.code == .wrongPasscode)
            #expect(try home.status().failedAttempts == count)
        }
        prompter.add(.text("1234"))
        #expect(failure { try context.authenticate(in: home) }?.code == .tooManyAttempts)
        #expect(try home.status().failedAttempts == 5)
    }

    // Rule: without a terminal no prompt is allowed (-25308) | passed on as it came
    // Rule: LAContext.interactionNotAllowed shows no prompt | ignored | also "cancelled, wrong and not interactive are
    //   different errors; wrong ones are counted"
    @Test func `Cancelled, forbidden, no terminal and no passcode are different answers, and none is counted`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter()
        let home = try temporary.open { $0.prompter = prompter }
        let context = AuthenticationContext()
        #expect(failure { try context.authenticate(in: home) }?.code == .noPasscode)
        try home.keybag.setPasscode(secret("1234"))
        #expect(failure { try context.authenticate(in: home) }?.code == .cancelled)
        #expect(prompter.asked.count == 1)
        context.allowsInteraction = false
        #expect(failure { try context.authenticate(in: home) }?.code == .interactionNotAllowed)
        #expect(prompter.asked.count == 1)
        context.allowsInteraction = true
        let alone = try temporary.open { $0.prompter = NoTerminal() }
        #expect(failure { try context.authenticate(in: alone) }?.code == .interactionNotAllowed)
        #expect(try home.status().failedAttempts == 0)
    }

    @Test func `Forbidding to ask does not take away what was answered`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try stage(temporary, ScriptedPrompter(.text("1234")))
        let context = AuthenticationContext()
        try context.authenticate(in: home)
        context.allowsInteraction = false
        try context.authenticate(in: home)
    }

    @Test(arguments: [false, true]) func `A lock ends what was answered`(completely: Bool) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter(.text("1234"), .text("1234"))
        let home = try stage(temporary, prompter)
        let context = AuthenticationContext()
        try context.authenticate(in: home)
        try completely ? home.keybag.lockCompletely() : home.keybag.lock()
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 2)
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 2)
    }

    // Rule: a lock wipes the access-control key of an idle process | not wiped
    @Test func `A lock wipes the key of an idle process`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try stage(temporary, ScriptedPrompter(.text("1234")))
        let context = AuthenticationContext()
        try context.authenticate(in: home)
        let answer = try #require(context.answer(home.keybag.home))
        #expect(answer.accessControlKey != nil)
        try home.keybag.lock()
        let end = Date(timeIntervalSinceNow: 60)
        while answer.accessControlKey != nil, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
        #expect(answer.accessControlKey == nil)
    }

    // Rule: and the answer counts in no other context | the lock's count read after the answer | also "A lock while the
    //   user types leaves what the class leaves …" (`ck`, `dk`)
    @Test func `A lock while the user types ends the answer before it counts for others`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter()
        let home = try stage(temporary, prompter)
        let context = AuthenticationContext()
        context.reuseDuration = .seconds(100)
        prompter.add(.meanwhile({ try? home.keybag.lock() }, "1234"), .text("1234"))
        try context.authenticate(in: home)
        #expect(home.keybag.lockState == .locked)
        #expect(context.answer(home.keybag.home) == nil)
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 2)
    }

    @Test func `A new passcode ends it, and so does the end of an unlock with a time`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let clock = AttemptTests.HandClock()
        let prompter = ScriptedPrompter(.text("1234"), .text("5678"), .text("5678"))
        let home = try stage(temporary, clock: clock, prompter)
        let context = AuthenticationContext()
        try context.authenticate(in: home)
        try home.keybag.changePasscode(from: secret("1234"), to: secret("5678"))
        try home.keybag.unlock(passcode: secret("5678"), for: .seconds(60))
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 2)
        clock.advance(59)
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 2)
        clock.advance(2)
        #expect(home.keybag.lockState == .locked)
        try context.authenticate(in: home)
        #expect(prompter.asked.count == 3)
    }

    // Rule: an invalidated context is of no use | ignored | also "one context asks once, though asking is forbidden
    //   later; a lock ends that"
    @Test func `An invalidated context is of no use, and a prompt that it showed is for nothing`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let prompter = ScriptedPrompter(.text("1234"))
        let home = try stage(temporary, prompter)
        let context = AuthenticationContext()
        context.applicationPassword = try Secret(copying: [1])
        try context.authenticate(in: home)
        context.invalidate()
        #expect(context.applicationPassword == nil)
        #expect(failure { try context.authenticate(in: home) }?.code == .invalidContext)
        context.applicationPassword = try Secret(copying: [1])
        #expect(context.applicationPassword == nil)
        let other = AuthenticationContext()
        prompter.add(.meanwhile({ other.invalidate() }, "1234"))
        #expect(failure { try other.authenticate(in: home) }?.code == .invalidContext)
        #expect(prompter.asked.count == 2)
    }

    @Test func `An answer for one home says nothing of another`() throws {
        let temporaries = [TemporaryHome(), TemporaryHome()]
        defer { for temporary in temporaries { temporary.remove() } }
        let prompter = ScriptedPrompter(.text("1234"), .text("1234"))
        let context = AuthenticationContext()
        context.reuseDuration = .seconds(100)
        let first = try stage(temporaries[0], prompter)
        let second = try stage(temporaries[1], prompter)
        for _ in 0..<2 {
            try context.authenticate(in: first)
            try context.authenticate(in: second)
        }
        #expect(prompter.asked.count == 2)
    }
}

/// For how long an answer counts in other contexts.
@Suite struct ReuseWindowTests {
    /// How often two contexts with these times ask, the second one `pause` seconds later, after `event`.
    private func prompts(
        _ first: Int, _ second: Int, pause: UInt64, freeing: Bool = false, event: (Keybag) throws -> Void = { _ in }
    ) throws -> Int {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let clock = AttemptTests.HandClock()
        let prompter = ScriptedPrompter(.text("1234"), .text("1234"))
        let home = try temporary.open {
            $0.prompter = prompter
            $0.clock = clock.clock
        }
        try home.keybag.setPasscode(secret("1234"))
        var contexts = [AuthenticationContext(), AuthenticationContext()]
        contexts[0].reuseDuration = .seconds(first)
        contexts[1].reuseDuration = .seconds(second)
        try contexts[0].authenticate(in: home)
        if freeing { contexts.removeFirst() }
        clock.advance(pause)
        try event(home.keybag)
        try contexts[contexts.count - 1].authenticate(in: home)
        return prompter.asked.count
    }

    // Rule: an answer counts in other contexts for the shorter of two times | lent without end | 4 cases; also "When
    //   the time is over the key is wiped, also in an idle process"
    @Test(
        arguments: [
            (0, 0, 0, 2), (0, 100, 0, 2), (100, 0, 0, 2), (100, 100, 0, 1), (100, 100, 99, 1), (100, 100, 100, 2),
            (10, 100, 11, 2), (100, 10, 11, 2), (100_000, 100_000, 299, 1), (100_000, 100_000, 300, 2), (-1, -1, 0, 2),
        ] as [(Int, Int, UInt64, Int)])
    func `It counts for the shorter of the two times, and at most 300 s`(
        first: Int, second: Int, pause: UInt64, expected: Int
    ) throws {
        #expect(try prompts(first, second, pause: pause) == expected)
    }

    @Test func `It counts though the context that asked is gone`() throws {
        #expect(try prompts(100, 100, pause: 50, freeing: true) == 1)
    }

    @Test func `A lock ends it`() throws {
        #expect(try prompts(100, 100, pause: 0) { try $0.lock() } == 2)
    }

    @Test func `A lock by another opener of the home ends it`() throws {
        #expect(
            try prompts(100, 100, pause: 0) { keybag in
                let other = TemporaryHome(at: keybag.place.folder.path)
                try other.open().keybag.lockCompletely()
            } == 2)
    }

    @Test func `When the time is over the key is wiped, also in an idle process`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let clock = AttemptTests.HandClock()
        let home = try temporary.open {
            $0.prompter = ScriptedPrompter(.text("1234"))
            $0.clock = clock.clock
        }
        try home.keybag.setPasscode(secret("1234"))
        weak var answer: PersonAnswer?
        do {
            let context = AuthenticationContext()
            context.reuseDuration = .seconds(10)
            try context.authenticate(in: home)
            answer = context.answer(home.keybag.home)
        }
        #expect(answer != nil)
        clock.advance(11)
        let end = Date(timeIntervalSinceNow: 60)
        while answer != nil, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
        #expect(answer == nil)
    }
}

/// No prompt can be answered.
private struct NoTerminal: Prompter {
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        throw DataProtectionError(.noTerminal, "there is no terminal")
    }
}
