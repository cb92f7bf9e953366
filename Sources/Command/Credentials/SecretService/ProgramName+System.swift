// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ProgramName {
    /// The name of the program that a process runs now.
    /// A process can deliberately run another program than the one that connected.
    package static func ofProcess(_ process: Int32) -> ProgramName {
        let folder = "/proc/\(process)"
        // A process with this file is in a sandbox, and gets no other name.
        if let text = text("\(folder)/root/.flatpak-info") { return flatpak(in: text) ?? .unnamed }
        if let unit = text("\(folder)/cgroup").flatMap(unit(in:)) { return unit }
        return executable(of: folder) ?? .unnamed
    }

    /// At most 64 KiB of a regular file. Nil: it doesn't exist, or isn't a regular file.
    private static func text(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var (bytes, count) = ([UInt8](repeating: 0, count: 1 << 16), 0)
        while count < bytes.count {
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Foundation.read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            guard more > 0 else { break }
            count += more
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The path of the executable file, also if an update has removed it.
    /// Nil for a process in another mount namespace, where it could have any file at any path.
    private static func executable(of folder: String) -> ProgramName? {
        let files = FileManager.default
        guard let own = try? files.destinationOfSymbolicLink(atPath: "/proc/self/ns/mnt"),
            own == (try? files.destinationOfSymbolicLink(atPath: "\(folder)/ns/mnt")),
            let path = try? files.destinationOfSymbolicLink(atPath: "\(folder)/exe")
        else { return nil }
        return executable(at: path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path)
    }

    private static var gone: String { " (deleted)" }
}
