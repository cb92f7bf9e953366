// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of this program.
enum OwnProgram {}

#if canImport(Darwin)
extension OwnProgram {
    /// Its path; nil: the system doesn't say it.
    static var path: String? { Bundle.main.executablePath }
}
#else
extension OwnProgram {
    /// Its path; nil: the system doesn't say it.
    static var path: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
}
#endif
