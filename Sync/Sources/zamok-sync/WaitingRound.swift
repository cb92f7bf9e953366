// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A round in a process of its own, started in advance, since starting takes as long as a round. It opens nothing until
/// it is called, and ends with the process that started it.
final class WaitingRound: Sendable {
    /// What a waiting process is told by one byte.
    enum Call: UInt8 {
        case now = 0x6E
        case ifChanged = 0x63
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let ended: AsyncStream<Int32>

    init(_ options: Options) throws {
        guard let path = Bundle.main.executablePath else {
            throw Failure(status: 71, "the system does not say where zamok-sync lies")
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["now", "--for-watch"] + options.words
        process.standardInput = input
        process.standardOutput = output
        let (ended, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        self.ended = ended
        try process.run()
    }

    /// The status with which the round ended, and what it answered.
    func run(ifChanged: Bool) async throws -> (status: Int32, answer: RoundAnswer?) {
        let call = ifChanged ? Call.ifChanged : Call.now
        // One that has ended by itself has a status, which says why.
        try? input.fileHandleForWriting.write(contentsOf: Data([call.rawValue]))
        // Read while it writes: a pipe without a reader stalls a writer of more than its buffer holds.
        let bytes = await allOutput()
        var status: Int32 = 71
        for await end in ended { status = end }
        return (status, try? JSONDecoder().decode(RoundAnswer.self, from: bytes))
    }

    private func allOutput() async -> Data {
        let reader = output.fileHandleForReading
        return await withCheckedContinuation { continuation in
            // Not on a thread of those that run tasks, since it waits.
            Thread.detachNewThread { continuation.resume(returning: (try? reader.readToEnd()) ?? Data()) }
        }
    }

    /// In the process that waits: what it is called for; nil: it is not wanted any more.
    static func call() -> Call? {
        guard let byte = try? FileHandle.standardInput.read(upToCount: 1)?.first else { return nil }
        return Call(rawValue: byte)
    }
}
