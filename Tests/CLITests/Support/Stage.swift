// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// An empty folder with an empty home, and the command in its PATH; removed with the value.
final class Stage {
    let folder: String
    var environment: [String: String]

    /// The command under test: `$ZAMOK_BINARY`, else the one beside the tests.
    static let binary: String = {
        if let path = ProcessInfo.processInfo.environment["ZAMOK_BINARY"], !path.isEmpty { return path }
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "zamok").path
    }()

    /// `./zamok tour`, as built with the tests.
    private static let tour = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "tour").path

    init() throws {
        let files = FileManager.default
        let parent = files.temporaryDirectory.appending(path: "zamok cli \(UUID().uuidString)")
        folder = parent.appending(path: "work").path
        let tools = parent.appending(path: "bin").path
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.createDirectory(atPath: tools, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: tools + "/zamok", withDestinationPath: Self.binary)
        try files.createSymbolicLink(atPath: tools + "/tour", withDestinationPath: Self.tour)
        environment = [
            "HOME": folder, "PATH": tools + ":/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm",
        ]
    }

    deinit {
        let parent = URL(fileURLWithPath: folder).deletingLastPathComponent()
        try? FileManager.default.removeItem(at: parent)
    }

    /// Runs one line of shell.
    func run(_ line: String, replies: [Reply]? = nil, limit: Duration = .seconds(300)) throws -> Ended {
        let spawn = Spawn(line: line, folder: folder, environment: environment, limit: limit)
        return if let replies { try spawn.atTerminal(replies) } else { try spawn.withoutTerminal() }
    }

    /// Runs a line that prints this and nothing else.
    func expect(_ line: String, _ text: String, status: Int32 = 0) throws {
        let ended = try run(line)
        try #require(
            ended.text == text && ended.status == status, "\(line)\nprinted\n\(ended.text)[\(ended.status)]")
    }

    /// Runs a line that prints this somewhere.
    func expect(_ line: String, containing text: String, status: Int32 = 0) throws {
        let ended = try run(line)
        try #require(
            ended.text.contains(text) && ended.status == status, "\(line)\nprinted\n\(ended.text)[\(ended.status)]")
    }
}
