// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// A file in the making, for code that writes whole files. It gets its name when it is whole and on the disk, and never replaces another one; until then
/// nothing of it is left when the process is killed (`UnplacedFile`).
package final class NewFile: Sendable {
    private let unplaced: UnplacedFile

    /// Throws `FileError`, with EEXIST where there is something of that name.
    package init(at place: FileLocation, _ hooks: FileHooks = FileHooks()) throws(FileError) {
        let held = try hooks.hold(place)
        guard try OpenFile.status(of: held, hooks) == nil else {
            throw FileError(Self.present, operation: .make, path: place)
        }
        // What a killed process left, where files can't exist without a name.
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

    /// Reads back what was written; fewer bytes at the end.
    package func read(count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        try unplaced.file.read(count: count, at: offset)
    }

    /// Gives the file its name, durably.
    package func finish() throws(FileError) {
        try unplaced.file.sync()
        try unplaced.place()
    }
}
