// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import TestSupport
import Testing

@testable import Guards

/// A lock, as a running guest feels it.
@Suite(.needsBoundary, .serialized) struct LockTests {
    private let scene: GuardScene
    private let passcode: String

    init() throws {
        scene = try GuardScene()
        passcode = "\((scene.person as NSString).deletingLastPathComponent)/passcode"
        try scene.write("tall-grass\n", to: passcode)
        #expect(unsafe chmod(passcode, 0o600) == 0)
    }

    /// Speaks with the guard without a library: sends a request again and again, and tells changes of the answer with
    /// the time. `open` and `locked` are the words.
    private static let guest = """
        import socket, struct, sys, time
        request = bytes.fromhex(sys.argv[1])
        connection = socket.socket(socket.AF_UNIX)
        connection.connect("/run/zamok-guard/socket")
        def receive(count):
            parts, have = [], 0
            while have < count:
                part = connection.recv(count - have)
                if not part: raise OSError
                parts.append(part); have += len(part)
            return b"".join(parts)
        before = None
        while True:
            try:
                connection.sendall(struct.pack(">I", len(request)) + request)
                answer = receive(struct.unpack(">I", receive(4))[0])
            except OSError:
                # A lock in the middle of an answer ends the connection.
                connection = socket.socket(socket.AF_UNIX); connection.connect("/run/zamok-guard/socket")
                continue
            now = time.monotonic_ns()
            word = "open" if answer[1] == 3 else "locked" if answer[2:6] == struct.pack(">i", -25308) else answer.hex()
            if word != before: print(word, now, flush=True)
            before = word
        """

    private func request(_ account: String) throws -> String {
        var query = ItemQuery(.genericPassword)
        (query.attributes[.account], query.synchronizable, query.limit) = (.text(account), .any, 1)
        let bytes = try BrokerRequest.find(query, withSecret: true).bytes
        return bytes.map { String(format: "%02x", $0) }.joined()
    }

    private func start(_ account: String) throws -> Child {
        try scene.write(Self.guest, to: "\(scene.work)/guest.py")
        return try scene.start(["guard", "--name", "app", "--", "python3", "guest.py", try request(account)])
    }

    private func zamok(_ words: String...) throws {
        let ended = try scene.zamok(words, ["ZAMOK_PASSCODE_FILE": passcode])
        try #require(ended.status == 0, "\(words): \(ended.text)")
    }

    /// Nil: the kernel keeps no unlock for other processes.
    private func canBeUnlocked() throws -> Bool {
        try zamok("unlock")
        return try scene.zamok(["keychain", "find", "--account", "one", "-w"]).status == 0
    }

    /// Nanoseconds of the monotonic clock, which the guest has, too.
    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private func said(_ child: Child, _ word: String) throws -> Int {
        let parts = try child.line(seconds: 60).split(separator: " ")
        try #require(parts.count == 2 && parts[0] == word, "\(parts)")
        return try #require(Int(parts[1]))
    }

    // A lock ends the answers of running guards.
    @Test func `the first call after a lock is refused, and an unlock goes on`() throws {
        try scene.store("one", in: "group.a", "first")
        try scene.allow("app", "group.a", "read")
        try zamok("passcode", "set")
        guard try canBeUnlocked() else { return }
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["ZAMOK_LONG"] == nil ? 5 : 100
        let child = try start("one")
        defer { child.kill(SIGKILL) }
        _ = try said(child, "open")
        var times: [Int] = []
        for _ in 0..<rounds {
            usleep(UInt32.random(in: 0..<20_000))
            let before = Self.now
            let locking = try scene.start(["lock"])
            times.append((try said(child, "locked") - before) / 1000)
            #expect(try locking.finish() == 0)
            try zamok("unlock")
            _ = try said(child, "open")
        }
        times.sort()
        print(
            "lock to first refused use, \(rounds) rounds: median \(times[rounds / 2]) us, most \(times[rounds - 1]) us")
        // Beside other tests, and unoptimised; Documentation/Performance.md has the figures of a quiet machine.
        #expect(times[rounds / 2] < 1_000_000)
    }

    // No secret stays in the guard's memory.
    @Test(.disabled(if: MemorySearch.isHindered, "a sanitizer's memory can't be searched"))
    func `a second after a lock nothing of a secret is in the guard's memory`() throws {
        let mark = "mark-\(UUID().uuidString)-"
        // Large enough to be met by chance: it is in the guard's memory for milliseconds only.
        let secret = String(repeating: mark, count: 100_000)
        try scene.store("large", in: "group.a", secret)
        try scene.store("one", in: "group.a", "small-\(mark)")
        try scene.allow("app", "group.a", "read")
        try zamok("passcode", "set")
        guard try canBeUnlocked() else { return }
        let (large, small) = (try start("large"), try start("one"))
        defer {
            large.kill(SIGKILL)
            small.kill(SIGKILL)
        }
        _ = try said(large, "open")
        _ = try said(small, "open")
        func hits(_ child: Child) throws -> Int {
            child.kill(SIGSTOP)
            defer { child.kill(SIGCONT) }
            return try MemorySearch.search(process: child.id, for: [Array(mark.utf8)], inArena: true).count
        }
        // The search finds the secret while it is used.
        var isFound = false
        for _ in 0..<100 where !isFound { isFound = try hits(large) > 0 }
        #expect(isFound)
        try zamok("lock")
        _ = try said(large, "locked")
        _ = try said(small, "locked")
        sleep(1)
        #expect(try hits(large) == 0)
        #expect(try hits(small) == 0)
    }
}
