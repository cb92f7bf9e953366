// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import Synchronization

/// Lines that several threads may write.
final class Log: Sendable {
    private let content = Mutex([String]())
    var lines: [String] { content.withLock { $0 } }
    func add(_ line: String) { content.withLock { $0.append(line) } }
}

/// The time that this thread has worked, whatever else the machine does.
enum ThreadTime {
    static func measure(_ body: () -> Void) -> Duration {
        let start = now
        body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let instant = Mutex(ContinuousClock.Instant.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(by time: Duration) { instant.withLock { $0 += time } }
}

extension SecretField {
    /// What is in it, as a string; only a test may do this.
    var text: String {
        get throws {
            try withBytes { span in
                let bytes = Span<UInt8>(_bytes: span)
                var copy: [UInt8] = []
                for index in bytes.indices { copy.append(bytes[index]) }
                return String(decoding: copy, as: UTF8.self)
            }
        }
    }
}

extension Secret {
    /// What is in it, as a string; only a test may do this.
    var text: String {
        get throws {
            try withBytes { span in
                let bytes = Span<UInt8>(_bytes: span)
                var copy: [UInt8] = []
                for index in bytes.indices { copy.append(bytes[index]) }
                return String(decoding: copy, as: UTF8.self)
            }
        }
    }
}
