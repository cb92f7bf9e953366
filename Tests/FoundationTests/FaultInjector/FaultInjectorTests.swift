// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A folder with a file `state` of "old", and the program that changes it.
struct Scene {
    let folder: TemporaryFolder
    let outside: TemporaryFolder
    var state: URL { folder.url.appendingPathComponent("state") }
    var log: URL { outside.url.appendingPathComponent("log") }

    init() throws {
        folder = try TemporaryFolder()
        outside = try TemporaryFolder()
        try Data("old".utf8).write(to: state)
    }

    func run(
        _ scenario: String,
        kill: FaultInjector.Kill? = nil,
        fail: FaultInjector.Faults? = nil
    ) throws -> (text: String, status: Int32) {
        let faults = try FaultInjector(folder: folder.url)
        let variables = faults.environment(log: log, kill: kill, fail: fail)
        return try Child("test-worker", ["file-calls", folder.path, scenario], environment: variables).rest()
    }

    var names: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
    }

    func text(_ name: String = "state", in url: URL? = nil) -> String? {
        try? String(contentsOf: (url ?? folder.url).appendingPathComponent(name), encoding: .utf8)
    }
}

struct `Fault injector` {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test func `it records each call with its path, offset and data`() throws {
        #expect(try scene.run("replace").status == 0)
        let records = try WriteLog(contentsOf: scene.log).records
        #expect(records.map(\.kind) == [.create, .write, .sync, .rename, .sync])
        #expect(records.map(\.call) == [1, 2, 3, 4, 5])
        let folder = scene.folder.url.resolvingSymlinksInPath().path
        #expect(records[1].path == "\(folder)/state.new")
        #expect(records[1].data == Data("new".utf8))
        #expect(records[3].newPath == "\(folder)/state")
        #expect(records[4].path == folder)
    }

    @Test(arguments: 1...5)
    func `it kills before and after the call that is asked for`(call: Int) throws {
        #expect(try scene.run("replace", kill: .before(call)).status == 128 + SIGKILL)
        #expect(try WriteLog(contentsOf: scene.log).records.count == call - 1)
        #expect(scene.text() == (call <= 4 ? "old" : "new"))
        let other = try Scene()
        #expect(try other.run("replace", kill: .after(call)).status == 128 + SIGKILL)
        #expect(try WriteLog(contentsOf: other.log).records.count == call)
        #expect(other.text() == (call <= 3 ? "old" : "new"))
    }

    @Test func `a full disk refuses what needs space, and the rest goes on`() throws {
        let said = try scene.run("replace", fail: .at(2, .noSpace))
        #expect(said.text == "error \(ENOSPC)\ndone\n")
        let all = try Scene().run("replace", fail: .from(1, .noSpace))
        // Opening fails, so that writing and syncing have no file; the rename needs space, too.
        #expect(all.text == "error \(ENOSPC)\nerror \(EBADF)\nerror \(EBADF)\nerror \(ENOSPC)\ndone\n")
    }

    @Test func `a failing sync is an input and output error`() throws {
        #expect(try scene.run("replace", fail: .at(3, .io)).text == "error \(EIO)\ndone\n")
    }

    @Test func `a short write is completed by a careful program`() throws {
        #expect(try scene.run("replace", fail: .at(2, .short)).text == "done\n")
        #expect(try WriteLog(contentsOf: scene.log).records.filter { $0.kind == .write }.map(\.data.count) == [1, 2])
        #expect(scene.text() == "new")
    }

    @Test func `other folders and other programs are left alone`() throws {
        let faults = try FaultInjector(folder: scene.outside.url)
        let elsewhere = faults.environment(log: scene.log, kill: .before(1))
        #expect(
            try Child("test-worker", ["file-calls", scene.folder.path, "replace"], environment: elsewhere).finish() == 0
        )
        let another = try FaultInjector(folder: scene.folder.url)
            .environment(log: scene.log, kill: .before(1), program: "another")
        #expect(
            try Child("test-worker", ["file-calls", scene.folder.path, "replace"], environment: another).finish() == 0)
    }
}
