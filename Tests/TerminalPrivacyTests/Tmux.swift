// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A real terminal: a shell in tmux, which is shown by a client that runs in another tmux. The outer one plays the terminal
/// emulator: it can tell the inner one that its window lost or gained focus.
final class Tmux {
    let folder: URL
    private let inner: String
    private let outer: String
    private var columns = 100

    /// Whether tmux is there; without it these tests can't be.
    static let isThere = (try? run("tmux", "-V"))?.hasPrefix("tmux") ?? false

    /// Whether GNU screen is there.
    static let hasScreen = (try? run("screen", "--version"))?.hasPrefix("Screen") ?? false

    init() throws {
        let name = "zamok-\(UUID().uuidString.prefix(8))"
        (inner, outer) = (name + "-in", name + "-out")
        folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration =
            "set -g focus-events on\nset -g history-limit 2000\nset -sg escape-time 0\nset -g status off\n"
        try Data(configuration.utf8).write(to: folder.appending(path: "conf"))
        let shell = "env SWIFT_BACKTRACE=enable=no PROBE_LOG=\(log.path) PS1='> ' HISTFILE= bash --norc --noprofile"
        try Self.run(
            "tmux", "-L", inner, "-f", folder.appending(path: "conf").path, "new-session", "-d", "-x", "100", "-y",
            "30", shell)
        try Self.run(
            "tmux", "-L", outer, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
            "env TMUX= tmux -L \(inner) attach")
        try wait("a client") { try !self.tmux("list-clients").isEmpty }
        try focus(true)
        try waitForPrompt()
    }

    deinit {
        for server in [outer, inner] { _ = try? Self.run("tmux", "-L", server, "kill-server") }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The program under test.
    var probe: String { get throws { "\(try Tool.worker.path) terminal" } }

    var log: URL { folder.appending(path: "log") }

    @discardableResult
    func tmux(_ arguments: String...) throws -> String { try Self.run(["tmux", "-L", inner] + arguments) }

    /// The terminal's window gains or loses focus.
    func focus(_ hasFocus: Bool) throws {
        try Self.run("tmux", "-L", outer, "send-keys", "-H", "1b", "5b", hasFocus ? "49" : "4f")
    }

    func resize(columns: Int, rows: Int) throws {
        try Self.run("tmux", "-L", outer, "resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Types `text` and the return key.
    func enter(_ text: String) throws {
        try tmux("send-keys", "-l", text)
        try tmux("send-keys", "Enter")
    }

    /// As a terminal pastes for a program that asked for marks round it; no buffer of tmux's holds it.
    func paste(_ text: String) throws {
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8).map { String($0, radix: 16) }
        try Self.run(["tmux", "-L", inner, "send-keys", "-H"] + bytes)
    }

    func key(_ name: String) throws { try tmux("send-keys", name) }

    /// What is on the screen.
    func visible() throws -> String { try tmux("capture-pane", "-p") }

    /// What is on the screen, in the scrollback, on the other screen, and in the paste buffers.
    func everything() throws -> String {
        let buffers = (try? tmux("show-buffer")) ?? ""
        let other = (try? tmux("capture-pane", "-a", "-p")) ?? ""
        return try visible() + tmux("capture-pane", "-p", "-S", "-", "-E", "-") + other + buffers
    }

    /// The lines that the program logged: when, by which process, what.
    func logged() -> [(time: UInt64, process: Int32, what: String)] {
        guard let text = try? String(contentsOf: log, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let time = UInt64(words[0]), let process = Int32(words[1]) else { return nil }
            return (time, process, String(words[2]))
        }
    }

    func waitForLog(_ what: String, times: Int = 1) throws {
        try wait("\"\(what)\" in the log") { self.logged().count { $0.what == what } >= times }
    }

    /// Starts the program and waits until it shows something confidential.
    func startProbe(_ arguments: String) throws -> (program: Int32, supervisor: Int32) {
        try enter("\(probe) \(arguments)")
        try wait("the program's screen") { try self.visible().contains("CARD-4111") }
        let program = try #require(logged().last { $0.what.hasPrefix("started") }?.process)
        let status = try String(contentsOfFile: "/proc/\(program)/stat", encoding: .utf8)
        let parent = status.split(separator: ")").last.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap {
            Int32($0)
        }
        return (program, try #require(parent))
    }

    /// Waits until `condition` holds, at most 60 s; longer if this process had no time to look.
    func wait(_ what: String, until condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        var looks = 0
        while try !condition() {
            looks += 1
            guard ContinuousClock.now < end || looks < 100 else {
                Issue.record("waited in vain for \(what); the screen is\n\(try visible())")
                throw WaitedInVain()
            }
            usleep(5_000)
        }
    }

    /// What tmux tells of the focus as soon as it is asked to: a program that ends at once leaves it to the shell.
    private static let early = "^[[I"

    /// Waits until the shell asks for the next command.
    func waitForPrompt() throws {
        try wait("the shell's prompt") {
            try self.visible().replacing(Self.early + ">", with: ">").split(separator: "\n")
                .last { !$0.allSatisfy(\.isWhitespace) } == ">"
        }
    }

    /// The shell answers, echoes and edits, on the usual screen, with a cursor.
    func requireUsableShell() throws {
        try waitForPrompt()
        try tmux("send-keys", "-l", "echo $((40+2))-\(#line); stty -a")
        try tmux("send-keys", "Enter")
        try wait("the shell's answer") { try self.visible().contains("42-\(#line - 2)") }
        try wait("the settings") { try self.visible().contains("isig") }
        let screen = try visible()
        #expect(screen.contains(" echo ") && !screen.contains("-echo "))
        #expect(screen.contains(" icanon") && !screen.contains("-icanon"))
        #expect(try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").hasPrefix("0 1"))
        try focus(false)
        try focus(true)
        try enter("echo asked-for-focus")
        try wait("the answer after a change of focus") { try self.visible().contains("\nasked-for-focus") }
        let shown = try visible().replacing(Self.early + ">", with: ">")
        #expect(!shown.contains("[O") && !shown.contains("[I"))
    }

    struct WaitedInVain: Error {}

    @discardableResult
    private static func run(_ command: String...) throws -> String { try run(command) }

    /// Not Foundation's Process, whose wait ends only when the server that tmux leaves behind does. The command has no signals
    /// blocked, which a thread of the test runner may have.
    @discardableResult
    private static func run(_ command: [String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "zamok-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var signals = sigset_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawnattr_init(&attributes)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        let words = ["env", "-u", "TMUX", "TERM=xterm-256color", "LC_ALL=C.UTF-8"] + command
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var process: pid_t = 0
        guard unsafe posix_spawnp(&process, "env", &actions, &attributes, &arguments, environ) == 0 else { return "" }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
