// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import Foundation
import Guards
import Readers

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

    /// Runs the guest, and returns its status. `begun` is called when its PID namespace is there, `mounted` when all is
    /// mounted. Has to run on the main thread: the guest ends with the thread that started it.
    static func run(
        _ words: [String], _ boundary: Boundary, filter: [UInt8]?, more: [(from: Int32, to: Int32)] = [],
        begun: (_ namespace: UInt64) -> Void, mounted: () -> Void
    ) throws -> Int32 {
        guard let program = bubblewrap else { throw missing }
        try refuseFolders()
        zamok_guard_wait_for_front()
        // The first process of the namespace is left by its parent. Some machines' first process takes a second to take
        // the status of such a one.
        zamok_guard_adopt()
        // What this process has inherited stays out.
        let closed = zamok_guard_close_from(3, 0)
        guard closed == 0 else { throw failure("inherited descriptors can't be closed", closed) }
        let arguments = try memory("arguments", words.flatMap { Array($0.utf8) + [0] })
        let system = try filter.map { try memory("filter", $0) }
        let (reading, reported) = try pipe()
        defer { close(reading) }
        let (waiting, go) = try pipe()
        defer { close(go) }
        let watch = try StartWatch(go)
        defer { watch.end(isBegun: false) }
        var from = [arguments, reported, waiting, go] + more.map(\.from)
        var to =
            [Boundary.argumentsDescriptor, Boundary.reportDescriptor, Boundary.waitDescriptor, Boundary.goDescriptor]
            + more.map(\.to)
        if let system {
            from.append(system)
            to.append(Boundary.filterDescriptor)
        }
        let child = unsafe withTexts(
            [program, "--args", "\(Boundary.argumentsDescriptor)", "--"] + boundary.start
        ) { texts in unsafe zamok_guard_start(texts, from, to, Int32(from.count)) }
        for descriptor in from where descriptor != go { close(descriptor) }
        guard child > 0 else { throw failure("bubblewrap can't be started", child) }
        guard let report = report(reading) else {
            // It has told why, or waits without a namespace of its own.
            kill(child, SIGKILL)
            let status = zamok_guard_wait(child)
            return status == 128 + SIGKILL || status == 0 ? ExitStatus.notStarted : status
        }
        zamok_guard_set_guest(report.process, report.namespace)
        begun(report.namespace)
        let isMounted = isMet(boundary.expected, by: report.process)
        mounted()
        let mounts = isMounted ? MountWatch(of: report.process, boundary.expected) : nil
        if isMounted, unsafe write(go, [1], 1) == 1 { watch.end(isBegun: true) } else { kill(child, SIGKILL) }
        let status = zamok_guard_wait(child)
        // bubblewrap ends a moment before the first process of the namespace, and with that all others.
        zamok_guard_wait_for_end(report.process, 2_000)
        guard isMounted || status != 128 + SIGKILL else {
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted,
                message:
                    "a folder or file of the guest is not where it has to be: it was exchanged meanwhile, or the guest's home folder has a symbolic link in its place (--fresh); nothing was run"
            )
        }
        if let lost = mounts?.lost {
            throw CommandFailure(
                exitStatus: status,
                message:
                    "\(lost.printable) was replaced outside, and a mount that keeps it from the guest ends with that; the guest was ended. Look at the file before you go on: the guest may have written to it"
            )
        }
        return status
    }

    /// Errors: the shell permits fewer open files than a guard has with a few calls and connections.
    static func checkFileLimit() throws {
        let (least, limit): (Int32, Int32) = (96, zamok_guard_file_limit())
        guard limit < least else { return }
        throw CommandFailure(
            exitStatus: ExitStatus.notStarted,
            message: "a guard needs \(least) open files, and \(limit) are permitted; run: ulimit -n 1024")
    }

    /// Waits until bubblewrap has mounted everything. False: it has ended, or something else is mounted.
    private static func isMet(_ checks: [MountCheck], by process: Int32) -> Bool {
        let end = ContinuousClock.now + .seconds(5)
        while let root = Place(rootOf: process) {
            // Its program is mounted last that is looked for first.
            if checks.allSatisfy({ $0.isMet(below: root) }) { return true }
            guard .now < end else { return false }
            usleep(500)
        }
        return false
    }

    static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        let result = unsafe zamok_pipe(&ends)
        guard result == 0 else { throw failure("no pipe can be made", result) }
        // Above the numbers that bubblewrap gets.
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        for end in ends { close(end) }
        return (high[0], high[1])
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

    /// If standard input is where the passcode comes from, the guest gets an empty one: what the guard hasn't read of
    /// it, or what is read again from the file's beginning, would be the passcode.
    static func endPasscode(_ choice: HomeChoice) throws {
        guard let path = Passcodes.file(choice) else { return }
        let number = path == "-" || path == "/dev/stdin" ? 0 : PasscodeFile.descriptor(path)
        guard let number, (0...2).contains(number) else { return }
        guard number == 0 else {
            throw CommandFailure.usage("a guest would get descriptor \(number), which has the passcode")
        }
        let empty = unsafe open("/dev/null", O_RDONLY)
        guard empty >= 0, dup2(empty, 0) == 0 else { throw failure("standard input can't be replaced", -errno) }
        if empty > 2 { close(empty) }
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
