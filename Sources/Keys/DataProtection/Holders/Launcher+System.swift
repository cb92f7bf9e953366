// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Dispatch
import SecretMemory

extension Launcher {
    static func setEnvironmentValue(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }

    /// Sets a variable of the environment; a value that can't be read, in a child after fork, is not set.
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

    /// The status, or a negated errno.
    static func runProgram(
        _ words: [String], given: [(number: Int32, value: Secret)],
        filter: (@Sendable (_ descriptor: Int32, _ piece: [UInt8]) -> [UInt8])?
    ) -> Int32 {
        var (from, to): ([Int32], [Int32]) = ([], [])
        let streams = filter == nil ? [] : [Int32(1), 2]
        let ended = DispatchSemaphore(value: 0)
        for number in given.map(\.number) + streams {
            var ends: [Int32] = [-1, -1]
            let failure = unsafe zamok_pipe(&ends)
            guard failure == 0 else { return failure }
            let isOutput = streams.contains(number)
            from.append(ends[isOutput ? 1 : 0])
            to.append(number)
            let own = ends[isOutput ? 0 : 1]
            if isOutput, let filter {
                guard
                    ThisProcess.startThread({
                        pass(own, to: number, filter)
                        ended.signal()
                    })
                else { return -EAGAIN }
            } else if let value = given.first(where: { $0.number == number })?.value {
                guard ThisProcess.startThread({ put(value, into: own) }) else { return -EAGAIN }
            }
        }
        let result = run(words, from, to)
        // What the program left running may hold its output open for ever.
        for _ in streams { _ = ended.wait(timeout: .now() + .milliseconds(500)) }
        return result
    }

    /// All that comes, through the filter.
    private static func pass(
        _ source: Int32, to target: Int32, _ filter: (_ descriptor: Int32, _ piece: [UInt8]) -> [UInt8]
    ) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            let piece = filter(target, Array(buffer.prefix(max(0, count))))
            let isWritten = unsafe piece.withUnsafeBytes { unsafe put($0, into: target) }
            // Where nobody reads any more the program has to learn of it, as without the filter.
            if count <= 0 || !isWritten { break }
        }
        close(source)
    }

    private static func put(_ value: Secret, into target: Int32) {
        try? value.withBytes { span in
            _ = unsafe span.withUnsafeBytes { unsafe put($0, into: target) }
        }
        close(target)
    }

    /// Whether all of it was taken.
    private static func put(_ bytes: UnsafeRawBufferPointer, into target: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let more = unsafe write(target, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            guard more > 0 else { return false }
            done += more
        }
        return true
    }

    private static func run(_ words: [String], _ from: [Int32], _ to: [Int32]) -> Int32 {
        let copies = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        var pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe zamok_run(&pointers, from, to, Int32(from.count))
    }
}
