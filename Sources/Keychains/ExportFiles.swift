// SPDX-License-Identifier: Apache-2.0

import Foundation
package import KeychainStore

/// A file in the making: beside its place until it is whole and on the disk.
package final class NewFile {
    private let path: String
    private let temporary: String
    private let handle: FileHandle
    private var isDone = false

    package init(at path: String) throws(KeychainError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw KeychainError(.parameter, "\(path) exists already; nothing was written")
        }
        self.path = path
        temporary = "\(path).\(UInt32.random(in: 0 ... .max)).new"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: attributes),
            let handle = FileHandle(forWritingAtPath: temporary)
        else { throw KeychainError(.inputOutput, "\(path) can't be written") }
        self.handle = handle
    }

    deinit { if !isDone { try? FileManager.default.removeItem(atPath: temporary) } }

    package func write(_ bytes: [UInt8]) throws(KeychainError) {
        do { try handle.write(contentsOf: Data(bytes)) } catch { throw .writing(path, error) }
    }

    /// Puts the file in its place, durably; never over another one.
    package func finish() throws(KeychainError) {
        do {
            try handle.synchronize()
            try handle.close()
            try FileManager.default.moveItem(atPath: temporary, toPath: path)
            isDone = true
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            if let handle = FileHandle(forReadingAtPath: folder.path) { try? handle.synchronize() }
        } catch {
            throw .writing(path, error)
        }
    }
}

extension KeychainError {
    fileprivate static func writing(_ path: String, _ error: any Error) -> KeychainError {
        let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        let isFull = (error as NSError).code == CocoaError.fileWriteOutOfSpace.rawValue || reason.code == Int(ENOSPC)
        return isFull
            ? KeychainError(.diskFull, "the disk is full; \(path) was not written", cause: error)
            : KeychainError(.inputOutput, "\(path) can't be written", cause: error)
    }
}

/// A file that is read in pieces.
package struct FileSource: ExportSource {
    private let handle: FileHandle

    package init(at path: String) throws(KeychainError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw KeychainError(.inputOutput, "\(path) can't be read")
        }
        self.handle = handle
    }

    package var count: Int { get throws { Int(clamping: try handle.seekToEnd()) } }

    package func read(_ count: Int, at offset: Int) throws -> [UInt8] {
        try handle.seek(toOffset: UInt64(offset))
        return try handle.read(upToCount: count).map { Array($0) } ?? []
    }
}
