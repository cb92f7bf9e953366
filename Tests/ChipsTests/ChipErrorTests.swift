// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import Chips

@Suite(.enabled(if: SoftwareChip.isInstalled, "swtpm is not installed"))
struct ChipErrorTests {
    private func error(_ body: () throws -> SecretBytes) -> ChipError? {
        do { _ = try body() } catch { return error as? ChipError }
        return nil
    }

    // Rule: another chip, a cleared one, other measurements, none and a silent one are different answers, and after each the right chip opens what it sealed | the name of the parent not compared | 3: damaged in place of another chip, or a cleared one
    @Test
    func `what is wrong is told apart`() throws {
        let (chip, other) = (try SoftwareChip(), try SoftwareChip())
        let secret = try SecretBytes.random(count: 32)
        let bound = try chip.way.seal(secret, try #require(SealedToChip.Measurements([7])))
        let free = try chip.way.seal(secret, .none)
        #expect(error { try other.way.open(free) } == .otherChip)
        #expect(error { try other.way.open(bound) } == .otherChip)
        try chip.measure(into: 7)
        #expect(error { try chip.way.open(bound) } == .otherMeasurements)
        #expect(try chip.way.open(free).isEqual(to: secret))
        chip.stop()
        #expect(error { try chip.way.open(free) } == .away(2))
        try chip.start()
        #expect(try chip.way.open(bound).isEqual(to: secret))
        chip.pause()
        var hurried = chip.way
        hurried.patience = .milliseconds(200)
        #expect(error { try hurried.open(free) } == .silent)
        chip.proceed()
        #expect(try chip.way.open(free).isEqual(to: secret))
        try chip.clear()
        #expect(error { try chip.way.open(free) } == .cleared)
    }

    // Rule: 32 wrong tries by anybody don't close what has no passcode | `noDA` left out of the template of the parent | locked out
    @Test
    func `a chip that is locked out still gives what has no authorisation`() throws {
        let chip = try SoftwareChip()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try chip.way.seal(secret, .none)
        try chip.lockOut()
        #expect(try chip.way.open(sealed).isEqual(to: secret))
        #expect(try chip.way.open(try chip.way.seal(secret, .none)).isEqual(to: secret))
    }

    @Test
    func `a blob that was changed is damage, and not another chip`() throws {
        let chip = try SoftwareChip()
        let sealed = try chip.way.seal(try SecretBytes.random(count: 32), .none)
        var changed = sealed.privateArea
        changed[40] ^= 1
        let blob = SealedToChip(
            identity: sealed.identity, measurements: .none, publicArea: sealed.publicArea, privateArea: changed)
        #expect(error { try chip.way.open(blob) } == .damagedBlob)
    }

    // Rule: a chip that asks for the same command again gets it, for as long as there is patience | RETRY taken for an answer | refused
    @Test
    func `warnings are waited for, and not for ever`() throws {
        let chip = try SoftwareChip()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try chip.way.seal(secret, .none)
        var left = 3
        let busy = try BusyLine(chip.way) {
            left -= 1
            return left >= 0
        }
        #expect(try sealed.open(over: busy).isEqual(to: secret))
        let never = try BusyLine(chip.way) { true }
        #expect(error { try sealed.open(over: never, patience: .milliseconds(60)) } == .silent)
    }

    // Rule: a chip that fell silent is waited for once | flushing asks it again | 2 waits
    @Test
    func `a chip that fell silent is waited for once`() throws {
        let chip = try SoftwareChip()
        let sealed = try chip.way.seal(try SecretBytes.random(count: 32), .none)
        let flush = UInt8(ChipCommand.flushContext.rawValue & 0xFF)
        // One connection at a time: it is closed before the next.
        let (commands, flushes) = try { () throws -> (Int, Int) in
            let recorded = try RecordingLine(chip.way)
            _ = try sealed.open(over: recorded)
            return (recorded.commands.count, recorded.commands.reversed().prefix { $0[9] == flush }.count)
        }()
        #expect(commands > 6 && flushes > 1)
        for number in 0..<commands {
            let line = try SilentLine(chip.way, from: number)
            let opened = try? sealed.open(over: line)
            #expect(line.waits == 1, "command \(number)")
            // The last ones only flush what was made.
            #expect((opened == nil) == (number < commands - flushes), "command \(number)")
            // So that nothing of it is left there.
            try chip.restart()
        }
    }

    /// Whatever a chip answers, the reader neither traps nor waits for long, and makes no secret of it.
    @Test
    func `answers of any form are refused`() throws {
        let chip = try SoftwareChip()
        let bound = try chip.way.seal(
            try SecretBytes.random(count: 32), try #require(SealedToChip.Measurements([7])))
        let key = Secret(try SecretBytes.random(count: 31).joined(with: try SecretBytes(copying: [1])))
        let counted = try chip.way.seal(try SecretBytes.random(count: 32), for: key, to: bound.identity)
        let recorded = try RecordingLine(chip.way)
        _ = try bound.open(over: recorded)
        _ = try counted.open(over: recorded, with: key)
        let answers = recorded.answers
        var mutator = Mutator(corpus: answers, seed: 20)
        let run = FuzzRun.repeated("answers of a chip", bounded: 3000) { number in
            var step = 0
            let line = ScriptedLine {
                defer { step += 1 }
                // Good ones up to somewhere, so that every reader meets bad ones.
                return step < number % 12 ? answers[step % answers.count] : mutator.next()
            }
            let opened =
                number % 2 == 0
                ? try? bound.open(over: line, patience: .milliseconds(1))
                : try? counted.open(over: line, with: key, patience: .milliseconds(1))
            return opened != nil
        }
        #expect(run.refused == run.inputs)
        #expect(run.isBounded)
    }
}

/// Says nothing any more from one command on.
private final class SilentLine: ChipLine {
    private let line: any ChipLine
    private let first: Int
    private var count = 0
    /// Commands that waited in vain.
    private(set) var waits = 0

    init(_ way: ChipWay, from first: Int) throws {
        line = try ChipConnection(way)
        self.first = first
    }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        defer { count += 1 }
        guard count < first else {
            waits += 1
            throw ChipError.silent
        }
        return try line.exchange(command, within: time)
    }
}

/// Says RETRY instead of asking the chip, for as long as it is told to.
private final class BusyLine: ChipLine {
    private let line: any ChipLine
    private let isBusy: () -> Bool

    init(_ way: ChipWay, _ isBusy: @escaping () -> Bool) throws {
        line = try ChipConnection(way)
        self.isBusy = isBusy
    }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        if isBusy() { return [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x09, 0x22] }
        return try line.exchange(command, within: time)
    }
}
