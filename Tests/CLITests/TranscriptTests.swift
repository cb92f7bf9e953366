// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The command as people and scripts meet it: real processes, a real home, a real terminal.
@Suite struct TranscriptTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "transcripts")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        // By hand some of them alone: ZAMOK_TRANSCRIPTS=agent,device
        let chosen = ProcessInfo.processInfo.environment["ZAMOK_TRANSCRIPTS"]?.split(separator: ",").map { "\($0).txt" }
        return files.filter { $0.hasSuffix(".txt") && chosen?.contains($0) != false }.sorted()
    }()

    @Test func `there are transcripts`() {
        #expect(Self.names.count >= 2)
    }

    @Test(arguments: names) func `the command does what the transcript says`(_ name: String) throws {
        let transcript = Transcript(try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8))
        try #require(!transcript.steps.isEmpty)
        let stage = try Stage()
        for requirement in transcript.requirements where try !stage.has(requirement) {
            // In the form of the runner's own lines, for scripts that count the skipped tests.
            print("Transcript \(name) skipped: \"this system has no \(requirement)\"")
            return
        }
        for step in transcript.steps {
            let ended = try stage.run(step.command, replies: step.atTerminal ? step.replies : nil)
            let lines = Transcript.Step.lines(of: ended.output)
            try #require(!ended.timedOut, "\(name):\(step.number): \(step.command)\n\(lines.joined(separator: "\n"))")
            let shown = (lines + (ended.status == 0 ? [] : ["[\(ended.status)]"])).joined(separator: "\n")
            try #require(
                step.matches(lines) && ended.status == step.status,
                "\(name):\(step.number): \(step.command)\nprinted\n\(shown)"
            )
        }
    }
}

extension Stage {
    /// Whether the system has what a transcript requires; the command itself says so.
    func has(_ requirement: String) throws -> Bool {
        switch requirement {
        case "kernel-keyring":
            // A home of its own: whether the stage has one is what transcripts are about.
            let status = try run(
                "export ZAMOK_HOME=$(dirname \"$PWD\")/asked; printf x | zamok keychain add --service x; zamok status --json"
            ).output
            return String(decoding: status, as: UTF8.self).contains(#""holder":"kernelKeyring""#)
        case "user-namespace":
            return try run("unshare -rm sh -c 'mount -t tmpfs none .' 2>/dev/null").status == 0
        case let name where name.hasPrefix("program "):
            return try run("command -v \(name.dropFirst(8))").status == 0
        default: throw CocoaError(.featureUnsupported)
        }
    }
}
