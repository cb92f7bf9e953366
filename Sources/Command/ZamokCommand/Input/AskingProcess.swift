// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Readers
import SecretMemory

/// A prompter that asks by a program, which ends when nobody wants the answer any more.
protocol ProgramPrompter: Prompter {
    /// Errors: `.cancelled`, `.noTerminal` where the program can't ask.
    func answer(_ request: PromptRequest, by process: AskingProcess) throws(DataProtectionError) -> SecretBytes
}

extension ProgramPrompter {
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        try answer(request, by: AskingProcess())
    }
}

/// The run of a program that asks a person.
final class AskingProcess: Sendable {
    private struct State {
        var process: Process?
        var isEnded = false
    }

    private static let limit = 4098
    private let state = Locked(State())

    /// Runs it to its end, with `input` at its standard input. Nil: it failed, was ended, or said more than any passcode is long.
    func said(by path: String, _ words: [String], input: String? = nil) throws -> Secret? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        let given = input.map { _ in Pipe() }
        process.standardInput = given ?? FileHandle.nullDevice
        try state.withLock { state in
            guard !state.isEnded else { throw DataProtectionError(.cancelled, "nobody wants the answer any more") }
            try EndingSignals.letThrough { try process.run() }
            state.process = process
        }
        defer { state.withLock { $0.process = nil } }
        if let input, let given {
            // Less than a pipe takes. Who ended before it read this is told by its status.
            try? given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? given.fileHandleForWriting.close()
        }
        let read = try Secret.read(from: output.fileHandleForReading.fileDescriptor, limit: Self.limit)
        // Who writes more than that is told to end by the broken pipe.
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        let isWanted = state.withLock { !$0.isEnded }
        return isWanted && process.terminationReason == .exit && process.terminationStatus == 0 ? read : nil
    }

    /// Ends the program; one that wasn't started yet isn't.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.process?.terminate()
        }
    }
}
