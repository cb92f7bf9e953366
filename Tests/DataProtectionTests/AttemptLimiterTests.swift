// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

@Suite struct AttemptLimiterTests {
    private static let start = UniqueIdentifier(high: 1, low: 1)
    private static func at(_ seconds: UInt64, start: UniqueIdentifier = start) -> BootInstant {
        BootInstant(start: start, nanoseconds: seconds * 1_000_000_000)
    }

    @Test(arguments: [
        (1, 0), (2, 0), (3, 0), (4, 0), (5, 60), (6, 300), (7, 900), (8, 900), (9, 3600), (10, 3600), (200, 3600),
    ])
    func `The delay after the n-th wrong passcode`(failures: Int, seconds: Int) {
        let limiter = AttemptLimiter(failures: UInt32(failures), last: Self.at(1000))
        #expect(limiter.remaining(Self.at(1000)) == UInt64(seconds) * 1_000_000_000)
        #expect(limiter.remaining(Self.at(1000 + UInt64(seconds))) == 0)
        if seconds > 0 { #expect(limiter.remaining(Self.at(999 + UInt64(seconds))) == 1_000_000_000) }
    }

    @Test func `A start of the machine begins the delay anew, and only once`() {
        var limiter = AttemptLimiter(failures: 6, last: Self.at(1000))
        let other = UniqueIdentifier(high: 2, low: 2)
        #expect(limiter.remaining(Self.at(5000, start: other)) == 300_000_000_000)
        limiter.noticeStart(Self.at(5000, start: other))
        limiter.noticeStart(Self.at(5100, start: other))
        #expect(limiter.remaining(Self.at(5100, start: other)) == 200_000_000_000)
        #expect(limiter.failures == 6)
    }

    @Test func `A clock that goes back does not shorten the delay`() {
        #expect(AttemptLimiter(failures: 6, last: Self.at(1000)).remaining(Self.at(10)) == 300_000_000_000)
    }

    @Test func `A try counts when it begins and no longer when it succeeded`() {
        var limiter = AttemptLimiter()
        for expected in 1...3 {
            limiter.begin(Self.at(UInt64(expected)))
            #expect(limiter.failures == UInt32(expected))
        }
        limiter.succeed()
        #expect(limiter == AttemptLimiter())
    }

    @Test func `The counter does not wrap round`() {
        var limiter = AttemptLimiter(failures: .max, last: Self.at(1))
        limiter.begin(Self.at(2))
        #expect(limiter.failures == .max)
    }
}

@Suite struct AttemptTests {
    /// A clock that tests move.
    final class HandClock: Sendable {
        private let seconds = Locked<UInt64>(1000)
        private let start = Locked(UniqueIdentifier(high: 7, low: 7))
        var clock: BootClock {
            BootClock {
                BootInstant(
                    start: self.start.withLock { $0 }, nanoseconds: self.seconds.withLock { $0 } * 1_000_000_000)
            }
        }
        func advance(_ more: UInt64) { seconds.withLock { $0 += more } }
        func restart() {
            start.withLock { $0 = .random() }
            seconds.withLock { $0 = 10 }
        }
    }

    @Test func `Five wrong passcodes make wait, for every opening of the home; the right one resets`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = HandClock()
        let keybag = try temporary.open { $0.clock = hand.clock }.keybag
        try keybag.setPasscode(secret("right"))
        for _ in 1...5 { #expect(failure { try keybag.unlock(passcode: secret("wrong")) }?.code == .wrongPasscode) }
        let other = try temporary.open { $0.clock = hand.clock }.keybag
        #expect(failure { try other.unlock(passcode: secret("right")) }?.code == .tooManyAttempts)
        hand.advance(59)
        let refusal = failure { try keybag.unlock(passcode: secret("right")) }
        #expect(refusal?.code == .tooManyAttempts)
        #expect(refusal?.message.contains("2 seconds") == true || refusal?.message.contains("1 second") == true)
        hand.advance(2)
        try keybag.unlock(passcode: secret("right"))
        for _ in 1...4 { #expect(failure { try keybag.unlock(passcode: secret("wrong")) }?.code == .wrongPasscode) }
        try keybag.unlock(passcode: secret("right"))
    }

    @Test func `After a start of the machine the delay counts from the first look`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = HandClock()
        let keybag = try temporary.open { $0.clock = hand.clock }.keybag
        try keybag.setPasscode(secret("right"))
        for _ in 1...5 { _ = failure { try keybag.unlock(passcode: secret("wrong")) } }
        hand.advance(61)
        hand.restart()
        #expect(failure { try keybag.unlock(passcode: secret("right")) }?.code == .tooManyAttempts)
        hand.advance(61)
        try keybag.unlock(passcode: secret("right"))
    }

