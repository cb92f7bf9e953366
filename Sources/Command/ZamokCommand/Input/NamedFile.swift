// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Keychains
import Readers
import Statuses

/// Files named on the command line to be read or written. For every command a missing file is status 44, and an
/// unreadable one an input error (220).
///
/// Only passcode and passphrase files differ. Their errors are wrong usage (64), so that 44 refers to what they open.
enum NamedFile {
    /// Opens a file of any kind for reading. A pipe can be read only once, and blocks while a program writes to it.
    static func open(_ path: String) throws -> FileHandle {
        guard let file = try NamedPipe.open(path) else { throw unreadable(path) }
        return file
    }

    /// The bytes of a regular file, without blocking; nil: not a regular file, larger than `limit`, or unreadable.
    static func regular(_ path: String, atMost limit: Int) -> [UInt8]? {
        guard let file = try? OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()),
            let status = try? file.status(), status.kind == .file, status.size <= limit,
            let bytes = try? file.read(count: limit + 1), bytes.count <= limit
        else { return nil }
        return bytes
    }

    /// The failure for a file that can't be read.
    static func unreadable(_ path: String) -> CommandFailure {
        guard !path.isEmpty else { return .usage("the name of a file is empty") }
        do throws(FileError) {
            let isFolder =
                try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()).status().kind == .folder
            return .status(
                .inputOutput, "\(path.printable) can't be read\(isFolder ? ": it is a folder" : "")")
        } catch {
            guard error.isMissing else {
                return .status(.inputOutput, "\(path.printable) can't be read: \(error.text)")
            }
            return .status(.itemNotFound, "\(path.printable): there is no such file")
        }
    }

    /// Refuses a file that can't be an export or a backup. The check comes before the prompt for the passphrase, and
    /// before a home is created for the content.
    static func requireExport(_ path: String) throws {
        let start: [UInt8]?
        do throws(FileError) {
            let file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks())
            start = try file.status().kind == .file ? file.read(count: KeychainExport.magic.count, at: 0) : nil
        } catch {
            throw unreadable(path)
        }
        guard let start else { throw unreadable(path) }
        guard start == KeychainExport.magic else {
            throw CommandFailure.status(
                .unknownFormat, "\(path.printable) was not written by Zamok as a sealed export or backup")
        }
    }

    /// Checks the name of a file to write, for a command that can't write to standard output: a dash would make a file
    /// of that name.
    static func checkNewFile(_ path: String) throws {
        try checkNew(path)
        guard path == "-" else { return }
        throw CommandFailure.usage(
            "this is not written to standard output; name a file (one that is called - is named as ./-)")
    }

    /// Checks the name of a file to write.
    static func checkNew(_ path: String) throws {
        guard path.isEmpty else { return }
        throw CommandFailure.usage("the name of the file to write is empty")
    }
}
