// SPDX-License-Identifier: Apache-2.0

import SyncLog
import SyncMerge

extension Scenarios {
    /// What a member may write that breaks the rules. The log goes on after each, and no member's claim goes beyond
    /// what was counted.
    static func refused() throws -> String {
        var log = try VectorLog(
            "A member that claims more than was counted, writes unknown kinds and keys to which nothing can be sealed.",
            founder: "a")
        for name in ["b", "m"] {
            let device = try log.make(name)
            try log.append(log.writer("a").addition(of: device.record))
        }
        let edits = { (log: VectorLog, name: String, value: String) in
            try log.writer(name).edits([
                edit("k", .none, time: 2, log.replica(name).context(of: Array("k".utf8)), put(value))
            ])
        }
        try log.append(edits(log, "a", "first"))
        let claims: [[Context.Mark]] = [
            [.init(author: 1, sequence: 1 << 62), .init(author: 2, sequence: .max)],
            (4..<1028).map { .init(author: $0, sequence: 7) },
            [.init(author: 0, sequence: 1), .init(author: 2, sequence: 1), .init(author: .max, sequence: 1)],
        ]
        for marks in claims {
            try log.append(claiming(log, "m", marks))
            try log.append(edits(log, "a", "by a, after it"))
            try log.append(edits(log, "b", "by b, after it"))
        }
        try log.append(log.writer("m").entry(.version, [2]))
        var unknown = try log.writer("m").entry(.leaving, [])
        unknown.kind = 15
        if let device = log.devices["m"] { try unknown.sign(with: device.signing) }
        try log.append(unknown)
        for spoiled in [[UInt8](repeating: 0xFF, count: 1216), [UInt8](repeating: 0, count: 1216)] {
            try log.append(log.writer("m").entry(.addition, spoiledAddition(log, "m", spoiled)))
        }
        let before = try log.writer("m")
        try log.append(edits(log, "a", "beside the other log"))
        var other = try before.edits([edit("k", .none, time: 9, Context(), put("in another log"))])
        other.place = log.state.place + 1
        if let device = log.devices["m"] { try other.sign(with: device.signing) }
        try log.append(other)
        try log.append(log.writer("a").epoch(removing: [3]).entry)
        try log.append(edits(log, "b", "after the removal"))
        for name in ["a", "b"] { try log.view(name, TravellingClass.allCases) }
        return log.text
    }

    /// An edit with a context that no honest writer makes.
    private static func claiming(_ log: VectorLog, _ name: String, _ marks: [Context.Mark]) throws -> Entry {
        let replica = try log.replica(name)
        guard let key = replica.keys[replica.state.epoch, .none], let member = replica.member else {
            throw SyncLogError(.locked, name)
        }
        var content: [UInt8] = []
        Operation(
            place: 0, author: member, sequence: 0, protectionClass: .none, index: 0, time: 1, context: Context(marks),
            change: put("claimed")
        ).append(to: &content, key: Array("k".utf8))
        var plain: [UInt8] = []
        plain.append(content, lengthOf: 4)
        let size = [256, 384, 512, 768, 1024, 1536, 12_288, 16_384].first { $0 >= plain.count } ?? plain.count
        plain += [UInt8](repeating: 0, count: size - plain.count)
        let part = try SealedPart.seal(
            plain, .none, under: key, account: replica.state.account, author: member,
            sequence: (replica.state.sequence(of: member) ?? 0) + 1, epoch: replica.state.epoch)
        return try replica.writer().entry(.edits, SealedPart.bytes([part]))
    }

    /// An addition with a key in it to which nothing can be sealed.
    private static func spoiledAddition(_ log: VectorLog, _ name: String, _ key: [UInt8]) throws -> [UInt8] {
        var body = try log.writer(name).addition(of: DeviceKeys().record).body
        body.replaceSubrange(4 + 64..<4 + 64 + key.count, with: key)
        return body
    }
}
