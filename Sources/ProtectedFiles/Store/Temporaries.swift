// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Files that have not their name yet, and the traces by which the next start finds those of a killed process
/// (ProtectedFile.md, "Making"): before a process writes in a folder, it notes the folder in a file of its own in
/// the home,
/// which it holds locked for as long as it lives.
final class Temporaries: Sendable {
    private let folder: FileLocation
    private let hooks: FileHooks
    private let state = Locked(State())

    private struct State {
        var note: OpenFile?
        var noted: Set<FileLocation> = []
        var end = 0
    }

    static let prefix = Array(".zamok-".utf8)
    static let suffix = Array(".new".utf8)

    init(home: FileLocation, _ hooks: FileHooks) {
        folder = home.appending("temporaries")
        self.hooks = hooks
    }

    deinit {
        if let note = state.withLock({ $0.note }) { _ = try? hooks.remove(note.path) }
    }

    /// A new file in `folder` under a name that says what it is, locked by this process.
    func make(in folder: FileLocation) throws -> OpenFile {
        try note(folder)
        while true {
            do {
                let file = try OpenFile.make(folder.appending(Self.name()), hooks)
                _ = try file.tryLock()
                return file
            } catch let error {
                // Not a `where` at the catch: that ends this compiler.
                if !error.isPresentAlready { throw error }
            }
        }
    }

    private static func name() -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var generator = SystemRandomNumberGenerator()
        return prefix + (0..<16).map { _ in digits[Int.random(in: 0..<16, using: &generator)] } + suffix
    }

    static func isTemporary(_ name: [UInt8]) -> Bool {
        name.count == prefix.count + 16 + suffix.count && name.starts(with: prefix)
            && name.suffix(suffix.count) == suffix[...]
    }

    /// Notes that this process may leave temporaries in a folder.
    private func note(_ target: FileLocation) throws {
        // Who clears up is elsewhere: a relative path would tell it nothing.
        let target = target.isAbsolute ? target : try hooks.resolve(target)
        try state.withLock { state in
            guard !state.noted.contains(target) else { return }
            let note = try state.note ?? makeNote()
            try note.write(target.bytes + [0], at: state.end)
            state.note = note
            state.end += target.bytes.count + 1
            state.noted.insert(target)
            // A power cut may have taken the note of who left something here.
            removeLeftovers(in: target)
        }
    }

    private func makeNote() throws -> OpenFile {
        do {
            try OpenFile.makeFolder(folder, hooks)
        } catch let error {
            if !error.isPresentAlready { throw error }
        }
        let note = try OpenFile.make(folder.appending(Self.name()), hooks)
        _ = try note.tryLock()
        return note
    }

    // MARK: What killed processes left

    /// Removes the temporaries of processes that are gone.
    func removeLeftovers() {
        for name in (try? hooks.names(in: folder)) ?? [] {
            let path = folder.appending(name)
            guard let note = try? OpenFile.open(path, .read, hooks), (try? note.tryLock()) == true,
                let bytes = try? note.read(count: 1 << 20, at: 0)
            else { continue }
            for target in bytes.split(separator: 0) { removeLeftovers(in: FileLocation(bytes: Array(target))) }
            _ = try? hooks.remove(path)
        }
    }

    /// Removes the temporaries in a folder that nobody holds.
    func removeLeftovers(in folder: FileLocation) {
        for name in (try? hooks.names(in: folder)) ?? [] where Self.isTemporary(name) {
            let path = folder.appending(name)
            guard let file = try? OpenFile.open(path, .read, hooks), (try? file.tryLock()) == true else { continue }
            _ = try? hooks.remove(path)
        }
    }
}
