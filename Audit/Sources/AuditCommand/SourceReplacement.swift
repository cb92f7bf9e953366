// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation

/// Gives a source another content. The file itself is written to, so that owner, mode, access lists, extended attributes and further names (hard links)
/// stay. Meanwhile its old content lies beside it under a name of its own; a process that is killed in between leaves it there.
struct SourceReplacement {
    let path: String

    func replace(_ old: [UInt8], by new: [UInt8]) throws {
        guard case .file? = Disk.entry(path) else { throw refusal("is no plain file any more") }
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0
        // Root may write to it all the same, and so did not mean to.
        guard mode & 0o222 != 0 else { throw refusal("is read-only; chmod u+w lets it be changed") }
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            guard try Array(file.readToEnd() ?? Data()) == old else { throw refusal("changed meanwhile; run it again") }
            let copy = path + ".zamok-audit-\(UUID().uuidString.prefix(8))"
            try Data(old).write(to: URL(fileURLWithPath: copy), options: .withoutOverwriting)
            do { try write(new, to: file, over: old) } catch {
                try write(old, to: file, over: old)
                try FileManager.default.removeItem(atPath: copy)
                throw error
            }
            try FileManager.default.removeItem(atPath: copy)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw refusal("can't be changed: \(error.localizedDescription)")
        }
    }

    /// What is longer than the old content comes first: a full disk is met before anything is overwritten.
    private func write(_ new: [UInt8], to file: FileHandle, over old: [UInt8]) throws {
        if new.count > old.count {
            try file.seek(toOffset: UInt64(old.count))
            try file.write(contentsOf: Data(new[old.count...]))
        }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(new.prefix(old.count)))
        try file.truncate(atOffset: UInt64(new.count))
        try file.synchronize()
    }

    private func refusal(_ what: String) -> Failure {
        Failure(message: "\(path.printable) \(what); it is left as it is")
    }
}
