// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Long data goes through the command in pieces: its memory doesn't grow with the number of items.
/// `Benchmarks/Keychain/many-items` does the same with a million.
@Suite struct ManyItemsTests {
    private static let few = 100
    private static let many = 20_000
    /// In KiB. A list of any length is allowed SQLite's cache of 8 MiB, two pages of rows and a mebibyte of text (14
    /// MiB were seen). With all 20,000 in memory a list took 28 to 53 MiB more, and the text and records of an import
    /// took 10.
    private static func growth(_ words: String) -> Int { words.hasPrefix("keychain list") ? 18 << 10 : 8 << 10 }

    @Test func `listing, exporting and importing many items takes the memory of a few`() throws {
        let few = try peaks(Self.few)
        let many = try peaks(Self.many)
        for (words, peak) in many {
            let least = try #require(few[words])
            #expect(peak < least + Self.growth(words), "zamok \(words): \(least) KiB for few, \(peak) KiB for many")
        }
    }

    /// The most memory that was resident in each command, in KiB.
    private func peaks(_ count: Int) throws -> [String: Int] {
        let stage = try Stage()
        try items(count).write(toFile: "\(stage.folder)/items", atomically: false, encoding: .utf8)
        #expect(try stage.run("umask 077; echo a long passphrase > pass").status == 0)
        var peaks: [String: Int] = [:]
        for words in [
            "keychain import items", "keychain list", "keychain list --json", "keychain list --service shop",
            "keychain list --json --value", "keychain export all --passphrase-file pass",
            "keychain import all --passphrase-file pass",
        ] {
            // Elsewhere, so that it adds as many.
            if words.hasPrefix("keychain import all") { stage.environment["ZAMOK_HOME"] = "\(stage.folder)/other" }
            let arguments = words.split(separator: " ").map(String.init)
            // A command of few milliseconds may have ended before it was looked at in its middle.
            let tries = count == Self.few && words.hasPrefix("keychain list") ? 5 : 1
            peaks[words] = try (0..<tries).map { _ in try peak(arguments, stage) }.max()
            guard words.hasPrefix("keychain list") else { continue }
            let lines = try Data(contentsOf: URL(fileURLWithPath: "\(stage.folder)/out")).count {
                $0 == UInt8(ascii: "\n")
            }
            #expect(lines == count, "\(words)")
        }
        return peaks
    }

    private func items(_ count: Int) -> String {
        (0..<count).map {
            #"{"service":"shop","account":"account \#($0)","label":"Item \#($0)","value":"secret number \#($0)"}\#n"#
        }.joined()
    }

    /// The kernel's own mark of the most that was resident, as far as it had come when it was last looked at.
    private func peak(_ arguments: [String], _ stage: Stage) throws -> Int {
        let output = "\(stage.folder)/out"
        try Data().write(to: URL(fileURLWithPath: output))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Stage.binary)
        process.arguments = arguments
        process.environment = stage.environment
        process.currentDirectoryURL = URL(fileURLWithPath: stage.folder)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        try process.run()
        var peak = 0
        while process.isRunning {
            let status =
                (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            let mark = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = max(peak, mark.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            usleep(1000)
        }
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "zamok \(arguments.joined(separator: " "))")
        return peak
    }
}
