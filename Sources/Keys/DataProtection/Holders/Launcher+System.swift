// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension Launcher {
    static func setEnvironmentValue(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }

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
