// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct `Write replay` {
    private let scene: Scene
    private let start: URL

    init() throws {
        scene = try Scene()
        start = scene.outside.url.appendingPathComponent("start")
        try FileManager.default.copyItem(at: scene.folder.url, to: start)
    }

    private func log(of scenario: String) throws -> WriteLog {
        #expect(try scene.run(scenario).status == 0)
        return try WriteLog(contentsOf: scene.log)
    }

    /// What `state` holds after each number of calls and a loss of power.
    private func states(_ log: WriteLog, keeping survivors: WriteReplay.Survivors) throws -> [String?] {
        let replay = WriteReplay(log, of: scene.folder.url, startingFrom: start)
        return try (0...log.records.count).map { count in
            let target = scene.outside.url.appendingPathComponent("after-\(count)-\(UUID())")
            try replay.rebuild(after: count, keeping: survivors, in: target)
            return scene.text(in: target)
        }
    }

    @Test func `a file that is replaced in the right order is old or new`() throws {
        #expect(try states(log(of: "replace"), keeping: .none) == ["old", "old", "old", "old", "old", "new"])
    }

    @Test func `what the system already knows is new at once`() throws {
        #expect(try states(log(of: "replace"), keeping: .all) == ["old", "old", "old", "old", "new", "new"])
    }

    @Test func `a forgotten sync of the data loses it`() throws {
        #expect(try states(log(of: "replace-unsynced"), keeping: .none) == ["old", "old", "old", "old", ""])
    }

    @Test func `unsynced writes in place are dropped, synced ones stay`() throws {
        #expect(try states(log(of: "patch"), keeping: .none) == ["old", "old", "old", "ABd", "ABd"])
    }

    @Test func `any part of what is unsynced may survive`() throws {
        var seen: Set<String?> = []
        let log = try log(of: "patch")
        for seed in 0..<40 { seen.formUnion(try states(log, keeping: .some(seed: UInt64(seed))).prefix(3)) }
        #expect(seen == ["old", "Ald", "oBd", "ABd"])
    }

    @Test func `names follow their folders`() throws {
        let log = try log(of: "names")
        let replay = WriteReplay(log, of: scene.folder.url, startingFrom: start)
        let lost = scene.outside.url.appendingPathComponent("lost")
        try replay.rebuild(after: log.records.count - 1, keeping: .none, in: lost)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: lost.path) == ["state"])
        let saved = scene.outside.url.appendingPathComponent("saved")
        try replay.rebuild(after: log.records.count, keeping: .none, in: saved)
        // The folder's own entries were never synced: its file is gone though its data was.
        #expect(try FileManager.default.subpathsOfDirectory(atPath: saved.path) == ["above"])
        let killed = scene.outside.url.appendingPathComponent("killed")
        try replay.rebuild(after: log.records.count, keeping: .all, in: killed)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: killed.path).sorted() == ["above", "above/file"])
    }
}
