// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Foundation

/// Files of each kind, changed at random places: no reader and no rule may trap or run on.
package enum Mutations {
    package static let kinds = ["swift", "storyboard", "plist", "m", "pbxproj", "contents", "mobileprovision"]

    /// How many files were read, and how long the slowest of them took.
    package struct Outcome: Sendable {
        package var count = 0
        package var slowest = Duration.zero
    }

    /// Reads `count` changed files, on as many threads as there are cores; the same seed makes the same files. Nil where there is no file of that kind.
    package static func run(_ kind: String, count: Int, seed: UInt64, vectors folder: String) throws -> Outcome? {
        let seeds = try files(kind, in: folder)
        guard !seeds.isEmpty else { return nil }
        let work = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        let part = 500
        // A thread of the workers has the stack that nested sources take.
        let done = Workers.map(Array(0..<(count + part - 1) / part), workers: nil) { number in
            var random = Random(state: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
            let project = work.appending(path: "\(number)/App.xcodeproj")
            if kind == "pbxproj" {
                try? FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
            }
            var outcome = Outcome(count: min(part, count - number * part))
            for _ in 0..<outcome.count {
                let bytes = random.changed(random.one(of: seeds), with: random.one(of: seeds))
                let time = ContinuousClock().measure {
                    read(kind, bytes, project.appending(path: "project.pbxproj"))
                }
                outcome.slowest = max(outcome.slowest, time)
            }
            try? FileManager.default.removeItem(at: project.deletingLastPathComponent())
            return outcome
        }
        return done.reduce(into: Outcome()) { whole, one in
            whole.count += one.count
            whole.slowest = max(whole.slowest, one.slowest)
        }
    }

    private static func read(_ kind: String, _ bytes: [UInt8], _ project: URL) {
        switch kind {
        case "swift":
            let model = ProjectModel.read(sources: [("a.swift", String(decoding: bytes, as: UTF8.self))])
            for rule in allRules { _ = rule.examine(model) }
        case "contents", "mobileprovision":
            let path = kind == "contents" ? "App.xcdatamodel/contents" : "App.mobileprovision"
            let model = ProjectModel.read(sources: [(path, String(decoding: bytes, as: UTF8.self))])
            _ = SecretsInStores().examine(model)
        case "storyboard": _ = InterfaceFile(path: "a.storyboard", bytes: bytes)
        case "plist": _ = PropertyListFile(path: "Info.plist", bytes: bytes)
        case "m":
            let file = ObjCFile(path: "a.m", bytes: bytes)
            _ = ObjCReader.read(file)
            for call in file.calls {
                _ = call.arguments.map { (file.text($0), file.names(in: $0), file.literal($0)) }
            }
        default:
            try? Data(bytes).write(to: project)
            _ = SigningFile(path: "project.pbxproj", absolute: project.path, bytes: bytes)
        }
    }

    private static func files(_ ending: String, in folder: String) throws -> [[UInt8]] {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(ending == "contents" ? "/contents" : ".\(ending)") }.sorted().map {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
        }
    }
}

/// SplitMix64, so that a printed seed gives the same files again.
package struct Random: RandomNumberGenerator {
    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func one(of files: [[UInt8]]) -> [UInt8] { files[Int(next() % UInt64(files.count))] }

    /// Bytes put out, put in, doubled, cut off or taken from another file.
    mutating func changed(_ bytes: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...4, using: &self) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 1...24, using: &self))
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.removeSubrange(place...)
            case 4:
                let from = Int.random(in: 0...max(0, other.count - 1), using: &self)
                bytes.insert(contentsOf: other[from..<min(other.count, from + 64)], at: place)
            default: bytes.insert(Array("<>\"[](){}@;:/*#".utf8).randomElement(using: &self) ?? 0, at: place)
            }
        }
        return bytes
    }
}
