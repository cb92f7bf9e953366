// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// Ctrl-C and a request to end, noticed between two steps of a long run, so that it can clear up and say what is left.
enum Interruption {
    private static let seen = SharedNumber()

    /// From here on these signals are noticed and don't end the process.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { Interruption.seen.value = $0 }
        }
    }

    /// Throws once one of the signals has come.
    static func check() throws {
        if let status = status { throw Interrupted(exitStatus: status) }
    }

    /// 128 + the signal; nil while none has come.
    static var status: Int32? {
        let number = seen.value
        return number == 0 ? nil : 128 + number
    }
}

/// The person, or the system, wants the run to end.
struct Interrupted: Error {
    let exitStatus: Int32
}
