// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncLog
import SyncMerge

extension Scenarios {
    /// A newcomer that begins at a snapshot has the same state as one that read everything. Also what is sealed to a
    /// recovery code and to an unattended ticket.
    static func newcomer() throws -> String {
        var log = try VectorLog(
            "A recovery code, a ticket that reads, and a newcomer that begins at a snapshot.", founder: "a")
        try log.append(log.writer("a").addition(of: log.make("b").record))
        let none = Context()
        let code = RecoveryCode()
        let paper = try log.make("paper", code.device(in: log.state.account))
        try log.append(log.writer("a").recovery(code))
        let silent = try log.make("silent")
        try log.append(log.writer("a").unattendedTicket(for: silent.record, machines: 1))
        try log.append(
            log.writer("a").edits([
                edit("k", .complete, time: 1, none, put("first")), edit("l", .none, time: 1, none, put("long")),
                edit("gone", .completeUntilFirstUserAuthentication, time: 1, none, put("x")),
            ]))
        let seen = { (log: VectorLog, key: String) in try log.replica("b").context(of: Array(key.utf8)) }
        try log.append(
            log.writer("b").edits([
                edit("k", .none, time: 2, seen(log, "k"), put("second", from: "l")),
                edit("k", .complete, time: 2, seen(log, "k"), .moved(to: .none)),
                edit("gone", .completeUntilFirstUserAuthentication, time: 3, seen(log, "gone"), .delete),
            ]))
        try log.view("silent", TravellingClass.allCases)
        try log.append(log.writer("a").epoch().entry)
        try log.append(log.writer("paper").edits([edit("k", .none, time: 9, none, put("paper"))]))
        try log.append(log.writer("a").edits([edit("m", .complete, time: 4, none, put("after the epoch"))]))
        let (entry, stored) = try log.writer("a").storedSnapshot(of: log.replica("a").items, time: 1000)
        try log.append(entry)
        log.note(stored)
        var spoiled = stored.chunks[1][0]
        spoiled[40] ^= 1
        log.note("refuse 1 \(spoiled.hexadecimal)")
        log.note("refuse 0 \(stored.chunks[0][0].dropLast(1).map { $0 }.hexadecimal)")
        log.note("start")
        let c = try log.make("c")
        try log.append(log.writer("paper").addition(of: c.record))
        try log.append(log.writer("b").edits([edit("k", .none, time: 5, seen(log, "k"), put("third"))]))
        for name in ["a", "b", "c"] { try log.append(log.writer(name).acknowledgement()) }
        try log.append(log.writer("c").edits([edit("n", .complete, time: 6, none, put("by the newcomer"))]))
        for name in ["a", "paper", "silent"] { try log.view(name, TravellingClass.allCases) }
        for classes in [TravellingClass.allCases, [.none]] {
            var replica = try LogReplica(startingAt: stored, account: log.state.account, device: c)
            for own in TravellingClass.allCases where !classes.contains(own) { replica.lock(own) }
            for (index, bytes) in log.entries.enumerated() {
                try replica.take(bytes, at: UInt64(index) + 1, from: stored)
            }
            log.note("begun c \(classes.map { "\($0.rawValue)" }.joined()) \(replica.mergedView.hexadecimal)")
        }
        _ = paper
        return log.text
    }
}

extension Scenarios {
    /// The account goes on after its engine lost the log: the second member had more than the founder of the new era.
    static func era() throws -> String {
        var old = try VectorLog("", founder: "a")
        try old.append(old.writer("a").addition(of: old.make("b").record))
        try old.append(old.writer("a").edits([edit("k", .complete, time: 1, Context(), put("both have it"))]))
        let (a, seen) = (try old.replica("a"), try old.replica("b").context(of: [107]))
        try old.append(old.writer("b").edits([edit("k", .none, time: 2, seen, put("only b has it"))]))
        try old.append(
            old.writer("b").edits([
                edit("k", .none, time: 3, old.replica("b").context(of: [107]), put("its context is cut down"))
            ]))
        let genesis = try LogWriter.genesis(continuing: a.state, by: a.device)
        var log = try VectorLog(
            "A new era, whose founder had less than the other member. Who reads it begins at place 2.", genesis,
            ["a": a.founded(genesis)])
        let (entry, stored) = try log.writer("a").storedSnapshot(of: a.items, time: 5)
        let b = try old.replica("b")
        log.join("b", try b.continued(genesis, stored))
        try log.append(entry)
        log.note(stored)
        log.note("start")
        let unsent = try b.missing(in: log.replica("b"))
        try log.append(log.writer("b").edits(unsent))
        try log.append(log.writer("a").edits([edit("k", .none, time: 4, Context(), put("in the new era"))]))
        try log.append(log.writer("b").addition(of: log.make("c").record))
        log.note("begun c 134 \(try log.replica("a").mergedView.hexadecimal)")
        return log.text
    }
}

extension VectorLog {
    fileprivate mutating func note(_ stored: StoredSnapshot) {
        for (stream, chunks) in zip(StoredSnapshot.streams, stored.chunks) {
            for chunk in chunks { note("chunk \(stream) \(chunk.hexadecimal)") }
        }
    }
}

extension LogReplica {
    fileprivate mutating func take(_ bytes: [UInt8], at place: UInt64, from stored: StoredSnapshot) throws {
        if place > stored.place { try take(bytes, at: place) }
    }
}
