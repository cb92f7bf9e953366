// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import SecretMemory

/// The highest number of writes that this process has seen in a database. It never decreases.
final class SeenRevision: Sendable {
    private let highest = Locked<Int64>(0)

    var revision: Int64 { highest.withLock { $0 } }

    func raise(to revision: Int64) { highest.withLock { $0 = max($0, revision) } }
}

/// The user accepted the present state: counting continues above every number that was ever used.
struct Acceptance {
    let bound: Int64?
}

extension SealedDatabase {
    /// Refuses a store that existed, or may have existed, and is missing: it is damaged, not empty.
    static func refuseIfLost(_ kind: DatabaseKind, home: Home, bound: Int64?) throws {
        guard try home.isMissingOrEmpty(kind.fileName) else { return }
        if bound != nil { throw kind.lost(nil) }
        if let doubt = try home.doubtAboutStores() {
            throw DataProtectionError(.damaged, "\(kind.shown) is missing or empty, and \(doubt)")
        }
    }

    func lost(_ revision: Int64?) -> DataProtectionError { kind.lost(revision) }

    /// Copies the file and its log if they don't open as they are. Returns the path of the copy.
    ///
    /// The files are opened beside SQLite, whose locks end with that (Decision 0007). So it is done before this process
    /// opens the database.
    static func keepCopy(_ kind: DatabaseKind, of home: Home) throws -> String? {
        do { _ = try SealedDatabase(kind, of: home) } catch let error as DataProtectionError
            where error.code == .damaged
        {
            let name = Home.copyName(of: kind.fileName, at: Int64(Date.now.timeIntervalSince1970))
            return try home.copyFiles([(kind.fileName, name), ("\(kind.fileName)-wal", "\(name)-wal")])
        } catch {}
        return nil
    }
}

extension DatabaseKind {
    /// `revision`: the revision found instead; nil if there is no store.
    func lost(_ revision: Int64?) -> DataProtectionError {
        let what =
            revision == nil
            ? "\(shown) is missing or empty, but this home had one"
            : "\(shown) is older than it was: a copy was put back, or the \(fileName)-wal beside it is gone or damaged, which has the last changes"
        return DataProtectionError(
            .damaged,
            "\(what); put it back with all files of its name, or, to go on with what is there and give the rest up, run: \(acceptCommand), which keeps a copy"
        )
    }
}

extension SealedDatabase: FreshSource {
    package func freshState() -> FreshState? {
        // Writes of other processes may not be durable yet.
        guard let state = try? readOnce({ try readState($0) }), record.makeDurable() else { return nil }
        return FreshState(name: kind.fileName, number: UInt64(clamping: state.revision), digest: state.rows.digest)
    }
}

extension SealedDatabase {
    func accept(_ access: ReadAccess, acceptance: Acceptance, state: inout DatabaseState) throws {
        var highest = max(state.revision, acceptance.bound ?? 0, seen.revision)
        if let query = kind.rows {
            state.rows = try totals(query, access) {
                highest = max(highest, min($0.revision, DatabaseState.lastRevision - 1))
            }
        }
        guard highest < DatabaseState.lastRevision else { throw Self.noNumbersLeft(kind) }
        state.revision = highest + 1
    }

    /// Refuses another store that was put in this one's place. At the write count that the home's counter remembers, it
    /// contained different rows.
    func refuseIfOther(than fresh: FreshState) throws {
        let state = try readOnce { try readState($0) }
        guard state.revision == Int64(clamping: fresh.number), state.rows.digest != fresh.digest else { return }
        throw DataProtectionError(
            .rolledBack,
            "\(kind.shown) is an earlier one that was put back and went on by itself: after as many writes the present one held other items; put the present one back, or, if you restored it, run: \(kind.acceptCommand)"
        )
    }

    static func noNumbersLeft(_ kind: DatabaseKind) -> DataProtectionError {
        DataProtectionError(
            .damaged, "\(kind.shown) has counted all the writes that it can; export it and start with a new one")
    }

    /// Called after a commit that is durable.
    func remember(_ end: WriteAccess.End) {
        seen.raise(to: end.state.revision)
        record.remember(end.note)
    }

    /// Writes the log back into the file if the last checkpoint is too old, so that losing the log loses little. The
    /// loss is reported all the same.
    /// If something prevents it, the next call does it.
    ///
    /// A relaxed object checks at most once a second, because the system call costs a tenth of such a write.
    func checkpointByAge(_ connection: Connection) {
        if isRelaxed {
            let now = ThisProcess.coarseTime
            let isDue = lastLookAtAge.withLock { last in
                guard now - last >= 1_000_000_000 else { return false }
                last = now
                return true
            }
            guard isDue else { return }
        }
        guard let age = record.age(), !(0..<Self.longestAge).contains(age) else { return }
        try? connection.checkpoint(.passive)
    }

    /// In seconds.
    private static var longestAge: Int { 60 }

    /// In bytes.
    static var longestLog: Int { 1 << 20 }
}
