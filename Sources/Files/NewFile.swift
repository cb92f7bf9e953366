// SPDX-License-Identifier: Apache-2.0

/// A file in the making. It gets its name when it is whole and on the disk, and never takes the place of another one; until then it has none, so that
/// nothing is left of it when the process is killed. Where the file system has no files without a name, it lies beside its place.
package final class NewFile: Sendable {
    private let place: FileLocation
    private let file: OpenFile
    private let temporary: FileLocation?
    private let hooks: FileHooks

    /// Throws `FileError`, with EEXIST where there is something of that name.
    package init(at place: FileLocation, _ hooks: FileHooks = FileHooks()) throws(FileError) {
        self.place = place
        self.hooks = hooks
        guard try OpenFile.status(of: place, hooks) == nil else { throw FileError(Self.present, .make, place) }
        if let unnamed = try OpenFile.makeUnnamed(in: place.folder, hooks) {
            file = unnamed
            temporary = nil
            try file.setMode(0o600)
        } else {
            let name = Array(".zamok-\(UInt64.random(in: 0 ... .max)).new".utf8)
            let beside = place.folder.appending(name)
            file = try OpenFile.make(beside, hooks)
            temporary = beside
        }
    }

    deinit { if let temporary { _ = try? hooks.remove(temporary) } }

    /// Writes at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) { try file.write(bytes, at: offset) }

    /// What was written; fewer bytes at the end.
    package func read(count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        try file.read(count: count, at: offset)
    }

    /// Gives the file its name, durably.
    package func finish() throws(FileError) {
        try file.sync()
        if let temporary {
            try hooks.rename(temporary, to: place, replacing: false)
        } else {
            try hooks.link(file, to: place)
        }
        try hooks.syncFolder(place.folder)
    }
}
