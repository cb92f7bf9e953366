// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Replaces this process by another program.
enum ReplacedProcess {
    /// Returns only on failure, with the system's error message.
    static func start(_ path: String, _ words: [String]) -> String {
        let number = unsafe withTexts([path] + words) { texts in
            _ = unsafe execv(path, texts)
            return errno
        }
        return unsafe String(cString: strerror(number))
    }
}
