// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs that a storm starts; each ends with it.
enum Programs {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func process(_ words: [String], in namespace: String?, environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = (namespace.map { ["ip", "netns", "exec", $0] } ?? []) + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs a program to its end; what it printed.
    @discardableResult
    static func run(
        _ words: [String], in namespace: String? = nil, environment: [String: String] = [:]
    ) throws -> String {
        let process = process(words, in: namespace, environment: environment)
        let output = Pipe()
        process.standardOutput = output
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(words.joined(separator: " ")): \(String(bytes: complaint, encoding: .utf8) ?? "")")
        }
        return String(bytes: said, encoding: .utf8) ?? ""
    }

    static func start(
        _ words: [String], in namespace: String?, environment: [String: String] = [:], log: URL
    ) throws -> Process {
        let process = process(words, in: namespace, environment: environment)
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let file = try FileHandle(forWritingTo: log)
        try file.seekToEnd()
        process.standardOutput = file
        process.standardError = file
        try process.run()
        return process
    }

    /// As a loss of power does it.
    static func kill(_ process: Process) {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// Network namespaces with one address each, joined by a bridge in a namespace of its own. The machine's own network is
/// not changed.
final class LabNetwork {
    private let name = "zl\(ProcessInfo.processInfo.processIdentifier)"
    private var count = 0

    /// Whether this process may make them.
    static var isAllowed: Bool {
        guard geteuid() == 0 else { return false }
        let name = "zl\(ProcessInfo.processInfo.processIdentifier)-try"
        guard (try? Programs.run(["ip", "netns", "add", name])) != nil else { return false }
        let isThere =
            (try? Programs.run(["ip", "-n", name, "link", "add", "v0", "type", "veth", "peer", "name", "v1"])) != nil
            && (try? Programs.run(["ip", "-n", name, "link", "add", "b0", "type", "bridge"])) != nil
        _ = try? Programs.run(["ip", "netns", "del", name])
        return isThere
    }

    init(_ count: Int) throws {
        try Programs.run(["ip", "netns", "add", name])
        try ip("link", "add", "b0", "type", "bridge")
        try ip("link", "set", "b0", "up")
        for index in 0..<count { try add(index) }
    }

    deinit {
        for index in 0..<count { _ = try? Programs.run(["ip", "netns", "del", namespace(index)]) }
        _ = try? Programs.run(["ip", "netns", "del", name])
    }

    private func ip(_ words: String...) throws { try Programs.run(["ip", "-n", name] + words) }

    private func add(_ index: Int) throws {
        let own = namespace(index)
        try Programs.run(["ip", "netns", "add", own])
        count = index + 1
        try ip("link", "add", "p\(index)", "type", "veth", "peer", "name", "e0", "netns", own)
        try ip("link", "set", "p\(index)", "master", "b0", "up")
        for words in [["addr", "add", "\(address(index))/24", "dev", "e0"], ["link", "set", "e0", "up"]]
            + [["link", "set", "lo", "up"]]
        { try Programs.run(["ip", "-n", own] + words) }
    }

    func namespace(_ index: Int) -> String { "\(name)-\(index)" }
    func address(_ index: Int) -> String { "10.77.0.\(index + 1)" }

    /// Takes a member's cable out, or puts it in again.
    func set(_ index: Int, isUp: Bool) throws { try ip("link", "set", "p\(index)", isUp ? "up" : "down") }
}
