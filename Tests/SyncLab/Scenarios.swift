// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncLog
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the vectors tell.
enum Scenarios {
    static func all() throws -> [(String, String)] {
        try [
            ("items", items()), ("void", void()), ("membership", membership()), ("snapshot", snapshot()),
            ("fork", fork()), ("handshake", handshake()), ("newcomer", newcomer()), ("era", era()),
            ("preferences", preferences()), ("refused", refused()), ("group", group()),
        ]
    }

    static func edit(
        _ key: String, _ protectionClass: TravellingClass, time: UInt64, _ context: Context,
        _ change: Operation.Change
    ) -> NewOperation {
        NewOperation(
            key: Array(key.utf8), protectionClass: protectionClass, time: time, context: context, change: change)
    }

    static func put(_ value: String, from: String? = nil) -> Operation.Change {
        .put(value: Array(value.utf8), from: from.map { Array($0.utf8) })
    }

    private static func join(_ log: inout VectorLog, _ name: String, by approver: String) throws {
        let device = try log.make(name)
        try log.append(log.writer(approver).addition(of: device.record))
    }

    private static func items() throws -> String {
        var log = try VectorLog(
            "Operations of three members: concurrent ones, domination, moves, deletes, renamed items.", founder: "a")
        try join(&log, "b", by: "a")
        try join(&log, "c", by: "b")
        let none = Context()
        try log.append(log.writer("a").edits([edit("abc", .complete, time: 10, none, put("a"))]))
        let seenByB = try log.replica("b").context(of: Array("abc".utf8))
        try log.append(log.writer("b").edits([edit("abc", .complete, time: 5, seenByB, put("b"))]))
        try log.append(log.writer("c").edits([edit("abc", .complete, time: 7, none, put("c"))]))
        try log.append(
            log.writer("a").edits([
                edit("moves", .completeUntilFirstUserAuthentication, time: 20, none, put("first")),
                edit("empty", .none, time: 20, none, put("")),
                edit("long", .none, time: 20, none, put(String(repeating: "x", count: 700))),
                edit("gone", .complete, time: 20, none, put("soon deleted")),
            ]))
        let seen = { (log: VectorLog, name: String, key: String) in try log.replica(name).context(of: Array(key.utf8)) }
        try log.append(
            log.writer("b").edits([
                edit("moves", .complete, time: 21, seen(log, "b", "moves"), put("second")),
                edit(
                    "moves", .completeUntilFirstUserAuthentication, time: 21, seen(log, "b", "moves"),
                    .moved(to: .complete)),
                edit("gone", .complete, time: 22, seen(log, "b", "gone"), .delete),
            ]))
        try log.append(
            log.writer("c").edits([
                edit("empty", .none, time: 23, seen(log, "c", "empty"), .delete),
                edit("full", .none, time: 23, none, put("renamed", from: "empty")),
            ]))
        try log.append(log.writer("a").edits([edit("empty", .none, time: 22, seen(log, "a", "long"), put("beside"))]))
        let future = Context([.init(author: 2, sequence: 1000), .init(author: 9, sequence: 3)])
        try log.append(log.writer("c").edits([edit("abc", .complete, time: 1, future, put("too far"))]))
        for classes in [
            [.complete, .completeUntilFirstUserAuthentication, .none], [.completeUntilFirstUserAuthentication, .none],
            [.none],
        ] as [[TravellingClass]] {
            try log.view("b", classes)
        }
        try log.view("c", TravellingClass.allCases)
        return log.text
    }

    private static func group() throws -> String {
        let persons = (0..<5).map { [UInt8](repeating: UInt8(10 + $0), count: 32) }
        var log = try VectorLog(
            "A group: roles, machines of one person, removals, and what its members may not write.", founder: "a",
            of: persons[0])
        let operation = edit("k", .none, time: 1, Context(), put("v"))
        try log.append(log.writer("a").edits([operation]))
        for (name, role) in [("b", GroupRole.reader), ("c", .writer), ("d", .owner)] {
            let device = try log.make(name)
            let person = persons[["b", "c", "d"].firstIndex(of: name).map { $0 + 1 } ?? 0]
            try log.append(log.writer("a").addition(of: person, role, device.record))
        }
        let other = try log.make("e")
        // Readers and writers change no members; readers edit nothing.
        try log.append(log.writer("b").edits([operation]))
        for name in ["b", "c"] {
            try log.append(log.writer(name).addition(of: persons[4], .reader, other.record))
            try log.append(log.writer(name).role(of: persons[1], .owner))
            try log.append(log.writer(name).epoch(removing: [1]).entry)
        }
        try log.append(log.writer("c").edits([operation]))
        // A second machine of the reader, which has its role; an owner removes a person with all machines only.
        try log.append(log.writer("b").addition(of: other.record))
        try log.append(log.writer("e").edits([operation]))
        try log.append(log.writer("d").epoch(removing: [2]).entry)
        try log.append(log.writer("d").addition(of: persons[1], .owner, DeviceKeys().record))
        for (person, role) in [(persons[1], GroupRole.writer), (persons[1], .writer), (persons[4], .writer)] {
            try log.append(log.writer("d").role(of: person, role))
        }
        try log.append(log.writer("e").edits([operation]))
        try log.append(log.writer("b").epoch(removing: [5]).entry)
        try log.append(log.writer("d").role(of: persons[0], .reader))
        try log.append(log.writer("d").role(of: persons[3], .reader))
        try log.append(log.writer("d").leaving())
        try log.append(log.writer("a").ticket(key: P256.Signing.PrivateKey().publicKey, machines: 1))
        // Nothing is sealed under keys of a machine that left.
        try log.append(log.writer("c").leaving())
        try log.append(log.writer("d").edits([operation]))
        try log.append(log.writer("a").epoch().entry)
        try log.append(log.writer("d").edits([operation]))
        try log.append(log.writer("d").epoch(removing: [2]).entry)
        try log.append(log.writer("d").addition(of: persons[1], .reader, log.make("f").record))
        try log.view("d", TravellingClass.allCases)
        try log.view("f", TravellingClass.allCases)
        return log.text
    }

