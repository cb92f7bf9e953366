// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import Foundation

/// Looks for byte strings in the memory of another process: heap, all threads' stacks, and everything else that it can
/// read or that has no file.
///
/// The process should wait while it is searched, or hits come and go. It has to be a child of the caller's, or the
/// caller has to be root. The caller must be another process, since it holds the needles itself. A search without hits
/// shows something only where the same search found a planted needle before.
package enum MemorySearch {
    /// A place where a needle was found.
    package struct Hit: Sendable, Hashable, CustomStringConvertible {
        /// Which needle, by its place in the list.
        package let needle: Int
        package let address: UInt
        package let place: Mapping.Place
        /// The mapping's name, if it has one.
        package let name: String

        package var description: String {
            "\(needle) 0x\(String(address, radix: 16)) \(place)\(name.isEmpty ? "" : " \(name)")"
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whether the programs are built with a sanitizer, whose own memory is too large to be searched.
    package static let isHindered = ProcessInfo.processInfo.environment["ZAMOK_SANITIZED"] != nil

    /// Every place where one of `needles` lies in the memory of `process`; in the arena of secrets only if asked for.
    package static func search(
        process: Int32,
        for needles: [[UInt8]],
        inArena: Bool = false
    ) throws -> [Hit] {
        guard process != getpid() else { throw Failure(description: "a process can't be searched from within") }
        guard needles.allSatisfy({ $0.count >= 4 }) else { throw Failure(description: "a needle of under 4 bytes") }
        let memory = unsafe zamok_open(AT_FDCWD, "/proc/\(process)/mem", O_RDONLY, 0)
        guard memory >= 0 else { throw Failure(description: "can't read the memory of \(process): error \(-memory)") }
        defer { zamok_close(memory) }
        return try Mapping.all(of: process)
            .filter { $0.isReadable && !$0.name.hasPrefix("[v") && ($0.isWritable || $0.place != .file) }
            .filter { inArena || $0.place != .arena }
            .flatMap { search($0, of: memory, for: needles) }
    }

    private static func search(_ mapping: Mapping, of memory: Int32, for needles: [[UInt8]]) -> [Hit] {
        let overlap = (needles.map(\.count).max() ?? 1) - 1
        var hits: [Hit] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var start = mapping.range.lowerBound
        while start < mapping.range.upperBound {
            let wanted = min(buffer.count, Int(mapping.range.upperBound - start))
            let count = unsafe Int(zamok_read_at(memory, &buffer, wanted, Int64(start)))
            guard count > 0 else {
                // A page that can't be read, past the end of a file for example.
                start += 4096
                continue
            }
            for (index, needle) in needles.enumerated() {
                for offset in offsets(of: needle, in: buffer[..<count]) {
                    hits.append(
                        Hit(needle: index, address: start + UInt(offset), place: mapping.place, name: mapping.name)
                    )
                }
            }
            start += UInt(count > overlap && count == buffer.count ? count - overlap : count)
        }
        return Array(Set(hits)).sorted { $0.address < $1.address }
    }

    private static func offsets(of needle: [UInt8], in bytes: ArraySlice<UInt8>) -> [Int] {
        unsafe bytes.withUnsafeBytes { bytes in
            var found: [Int] = []
            var next = 0
            while true {
                next = unsafe tools_find(bytes.baseAddress, bytes.count, next, needle, needle.count)
                guard next >= 0 else { break }
                found.append(next)
                next += 1
            }
            return found
        }
    }
}
