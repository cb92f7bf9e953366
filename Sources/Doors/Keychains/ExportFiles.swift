// SPDX-License-Identifier: Apache-2.0

import Files
package import KeychainEngine

/// An export in the making. It is read back before it gets its name, and has none until then.
package final class ExportFile: ExportSource {
    private let path: String
    private let file: NewFile
    private var size = 0

    package init(at path: String) throws(KeychainError) {
        self.path = path
        do { file = try NewFile(at: FileLocation(path)) } catch { throw .writing(path, error) }
    }

    package func write(_ bytes: [UInt8]) throws(KeychainError) {
        do { try file.write(bytes, at: size) } catch { throw .writing(path, error) }
        size += bytes.count
    }

    package var count: Int { size }

    package func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count: count, at: offset) }

    /// Puts the file in its place, durably; never over another one.
    package func finish() throws(KeychainError) {
        do { try file.finish() } catch { throw .writing(path, error) }
    }
}

extension KeychainError {
    fileprivate static func writing(_ path: String, _ error: FileError) -> KeychainError {
        if error.isPresentAlready {
            return KeychainError(
                .duplicateItem, "\(path): there is a file of that name already; nothing was written", cause: error)
        }
        return error.isFull
            ? KeychainError(.diskFull, "the disk is full; \(path) was not written", cause: error)
            : KeychainError(.inputOutput, "\(path) can't be written: \(error.text)", cause: error)
    }
}

/// A file that is read in pieces.
package struct FileSource: ExportSource {
    private let file: OpenFile

    package init(at path: String) throws(KeychainError) {
        do { file = try OpenFile.open(FileLocation(path), .read, FileHooks()) } catch {
            throw KeychainError(.inputOutput, "\(path) can't be read", cause: error)
        }
    }

    package var count: Int { get throws { try file.status().size } }

    package func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count: count, at: offset) }
}
