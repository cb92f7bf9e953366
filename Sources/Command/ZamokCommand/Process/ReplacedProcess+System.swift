// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Replaces this process by another program.
enum ReplacedProcess {
    /// Returns only on failure, with the system's error message.
    static func start(_ path: String, _ words: [String]) -> String {
        var texts = unsafe ([path] + words).map { unsafe strdup($0) }
        unsafe texts.append(nil)
        defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
        _ = unsafe execv(path, texts)
        return unsafe String(cString: strerror(errno))
    }
}