    private static func void() throws -> String {
        var log = try VectorLog("Entries that don't count, one for each reason and some more.", founder: "a")
        try join(&log, "b", by: "a")
        let operation = edit("k", .none, time: 1, Context(), put("v"))
        let good = try log.writer("a").edits([operation])
        try log.append([UInt8](repeating: 7, count: SyncLimits.entry + 1), filledWith: 7)
        try log.append([UInt8](repeating: 7, count: 300), filledWith: 7)
        try log.append([])
        try log.append(good.bytes + [0])
        try log.append(log.entries[1])
        let signing = { (log: VectorLog, name: String, change: (inout Entry) throws -> Void) in
            guard let device = log.devices[name] else { throw SyncLogError(.notAMember, name) }
            var entry = try log.writer(name).edits([operation])
            try change(&entry)
            try entry.sign(with: device.signing)
            return entry
        }
        try log.append(signing(log, "a") { $0.account[0] ^= 1 })
        try log.append(signing(log, "a") { $0.place += 1 })
        try log.append(signing(log, "a") { $0.author = 9 })
        try log.append(signing(log, "a") { $0.author = 0 })
        try log.append(signing(log, "a") { $0.author = 2 })
        var changed = try log.writer("a").edits([operation])
        changed.body[40] ^= 1
        try log.append(changed)
        try log.append(signing(log, "a") { $0.sequence += 1 })
        try log.append(signing(log, "a") { $0.sequence -= 1 })
        try log.append(signing(log, "a") { $0.last[31] ^= 1 })
        try log.append(signing(log, "a") { $0.epoch += 1 })
        try log.append(signing(log, "a") { $0.kind = 13 })
        try log.append(signing(log, "a") { $0.kind = 1 })
        try log.append(signing(log, "a") { $0.kind = EntryKind.leaving.rawValue })
        try log.append(signing(log, "a") { $0.body.append(0) })
        try log.append(log.writer("a").entry(.version, [1]))
        try log.append(log.writer("a").entry(.acknowledgement, [0, 0, 0, 0, 0, 0, 0, 2]))
        try log.append(badPart(log, "a", fill: 0, size: 256))
        try log.append(badPart(log, "b", fill: 1, size: 257))
        try log.append(log.writer("b").edits([operation]))
        try log.view("a", TravellingClass.allCases)
        return log.text
    }

    /// Sealed by a member, of no form.
    private static func badPart(_ log: VectorLog, _ name: String, fill: UInt8, size: Int) throws -> Entry {
        let replica = try log.replica(name)
        guard let key = replica.keys[replica.state.epoch, .none], let member = replica.member else {
            throw SyncLogError(.locked, name)
        }
        let part = try SealedPart.seal(
            [UInt8](repeating: fill, count: size), .none, under: key, account: replica.state.account, author: member,
            sequence: (replica.state.sequence(of: member) ?? 0) + 1, epoch: replica.state.epoch)
        return try replica.writer().entry(.edits, SealedPart.bytes([part]))
    }

    private static func membership() throws -> String {
        var log = try VectorLog("Additions, removals, epochs, tickets, new keys, leaving.", founder: "a")
        try join(&log, "b", by: "a")
        try log.append(log.writer("b").edits([edit("k", .complete, time: 1, Context(), put("before"))]))
        let ofB = try log.writer("b")
        try log.append(log.writer("a").epoch(removing: [2]).entry)
        var late = try ofB.edits([edit("k", .complete, time: 9, Context(), put("removed"))])
        late.place = log.state.place + 1
        late.previous = log.state.hash
        if let device = log.devices["b"] { try late.sign(with: device.signing) }
        try log.append(late)
        try log.append(
            log.writer("a").edits([edit("k", .complete, time: 2, log.replica("a").context(of: [107]), put("after"))]))
        let b = try log.make("b again")
        if let record = log.devices["b"]?.record { try log.append(log.writer("a").addition(of: record)) }
        try log.append(log.writer("a").addition(of: b.record, keysFrom: 2))
        try ticket(&log)
        let before = try log.writer("a")
        try log.rekey("a")
        var former = try before.edits([edit("k", .none, time: 9, Context(), put("clone"))])
        former.place = log.state.place + 1
        former.previous = log.state.hash
        try log.append(former)
        try log.append(log.writer("a").epoch().entry)
        try log.append(log.writer("b again").leaving())
        try log.append(log.writer("a").epoch().entry)
        try log.append(log.writer("a").edits([edit("l", .none, time: 9, Context(), put("last"))]))
        try log.view("a", TravellingClass.allCases)
        try log.view("b again", TravellingClass.allCases)
        try log.view("b", TravellingClass.allCases)
        return log.text
    }

