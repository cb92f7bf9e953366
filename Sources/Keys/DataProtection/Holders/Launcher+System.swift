// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Dispatch
import SecretMemory

extension Launcher {
    static func setEnvironmentValue(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }

    /// Sets an environment variable. A value that can't be read, in a child after fork, is not set.
    static func setEnvironmentValue(_ name: String, _ value: Secret) {
        guard var text = try? [UInt8](exposing: value) + [0] else { return }
        defer { for index in text.indices { text[index] = 0 } }
        unsafe text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            _ = unsafe setenv(name, base.assumingMemoryBound(to: CChar.self), 1)
        }
    }

    static func removeEnvironmentValue(_ name: String) { _ = unsafe unsetenv(name) }

    static func isMissing(_ number: Int32) -> Bool { number == ENOENT }

    /// Returns the exit status or a negated errno, and why some of the output was not passed on.
    static func runProgram(
        _ words: [String], given: [(number: Int32, value: Secret)], filter: Filter?
    ) -> (status: Int32, undelivered: Undelivered?) {
        var (from, to): ([Int32], [Int32]) = ([], [])
        for (number, value) in given {
            guard let (reading, writing) = pipe() else { return (-EMFILE, nil) }
            from.append(reading)
            to.append(number)
            guard ThisProcess.startThread({ put(value, into: writing) }) else { return (-EAGAIN, nil) }
        }
        guard let filter else { return (run(words, from, to), nil) }
        // The writing end is closed when the program has ended.
        guard let (isOver, end) = pipe() else { return (-EMFILE, nil) }
        let left = Locked<Undelivered?>(nil)
        let ended = DispatchSemaphore(value: 0)
        for number in [Int32(1), 2] {
            guard let (reading, writing) = pipe() else { return (-EMFILE, nil) }
            from.append(writing)
            to.append(number)
            guard
                ThisProcess.startThread({
                    let result = pass(reading, to: number, until: isOver, filter)
                    left.withLock { $0 = $0 ?? result }
                    ended.signal()
                })
            else { return (-EAGAIN, nil) }
        }
        let status = run(words, from, to)
        close(end)
        for _ in 1...2 { ended.wait() }
        close(isOver)
        return (status, left.withLock { $0 })
    }

    /// Nil if the system has no descriptor left.
    private static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        return unsafe zamok_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Passes all output through the filter. Everything that was written before the program's end is passed on, however
    /// slow the reader is. A process that the program left running may hold the pipe open forever. Its output is passed
    /// on until it has written nothing for half a second.
    private static func pass(
        _ source: Int32, to target: Int32, until isOver: Int32, _ filter: Filter
    ) -> Undelivered? {
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var over = isOver
        while true {
            let count = unsafe zamok_take(source, &over, &buffer, buffer.count)
            let piece = filter(target, Array(buffer.prefix(max(0, count))))
            // A program must learn that its reader is gone, as it does without the filter.
            if let number = unsafe piece.withUnsafeBytes({ unsafe put($0, into: target) }) {
                return .unwritten(errorNumber: number)
            }
            if count <= 0 { return count == -Int(ETIMEDOUT) ? .leftRunning : nil }
        }
    }

    private static func put(_ value: Secret, into target: Int32) {
        try? value.withBytes { span in
            _ = unsafe span.withUnsafeBytes { unsafe put($0, into: target) }
        }
        close(target)
    }

    /// The error number if not all bytes were written.
    private static func put(_ bytes: UnsafeRawBufferPointer, into target: Int32) -> Int32? {
        let failure = unsafe zamok_put(target, bytes.baseAddress, bytes.count)
        return failure == 0 ? nil : -failure
    }

    private static func run(_ words: [String], _ from: [Int32], _ to: [Int32]) -> Int32 {
        let copies = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        var pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe zamok_run(&pointers, from, to, Int32(from.count))
    }
}
