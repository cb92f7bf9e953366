// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

extension Launcher {
    static func setEnvironmentValue(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }

    /// One that can't be read, in a child after fork, is not set.
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
    static func runProgram(_ words: [String]) -> Int32 {
        let copies = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        var pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe zamok_run(&pointers)
    }
}
