// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A person with a home folder, a home of Zamok and a working folder. Starts guards. Removed with the value.
final class GuardScene: Sendable {
    private let folder: TemporaryFolder
    /// The person's home folder.
    let person: String
    /// The working folder.
    let work: String
    /// The home of Zamok.
    let home: String

    /// Why no guard can start on this machine; nil: it can.
    static let obstacle: String? = {
        guard let scene = try? GuardScene(), let ended = try? scene.zamok(["guard", "--check"]) else {
            return "no scene"
        }
        return ended.status == 0 ? nil : "this machine can't make the namespaces of a guard"
    }()

    init() throws {
        // A guest's own /tmp hides everything in it but the working folder, also what a layer would let through.
        let isInTmp = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path.hasPrefix("/tmp")
        folder = try isInTmp ? TemporaryFolder(in: URL(fileURLWithPath: "/var/tmp")) : TemporaryFolder()
        let path = folder.url.resolvingSymlinksInPath().path
        (person, work, home) = ("\(path)/person", "\(path)/person/work", "\(path)/zamok-home")
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    var environment: [String: String] {
        [
            "ZAMOK_HOME": home, "HOME": person, "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": "", "ZAMOK_USER": "",
            "ZAMOK_PASSCODE_FILE": "", "ZAMOK_APPLICATION": "",
        ]
    }

    /// What a program printed, on standard output, and its status.
    typealias Ended = (text: String, status: Int32)

    /// The command, started in the working folder.
    func start(_ words: [String], _ more: [String: String] = [:]) throws -> Child {
        try Child(
            "/bin/sh", ["-c", #"cd "$SCENE_FOLDER" && exec "$SCENE_ZAMOK" "$@""#, "sh"] + words,
            environment: environment.merging(
                ["SCENE_FOLDER": work, "SCENE_ZAMOK": try Tool.url("zamok").path]
            ) { $1 }.merging(more) { $1 })
    }

    func zamok(_ words: [String], input: String = "", _ more: [String: String] = [:]) throws -> Ended {
        let child = try start(words, more)
        try child.send(input.utf8)
        return try child.rest()
    }

    /// Runs a program inside a guard of this name.
    func inside(_ name: String, _ program: [String], _ options: [String] = [], input: String = "") throws -> Ended {
        try zamok(["guard", "--name", name] + options + ["--"] + program, input: input)
    }

    func allow(_ name: String, _ group: String, _ actions: String...) throws {
        let ended = try zamok(["guard", "allow", name, "--group", group] + actions.map { "--\($0)" })
        try #require(ended.status == 0)
    }

    /// Stores a secret outside.
    func store(_ account: String, in group: String, _ secret: String) throws {
        let ended = try zamok(
            ["keychain", "add", "--service", "service", "--account", account, "--group", group], input: secret)
        try #require(ended.status == 0, "\(ended.text)")
    }

    func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}

extension Trait where Self == ConditionTrait {
    /// Only on machines on which a guard can start.
    static var needsBoundary: Self {
        .enabled(if: GuardScene.obstacle == nil, "this machine can't make the namespaces of a guard")
    }
}
