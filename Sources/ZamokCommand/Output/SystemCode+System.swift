// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Answers of the system that the command tells apart.
enum SystemCode {
    static let brokenPipe = EPIPE
    static let diskFull = ENOSPC

    /// The system's words for an answer.
    static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
