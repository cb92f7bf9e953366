// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation

/// What a process printed and how it ended.
struct Ended {
    /// Standard output and error in the order of writing.
    var output: [UInt8] = []
    /// The exit status, or 128 + signal.
    var status: Int32 = -1
    /// It was killed because its time was up.
    var timedOut = false

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs `/bin/sh -c line` in a session of its own, so that it has no terminal but the one that it is given.
struct Spawn {
    var line: String
    var folder: String
    var environment: [String: String]
    /// How long it may run.
    var limit: Duration = .seconds(300)

    /// Without a terminal: standard input is empty, output and error share one pipe.
    func withoutTerminal() throws -> Ended {
        var ends: [Int32] = [0, 0]
        guard unsafe tools_open_pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        let (read, write) = (ends[0], ends[1])
        defer { close(read) }
        let child = try start(terminal: nil, output: write)
        close(write)
        var ended = Ended()
        let deadline = ContinuousClock.now + limit
        while let bytes = next(read, until: deadline), !bytes.isEmpty { ended.output += bytes }
        finish(child, &ended, deadline)
        return ended
    }

    /// At a terminal of its own. Each reply is typed when its prompt has been shown. The output has it as `<<reply`, or
    /// as `<<<reply` if the terminal echoes it.
    func atTerminal(_ replies: [Reply]) throws -> Ended {
        var name = [CChar](repeating: 0, count: 128)
        let master = unsafe tools_open_terminal(&name, name.count, 80, 24)
        guard master >= 0 else { throw POSIXError(.ENXIO) }
        defer { close(master) }
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Held open here, so that a read waits, and doesn't say "gone", until the child has opened it.
        let held = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(held) }
        let child = try start(terminal: path, output: -1)
        var ended = Ended()
        var remaining = replies[...]
        var answered = 0
        let deadline = ContinuousClock.now + limit
        while let bytes = next(master, until: deadline, while: child), !bytes.isEmpty {
            ended.output += bytes.filter { $0 != UInt8(ascii: "\r") }
            while let reply = remaining.first,
                let prompt = ended.output[answered...].firstRange(of: Array(reply.prompt.utf8))
            {
                remaining.removeFirst()
                ended.output.insert(contentsOf: reply.mark, at: prompt.upperBound)
                answered = prompt.upperBound + reply.mark.count
                _ = unsafe write(master, reply.keys, reply.keys.count)
            }
        }
        finish(child, &ended, deadline)
        return ended
    }

    private func start(terminal: String?, output: Int32) throws -> Int32 {
        let copies = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        var pairs = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        let child = unsafe tools_start_shell(line, folder, &pairs, terminal, output)
        guard child > 0 else { throw POSIXError(.EAGAIN) }
        return child
    }

    /// The next bytes; empty at the end, which is for a terminal that its process has ended; nil when the time is up.
    private func next(_ file: Int32, until deadline: ContinuousClock.Instant, while child: Int32? = nil) -> [UInt8]? {
        while ContinuousClock.now < deadline {
            // Asked before the wait: what it printed before its end is read first.
            let isOver = child.map { tools_has_ended($0) != 0 } ?? false
            var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, isOver ? 0 : child == nil ? 1000 : 20) > 0 else {
                if isOver { return [] }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe read(file, &buffer, buffer.count)
            return Array(buffer.prefix(max(0, count)))
        }
        return nil
    }

    /// Collects the child; after the deadline its whole session is killed.
    private func finish(_ child: Int32, _ ended: inout Ended, _ deadline: ContinuousClock.Instant) {
        if ContinuousClock.now >= deadline {
            ended.timedOut = true
            kill(-child, SIGKILL)
        }
        ended.status = tools_wait(child, 0)
    }
}

/// What is typed when a prompt shows.
struct Reply {
    var prompt: String
    /// `^C` and `^D` are those keys; all else is typed with Return.
    var text: String
    /// Whether the terminal shows it.
    var isShown: Bool

    var mark: [UInt8] { Array((isShown ? "<<<" : "<<\(text)").utf8) }

    var keys: [UInt8] {
        switch text {
        case "^C": [3]
        case "^D": [4]
        default: Array(text.utf8) + [UInt8(ascii: "\n")]
        }
    }
}
