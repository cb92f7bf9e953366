// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Notes by which the next start finds temporaries of a killed process (ProtectedFile.md, "Making"). Before a process
/// writes in a folder, it notes the folder in its own file in the home. It keeps that file locked until it ends.
final class Temporaries: Sendable {
    private let folder: FileLocation
    private let hooks: FileHooks
    private let state = Locked(State())

    private struct State {
        var note: OpenFile?
        var noted: Set<FileLocation> = []
        var end = 0
    }

    /// Finds and removes what killed processes left in folders of files.
    let leftovers: Leftovers

    init(home: FileLocation, _ hooks: FileHooks) {
        folder = home.appending("temporaries")
        self.hooks = hooks
        leftovers = Leftovers(hooks) { (try? HeaderPage($0, ""))?.claimed.temporaryIdentifier }
    }

    deinit {
        if let note = state.withLock({ $0.note }) { _ = try? hooks.remove(note.path) }
    }

    /// A new file that is to become `path`.
    func make(for path: FileLocation) throws -> UnplacedFile {
        try note(path.folder)
        return try UnplacedFile(for: path, hooks)
    }

    /// Notes that this process may leave temporaries in a folder.
    func note(_ target: FileLocation) throws {
        // The process that cleans up may have another working directory, so a relative path is resolved first.
        let target = target.isAbsolute ? target : try hooks.resolve(target)
        try state.withLock { state in
            guard !state.noted.contains(target) else { return }
            let note = try state.note ?? makeNote()
            try note.write(target.bytes + [0], at: state.end)
            state.note = note
            state.end += target.bytes.count + 1
            state.noted.insert(target)
            // A power failure may have lost the note of a process that left something here.
            leftovers.remove(in: target)
        }
    }

    private func makeNote() throws -> OpenFile {
        do {
            try OpenFile.makeFolder(folder, hooks)
        } catch let error {
            if !error.isPresentAlready { throw error }
        }
        return try makeHeld()
    }

    /// A note that no process mistakes for a leftover. If a process that cleans up removes it before it is locked,
    /// another one is created.
    private func makeHeld() throws -> OpenFile {
        while true {
            do {
                let note = try OpenFile.make(folder.appending(TemporaryName.random()), hooks)
                if try note.tryLock(), try OpenFile.status(of: note.path, hooks)?.identity == note.status().identity {
                    return note
                }
            } catch let error {
                // Not a `where` at the catch: that crashes this compiler.
                if !error.isPresentAlready { throw error }
            }
        }
    }

    // MARK: What killed processes left

    /// Removes the temporaries of processes that have ended.
    func removeLeftovers() {
        for name in (try? hooks.names(in: folder)) ?? [] {
            let path = folder.appending(name)
            guard let note = try? OpenFile.open(path, mode: .read, hooks: hooks), (try? note.tryLock()) == true,
                let bytes = try? note.read(count: 1 << 20, at: 0)
            else { continue }
            for target in bytes.split(separator: 0) { leftovers.remove(in: FileLocation(bytes: Array(target))) }
            _ = try? hooks.remove(path)
        }
    }
}
