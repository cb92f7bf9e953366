// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The arguments of the program that `run` and `guard` start. They go around the parser, whose time grows with the
/// square of their number.
enum ProgramArguments {
    private static let kept = Locked<[String]>([])

    /// Keeps what follows the program's name, and returns the words before it.
    static func kept(of words: [String]) -> [String] {
        guard ["run", "guard"].contains(words.first), let mark = words.firstIndex(of: "--"), mark + 2 < words.endIndex
        else { return words }
        kept.withLock { $0 = Array(words[(mark + 2)...]) }
        return Array(words[...(mark + 1)])
    }

    /// The program with its arguments, from what the parser saw.
    static func whole(_ parsed: [String]) -> [String] { parsed.isEmpty ? [] : parsed + kept.withLock(\.self) }
}
