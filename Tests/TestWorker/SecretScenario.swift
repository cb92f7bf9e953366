// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import Foundation
import SecretMemory

/// test-worker secret-memory SCENARIO ARGUMENT...: a process whose memory tests search. It prints a word at each point
/// that it reaches, and goes on when told to. Keys come on standard input.
enum SecretScenario {
    static func run(_ arguments: [String]) throws {
        var number: (Int) -> Int { { arguments.indices.contains($0) ? Int(arguments[$0]) ?? 0 : 0 } }
        switch arguments[0] {
        case "work": try work(arguments[1], isClearing: arguments[2] == "clearing", threads: number(3))
        case "hold": try hold(count: number(1))
        case "limited": try fill(limit: number(1), secrets: number(2), of: number(3))
        case "refused": try fill(refusing: arguments[1], with: Int32(number(2)))
        case "failing": failToFill(times: number(1))
        case "fork": try fork(isWipedBySystem: arguments[1] == "wiped")
        case "overrun": try overrun(arguments[1])
        case "dump": try dump()
        case "undumpable": try refuseDumps()
        case "freed":
            try free(isOverwriting: arguments[1] == "overwritten", sizes: arguments.dropFirst(2).compactMap { Int($0) })
        case "shrunk": try shrink(isOverwriting: arguments[1] == "overwritten")
        default: Conversation.say("no such scenario")
        }
    }

    /// Holds a secret of `count` bytes, then drops it.
    static func hold(count: Int) throws {
        do {
            let key = try Conversation.readKey(count: count)
            Conversation.pause(at: "holding")
            try key.withBytes { _ in }
        }
        Conversation.pause(at: "released")
    }

    /// Makes secrets under a limit for locked memory, and tells what came of it.
    static func fill(limit: Int, secrets: Int, of count: Int) throws {
        guard tools_limit_locked_memory(UInt64(limit)) == 0 else { return Conversation.say("no limit") }
        try fill(secrets: secrets, of: count)
    }

    /// The same with the system call refused that locks memory or keeps it out of core files.
    static func fill(refusing call: String, with error: Int32) throws {
        // MADV_DONTDUMP is 16. mlock is refused with any arguments.
        let isAdvice = call == "madvise"
        guard unsafe tools_refuse(tools_system_call(call), isAdvice ? 2 : -1, 16, error) == 0 else {
            return Conversation.say("not refused")
        }
        try fill(secrets: 10, of: 32)
    }

    private static func fill(secrets count: Int, of size: Int) throws {
        let secrets = try (0..<count).map { number in
            Secret(try SecretBytes(copying: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)))
        }
        let areWhole = try secrets.indices.allSatisfy { number in
            try [UInt8](exposing: secrets[number]).allSatisfy { $0 == UInt8(truncatingIfNeeded: number) }
        }
        let status = SecretArena.status
        Conversation.say(areWhole ? "whole" : "damaged")
        Conversation.say("locked \(status.bytesLocked)")
        Conversation.say("unlocked \(status.bytesUnlocked)")
        Conversation.say("refusal \(status.lockRefusal?.errorNumber ?? 0)")
        Conversation.say("degraded \(status.isDegraded)")
    }

    /// Begins secrets that are never finished, in the arena and outside of it.
    static func failToFill(times: Int) {
        struct Refused: Error {}
        var refused = 0
        for number in 0..<times {
            do {
                _ = try SecretBytes(count: number % 2 == 0 ? 32 : 9000) { _ in throw Refused() }.count
            } catch {
                if error is Refused { refused += 1 }
            }
        }
        Conversation.say("refused \(refused)")
        Conversation.say("secrets \(SecretArena.status.secrets)")
        Conversation.say("locked \(SecretArena.status.bytesLocked)")
    }

    /// Ends in a core file with a planted needle outside secret memory and a secret within.
    static func dump() throws {
        let key = try Conversation.readKey()
        let planted = "planted-outside-of-secret-memory".utf8.map { $0 }
        try key.withBytes { _ in Conversation.pause(at: "holding \(planted.count)") }
        abort()
    }

    /// Copies a key into blocks of the allocator, and frees them.
    static func free(isOverwriting: Bool, sizes: [Int]) throws {
        let key = try Conversation.readKey()
        if isOverwriting { Conversation.say("overwrites \(FreedMemory.overwrite())") }
        let blocks = unsafe sizes.map { UnsafeMutableRawBufferPointer.allocate(byteCount: $0, alignment: 16) }
        try key.withBytes { bytes in
            // Behind the links that the allocator writes into a block.
            unsafe bytes.withUnsafeBytes { bytes in
                for index in unsafe blocks.indices {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: blocks[index][64...]).copyMemory(from: bytes)
                }
            }
        }
        Conversation.pause(at: "holding")
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
        Conversation.pause(at: "freed")
    }

    /// Copies a key into a block that the allocator gives a mapping of its own. Then shrinks the block so that the key
    /// is behind its end.
    static func shrink(isOverwriting: Bool) throws {
        let key = try Conversation.readKey()
        if isOverwriting { Conversation.say("overwrites \(FreedMemory.overwrite())") }
        let block = unsafe malloc(200_000)
        try key.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                if let block = unsafe block, let start = bytes.baseAddress {
                    unsafe (block + 400).copyMemory(from: start, byteCount: bytes.count)
                }
            }
        }
        Conversation.pause(at: "holding")
        let rest = unsafe realloc(block, 64)
        Conversation.pause(at: "shrunk")
        unsafe Foundation.free(rest)
    }

    static func refuseDumps() throws {
        Conversation.say("dumpable \(zamok_is_dumpable())")
        Conversation.say("refused \(zamok_refuse_dumps())")
        Conversation.pause(at: "dumpable \(zamok_is_dumpable())")
    }
}
