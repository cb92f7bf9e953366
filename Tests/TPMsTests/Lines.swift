// SPDX-License-Identifier: Apache-2.0

import SecretMemory

@testable import TPMs

/// Writes down every byte on the way to a TPM and back.
final class RecordingLine: TPMTransport {
    private(set) var commands: [[UInt8]] = []
    private(set) var answers: [[UInt8]] = []
    private let line: any TPMTransport

    init(_ way: TPMAddress) throws { line = try TPMConnection(way) }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        commands.append(command)
        let answer = try line.exchange(command, within: time)
        answers.append(answer)
        return answer
    }

    /// Whether these bytes went by, in either direction.
    func carried(_ bytes: [UInt8]) -> Bool { (commands + answers).contains { $0.contains(bytes) } }
}

/// Gives answers that are changed in transit.
final class ChangingLine: TPMTransport {
    private let line: any TPMTransport
    private let change: (Int, inout [UInt8]) -> Void
    private var count = 0

    init(_ way: TPMAddress, _ change: @escaping (Int, inout [UInt8]) -> Void) throws {
        line = try TPMConnection(way)
        self.change = change
    }

    var keepsProgramsApart: Bool { line.keepsProgramsApart }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        var answer = try line.exchange(command, within: time)
        change(count, &answer)
        count += 1
        return answer
    }
}

/// A TPM that says what it was told to say.
final class ScriptedLine: TPMTransport {
    let keepsProgramsApart = false
    private let next: () -> [UInt8]

    init(_ next: @escaping () -> [UInt8]) { self.next = next }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] { next() }
}
