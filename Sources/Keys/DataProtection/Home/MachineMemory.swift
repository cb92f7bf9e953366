// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

/// How much memory this process may use, according to the system: scrypt needs 128 MiB of it.
enum MachineMemory {
    private static let limit = 512 << 20

    /// N = 2^17, or 2^16 with less than 512 MiB.
    static func scryptParameters(_ files: FileHooks) -> ScryptParameters {
        scryptParameters { text($0, files) }
    }

    /// `text`: the content of a system file, if it exists.
    static func scryptParameters(_ text: (String) -> String?) -> ScryptParameters {
        let bounds = [group(text), machine(text)].compactMap(\.self)
        return bounds.contains { $0 < limit } ? .limitedMemory : .standard
    }

    /// The limit of the process's control group, as a container sees it. "max" means no limit.
    private static func group(_ text: (String) -> String?) -> Int? {
        text("/sys/fs/cgroup/memory.max").flatMap { Int($0.filter(\.isNumber)) }
    }

    private static func machine(_ text: (String) -> String?) -> Int? {
        let line = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
    }

    private static func text(_ path: String, _ files: FileHooks) -> String? {
        let file = try? OpenFile.openIfPresent(FileLocation(path), mode: .readItself, hooks: files)
        return (try? file?.read(count: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }
}
