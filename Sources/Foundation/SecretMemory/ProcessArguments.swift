// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The arguments of this program as bytes, which need not be text. The standard library reads them from /proc, and has
/// none if that is missing (a bare container, a chroot).
package enum ProcessArguments {
    /// All arguments, the program's own name first. Empty if the system doesn't provide them.
    package static let words: [[UInt8]] = {
        var count: Int32 = 0
        if let kept = unsafe zamok_arguments(&count), count > 0 { return unsafe words(kept, count) }
        return unsafe words(CommandLine.unsafeArgv, CommandLine.argc)
    }()

    private static func words(
        _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ count: Int32
    ) -> [[UInt8]] {
        (0..<Int(count)).compactMap { position in
            guard let word = unsafe pointers[position] else { return nil }
            var length = 0
            while unsafe word[length] != 0 { length += 1 }
            return unsafe Array(UnsafeRawBufferPointer(start: word, count: length))
        }
    }
}
