// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import KeychainEngine
import Keychains
import SecretMemory
import TestSupport

@testable import Sweeps

/// A home and a folder of a user's files, with places of an own simple format: lines `NAME=VALUE`, `NAME VALUE` or
/// `"NAME": "VALUE"`, of which those named `token` and the like are secrets.
final class MoveScene {
    let temporary = TemporaryHome()
    let home: Home
    let keychain: Keychain
    let folder: String

    init() throws {
        home = try temporary.open()
        keychain = Keychain(home: home)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sweep-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func mover(_ hooks: FileHooks = FileHooks()) -> Mover { Mover(home: home, keychain: keychain, hooks: hooks) }
    var items: MovedItems { MovedItems(keychain) }

    /// Writes a file of mode 0640 that was changed at a time with nanoseconds.
    @discardableResult
    func write(_ text: String, to name: String = "rc") throws -> FileLocation {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let file = try OpenFile.open(FileLocation(path), mode: .change, hooks: FileHooks())
        guard try file.set(permissions: 0o640, modified: FileTime(seconds: 1_600_000_000, rest: 123_456_789)) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return FileLocation(path)
    }

    func text(_ location: FileLocation) throws -> String? {
        try ClearFile(location).bytes().map { String(decoding: $0, as: UTF8.self) }
    }

    func status(_ location: FileLocation) throws -> FileStatus? { try OpenFile.status(of: location, FileHooks()) }

    func secret(_ name: String) throws -> String? {
        try items.current(MovedItem(.password, "tool", name)).flatMap { try String(exposing: $0) }
    }

    func store(_ text: String, _ name: String) throws {
        _ = try items.store(try Secret(text), as: MovedItem(.password, "tool", name))
    }

    func plan(
        _ move: Move, _ location: FileLocation,
        setup: @escaping (String, MovedItem, String) throws -> MovePlanner.Setup? = { _, _, _ in nil }
    ) throws -> MovePlanner.Planned {
        let bytes = try ClearFile(location).bytes() ?? []
        return try MovePlanner(items, setup: setup).plan(Self.place(move), location, bytes)
    }

    /// Plans and carries out.
    func move(_ move: Move, _ location: FileLocation, hooks: FileHooks = FileHooks()) throws {
        guard let plan = try plan(move, location).plan else { throw MovePlanner.Refusal("there is nothing to move") }
        try mover(hooks).carryOut(plan)
    }

    static func place(_ move: Move) -> Place {
        Place("tool", program: "Tool", files: [], move: move) { bytes, path in try secrets(bytes, path) }
    }

    private static func secrets(_ bytes: [UInt8], _ path: String) throws -> [ClearSecret] {
        var found: [ClearSecret] = []
        var begin = 0
        for (number, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            defer { begin += line.count + 1 }
            let text = String(decoding: line, as: UTF8.self)
            guard let match = text.firstMatch(of: /^[\s"]*(\w*(?:token|password|key)\w*)"?\s*[=: ]\s*"?([^"\s,]+)/),
                !match.2.contains("$"), !match.2.hasPrefix("***"), !match.2.hasPrefix("zamok://")
            else { continue }
            let start = begin + text.utf8.distance(from: text.startIndex, to: match.2.startIndex)
            found.append(
                ClearSecret(
                    rule: Rule(.place, "tool/\(match.1)", issuer: "Tool"), path: path, line: number + 1,
                    range: start..<start + match.2.utf8.count, secret: try Secret(String(match.2)), service: "tool",
                    account: String(match.1)))
        }
        return found
    }
}
