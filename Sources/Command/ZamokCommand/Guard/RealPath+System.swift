// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Paths as the kernel resolves them.
enum RealPath {
    /// The path without symbolic links; nil: there is no such file.
    static func of(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
