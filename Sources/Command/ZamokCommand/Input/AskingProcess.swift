// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Readers
import SecretMemory

/// A prompter that uses a program, and ends that program when the answer is no longer needed.
protocol ProgramPrompter: Prompter {
    /// Errors: `.cancelled`, and `.noTerminal` if the program can't prompt.
    func answer(_ request: PromptRequest, by process: AskingProcess) throws(DataProtectionError) -> SecretBytes
    /// What is typed as the answer to a question. Errors: as of the other.
    func word(_ question: String, by process: AskingProcess) throws(DataProtectionError) -> Secret
}

extension ProgramPrompter {
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        try answer(request, by: AskingProcess())
    }
}

/// The run of a program that prompts the user.
final class AskingProcess: Sendable {
    private struct State {
        var process: Process?
        var isEnded = false
    }

    /// The program of the environment that asks in a window; nil: none, or no desktop.
    static var program: (any ProgramPrompter)? {
        if let program = AskProgram.ofEnvironment { return program }
        return Pinentry.ofEnvironment
    }

    private static let limit = 4098
    private let state = Locked(State())

    /// Runs the program to its end, with `input` as its standard input. Returns nil if the program failed, was ended,
    /// or printed more than any passcode needs.
    func said(by path: String, _ words: [String], input: String? = nil) throws -> Secret? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        let given = input.map { _ in Pipe() }
        process.standardInput = given ?? FileHandle.nullDevice
        try state.withLock { state in
            guard !state.isEnded else {
                throw DataProtectionError(.cancelled, "no client waits for the answer any more")
            }
            try EndingSignals.letThrough { try process.run() }
            state.process = process
        }
        defer { state.withLock { $0.process = nil } }
        if let input, let given {
            // Smaller than a pipe buffer. If the program ended before it read this, its status shows it.
            try? given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? given.fileHandleForWriting.close()
        }
        let read = try Secret.read(from: output.fileHandleForReading.fileDescriptor, limit: Self.limit)
        // A program that writes more gets a broken pipe.
        try output.fileHandleForReading.close()
        process.waitUntilExit()
        let isWanted = state.withLock { !$0.isEnded }
        return isWanted && process.terminationReason == .exit && process.terminationStatus == 0 ? read : nil
    }

    /// Ends the program, or prevents its start.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.process?.terminate()
        }
    }
}
