// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import Foundation
import ProtectedFiles
import SecretMemory
import TestSupport

/// test-worker files HOME [kernel]: a process of its own for tests of protected files. Obeys one command a line,
/// answers one line each, and may be killed.
final class FileWorker {
    private let home: Home
    private let store: ProtectedFileStore
    private var handles: [String: ProtectedFileHandle] = [:]

    static func run(_ arguments: [String]) throws {
        let worker = try FileWorker(arguments[0], kernelKeyring: arguments.dropFirst().first == "kernel")
        while let line = readLine() { Conversation.say(worker.answer(line)) }
    }

    private init(_ folder: String, kernelKeyring: Bool) throws {
        var configuration = TemporaryHome.configuration(of: folder)
        if kernelKeyring { configuration.holder = .kernelKeyring }
        home = try Home(configuration)
        store = ProtectedFileStore(home: home)
    }

    private func answer(_ line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        do {
            return try obey(words[0], Array(words.dropFirst()))
        } catch let error as ProtectedFileError {
            return error.code == .locked ? "locked" : error.code == .diskFull ? "diskFull" : "error \(error)"
        } catch {
            return "error \(error)"
        }
    }

    private func obey(_ command: String, _ words: [String]) throws -> String {
        switch command {
        case "passcode": try home.keybag.setPasscode(try secret(words[0]))
        case "unlock": try home.keybag.unlock(passcode: try secret(words[0]))
        case "lock": try home.keybag.lock()
        case "leave": try home.keybag.lockCompletely()
        case "create": try store.write(content(words[2]), to: FileLocation(words[0]), protection: protection(words[1]))
        case "open": handles[words[0]] = try store.handle(forUpdating: FileLocation(words[0]))
        case "new":
            handles[words[0]] = try store.handle(
                forWritingTo: FileLocation(words[0]), protection: protection(words[1])
            )
        // A scope that is never left: only the outermost one clears.
        case "clearing-off": _ = zamok_enter()
        case "read": return "ok \(try store.read(from: FileLocation(words[0])).count)"
        case "write", "append": try change(command, words)
        case "rename": try store.move(FileLocation(words[0]), to: FileLocation(words[1]))
        case "delete": try store.remove(FileLocation(words[0]))
        case "handle-read": return "ok \(try handle(words[0]).read(count: 1 << 20, at: 0).count)"
        case "handle-write": try put(try handle(words[0]), words)
        case "handle-append": try handle(words[0]).append(content(words[1]))
        case "sync": try handle(words[0]).synchronize()
        case "close": try handle(words[0]).close()
        case "cut": try handle(words[0]).truncate(atOffset: Int(words[1]) ?? 0)
        case "clear": try Data(content(words[1])).write(to: URL(fileURLWithPath: words[0]))
        case "protect": try store.protect(contentsOf: FileLocation(words[0]), protection: protection(words[1]))
        case "reclassify": try store.reclassify(FileLocation(words[0]), to: protection(words[1]) ?? .none)
        case "reveal": try store.openInPlace(FileLocation(words[0]))
        case "expose": try store.open(FileLocation(words[0]), toPlaintextAt: FileLocation(words[1]))
        case "grow":
            for _ in 0..<(Int(words[2]) ?? 0) { try change("append", words) }
        case "renew":
            for _ in 0..<(Int(words[2]) ?? 0) {
                try store.write(content(words[1]), to: FileLocation(words[0]), protection: ProtectionClass.none)
            }
        case "watch", "watch-again":
            for _ in 0..<(Int(words[1]) ?? 0) {
                try watch(FileLocation(words[0]), takingBusy: command == "watch-again")
            }
        case "protect-links": try store.protect(contentsOf: FileLocation(words[0]), allLinks: links(words))
        case "reveal-links": try store.openInPlace(FileLocation(words[0]), allLinks: links(words))
        case "class": try store.setDefaultProtection(protection(words[1]), forFolder: FileLocation(words[0]))
        case "repair": _ = try store.repair(FileLocation(words[0]))
        case "spoil":
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: words[0]))
            try file.seekToEnd()
            try file.write(contentsOf: Data([1, 2, 3]))
            try file.close()
        case "index": try store.setIndexed(true, folder: FileLocation(words[0]))
        case "state": return "\(home.keybag.lockState)"
        default: return "what?"
        }
        return "ok"
    }

    private func watch(_ path: FileLocation, takingBusy: Bool) throws {
        do {
            _ = try store.read(from: path)
            _ = try store.info(of: path)
        } catch {
            if error.code != .busy || !takingBusy { throw error }
        }
    }

    private func links(_ words: [String]) -> FileLinks { store.links(among: words.map { FileLocation($0) }) }

    /// Opens, changes and closes.
    private func change(_ command: String, _ words: [String]) throws {
        let handle = try store.handle(forUpdating: FileLocation(words[0]))
        if command == "write" { try put(handle, words) } else { try handle.append(content(words[1])) }
        try handle.close()
    }

    /// PATH CONTENT [OFFSET]
    private func put(_ handle: ProtectedFileHandle, _ words: [String]) throws {
        try handle.write(content(words[1]), at: words.count > 2 ? Int(words[2]) ?? 0 : 0)
    }

    private func handle(_ path: String) throws -> ProtectedFileHandle {
        if let handle = handles[path] { return handle }
        throw CocoaError(.fileNoSuchFile)
    }

    /// LETTER*COUNT: the marker of that letter over and over.
    private func content(_ text: String) -> [UInt8] {
        let parts = text.split(separator: "*")
        let unit = Array("MARKER-\(parts[0])-in-clear ".utf8)
        let count = parts.count > 1 ? Int(parts[1]) ?? 0 : unit.count
        return (0..<count).map { unit[$0 % unit.count] }
    }

    private func protection(_ number: String) -> ProtectionClass? {
        UInt8(number).flatMap(ProtectionClass.init)
    }
}
