// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Sealing
import SecretMemory

/// The known state of a database's file, apart from its log (Keychain.md, "The file beneath the log").
///
/// A restarted log holds only the pages written since, the page of `state` among them. Over an older file it would
/// combine the present state with old rows.
/// So the file itself must be one that this home wrote.
struct FileBeneath: Sendable {
    /// The file's identity and last change; nil if it was not checked.
    var status: StoreRecord.FileMark?
    /// The file itself, without its log, has at least this many writes.
    var revision: Int64 = 0
}

extension SealedDatabase {
    /// The mark that the home remembers beside the number of writes.
    var markBeneath: [UInt8] { beneath.withLock { Self.mark($0) } }

    private static func mark(_ file: FileBeneath) -> [UInt8] {
        var writer = ByteWriter(capacity: StoreRecord.markSize)
        writer.integer(file.revision)
        // A status that isn't exact may also be a later state's.
        writer.append(
            file.status.flatMap { $0.isExact ? $0.code : nil }
                ?? [UInt8](repeating: 0, count: StoreRecord.FileMark.codeSize))
        return writer.bytes
    }

    /// Throws if the file is older than at this home's last check, or was replaced under this object.
    /// Costs one look at the file's status. The file's state is read only after it was written to.
    func checkFileBeneath() throws {
        let known = beneath.withLock { $0 }
        guard let status = record.fileMark() else {
            guard known.status == nil || record.isThere(kind.fileName) else { throw lost(nil) }
            return
        }
        // The same status within the tick of its change differs once it is exact: then it is compared again.
        guard status != known.status || status.hasWholeSeconds else { return }
        if let former = known.status {
            guard former.inode == status.inode else { throw replaced }
            // Emptied under its log, which a power cut never leaves.
            if status.isEmpty { throw lost(nil) }
        }
        let remembered = try record.known()
        let bound = max(known.revision, remembered.map { Self.revision($0.mark) } ?? 0)
        // This home has compared this very state of the file, perhaps in another process: it has `bound` writes.
        let wasCompared =
            status.isExact
            && remembered?.marks.contains { $0.suffix(status.code.count) == status.code[...] } == true
        if wasCompared { return beneath.withLock { $0 = FileBeneath(status: status, revision: bound) } }
        // Nothing is noted: compared again until a checkpoint completes the file.
        guard let revision = try revisionBeneath(bound) else { return }
        guard revision >= bound else { throw lost(revision) }
        let file = FileBeneath(status: status, revision: revision)
        beneath.withLock { $0 = file }
        if let remembered { record.remember(remembered.revision, mark: Self.mark(file)) }
    }

    /// Checks the file after a write of this object, which may have changed it by a checkpoint. The next read checks
    /// again, and reports an error.
    func recheckFileBeneath() { try? checkFileBeneath() }

    /// Notes the file unchecked, after the user accepted the present state. Counting continues from `revision` writes.
    func acceptFileBeneath(at revision: Int64) {
        let file = FileBeneath(status: record.fileMark(), revision: ((try? stateBeneath()) ?? nil)?.revision ?? 0)
        beneath.withLock { $0 = file }
        record.remember(revision, mark: Self.mark(file), isNew: true)
    }

    private static func revision(_ mark: [UInt8]) -> Int64 {
        var reader = ByteReader(mark)
        return (try? reader.integer(Int64.self)) ?? 0
    }

    /// The number of writes in the file without its log. Nil if it has no state that opens, as after a power cut in
    /// a checkpoint.
    /// If the file must have a state (`bound` > 0), all rows are counted in that case.
    private func revisionBeneath(_ bound: Int64) throws -> Int64? {
        // Another process may be writing the page at this moment.
        for _ in 0..<3 {
            if let state = try stateBeneath() { return state.revision }
            guard bound > 0 else { return nil }
            usleep(UInt32(0.002 * 1e6))
        }
        guard let query = kind.rows else { return nil }
        let isWhole = try connections.read { connection in
            try connection.inSnapshot {
                let access = ReadAccess(connection: connection) { _ in }
                return try totals(query, access) == readState(access).rows
            }
        }
        guard isWhole else { throw lost(0) }
        return nil
    }

    private func stateBeneath() throws -> DatabaseState? {
        guard let (sealed, revision) = try Connection.stateBeneath(path),
            (0...DatabaseState.lastRevision).contains(revision)
        else { return nil }
        return try? open(sealed, revision)
    }

    private var replaced: DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(kind.fileName) was replaced by another file while this program had it open; nothing was changed; start the program again"
        )
    }
}
