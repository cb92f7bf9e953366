// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// A piece of another process's memory.
package struct Mapping: Sendable {
    package let range: Range<UInt>
    package let isReadable: Bool
    package let isWritable: Bool
    /// What /proc/PID/smaps calls it: a path, "[heap]", or nothing.
    package let name: String
    package var place: Place
    /// The kernel's two-letter flags: "lo" locked, "dd" left out of core files, "wf" zeroed on fork.
    package var flags: Set<String> = []

    /// What a mapping is used for.
    package enum Place: Sendable, Hashable, CustomStringConvertible {
        /// Memory of the C library's allocator.
        case heap
        /// The stack of a thread, by its id.
        case stack(Int32)
        /// Memory that secrets belong in: left out of core files and zeroed on fork.
        case arena
        /// Other memory without a file.
        case anonymous
        /// Memory with a file.
        case file

        package var description: String {
            switch self {
            case .heap: "heap"
            case .stack(let thread): "stack of thread \(thread)"
            case .arena: "arena"
            case .anonymous: "anonymous"
            case .file: "file"
            }
        }
    }

    /// The mappings of `process`, in order.
    package static func all(of process: Int32) throws -> [Mapping] {
        var found: [Mapping] = []
        let text = try Mapping.text("/proc/\(process)/smaps")
        for line in text.split(separator: "\n") {
            if let mapping = Mapping(line: line) {
                found.append(mapping)
            } else if line.hasPrefix("VmFlags:"), let last = found.indices.last {
                found[last].flags = Set(line.split(separator: " ").dropFirst().map(String.init))
                if found[last].flags.isSuperset(of: ["dd", "wf"]) { found[last].place = .arena }
            }
        }
        for (thread, pointer) in try stackPointers(of: process) {
            guard let index = found.firstIndex(where: { $0.range.contains(pointer) }) else { continue }
            found[index].place = .stack(thread)
        }
        return found
    }

    /// A line such as `7ffd5a9d0000-7ffd5a9f1000 rw-p 00000000 00:00 0    [stack]`.
    private init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard words.count >= 5, ends.count == 2, ends[0] <= ends[1], words[1].count == 4 else { return nil }
        range = ends[0]..<ends[1]
        isReadable = words[1].hasPrefix("r")
        isWritable = words[1].dropFirst().hasPrefix("w")
        name = words.count > 5 ? words[5].trimmingCharacters(in: .whitespaces) : ""
        place = Mapping.place(named: name, at: ends[0])
    }

    private static func place(named name: String, at start: UInt) -> Place {
        if name == "[heap]" { return .heap }
        if name.hasPrefix("/") { return .file }
        // glibc's heaps of other threads than the first begin at multiples of 64 MiB.
        return start % (64 << 20) == 0 ? .heap : .anonymous
    }

    /// The address of each thread's stack pointer. Known only of threads that wait in the kernel.
    private static func stackPointers(of process: Int32) throws -> [(thread: Int32, pointer: UInt)] {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            guard let thread = Int32(name),
                let words = try? text("\(folder)/\(name)/syscall").split(separator: " ")
            else { return nil }
            guard words.count >= 3, let pointer = UInt(words[words.count - 2].dropFirst(2), radix: 16) else {
                return nil
            }
            return (thread, pointer)
        }
    }

    /// The whole of a file of the kernel's; these have no size, and give less at a time than is asked for.
    private static func text(_ path: String) throws -> String {
        let file = unsafe zamok_open(AT_FDCWD, path, O_RDONLY, 0)
        defer { zamok_close(file) }
        var found: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Int(zamok_read_at(file, &part, part.count, -1))
            guard count >= 0 else { throw MemorySearch.Failure(description: "can't read \(path): error \(-count)") }
            if count == 0 { return String(decoding: found, as: UTF8.self) }
            found += part.prefix(count)
        }
    }
}
