// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// test-worker memory-search PID [--arena] < needles
///
/// Standard input: one needle a line, in hexadecimal, so that none is in an argument list. Standard output: a line for
/// each hit with the needle's number from 0 on, the address, what the memory is used for, and its name. Memory for
/// secrets is left out unless --arena is given. Status 0: nothing found, 1: found, 2: could not search.
enum MemorySearchCommand {
    static func run(_ arguments: [String]) -> Never {
        guard let process = arguments.first.flatMap({ Int32($0) }),
            arguments.dropFirst().allSatisfy({ $0 == "--arena" })
        else {
            fail("use: test-worker memory-search PID [--arena] < needles")
        }
        var needles: [[UInt8]] = []
        while let line = readLine() {
            guard let needle = [UInt8](hexadecimal: line) else { fail("a needle is not hexadecimal") }
            needles.append(needle)
        }
        guard !needles.isEmpty else { fail("no needle on standard input") }
        do {
            let hits = try MemorySearch.search(process: process, for: needles, inArena: arguments.contains("--arena"))
            for hit in hits { print(hit) }
            exit(hits.isEmpty ? 0 : 1)
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("test-worker memory-search: \(reason)\n".utf8))
        exit(2)
    }
}
