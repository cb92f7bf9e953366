// SPDX-License-Identifier: Apache-2.0

import Foundation
import Zamok

struct Note {
    /// The file's name: says nothing, since names are not sealed.
    var name = UUID().uuidString
    var text = ""
    var title: String { text.split(separator: "\n").first.map(String.init) ?? "Untitled" }
}

/// Notes as protected files of class complete: their keys are gone while the user is not logged in.
struct NoteStore {
    private let files: ProtectedFileStore
    private let folder: FileLocation

    init(home: Home) throws {
        files = ProtectedFileStore(home: home)
        let path = home.folder + "/files"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        folder = FileLocation(path)
    }

    func notes() throws -> [Note] {
        var notes: [Note] = []
        try files.enumerate(folder) { entry in
            guard case .protected = entry.kind else { return }
            let text = String(decoding: try files.read(from: entry.location), as: UTF8.self)
            notes.append(Note(name: String(decoding: entry.location.name, as: UTF8.self), text: text))
        }
        return notes.sorted { $0.title < $1.title }
    }

    /// Durable when it returns; after a crash the old text is there or the new one.
    func save(_ note: Note) throws {
        try files.write(Array(note.text.utf8), to: folder.appending(note.name), protection: .complete)
    }

    func remove(_ note: Note) throws { try files.remove(folder.appending(note.name)) }
}
