// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Five homes as processes that edit at random, while homes and the leader are killed, network links are cut and clocks
/// are off. Afterwards all of them, and the reader in Python, must have the same state, and no acknowledged edit may be
/// lost.
final class Storm {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    enum Kind: String { case etcd, s3, file }

    private static let homes = 5
    private let kind: Kind
    private let edits: Int
    /// `home`: logs alone; `keychain`: real homes.
    private let word: String
    private let folder: URL
    private let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    private let program: String
    private let network: LabNetwork?
    private var nodes: [Process] = []
    private var server: Process?
    private var running: [Process] = []
    private var environment: [String: String] = [:]
    private var engine = ""
    private(set) var told: [String: Int] = [:]
    /// A storm that failed leaves its folder, to be looked into.
    private var isDone = false

    init(_ kind: Kind, edits: Int, of word: String = "home") throws {
        self.kind = kind
        self.edits = edits
        self.word = word
        folder = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        network = kind == .file ? nil : try LabNetwork((kind == .etcd ? 3 : 1) + Self.homes)
    }

    deinit {
        for process in running + nodes { Programs.kill(process) }
        if let server { Programs.kill(server) }
        if isDone { try? FileManager.default.removeItem(at: folder) }
    }

    private var servers: Int { kind == .etcd ? 3 : kind == .s3 ? 1 : 0 }
    private func home(_ index: Int) -> String { folder.appending(path: "home\(index)").path }
    private func namespace(_ index: Int) -> String? { network?.namespace(servers + index) }
    private func count(_ what: String) { told[what, default: 0] += 1 }

    /// Runs it; what to print.
    func run() throws -> String {
        try startEngine()
        try lab([word, "found", home(0), engine], 0, retries: 300)
        for index in 1..<Self.homes { try lab([word, "add", home(0), engine, home(index)], 0, retries: 10) }
        let start = ContinuousClock.now
        for index in 0..<Self.homes { running.append(try startHome(index)) }
        try blow()
        for process in running { process.waitUntilExit() }
        let lasted = ContinuousClock.now - start
        try compare()
        isDone = true
        let events = told.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(kind.rawValue), \(word): \(Self.homes) homes x \(edits) edits in \(lasted), seed \(seed): \(events)"
    }