    @Test(arguments: ["removed", "changed", "short", "of another home"])
    func `A counter that is missing or invalid is the longest delay`(fault: String) throws {
        let temporary = TemporaryHome()
        let stranger = TemporaryHome()
        defer {
            temporary.remove()
            stranger.remove()
        }
        let hand = HandClock()
        let keybag = try temporary.open { $0.clock = hand.clock }.keybag
        try keybag.setPasscode(secret("right"))
        var bytes = try temporary.bytes("attempts")
        switch fault {
        case "removed": try temporary.delete("attempts")
        case "changed":
            bytes[15] ^= 1
            try temporary.put(bytes, "attempts")
        case "short": try temporary.put(Array(bytes.dropLast()), "attempts")
        default:
            _ = try stranger.open()
            try temporary.put(try stranger.bytes("attempts"), "attempts")
        }
        #expect(failure { try keybag.unlock(passcode: secret("right")) }?.code == .tooManyAttempts)
        hand.advance(3599)
        #expect(failure { try keybag.unlock(passcode: secret("right")) }?.code == .tooManyAttempts)
        hand.advance(2)
        try keybag.unlock(passcode: secret("right"))
    }

    // Rule: a try is counted before the passcode is stretched | the counter written afterwards | As it was first it
    //   passed all the same; now it compares processor times and fails
    /// With the real KDF, which takes nearly all of a try's processor time. What comes before it comes in the first
    /// half.
    @Test func `The counter is on the disk before the KDF runs`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        try temporary.open { $0.usesInsecureKDF = false }.keybag.setPasscode(secret("right"))
        let steps = Locked<[String]>([])
        let synchronized = Locked<Duration>(.zero)
        let keybag = try temporary.open {
            $0.usesInsecureKDF = false
            $0.fileSystem = FileHooks { step in
                if step.operation == .write || step.operation == .sync {
                    steps.withLock { $0.append("\(step.operation) \(step.name)") }
                    if step.operation == .sync { synchronized.withLock { $0 = processorTime() } }
                }
                return 0
            }
        }.keybag
        let start = processorTime()
        #expect(failure { try keybag.unlock(passcode: secret("wrong")) }?.code == .wrongPasscode)
        #expect(steps.withLock { $0 } == ["write attempts", "sync attempts"])
        #expect(synchronized.withLock { $0 } - start < (processorTime() - start) / 2)
        #expect(try temporary.open { $0.usesInsecureKDF = false }.status().failedAttempts == 1)
    }

    @Test func `Erasing after n wrong passcodes is off by default, and then it erases`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = HandClock()
        let keybag = try temporary.open { $0.clock = hand.clock }.keybag
        #expect(
            failure { try keybag.setErase(afterFailedAttempts: 10, passcode: secret("right")) }?.code == .noPasscode)
        try keybag.setPasscode(secret("right"))
        for limit in [0, 4, 256] {
            let error = failure { try keybag.setErase(afterFailedAttempts: limit, passcode: secret("right")) }
            #expect(error?.code == .invalidArgument)
        }
        #expect(
            failure { try keybag.setErase(afterFailedAttempts: 6, passcode: secret("wrong")) }?.code == .wrongPasscode)
        #expect(try keybag.view().file.eraseAfter == 0)
        try keybag.setErase(afterFailedAttempts: 6, passcode: secret("right"))
        #expect(keybag.lockState == .unlocked)
        for _ in 1...5 { #expect(failure { try keybag.unlock(passcode: secret("wrong")) }?.code == .wrongPasscode) }
        hand.advance(61)
        #expect(failure { try keybag.unlock(passcode: secret("wrong")) }?.code == .erased)
        #expect(failure { try keybag.unlock(passcode: secret("right")) }?.code == .erased)
        #expect(failure { try temporary.open() }?.code == .erased)
    }
}

/// The processor time of this thread, without the rest of the machine.
private func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
