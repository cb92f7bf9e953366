// SPDX-License-Identifier: Apache-2.0

import Foundation
import Meter

/// Runs the measures and prints each beside its goal.
@MainActor
final class Report {
    private let folder: String
    private let megabytes: Int
    private let goals = Goals()
    var missed: Int { goals.missed }

    init(_ folder: String, megabytes: Int) throws {
        self.folder = folder
        self.megabytes = megabytes
        let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("model name") }
        print("\(cpu ?? "unknown CPU"); \((try? Meter.run(["openssl", "version"])) ?? "no openssl")", terminator: "")
        try Work.makeInput(folder + "/plain", megabytes: megabytes)
    }

    private func say(_ text: String) { goals.say(text) }

    private func goal(_ name: String, _ value: Double, atLeast: Double? = nil, atMost: Double? = nil) {
        goals.goal(name, value, atLeast: atLeast, atMost: atMost)
    }

    private func fact(_ name: String, _ value: Double, _ unit: String) { goals.fact(name, value, unit) }

    /// GB/s of `openssl speed` with 32 KiB, one process.
    private func openssl() throws -> Double {
        let text = try Meter.run([
            "openssl", "speed", "-mr", "-elapsed", "-seconds", "2", "-bytes", "32768", "-evp", "aes-256-gcm",
        ])
        let last = text.split(separator: "\n").last { $0.hasPrefix("+F:") }?.split(separator: ":").last ?? ""
        return (Double(last) ?? 0) / 1e9
    }

    func memory() throws {
        let before = try openssl()
        let (seal, open) = try Work.memory()
        let reference = max(before, try openssl())
        fact("openssl speed aes-256-gcm, 32 KiB", reference, "GB/s")
        fact("seal, 32 KiB chunks, one thread", seal, "GB/s")
        fact("open, 32 KiB chunks, one thread", open, "GB/s")
        goal("seal / openssl", seal / reference, atLeast: 1.25)
        goal("open / openssl", open / reference, atLeast: 1.35)
    }

    // MARK: Whole files

    /// Seconds, round by round.
    private var times: [String: [Double]] = [:]
    private var resident = 0.0

    /// The operations in turn, several times, so that a disturbance meets all of them.
    func wholeFiles() throws {
        let size = Double(megabytes << 20)
        let hasAge = Meter.has("age")
        if !hasAge { say("       age is not there: not compared") }
        let key = folder + "/key"
        try? FileManager.default.removeItem(atPath: key)
        if hasAge { try Meter.run(["age-keygen", "-o", key]) }
        let recipient = hasAge ? try Meter.run(["age-keygen", "-y", key]).trimmingCharacters(in: .newlines) : ""
        for _ in 0..<5 {
            for (what, threads) in [("copy", 1), ("protect", 1), ("open", 1), ("protect", 2), ("open", 2)] {
                try measure(what, threads)
            }
            guard hasAge else { continue }
            let sealed = folder + "/plain.age"
            note(
                "age encrypt",
                try Meter.seconds { try Meter.run(["age", "-r", recipient, "-o", sealed, folder + "/plain"]) })
            note(
                "age decrypt",
                try Meter.seconds { try Meter.run(["age", "-d", "-i", key, "-o", folder + "/opened.age", sealed]) })
            for name in ["plain.age", "opened.age"] { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
        }
        for (name, times) in times.sorted(by: { $0.key < $1.key }) {
            fact(name, size / times.sorted()[times.count / 2] / 1e9, "GB/s")
        }
        if hasAge {
            ratio("age encrypt", "protect, 1 threads", 1.25)
            ratio("age decrypt", "open, 1 threads", 1.7)
            ratio("age encrypt", "protect, 2 threads", 1.8)
            ratio("age decrypt", "open, 2 threads", 2.5)
        }
        ratio("copy, 1 threads", "protect, 1 threads", 0.7)
        ratio("copy, 1 threads", "open, 1 threads", 0.7)
        goal("highest resident memory, MB", resident, atMost: 24)
        goal("overhead, percent", try overhead(), atMost: 0.2)
    }

    private func measure(_ what: String, _ threads: Int) throws {
        let words = try Meter.run([CommandLine.arguments[0], "child", what, folder, "\(threads)"]).split(separator: " ")
        note("\(what), \(threads) threads", Double(words[0]) ?? .infinity)
        if what != "copy" { resident = max(resident, Double(words[1].trimmingCharacters(in: .newlines)) ?? .infinity) }
    }

    private func note(_ name: String, _ seconds: Double) { times[name, default: []].append(seconds) }

    /// The median of the rounds' ratios: what disturbs the machine for a while disturbs both.
    private func ratio(_ reference: String, _ name: String, _ bound: Double) {
        let ratios = zip(times[reference] ?? [], times[name] ?? []).map { $0 / $1 }.sorted()
        goal("\(name) / \(reference)", ratios.isEmpty ? 0 : ratios[ratios.count / 2], atLeast: bound)
    }

    private func overhead() throws -> Double {
        let size = try FileManager.default.attributesOfItem(atPath: folder + "/sealed")[.size] as? Int ?? 0
        return Double(size - megabytes << 20) / Double(megabytes << 20) * 100
    }

    // MARK: Positions, small files, the command

    func random() throws {
        let found = try Work(folder).random(megabytes: megabytes)
        fact("bare read of one chunk", found.bare, "µs")
        goal("random read of 4 KiB, warm, µs", found.sealed, atMost: 14)
        goal("random read of 4 KiB / bare read of its chunk", found.sealed / found.bare, atMost: 3)
        if let time = try gocryptfs() { fact("the same through gocryptfs", time, "µs") }
    }

    /// Median microseconds of a random read of 4 KiB in a mounted folder; nil where that can't be had.
    private func gocryptfs() throws -> Double? {
        guard Meter.has("gocryptfs"), Meter.has("fusermount3") else { return nil }
        let (cipher, mount, word) = (folder + "/cipher", folder + "/mount", folder + "/word")
        for path in [cipher, mount] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        _ = FileManager.default.createFile(atPath: word, contents: Data("benchmark".utf8))
        try Meter.run(["gocryptfs", "-q", "-init", "-scryptn", "10", "-passfile", word, cipher])
        // In the foreground: a daemon would keep what this process waits for.
        let daemon = try Meter.start(["gocryptfs", "-fg", "-q", "-passfile", word, cipher, mount])
        defer {
            _ = try? Meter.run(["fusermount3", "-u", mount])
            daemon.waitUntilExit()
        }
        for _ in 0..<200 where (try? Meter.run(["mountpoint", "-q", mount])) == nil {
            guard daemon.isRunning else { return nil }
            usleep(50_000)
        }
        try Meter.run(["cp", folder + "/plain", mount + "/plain"])
        return try Work.randomReads(of: mount + "/plain", count: 4096, megabytes: megabytes)
    }

    func small() throws {
        let work = try Work(folder)
        try work.makeSmall()
        for protection in Work.classes {
            let found = try Meter.compare(row: 500) { _ in
                try work.readSmall(protection)
            } with: { _ in
                work.readPlain()
            }
            let name = "open and read 1 KiB, \(protection)"
            let isAgreed = protection == .completeUnlessOpen
            goal("\(name), µs over plain", found.ours - found.baseline, atMost: isAgreed ? 60 : 25)
            if !isAgreed { goals.goal("\(name), over plain", found, atMost: 8) }
        }
        let found = try Meter.compare(row: 500) { _ in
            try work.readSmall(.completeUnlessOpen)
        } with: {
            _ in
            try work.readSmall(.complete)
        }
        goals.goal("open and read 1 KiB, completeUnlessOpen, over complete", found, atMost: 3.4)
        fact("open and read 1 KiB, none, in a folder that changes each time", try work.readAmongChanges(.none), "µs")
    }

    func command(_ zamok: String) throws {
        guard Meter.has("age") else { return }
        let small = folder + "/note"
        _ = FileManager.default.createFile(atPath: small, contents: Data(repeating: 65, count: 1024))
        setenv("ZAMOK_HOME", folder + "/command-home", 1)
        try Meter.run([zamok, "files", "protect", small, "-o", small + ".sealed", "--class", "none"])
        try? FileManager.default.removeItem(atPath: folder + "/key2")
        try Meter.run(["age-keygen", "-o", folder + "/key2"])
        let recipient = try Meter.run(["age-keygen", "-y", folder + "/key2"]).trimmingCharacters(in: .newlines)
        try Meter.run(["age", "-r", recipient, "-o", small + ".age", small])
        var (age, cat) = ([Double](), [Double]())
        for _ in 0..<60 {
            age.append(try Meter.seconds { try Meter.run(["age", "-d", "-i", folder + "/key2", small + ".age"]) })
            cat.append(try Meter.seconds { try Meter.run([zamok, "files", "cat", small + ".sealed"]) })
        }
        let (first, second) = (age.sorted()[30], cat.sorted()[30])
        fact("age -d of 1 KiB, whole process", first * 1e3, "ms")
        fact("zamok files cat of 1 KiB, whole process", second * 1e3, "ms")
        goal("zamok files cat / age -d", second / first, atMost: 3)
    }
}
