// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncLog
import Testing

@testable import KeychainSync

/// Planting a link in the engine's folder needs write access alone, and no key.
@Suite struct FileEngineTests {
    private static let account = Digest32(repeating: 7, count: 32)
    private let folder = try? EngineFolder()
    private let victim = try? EngineFolder()

    private func plant(_ path: String) throws -> (engine: FileEngine, kept: String) {
        let (folder, victim) = (try #require(folder).path, try #require(victim).path)
        let kept = victim + "/0000000000000001"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: kept + "/thesis"))
        let link = URL(fileURLWithPath: "\(folder)/\(Self.account.hexadecimal)/\(path)")
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: victim)
        return (FileEngine(folder: folder), kept)
    }

    // Rule: below an engine's folder no link is followed | folders opened by their paths | the files behind the link
    //   are gone
    @Test(arguments: ["snapshots/0000000000000001", "snapshots", "log"])
    func `what lies behind a link is neither removed nor written to`(_ path: String) async throws {
        let (engine, kept) = try plant(path)
        _ = try? await engine.remove(Self.account, below: 100)
        _ = try? await engine.append([1], at: 1, of: Self.account)
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "/thesis")) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: #require(victim).path) == ["0000000000000001"])
    }

    @Test func `a folder that is not there is no empty engine`() async throws {
        let engine = FileEngine(folder: try #require(folder).path + "/absent")
        await #expect(throws: SyncEngineError.self) { _ = try await engine.read(Self.account, from: 1, limit: 1) }
        await #expect(throws: SyncEngineError.self) { _ = try await engine.append([1], at: 1, of: Self.account) }
    }

    // Rule: nothing is given back to a folder that has nothing of the account: its disk may not be mounted |
    //   FileEngine.mustBeInPlace does nothing | the log is written below the mount point
    @Test func `a mount point without its disk gets no log`() async throws {
        let disk = try #require(folder)
        let one = try SyncedHome("one", disk.engine)
        let account = try await one.found()
        try one.add("item", "a")
        try await one.round()
        let (there, away) = ("\(disk.path)/\(account.hexadecimal)", try #require(victim).path + "/away")
        try FileManager.default.moveItem(atPath: there, toPath: away)
        try one.change("item", "b")
        await #expect(throws: SyncEngineError(.unreachable, "")) { try await one.round() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
        try FileManager.default.moveItem(atPath: away, toPath: there)
        #expect(try await one.round().sent == 1)
        // An empty folder of the account says that the log is lost. It is written again.
        try FileManager.default.removeItem(atPath: there)
        try FileManager.default.createDirectory(atPath: there, withIntermediateDirectories: false)
        #expect(try await one.round() == SyncReport())
        let two = try SyncedHome("two", disk.engine)
        try await two.join(account, with: one)
        #expect(try two.items() == ["item": "b"])
    }
}
