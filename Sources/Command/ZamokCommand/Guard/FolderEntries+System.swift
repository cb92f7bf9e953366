// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// What a folder has, without `.` and `..`, in no order.
enum FolderEntries {
    /// Calls `body` with each name, and with its kind as far as the file system tells it (DT_DIR and others), while
    /// that returns true. False: the folder can't be read.
    @discardableResult
    static func each(of folder: String, _ body: (_ name: String, _ type: UInt8) -> Bool) -> Bool {
        each(of: folder) { name, type, _ in body(name, type) }
    }

    /// Calls `body` with each name and the status of what has it, a symbolic link for example. False: the folder can't
    /// be read. What is gone by then, or has a name that is no text, has no status.
    @discardableResult
    static func statuses(of folder: String, _ body: (_ name: String, _ status: stat?) -> Void) -> Bool {
        each(of: folder) { name, _, number in
            var status = stat()
            let isThere = unsafe fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            body(name, isThere ? status : nil)
            return true
        }
    }

    /// `body` also gets the folder's descriptor.
    private static func each(of folder: String, _ body: (String, UInt8, Int32) -> Bool) -> Bool {
        guard let entries = unsafe opendir(folder) else { return false }
        defer { unsafe closedir(entries) }
        let number = unsafe dirfd(entries)
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            guard body(name, unsafe entry.pointee.d_type, number) else { break }
        }
        return true
    }
}
