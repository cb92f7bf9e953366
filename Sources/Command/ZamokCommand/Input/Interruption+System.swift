// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// Notices Ctrl-C and termination signals between two steps of a long run, so that the run can clean up and report the
/// remaining work.
enum Interruption {
    private static let seen = SharedNumber()

    /// From now on these signals are recorded and don't end the process.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { Interruption.seen.value = $0 }
        }
    }

    /// Throws if one of the signals has arrived.
    static func check() throws {
        if let status = status { throw Interrupted(exitStatus: status) }
    }

    /// 128 + the signal; nil if none has arrived.
    static var status: Int32? {
        let number = seen.value
        return number == 0 ? nil : 128 + number
    }
}

/// The user or the system interrupted the run.
struct Interrupted: Error {
    let exitStatus: Int32
}
