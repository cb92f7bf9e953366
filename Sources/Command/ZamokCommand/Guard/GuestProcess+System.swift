// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Guards

/// Starts bubblewrap with a boundary, and waits for the guest.
enum GuestProcess {
    /// The path of bubblewrap; nil: it isn't installed.
    static var bubblewrap: String? {
        let places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static var missing: CommandFailure {
        CommandFailure(
            exitStatus: ExitStatus.notStarted,
            message: "zamok guard needs bubblewrap, which is not installed; install it: apt-get install bubblewrap")
    }

    /// What bubblewrap reports when it has made the namespaces.
    private struct Report: Decodable {
        let process: Int32
        let namespace: UInt64

        enum CodingKeys: String, CodingKey {
            case process = "child-pid"
            case namespace = "pid-namespace"
        }
    }

    /// Runs the guest, and returns its status. Has to run on the main thread: the guest ends with the thread that
    /// started it.
    static func run(
        _ words: [String], _ start: [String], filter: [UInt8]?, more: [(from: Int32, to: Int32)] = [],
        begun: (_ namespace: UInt64) -> Void
    ) throws -> Int32 {
        guard let program = bubblewrap else { throw missing }
        try refuseFolders()
        // What this process has inherited stays out.
        let closed = zamok_guard_close_from(3, 0)
        guard closed == 0 else { throw failure("inherited descriptors can't be closed", closed) }
        let arguments = try memory("arguments", words.flatMap { Array($0.utf8) + [0] })
        let system = try filter.map { try memory("filter", $0) }
        var ends: [Int32] = [0, 0]
        let result = unsafe zamok_pipe(&ends)
        guard result == 0 else { throw failure("no pipe can be made", result) }
        var from = [arguments, ends[1]] + more.map(\.from)
        var to = [Boundary.argumentsDescriptor, Boundary.reportDescriptor] + more.map(\.to)
        if let system {
            from.append(system)
            to.append(Boundary.filterDescriptor)
        }
        let child = unsafe withTexts([program, "--args", "\(Boundary.argumentsDescriptor)", "--"] + start) { texts in
            unsafe zamok_guard_start(texts, from, to, Int32(from.count))
        }
        for descriptor in from { close(descriptor) }
        guard child > 0 else { throw failure("bubblewrap can't be started", child) }
        defer { close(ends[0]) }
        if let report = report(ends[0]) {
            zamok_guard_set_group(report.process)
            begun(report.namespace)
        }
        return zamok_guard_wait(child)
    }

    /// Nil: bubblewrap ended before it made a namespace, and has told why.
    private static func report(_ end: Int32) -> Report? {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while text.count < 65_536 {
            let count = unsafe read(end, &part, part.count)
            guard count > 0 else { break }
            text += part.prefix(count)
            if let report = try? JSONDecoder().decode(Report.self, from: Data(text)) { return report }
        }
        return nil
    }

    /// A folder at a standard descriptor would be a way out, by paths that begin there.
    private static func refuseFolders() throws {
        for descriptor: Int32 in 0...2 {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
            throw CommandFailure.usage("descriptor \(descriptor) is a folder, through which a guest would get out")
        }
    }

    static func memory(_ name: String, _ bytes: [UInt8]) throws -> Int32 {
        let made = unsafe zamok_memory_file("zamok-guard-\(name)", 1)
        guard made >= 0 else { throw failure("no memory file can be made", made) }
        let high = fcntl(made, F_DUPFD_CLOEXEC, 64)
        close(made)
        let written = unsafe zamok_write_at(high, bytes, bytes.count, 0)
        guard high >= 0, written == bytes.count else { throw failure("a memory file can't be written", Int32(written)) }
        lseek(high, 0, SEEK_SET)
        return high
    }

    static func failure(_ text: String, _ number: Int32) -> CommandFailure {
        CommandFailure(exitStatus: ExitStatus.notStarted, message: "\(text): \(SystemCode.text(-number))")
    }
}