    private static func ticket(_ log: inout VectorLog) throws {
        let key = P256.Signing.PrivateKey()
        let number = log.state.next
        try log.append(log.writer("a").ticket(key: key.publicKey, machines: 1))
        let m = try log.make("m")
        try log.append(LogWriter(after: log.state, ticket: number, signing: key).application(of: m))
        let n = try log.make("n")
        try log.append(LogWriter(after: log.state, ticket: number, signing: key).application(of: n))
        try log.append(LogWriter(after: log.state, ticket: number, signing: key).leaving())
        try log.append(log.writer("a").addition(of: m.record))
        try log.append(log.writer("m").end(ticket: number))
        try log.append(log.writer("m").end(ticket: number))
        try log.append(LogWriter(after: log.state, ticket: number, signing: key).application(of: n))
    }

    private static func snapshot() throws -> String {
        var log = try VectorLog("A snapshot, its acknowledgements, and what is dropped.", founder: "a")
        try join(&log, "b", by: "a")
        let none = Context()
        try log.append(
            log.writer("a").edits([
                edit("stays", .none, time: 1, none, put("old")), edit("deleted", .complete, time: 1, none, put("x")),
                edit("deleted and again", .complete, time: 1, none, put("x")),
            ]))
        let seen = { (log: VectorLog, key: String) in try log.replica("b").context(of: Array(key.utf8)) }
        try log.append(
            log.writer("b").edits([
                edit("stays", .none, time: 2, seen(log, "stays"), put("new")),
                edit("deleted", .complete, time: 2, seen(log, "deleted"), .delete),
                edit("deleted and again", .complete, time: 5, seen(log, "deleted and again"), .delete),
            ]))
        let chunk = Array(SHA256.hash(data: log.state.bytes))
        try log.append(
            log.writer("a").snapshot(of: log.replica("a").items, time: 1_000_000, chunks: [[chunk], [], [], []]))
        try log.append(
            log.writer("b").snapshot(of: log.replica("a").items, time: 999_999, chunks: [[chunk], [], [], []]))
        try log.append(log.writer("a").acknowledgement())
        let snapshot = log.state.snapshot
        try log.append(log.writer("a").entry(.acknowledgement, [0, 0, 0, 0, 0, 0, 0, UInt8(snapshot)]))
        try log.append(
            log.writer("b").edits([edit("deleted and again", .complete, time: 3, none, put("made before the delete"))]))
        try log.append(log.writer("b").acknowledgement())
        try log.append(log.writer("a").edits([edit("deleted", .none, time: 9, none, put("new"))]))
        try log.view("a", TravellingClass.allCases)
        try log.view("b", [.none])
        return log.text
    }

    private static func fork() throws -> String {
        var log = try VectorLog("A member was shown another log: the reader stops at its entry.", founder: "a")
        try join(&log, "b", by: "a")
        guard let device = log.devices["b"] else { return "" }
        var entry = try log.writer("b").edits([edit("k", .none, time: 1, Context(), put("v"))])
        entry.previous = [UInt8](repeating: 1, count: 32)
        try entry.sign(with: device.signing)
        try log.append(entry)
        log.note("fork")
        return log.text
    }

    private static func handshake() throws -> String {
        var log = try VectorLog("A hand-shake, the words of both sides, and the words of the head.", founder: "a")
        let device = try log.make("b")
        let random = { (count: Int) in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let applicant = try Applicant(device.record, id: random(16), nonce: random(32))
        let approver = try Approver(applicant.first, state: log.state, as: 1, nonce: random(32))
        let answered = try applicant.answer(approver.second)
        let (words, record, _) = try approver.finish(answered.third)
        log.note("message \(applicant.first.hexadecimal)")
        log.note("message \(approver.second.hexadecimal)")
        log.note("message \(answered.third.hexadecimal)")
        log.note("words \(answered.words)")
        log.note("words \(words)")
        try log.append(log.writer("a").addition(of: record))
        log.note(
            "head \(Words.head(account: log.state.account, place: log.state.place, hash: log.state.hash))")
        guard let keys = log.devices["a"] else { return log.text }
        log.note("statement \(try HeadStatement(log.state, as: 1, keys, time: 1_000_000).bytes.hexadecimal)")
        return log.text
    }
}
