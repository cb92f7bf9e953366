// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private func key() -> [UInt8] { (0..<32).map { _ in .random(in: .min ... .max) } }

struct `Secrets after fork` {
    @Test(.disabled(if: MemorySearch.isHindered))
    func `a child gets neither the secrets nor new ones, and their memory is empty there`() throws {
        let key = key()
        let victim = try Child("test-worker", ["secret-memory", "fork", "wiped"])
        try victim.send(key)
        let child = Int32(try victim.line().split(separator: " ").last ?? "") ?? -1
        for what in ["small", "large", "equal", "new", "newLarge"] { try victim.await("\(what) forked") }
        try victim.await("wait")
        #expect(try MemorySearch.search(process: child, for: [key], inArena: true) == [])
        #expect(try MemorySearch.search(process: victim.id, for: [key], inArena: true).map(\.place) == [.arena])
        try victim.proceed()
        try victim.await("parent worked 0")
        #expect(try victim.finish() == 0)
    }

    @Test func `a child gets none where the system can't zero memory on fork`() throws {
        let victim = try Child("test-worker", ["secret-memory", "fork", "kept"])
        try victim.send(key())
        _ = try victim.line()
        for what in ["small", "large", "equal", "new", "newLarge"] { try victim.await("\(what) forked") }
        try victim.await("wait")
        try victim.proceed()
        try victim.await("parent worked 0")
    }
}

struct `Guards round secrets` {
    @Test(.disabled(if: isSanitized, "the sanitizer takes SIGSEGV itself"), arguments: ["large", "up", "down"])
    func `running over the end of secret memory ends the program at once`(place: String) throws {
        let (text, status) = try Child("test-worker", ["secret-memory", "overrun", place]).rest()
        #expect(text == "")
        #expect(status == 128 + SIGSEGV)
    }

    @Test func `a write behind a small secret is noticed when it is released`() throws {
        let (text, status) = try Child("test-worker", ["secret-memory", "overrun", "small"]).rest()
        #expect(text == "")
        #expect(status == 128 + SIGILL || status == 128 + SIGTRAP)
    }
}

struct `Core files` {
    // Where cores go to a program, no file can be looked into.
    private static var isFile: Bool {
        let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        return pattern.map { !$0.hasPrefix("|") && !$0.hasPrefix("/") } ?? false
    }

    @Test(
        .enabled(if: isFile, "core files go elsewhere on this system"),
        .disabled(if: isSanitized, "a sanitized program leaves no core file"))
    func `they hold the program's memory, but no secret`() throws {
        let folder = try TemporaryFolder()
        let key = key()
        let victim = try Child(
            "/bin/sh",
            [
                "-c", "cd \"$1\" && ulimit -c unlimited && exec \"$2\" secret-memory dump", "sh", folder.path,
                try Tool.worker.path,
            ]
        )
        try victim.send(key)
        try victim.await("holding 32")
        try victim.proceed()
        #expect(try victim.finish() == 128 + SIGABRT)
        let core = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let bytes = try Data(contentsOf: folder.url.appendingPathComponent(core), options: .alwaysMapped)
        #expect(bytes.range(of: Data("planted-outside-of-secret-memory".utf8)) != nil)
        #expect(bytes.range(of: Data(key)) == nil)
    }

    @Test func `a program of ours refuses them when it asks to`() throws {
        let victim = try Child("test-worker", ["secret-memory", "undumpable"])
        try victim.await("dumpable 1")
        try victim.await("refused 0")
        try victim.await("dumpable 0")
        let limits = try String(contentsOfFile: "/proc/\(victim.id)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").suffix(3).prefix(2) == ["0", "0"])
        try victim.proceed()
    }
}

struct `Freed memory` {
    // Rule: what a process of ours frees is overwritten | freed blocks not overwritten | the key is found in them
    @Test(.disabled(if: MemorySearch.isHindered), arguments: ["left", "overwritten"])
    func `a program of ours has it overwritten when it asks for that`(way: String) throws {
        let key = key()
        // One below the allocator's smallest block that no thread keeps, one of an RSA key's file, and one of many
        // pages. One behind it keeps the allocator from giving memory back to the system.
        let victim = try Child("test-worker", ["secret-memory", "freed", way, "1048", "1700", "40000", "1048"])
        try victim.send(key)
        if way == "overwritten" { try victim.await("overwrites true") }
        try victim.await("holding")
        #expect(try MemorySearch.search(process: victim.id, for: [key]).count(where: { $0.place == .heap }) == 4)
        try victim.proceed()
        try look(for: key, in: victim, at: "freed", way)
    }

    // Rule: what is left of a block that is made smaller is overwritten | blocks have mappings of their own | the key
    //   is found behind it
    @Test(.disabled(if: MemorySearch.isHindered), arguments: ["left", "overwritten"])
    func `so is the end of a block that is made smaller`(way: String) throws {
        let key = key()
        let victim = try Child("test-worker", ["secret-memory", "shrunk", way])
        try victim.send(key)
        if way == "overwritten" { try victim.await("overwrites true") }
        try victim.await("holding")
        #expect(try !MemorySearch.search(process: victim.id, for: [key]).isEmpty)
        try victim.proceed()
        try look(for: key, in: victim, at: "shrunk", way)
    }

    /// The key is found there if nothing was to overwrite it, and else not.
    private func look(for key: [UInt8], in victim: Child, at mark: String, _ way: String) throws {
        try victim.await(mark)
        let found = try MemorySearch.search(process: victim.id, for: [key])
        #expect(found.isEmpty == (way == "overwritten"), "\(found)")
        try victim.proceed()
        #expect(try victim.finish() == 0)
    }
}
