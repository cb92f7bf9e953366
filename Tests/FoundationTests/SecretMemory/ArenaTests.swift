// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import SecretMemory
import TestSupport
import Testing

/// Whether this program was built with a sanitizer, which has an allocator and stacks of its own.
let isSanitized = zamok_tsan_is_active() == 1

private func randomKey(_ count: Int = 32) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }

/// What the helper program tells, by its first word.
private func told(_ arguments: [String]) throws -> [String: String] {
    let (text, status) = try Child("test-worker", ["secret-memory"] + arguments).rest()
    #expect(status == 0)
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    return Dictionary(lines.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { $1 }
}

struct `Secret memory under limits` {
    @Test func `1,000 keys fit in a limit of 64 KiB`() throws {
        let told = try told(["limited", "65536", "1000", "32"])
        #expect(told["whole"] != nil)
        #expect(told["locked"] == "49152")
        #expect(told["unlocked"] == "0")
        #expect(told["degraded"] == "false")
    }

    @Test(
        .disabled(if: isSanitized, "the sanitizer answers in place of the system when memory is to be locked"),
        arguments: ["32", "100", "2000"])
    func `over the limit, secrets work unlocked, and the status says so`(size: String) throws {
        let told = try told(["limited", "65536", "3000", size])
        #expect(told["whole"] != nil)
        #expect(told["locked"] == "65536")
        #expect(told["refusal"] == "\(ENOMEM)")
        #expect(told["degraded"] == "true")
        #expect(Int(told["unlocked"] ?? "") ?? 0 > 0)
    }

    @Test(.disabled(if: isSanitized, "the sanitizer answers in place of the system when memory is to be locked"))
    func `a secret larger than the limit works unlocked, and the status says so`() throws {
        let told = try told(["limited", "65536", "1", "16777216"])
        #expect(told["whole"] != nil)
        #expect(told["unlocked"] == "16781312")
        #expect(told["refusal"] == "\(ENOMEM)")
    }

    @Test(.disabled(if: isSanitized, "the sanitizer answers in place of the system when memory is to be locked"))
    func `a limit of zero is told apart`() throws {
        let told = try told(["limited", "0", "10", "32"])
        #expect(told["whole"] != nil)
        #expect(told["locked"] == "0")
        #expect(told["refusal"] == "\(EPERM)")
    }

    @Test(
        .disabled(if: isSanitized, "the sanitizer answers in place of the system when memory is to be locked"),
        arguments: [ENOSYS, EPERM, EAGAIN])
    func `a system that refuses to lock memory is told`(error: Int32) throws {
        let told = try told(["refused", "mlock", "\(error)"])
        #expect(told["whole"] != nil)
        #expect(told["refusal"] == "\(error)")
        #expect(told["degraded"] == "true")
    }

    @Test func `a system that can't keep secrets out of core files is told`() throws {
        let told = try told(["refused", "madvise", "\(EINVAL)"])
        #expect(told["whole"] != nil)
        #expect(told["degraded"] == "true")
        #expect(told["unlocked"] == "0")
    }

    @Test func `a failing fill gives the memory back`() throws {
        let told = try told(["failing", "500"])
        #expect(told["refused"] == "500")
        #expect(told["secrets"] == "0")
        #expect(told["locked"] == "4096")
    }

    @Test func `the reason names what to change`() throws {
        #expect(SecretArena.LockRefusal(-ENOMEM).description.contains("ulimit -l"))
        #expect(SecretArena.LockRefusal(-EPERM).description.contains("ulimit -l"))
        #expect(SecretArena.LockRefusal(-ENOSYS).description.contains("can't lock memory"))
    }
}

struct `Secret memory in another process's eyes` {
    @Test(.disabled(if: MemorySearch.isHindered), arguments: [32, 100, 2032, 2033, 200_000])
    func `a secret is in its own memory once, and nowhere after its release`(count: Int) throws {
        let key = randomKey(count)
        let needles = [Array(key.prefix(16)), Array(key.suffix(16))]
        let victim = try Child("test-worker", ["secret-memory", "hold", "\(count)"])
        try victim.send(key)
        try victim.await("holding")
        let held = try MemorySearch.search(process: victim.id, for: needles, inArena: true)
        #expect(held.map(\.place) == [.arena, .arena])
        try victim.proceed()
        try victim.await("released")
        #expect(try MemorySearch.search(process: victim.id, for: needles, inArena: true) == [])
    }

    @Test(.disabled(if: MemorySearch.isHindered))
    func `the memory is locked, left out of core files, and zeroed on fork`() throws {
        let key = randomKey()
        let victim = try Child("test-worker", ["secret-memory", "hold", "32"])
        try victim.send(key)
        try victim.await("holding")
        let hits = try MemorySearch.search(process: victim.id, for: [key], inArena: true)
        let address = try #require(hits.first?.address)
        let mapping = try Mapping.all(of: victim.id).first { $0.range.contains(address) }
        #expect(mapping?.flags.isSuperset(of: ["lo", "dd", "wf"]) == true)
    }

    @Test(.disabled(if: MemorySearch.isHindered))
    func `the command finds what the library finds`() throws {
        let key = randomKey()
        let victim = try Child("test-worker", ["secret-memory", "hold", "32"])
        try victim.send(key)
        try victim.await("holding")
        let search = try Child("test-worker", ["memory-search", "\(victim.id)", "--arena"])
        try search.send("\(key.hexadecimal)\n".utf8)
        let (text, status) = try search.rest()
        #expect(status == 1)
        #expect(text.hasPrefix("0 0x") && text.hasSuffix(" arena\n"))
        let other = try Child("test-worker", ["memory-search", "\(victim.id)"])
        try other.send("\(key.hexadecimal)\n".utf8)
        #expect(try other.finish() == 0)
    }
}
