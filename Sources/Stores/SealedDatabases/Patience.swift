// SPDX-License-Identifier: Apache-2.0

import GRDB
import SecretMemory

#if canImport(FoundationEssentials)
import Foundation
#endif

/// How long a connection waits for another process's lock. Polling, because SQLite's locks have no queue.
final class Patience: Sendable {
    static let seconds = 60
    private static let longestPause = 0.008

    private let isShort = SharedNumber()

    /// Called by SQLite with the number of tries so far; false gives up.
    func wait(_ tries: Int) -> Bool {
        // 0.2, 0.4, ... 8 ms; the sum after n tries is at least that of 40 short ones and of the rest at full length.
        let limit = isShort.value != 0 ? 60 : Int(Double(Self.seconds) / Self.longestPause)
        guard tries < limit else { return false }
        let pause = min(0.0002 * Double(tries + 1), Self.longestPause)
        Thread.sleep(forTimeInterval: pause * Double.random(in: 0.75...1.25))
        return true
    }

    /// Runs `body` anew while another process is in the way, for the same time: where two would wait for each other, and while a file is being made, SQLite gives up
    /// without asking the handler.
    func untilFree<R>(_ body: () throws -> R) throws -> R {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.seconds)
        while true {
            do { return try body() } catch let error as DatabaseError {
                guard [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode), clock.now < end else { throw error }
            }
            Thread.sleep(forTimeInterval: Self.longestPause * Double.random(in: 0.25...1.25))
        }
    }

    /// Waits for a few tenths of a second only while `body` runs: for work that the next one can do as well.
    func shortly<R>(_ body: () throws -> R) rethrows -> R {
        isShort.value = 1
        defer { isShort.value = 0 }
        return try body()
    }
}
