// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// A new file, for code that writes whole files. It is renamed into place only when it is complete and on the disk, and
/// never replaces another file. Until then nothing of it remains if the process is killed (`UnplacedFile`).
package final class NewFile: Sendable {
    private let unplaced: UnplacedFile

    /// Throws `FileError`, with EEXIST if the name exists.
    package init(at place: FileLocation, _ hooks: FileHooks = FileHooks()) throws(FileError) {
        let held = try hooks.hold(place)
        guard try OpenFile.status(of: held, hooks) == nil else {
            throw FileError(Self.present, operation: .make, path: place)
        }
        // Removes what a killed process left, on file systems without unnamed files.
        Leftovers(hooks) { _ in nil }.remove(in: held.folder)
        unplaced = try UnplacedFile(for: held, hooks)
    }

    /// Writes at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try unplaced.file.write(bytes, at: offset)
    }

    /// Writes a secret at `offset`.
    package func write(_ secret: borrowing SecretBytes, at offset: Int) throws {
        try unplaced.file.write(secret, at: offset)
    }

    /// Reads back what was written; returns fewer bytes at the end of the file.
    package func read(count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        try unplaced.file.read(count: count, at: offset)
    }

    /// Gives the file its name, durably.
    package func finish() throws(FileError) {
        try unplaced.file.sync()
        try unplaced.place()
    }
}
