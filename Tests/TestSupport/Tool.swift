// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Executables of this package, built beside the running tests.
package enum Tool {
    /// Where `swift build` puts executables.
    package static var folder: URL {
        get throws {
            let running = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: running).deletingLastPathComponent()
        }
    }

    /// `test-worker`, whose subcommands are what tests start.
    package static var worker: URL { get throws { try url("test-worker") } }

    /// The executable of that name.
    package static func url(_ name: String) throws -> URL { try folder.appendingPathComponent(name) }
}

/// A folder of its own for one test, removed with it.
package final class TemporaryFolder: Sendable {
    package let url: URL
    package var path: String { url.path }

    package init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appendingPathComponent("zamok-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    deinit { try? FileManager.default.removeItem(at: url) }
}
