// SPDX-License-Identifier: Apache-2.0

import CSQLite
import DataProtection
import Foundation
import SecretMemory

extension DataProtectionError {
    /// Translates an error of SQLite for the caller. Its text names tables and files only, never a value.
    init(_ error: DatabaseError, _ fileName: String) {
        let (code, text) = Self.meaning(of: error)
        self.init(code, "\(fileName): \(text)", cause: error)
    }

    /// SQLITE_IOERR_SHMSIZE, a macro that isn't imported.
    private static var sharedMemorySize: Int32 { SQLITE_IOERR | 19 << 8 }

    private static func meaning(of error: DatabaseError) -> (Code, String) {
        switch error.primary {
        case SQLITE_FULL: (.diskFull, "the disk is full; what was there before is intact")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            (.readOnly, "the file can't be written to; check the permissions of the home's folder")
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
            (
                .damaged,
                "the file is damaged; put it back from a backup, with all files of its name. Of a keychain, zamok get NAME may still give single items"
            )
        case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH:
            // Our statements fit our tables, so these tables are not ours.
            (.damaged, "the file's tables are not those that Zamok made; put it back from a backup")
        case SQLITE_TOOBIG:
            (
                .damaged,
                "the file holds a value that is longer than any of ours: it is damaged; put it back from a backup"
            )
        case SQLITE_BUSY, SQLITE_LOCKED:
            (.notAvailable, "another process keeps the file busy; find out which one uses it, and try again")
        case SQLITE_PROTOCOL:
            // SQLite gave up after ten seconds.
            (
                .notAvailable,
                "another process is held up in the middle of opening the file; let it go on or end it, and try again"
            )
        case SQLITE_IOERR where error.code == sharedMemorySize:
            // The shared-memory file could not grow; SQLite has no code of its own for the reason.
            (.diskFull, "no space for the file's shared memory; the disk is full")
        case SQLITE_CANTOPEN:
            (
                .io,
                "the file can't be opened (SQLite \(error.code)); check the permissions of the home's folder, and that its path, links followed, has at most \(Home.longestDatabasePath) bytes"
            )
        case SQLITE_IOERR:
            (.io, "the system reported an error (SQLite \(error.code))")
        default:
            (.notAvailable, "the database refused (SQLite \(error.code))")
        }
    }
}

/// How long a connection waits for another process's lock. Polling, because SQLite's locks have no queue.
final class Patience: Sendable {
    static let seconds = 60
    private static let longestPause = 0.008

    private let isShort = SharedNumber()

    /// Called by SQLite with the number of tries so far; false gives up.
    func wait(_ tries: Int) -> Bool {
        // Pauses grow by 0.2 ms each, up to 8 ms, and vary by up to 25 %.
        let limit = isShort.value != 0 ? 60 : Int(Double(Self.seconds) / Self.longestPause)
        guard tries < limit else { return false }
        let pause = min(0.0002 * Double(tries + 1), Self.longestPause)
        usleep(UInt32(pause * Double.random(in: 0.75...1.25) * 1e6))
        return true
    }

    /// Repeats `body` for up to ``seconds`` while another process holds a lock.
    /// SQLite reports `SQLITE_BUSY` without calling the busy handler where two processes would deadlock, and while a
    /// file is being made.
    func untilFree<R>(_ body: () throws -> R) throws -> R {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.seconds)
        while true {
            do { return try body() } catch let error as DatabaseError {
                guard [SQLITE_BUSY, SQLITE_LOCKED].contains(error.primary), clock.now < end else { throw error }
            }
            usleep(UInt32(Self.longestPause * Double.random(in: 0.25...1.25) * 1e6))
        }
    }

    /// Waits for only a few tenths of a second while `body` runs. For work that the next call can do as well.
    func shortly<R>(_ body: () throws -> R) rethrows -> R {
        isShort.value = 1
        defer { isShort.value = 0 }
        return try body()
    }
}
