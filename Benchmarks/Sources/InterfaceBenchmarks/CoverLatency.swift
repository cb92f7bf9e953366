// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalPrivacy

/// From the terminal's report that its window lost the focus to the last byte of the cover, as a terminal sees it.
enum CoverLatency {
    private static let content = "CARD-4111"
    private static let cover = "Hidden while you are away."

    /// The program on the terminal: 80 by 24 cells, full.
    static func showScreen() throws -> Never {
        // The terminal that `measure` plays answers nothing.
        let terminal = try PrivateTerminal(policy: TerminalPolicy(scrollback: .erase))
        while let event = try terminal.next() {
            if case .key = event { break }
            terminal.draw { canvas in
                for row in 0..<canvas.rows { canvas.text(content + String(repeating: "x", count: 70), at: 0, row) }
                canvas.text("<ready>", at: 70, 23)
            }
        }
        exit(0)
    }

    static func measure() throws -> Figure {
        let outer = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        let program = try start(on: name(of: outer))
        defer {
            kill(program, SIGKILL)
            var status: Int32 = 0
            waitpid(program, &status, 0)
            close(outer)
        }
        wait(for: "<ready>", on: outer)
        var samples: [Double] = []
        for _ in 0..<200 {
            let time = ContinuousClock().measure {
                type("\u{1B}[O", on: outer)
                wait(for: cover, on: outer)
            }
            samples.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
            type("\u{1B}[I", on: outer)
            wait(for: "<ready>", on: outer)
        }
        return Figure(name: "focus loss to cover", goal: 50, unit: "ms", samples: samples.sorted())
    }

    /// The path of the inner side, unlocked: ioctl numbers of Linux (TIOCSPTLCK, TIOCGPTN), since Glibc's module lacks the functions.
    private static func name(of outer: Int32) throws -> String {
        var (locked, number) = (Int32(0), Int32(0))
        guard outer >= 0, ioctl(outer, 0x4004_5431, &locked) == 0, ioctl(outer, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        return "/dev/pts/\(number)"
    }

    /// A session of its own, whose terminal is the first that it opens.
    private static func start(on terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        for number in 0...1 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, number, terminal, O_RDWR, 0)
        }
        posix_spawnattr_init(&attributes)
        let newSession: Int16 = 0x80
        posix_spawnattr_setflags(&attributes, newSession)
        let words = [CommandLine.arguments[0], "--screen"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, environ) == 0 else {
            throw POSIXError(.ENOEXEC)
        }
        return process
    }

    private static func type(_ text: String, on outer: Int32) { _ = write(outer, text, text.utf8.count) }

    private static func wait(for text: String, on outer: Int32) {
        var seen: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while !String(decoding: seen, as: UTF8.self).contains(text) {
            let count = read(outer, &bytes, bytes.count)
            guard count > 0 else { fatalError("the program on the terminal has ended") }
            seen += bytes.prefix(count)
        }
    }
}
