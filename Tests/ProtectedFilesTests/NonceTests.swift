// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// Every (file key, nonce) pair that was used, and whether one came twice.
final class NonceRecorder: Sendable {
    private let state = Locked(State())

    private struct State {
        var seen: Set<Pair> = []
        var repeats = 0
        var keys: Set<UInt64> = []
    }

    /// 64 bits of the key's fingerprint tell the keys of a test apart.
    private struct Pair: Hashable {
        let key: UInt64
        let nonce: UInt64
        let rest: UInt32
    }

    func note(_ key: [UInt8], _ nonce: [UInt8]) {
        let pair = Pair(
            key: Self.integer(key[..<8]), nonce: Self.integer(nonce[..<8]), rest: UInt32(Self.integer(nonce[8..<12]))
        )
        state.withLock { state in
            if !state.seen.insert(pair).inserted { state.repeats += 1 }
            state.keys.insert(pair.key)
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    var seals: Int { state.withLock { $0.seen.count } }
    var repeats: Int { state.withLock { $0.repeats } }
    var keys: Int { state.withLock { $0.keys.count } }
}

/// Lets a store die: from one of its next calls that change a disk on, none is made any more.
final class CrashSwitch: Sendable {
    private let left = Locked<Int?>(nil)

    func arm(after calls: Int) { left.withLock { $0 = calls } }
    func disarm() { left.withLock { $0 = nil } }
    var isDead: Bool { left.withLock { $0 == 0 } }

    func intercept(_ step: FileHooks.Step) -> Int32 {
        guard ![.read, .open, .lock].contains(step.operation) else { return 0 }
        return left.withLock { left in
            guard let calls = left else { return 0 }
            left = max(0, calls - 1)
            return calls == 0 ? EIO : 0
        }
    }
}

@Suite struct NonceTests {
    // Rule: no nonce is used twice under a key | each call counts its nonces from 0 | 2,973 repeats in 6,000 operations
    @Test("no nonce comes twice under a key, through writes, copies and crashes") func neverTwice() throws {
        let recorder = NonceRecorder()
        let crash = CrashSwitch()
        let files = try TemporaryStore(
            configuration: .sealed {
                $0.hooks.sealing.sealed = { recorder.note($0, $1) }
                $0.hooks.intercept = { crash.intercept($0) }
            }, inMemory: true
        )
        let operations = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 6000 : 1_000_000
        var play = NoncePlay(files, crash)
        for _ in 0..<operations { try play.step() }
        #expect(recorder.repeats == 0)
        #expect(recorder.seals > operations / 2 && recorder.keys > 10)
        #expect(play.crashes > operations / 400 && play.copies > operations / 400)
        print("nonces: \(operations) operations, \(recorder.seals) seals under \(recorder.keys) keys, \(play)")
    }

    @Test("the recorder notices a nonce that comes twice") func noticed() {
        let recorder = NonceRecorder()
        let (key, nonce) = (pattern(32), pattern(12, seed: 2))
        recorder.note(key, nonce)
        recorder.note(key, pattern(12, seed: 3))
        recorder.note(pattern(32, seed: 4), nonce)
        #expect(recorder.repeats == 0)
        recorder.note(key, nonce)
        #expect(recorder.repeats == 1)
    }

    // Rule: a file is sealed under a new key before 2^31 seals | `seals` not looked at
    @Test("a file that was sealed very often gets a new key when it is opened for changes") func rekeyed() throws {
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.sealing.manySeals = 10 })
        let content = pattern(12 * chunk)
        try files.store.write(content, to: files.path("a"))
        let before = try files.store.info(of: files.path("a")).identifier
        let handle = try files.store.handle(forUpdating: files.path("a"))
        try handle.close()
        #expect(try files.store.info(of: files.path("a")).identifier != before)
        #expect(try files.store.read(from: files.path("a")) == content)
    }
}

/// Random work on a few files: `cp` of files, copies put back, handles that are released in the middle. The store dies
/// at any call.
struct NoncePlay: CustomStringConvertible {
    private let files: TemporaryStore
    private let crash: CrashSwitch
    private var store: ProtectedFileStore
    private var generator = SeededGenerator(seed: 7)
    private var handles: [FileLocation: ProtectedFileHandle] = [:]
    /// Older states of files, as a backup has them.
    private var backups: [[UInt8]] = []
    private(set) var crashes = 0
    private(set) var copies = 0

    init(_ files: TemporaryStore, _ crash: CrashSwitch) {
        self.files = files
        self.crash = crash
        store = files.store
    }

    var description: String { "\(crashes) crashes, \(copies) copies" }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    private mutating func path() -> FileLocation { files.path("f\(below(5))") }

    mutating func step() throws {
        do {
            try work()
        } catch {
            // The same process dies for all of its files at once.
            guard crash.isDead else { throw error }
            crashes += 1
            crash.disarm()
            handles = [:]
            store = ProtectedFileStore(home: files.home, configuration: files.store.configuration)
        }
    }

    private mutating func work() throws {
        let path = path()
        let isThere = try OpenFile.status(of: path, FileHooks()) != nil
        guard isThere else {
            return try store.write(pattern(1 + below(3 * chunk), seed: generator.next()), to: path)
        }
        let (bytes, offset) = (pattern(1 + below(3000), seed: generator.next()), below(3 * chunk))
        switch below(60) {
        case 0:
            handles[path] = nil
            try store.write(pattern(1 + below(2 * chunk)), to: path)
        case 1, 2: try copy(path)
        case 3: handles[path] = nil
        case 4:
            handles[path] = nil
            try store.reclassify(path, to: below(2) == 0 ? .none : .completeUnlessOpen)
        case 5: try change(path) { try $0.truncate(atOffset: offset) }
        case 6: crash.arm(after: below(12))
        case 7..<14: try change(path) { try $0.append(bytes) }
        case 14..<30: try change(path) { try $0.synchronize() }
        default: try change(path) { try $0.write(bytes, at: offset) }
        }
    }

    /// `cp`, or a backup put back: the same key and the same past, and from here on two files.
    private mutating func copy(_ path: FileLocation) throws {
        let target = self.path()
        handles[target] = nil
        handles[path] = nil
        copies += 1
        backups.append(try files.raw(path))
        if backups.count > 8 { backups.remove(at: below(8)) }
        try files.setRaw(target, target == path ? backups[below(backups.count)] : try files.raw(path))
    }

    private mutating func change(_ path: FileLocation, _ body: (ProtectedFileHandle) throws -> Void) throws {
        let handle = try handles[path] ?? store.handle(forUpdating: path)
        handles[path] = handle
        try body(handle)
        if below(30) == 0 {
            try handle.close()
            handles[path] = nil
        }
    }
}