    @discardableResult
    private func lab(_ words: [String], _ index: Int, retries: Int = 0) throws -> String {
        for _ in 0..<retries {
            if let said = try? Programs.run([program] + words, in: namespace(index), environment: environment) {
                return said
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return try Programs.run([program] + words, in: namespace(index), environment: environment)
    }

    private func startEngine() throws {
        switch kind {
        case .file:
            let place = folder.appending(path: "engine")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            engine = "file:\(place.path)"
        case .etcd:
            for node in 0..<3 { nodes.append(try startNode(node, "new")) }
            engine = "etcd:" + (0..<3).map { "http://\(address($0)):2379" }.joined(separator: ",")
        case .s3:
            let script = URL(filePath: #filePath).appending(path: "../../../Tests/SyncS3Tests/s3_server.py")
                .standardized
            let process = Programs.process(
                ["python3", script.path, ""], in: network?.namespace(0), environment: ["HOST": address(0)])
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            server = process
            let words = String(bytes: output.fileHandleForReading.availableData, encoding: .utf8)?.split(
                whereSeparator: \.isWhitespace)
            guard let words, words.count == 3 else { throw Failure(description: "moto didn't start") }
            environment = ["LAB_S3_KEY": String(words[1]), "LAB_S3_SECRET": String(words[2])]
            engine = "s3:http://\(address(0)):\(words[0])/homes"
        }
    }

    private func address(_ index: Int) -> String { network?.address(index) ?? "127.0.0.1" }

    private func startNode(_ node: Int, _ state: String) throws -> Process {
        let (client, peer) = ("http://\(address(node)):2379", "http://\(address(node)):2380")
        return try Programs.start(
            [
                "etcd", "--name", "n\(node)", "--data-dir", folder.appending(path: "etcd\(node)").path,
                "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster-state", state, "--initial-cluster",
                (0..<3).map { "n\($0)=http://\(address($0)):2380" }.joined(separator: ","),
            ],
            in: network?.namespace(node), log: folder.appending(path: "etcd\(node).log"))
    }

    /// Clocks are off by hours; the last home is locked most of the time.
    private func startHome(_ index: Int) throws -> Process {
        let offset = [0, 3, -7, 26, -1][index] * 3_600_000
        return try Programs.start(
            [
                program, word, "work", home(index), engine, "\(edits)", "\(seed &+ UInt64(index) << 32)",
                "\(offset)", index == Self.homes - 1 ? "locked" : "open", "20",
            ],
            in: namespace(index), environment: environment, log: folder.appending(path: "home\(index).log"))
    }

    private func progress() -> Int { (0..<Self.homes).reduce(0) { $0 + HomeDisk(home($1)).acknowledged().count } }

    /// One event after the other, each when the edits have come so far; a home that ended with an error is an error.
    private func blow() throws {
        let total = Self.homes * edits
        let events = max(8, total / 150)
        for event in 0..<events {
            try wait { self.progress() >= total * (event + 1) / (events + 2) }
            let victim = event % Self.homes
            switch event % 4 {
            case 0, 2: try killHome(victim)
            case 1: try cut(servers + victim, "homes cut off")
            default:
                if kind == .etcd { try event % 8 == 3 ? killLeader() : cut(event % 3, "nodes cut off") }
            }
        }
        try wait { self.running.allSatisfy { !$0.isRunning } }
        for (index, process) in running.enumerated() where process.terminationStatus != 0 {
            let log = try? String(contentsOf: folder.appending(path: "home\(index).log"), encoding: .utf8)
            throw Failure(description: "home \(index) ended with an error: \(log ?? "")")
        }
    }

    private func killHome(_ index: Int) throws {
        guard running[index].isRunning else { return }
        Programs.kill(running[index])
        count("homes killed")
        running[index] = try startHome(index)
    }

    private func cut(_ index: Int, _ what: String) throws {
        guard let network else { return }
        try network.set(index, isUp: false)
        count(what)
        Thread.sleep(forTimeInterval: Double.random(in: 0.2...1))
        try network.set(index, isUp: true)
    }

    private func killLeader() throws {
        for node in 0..<3 {
            let said = try Programs.run(
                ["etcdctl", "--endpoints", "http://\(address(node)):2379", "endpoint", "status", "-w", "fields"],
                in: network?.namespace(node), environment: ["ETCDCTL_API": "3"])
            let field = { (name: String) in
                said.split(separator: "\n").first { $0.hasPrefix("\"\(name)\"") }?.split(separator: " ").last
            }
            guard let own = field("MemberID"), own == field("Leader") else { continue }
            Programs.kill(nodes[node])
            count("leaders killed")
            Thread.sleep(forTimeInterval: 0.5)
            nodes[node] = try startNode(node, "existing")
            return
        }
    }

    /// Nothing may stand still for two minutes.
    private func wait(_ condition: () -> Bool) throws {
        var (end, last) = (Date.now + 120, -1)
        while !condition() {
            let now = progress()
            if now != last { (end, last) = (Date.now + 120, now) }
            guard Date.now < end else { throw Failure(description: "nothing moves; \(now) edits acknowledged") }
            if !running.isEmpty, running.allSatisfy({ !$0.isRunning }) { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private func compare() throws {
        let acknowledged = progress()
        guard acknowledged >= Self.homes * edits - (told["homes killed"] ?? 0) else {
            throw Failure(description: "only \(acknowledged) edits were acknowledged")
        }
        let others = (word == "home" ? [] : ["\(seed)"]) + (0..<Self.homes).map { home($0) }
        let look = { () throws -> [String] in
            try (0..<Self.homes).map {
                try self.lab([self.word, "show", self.home($0), self.engine] + others, $0, retries: 20)
            }
        }
        // Rounds acknowledge snapshots, which the others have to see too.
        if word != "home" { for _ in 0..<3 { _ = try look() } }
        let said = try look()
        guard Set(said).count == 1, said[0].contains("waiting false outbox 0 lost 0") else {
            throw Failure(
                description: "homes differ, or edits are lost; see \(folder.path)/home*/items.txt:\n\(said.joined())")
        }
        count("acknowledged edits, none lost")
        told["acknowledged edits, none lost"] = acknowledged
        let reader = URL(filePath: #filePath).appending(path: "../../../../Tests/SyncReader/sync_reader.py")
            .standardized
        for index in [0, Self.homes - 1] {
            let checked = try Programs.run(["python3", reader.path, "check", "\(home(index))/vector.txt"])
            guard checked.contains("all the same") else { throw Failure(description: checked) }
            count("logs read alike in Python")
        }
    }
}
