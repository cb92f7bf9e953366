// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Keychains
import Readers
import Statuses

/// Files that are named to be read or written. One that isn't there is absent (44), whichever command it was given to, and one that can't be read is an error of
/// input (220). Only files with a passcode or passphrase are different: those are wrong usage (64), so that 44 is about what they open.
enum NamedFile {
    /// Opened to be read, whatever it is, once: a pipe is waited for while a program writes to it.
    static func open(_ path: String) throws -> FileHandle {
        guard let file = try NamedPipe.open(path) else { throw unreadable(path) }
        return file
    }

    /// The bytes of a regular file, which is not waited for; nil: it is none, has more than `limit`, or can't be read.
    static func regular(_ path: String, atMost limit: Int) -> [UInt8]? {
        guard let file = try? OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()),
            let status = try? file.status(), status.kind == .file, status.size <= limit,
            let bytes = try? file.read(count: limit + 1), bytes.count <= limit
        else { return nil }
        return bytes
    }

    /// Why a file can't be read.
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

    /// Says that a file can't be an export or a backup before anybody is asked for its passphrase, and before a home is made for what is in it.
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

    /// The name of a file that is to be written.
    static func checkNew(_ path: String) throws {
        guard path.isEmpty else { return }
        throw CommandFailure.usage("the name of the file to write is empty")
    }
}
