// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import TPMs

@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct TPMErrorTests {
    private func error(_ body: () throws -> SecretBytes) -> TPMError? {
        do { _ = try body() } catch { return error as? TPMError }
        return nil
    }

    // Rule: another TPM, a cleared one, other measurements, no TPM and a silent one are different errors, and after
    //   each the right TPM opens what it sealed | the name of the parent not compared | 3: damaged in place of another
    //   TPM, or a cleared one
    @Test
    func `what is wrong is told apart`() throws {
        let (tpm, other) = (try SoftwareTPM(), try SoftwareTPM())
        let secret = try SecretBytes.random(count: 32)
        let bound = try tpm.way.seal(secret, try #require(SealedToTPM.Measurements([7])))
        let free = try tpm.way.seal(secret, .none)
        #expect(error { try other.way.open(free) } == .otherTPM)
        #expect(error { try other.way.open(bound) } == .otherTPM)
        try tpm.measure(into: 7)
        #expect(error { try tpm.way.open(bound) } == .otherMeasurements)
        #expect(try tpm.way.open(free).isEqual(to: secret))
        tpm.stop()
        #expect(error { try tpm.way.open(free) } == .away(2))
        try tpm.start()
        #expect(try tpm.way.open(bound).isEqual(to: secret))
        tpm.pause()
        var hurried = tpm.way
        hurried.patience = .milliseconds(200)
        #expect(error { try hurried.open(free) } == .silent)
        tpm.proceed()
        #expect(try tpm.way.open(free).isEqual(to: secret))
        try tpm.clear()
        #expect(error { try tpm.way.open(free) } == .cleared)
    }

    // Rule: 32 wrong tries by any process don't lock what has no passcode | `noDA` left out of the template of the
    //   parent | locked out
    @Test
    func `a TPM that is locked out still gives what has no authorisation`() throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        try tpm.lockOut()
        #expect(try tpm.way.open(sealed).isEqual(to: secret))
        #expect(try tpm.way.open(try tpm.way.seal(secret, .none)).isEqual(to: secret))
    }

    @Test
    func `a blob that was changed is damage, and not another TPM`() throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.way.seal(try SecretBytes.random(count: 32), .none)
        var changed = sealed.privateArea
        changed[40] ^= 1
        let blob = SealedToTPM(
            identity: sealed.identity, measurements: .none, publicArea: sealed.publicArea, privateArea: changed)
        #expect(error { try tpm.way.open(blob) } == .damagedBlob)
    }

    // Rule: a TPM that asks for the same command again gets it, until the time limit | RETRY taken for an answer |
    //   refused
    @Test
    func `warnings are waited for, and not for ever`() throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        var left = 3
        let busy = try BusyLine(tpm.way) {
            left -= 1
            return left >= 0
        }
        #expect(try sealed.open(over: busy).isEqual(to: secret))
        let never = try BusyLine(tpm.way) { true }
        #expect(error { try sealed.open(over: never, patience: .milliseconds(60)) } == .silent)
    }

    // Rule: a TPM that fell silent is waited for once | flushing asks it again | 2 waits
    @Test
    func `a TPM that fell silent is waited for once`() throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.way.seal(try SecretBytes.random(count: 32), .none)
        let flush = UInt8(TPMCommand.flushContext.rawValue & 0xFF)
        // One connection at a time: it is closed before the next.
        let (commands, flushes) = try { () throws -> (Int, Int) in
            let recorded = try RecordingLine(tpm.way)
            _ = try sealed.open(over: recorded)
            return (recorded.commands.count, recorded.commands.reversed().prefix { $0[9] == flush }.count)
        }()
        #expect(commands > 6 && flushes > 1)
        for number in 0..<commands {
            let line = try SilentLine(tpm.way, from: number)
            let opened = try? sealed.open(over: line)
            #expect(line.waits == 1, "command \(number)")
            // The last ones only flush what was made.
            #expect((opened == nil) == (number < commands - flushes), "command \(number)")
            // So that nothing of it is left there.
            try tpm.restart()
        }
    }

    /// The reader neither traps nor waits long for any answer of a TPM, and takes no wrong answer for a secret.
    @Test
    func `answers of any form are refused`() throws {
        let tpm = try SoftwareTPM()
        let bound = try tpm.way.seal(
            try SecretBytes.random(count: 32), try #require(SealedToTPM.Measurements([7])))
        let key = Secret(try SecretBytes.random(count: 31).joined(with: try SecretBytes(copying: [1])))
        let counted = try tpm.way.seal(try SecretBytes.random(count: 32), for: key, to: bound.identity)
        let recorded = try RecordingLine(tpm.way)
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
private final class SilentLine: TPMTransport {
    private let line: any TPMTransport
    private let first: Int
    private var count = 0
    /// Commands that waited in vain.
    private(set) var waits = 0

    init(_ way: TPMAddress, from first: Int) throws {
        line = try TPMConnection(way)
        self.first = first
    }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        defer { count += 1 }
        guard count < first else {
            waits += 1
            throw TPMError.silent
        }
        return try line.exchange(command, within: time)
    }
}

/// Says RETRY instead of asking the TPM, for as long as it is told to.
private final class BusyLine: TPMTransport {
    private let line: any TPMTransport
    private let isBusy: () -> Bool

    init(_ way: TPMAddress, _ isBusy: @escaping () -> Bool) throws {
        line = try TPMConnection(way)
        self.isBusy = isBusy
    }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        if isBusy() { return [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x09, 0x22] }
        return try line.exchange(command, within: time)
    }
}
